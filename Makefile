# perceptron.h is one file and needs no building; this builds the examples and runs the tests.
# make help lists the targets, make help-all each of them. Everything built goes to build/.

CC ?= cc
CFLAGS ?= -O2
# The fastest instructions of this machine; the results are the same bits without: make ARCH=
ARCH := $(shell $(CC) -march=native -E -x c /dev/null >/dev/null 2>&1 && echo -march=native)
WARN = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef \
       -Wdouble-promotion -Wstrict-prototypes
STB_CFLAGS ?= $(or $(shell pkg-config --cflags-only-I stb 2>/dev/null),-I/usr/include/stb)
STB = $(patsubst -I%,-isystem %,$(STB_CFLAGS))
PREFIX ?= /usr/local
INCLUDEDIR ?= $(PREFIX)/include
export PYTHONPATH = tests
VERSION := $(shell sed -n '1s/.* v\([0-9.]*\) .*/\1/p' perceptron.h)

# All processors; a make that another one calls does as that says.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
endif

ARM_CC ?= arm-none-eabi-gcc
ARM_FLAGS = -std=c99 -Os -ffreestanding -ffunction-sections -fdata-sections -nostdlib -Wl,--gc-sections \
            -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
QEMU_ARM ?= qemu-system-arm
MINGW_CC ?= x86_64-w64-mingw32-gcc
WASM_CC ?= clang
WASM_FLAGS = --target=wasm32 -std=c99 -O2 -msimd128 -mbulk-memory -ffreestanding
WASM_LINK = --target=wasm32 -nostdlib -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all -Wl,--stack-first \
            -Wl,-z,stack-size=131072
FIRMWARE = $(addprefix examples/firmware/,demo.c device.c state.c flash.c activity.c print.c)
ELF = build/firmware/firmware.elf
FIRMWARE_PARTS = $(FIRMWARE) $(wildcard examples/firmware/*.h) build/firmware/activity_model.h perceptron.h

EXAMPLES = or save sensor digits exported decay text spam kernels motor threads
LITERATURE = gate plane margin committee freund_schapire
PROGRAM = $(wildcard examples/perceptron/*.c examples/perceptron/*/*.c)
PROGRAM_PARTS = $(wildcard examples/perceptron/*/*.h) perceptron.h
MPI_PROGRAM = $(filter-out examples/perceptron/learn/processes.c,$(PROGRAM)) $(wildcard examples/mpi/*.c)
HAS_MPI := $(shell command -v mpicc)
MPI_CFLAGS = $(patsubst -I%,-isystem %,$(shell mpicc --showme:compile))
MPI_LIBS = $(shell mpicc --showme:link)

.PHONY: all demo pictures figures test quick test-more test-all nightly tests-list fuzz faults coverage worth mutate endurance proof analyze check matrix size tables layout stats \
        firmware-run playground test-playground bench bench-peers bench-mpi bench-against bench-streams install uninstall dist help help-all clean check-tools \
        check-mpi check-arm-tools check-arm-math check-mingw-tools check-wasm-tools

.DELETE_ON_ERROR:

##@ Programs, pictures, pages

all: build/perceptron $(EXAMPLES:%=build/%) $(LITERATURE:%=build/%) $(HAS_MPI:%=build/perceptron-mpi)  ### the programs and the examples

demo: build/digits  ### learn handwritten digits: accuracy, confusion matrix, picture (build/digits.svg)
	build/digits examples/data/digits.csv build/digits.svg

pictures: build/digits build/plane  ## examples/digits.svg and examples/literature/plane.svg anew
	build/digits examples/data/digits.csv examples/digits.svg
	build/plane examples/literature/plane.svg

figures: build/draw_figures build/plane build/committee build/kernels build/digits  ## the figures of five texts: build/figures/index.html
	@mkdir -p build/figures
	build/draw_figures build/figures
	build/plane build/figures/proof.svg >build/figures/proof.txt
	build/committee 3 1000 build/figures/committee.svg >build/figures/committee.txt
	build/kernels build/figures/kernels.svg >build/figures/kernels.txt
	build/digits examples/data/digits.csv build/figures/digits.svg >build/figures/digits.txt

##@ Tests

RUN_TESTS = @CC='$(CC)' STB='$(STB)' sh tests/run.sh

test: build/perceptron  ### the fast tests (2 minutes); T=traces: one test, T=header: a folder; TESTS=all: whole, not in its short form
	$(RUN_TESTS) $(or $(T),test)

quick:  ### after a change of one function of the header, 4 seconds from the second time on; T=program: of the program, 35 seconds
	$(if $(T),@$(MAKE) -s test T=quick,@CC='$(CC)' STB='$(STB)' sh tests/header/quick.sh)

test-more: all  ## the tests that make test leaves out, long ones in a short form (8 minutes)
	$(RUN_TESTS) more

test-all: all  ### both, before a change is sent: make test and make test-more (10 minutes)
	$(RUN_TESTS) all

nightly: all  ## each test whole (hours); writes tests/nightly.txt if none has failed
	$(RUN_TESTS) nightly

tests-list:  ## what has to be so, and which test says so: the tables of tests/README.md; W='WORDS': only prints the cases that have these
	@python3 tests/tools/list.py $(if $(W),--find $(W),--write)

##@ Long tests, each whole (TESTS=all make test T=NAME runs any other)

fuzz:  ## fuzzes the library for two minutes, from tests/fuzz/corpus; FUZZ_SECONDS=... for longer
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-100} CC='$(CC)' STB='$(STB)' sh tests/fuzz/fuzz.sh

faults: build/perceptron  ## every call of the system fails, in every command of the program; FAULTS_SEED=... repeats
	@TESTS=all CC='$(CC)' STB='$(STB)' python3 tests/program/faults.py

coverage:  ## what the tests reach of perceptron.h and of the program, and what not, with reasons (10 minutes)
	@TESTS=all STB='$(STB)' python3 tests/tools/coverage.py

worth:  ## what each test notices that no cheaper one does: tests/tools/worth.txt (an hour)
	@PYTHONPATH=tests:tests/tools STB='$(STB)' python3 tests/tools/worth.py

mutate:  ## how many of 500 small changes of perceptron.h and of the program's reader the tests notice
	@N=420 STB='$(STB)' python3 tests/tools/mutate.py header
	@N=80 STB='$(STB)' python3 tests/tools/mutate.py reader

endurance: build/endurance build/drift build/endurance_kernels build/scaler build/calibration  ## 10^9 updates of linear learners, 10^8 beside doubles (2 hours)
	@UPDATES=$${UPDATES:-1000000000} build/endurance
	@UPDATES=$${UPDATES:-100000000} build/drift
	@UPDATES=$${UPDATES:-100000000} build/endurance_kernels
	@UPDATES=$${UPDATES:-100000000} build/scaler
	@UPDATES=$${UPDATES:-100000000} build/calibration

build/endurance build/drift build/endurance_kernels build/scaler build/calibration: build/%: tests/header/%.c perceptron.h | check-tools
	$(CC) -std=c99 $(CFLAGS) $(ARCH) $(WARN) -I. -Itests $< -o $@ -lm

proof:  ## what Frama-C proves of integer models and frozen images, on 16, 32 and 64 bits (2 minutes)
	@TESTS=all sh tests/tools/proof.sh

analyze: build/language.h  ## analyzers over the header, the program and the examples (15 minutes)
	@TESTS=all CC='$(CC)' STB='$(STB)' sh tests/tools/analyze.sh

check:  ## sanitizers and valgrind over the header and the program (half an hour)
	@TESTS=all CC='$(CC)' STB='$(STB)' sh tests/tools/check.sh

matrix:  ## the header by every compiler, in every standard and at every level (30 minutes)
	@TESTS=all STB='$(STB)' sh tests/targets/matrix.sh
	@TESTS=all STB='$(STB)' sh tests/header/headers.sh

##@ Bytes and instructions on devices

size: build/perceptron  ## bytes of flash and RAM of each algorithm on Cortex-M0 and M4F; time and flash beside plain loops
	sh tests/targets/size.sh
	TARGETS='M0 M4F' sh tests/targets/ratio.sh

tables: build/perceptron  ## the tables of README.md and examples/firmware anew: flash, RAM, stack, instructions, as measured now
	TABLES=write sh tests/targets/size.sh
	TABLES=write sh tests/targets/freestanding.sh
	TABLES=write sh tests/targets/instructions.sh
	TABLES=write TARGETS='M0 M4F' sh tests/targets/ratio.sh
	TABLES=write MAKE="$(MAKE)" sh tests/targets/firmware.sh

##@ The source

layout:  ### lays all C out as .clang-format says
	clang-format-14 -i --style=file perceptron.h $(shell find examples tests -name '*.[ch]' -o -name '*.ino')

stats:  ## lines, conditionals, bytes and time to compile of perceptron.h, or of HEADER=...
	@STB='$(STB)' FLAGS='$(FLAGS)' sh tests/tools/stats.sh $(HEADER)

##@ Speed

BENCHES = $(patsubst tests/bench/%.c,build/bench_%,$(wildcard $(addprefix tests/bench/, \
            kernels.c sparse.c epochs.c prediction.c reading.c)))

bench: $(BENCHES)  ### kernels, epochs, prediction, reading: beside plain loops and the machine's limits (90 seconds)
	@for b in $^; do $$b && echo || exit; done
	@! { grep -qsw avx512f /proc/cpuinfo && ldd build/bench_kernels | grep -q blas; } || \
	  OPENBLAS_CORETYPE=Haswell build/bench_kernels

bench-peers: build/perceptron build/bench_generate build/bench_simple  ## the program beside others: the README's table of speed (10 minutes)
	BENCH_FLAGS='$(strip $(CC) $(CFLAGS) $(ARCH))' python3 tests/bench/peers.py

bench-mpi: build/perceptron build/perceptron-mpi build/bench_generate  ## several processes: bytes sent, time of mixing
	@python3 tests/bench/mpi.py

bench-against:  ## is perceptron.h slower than in a commit: REF=... (3 minutes)
	CC='$(CC)' FLAGS='$(FLAGS)' HEADER='$(HEADER)' python3 tests/bench/against.py $(REF)

bench-streams: build/perceptron build/bench_streams  ## following, probabilities and scaling, on streams and the sets of PCN_DATA (a minute)
	@python3 tests/bench/streams.py

build/bench_kernels: BLAS = $$(printf '\#include <cblas.h>\nint main(void) { return 0; }\n' | \
  $(CC) -x c - -lopenblas -o build/blas 2>/dev/null && echo -DBENCH_BLAS -lopenblas)

build/bench_reading build/bench_streams: $(wildcard $(addprefix examples/perceptron/,cli/*.c text/*.c read/*.c model/rows.c))

build/bench_%: tests/bench/%.c check-tools
	$(CC) -std=gnu99 $(CFLAGS) $(ARCH) $(WARN) -DBENCH_FLAGS='"$(strip $(CFLAGS) $(ARCH))"' -I. -Iexamples/perceptron \
	  $(STB) $(filter %.c,$^) -o $@ $(BLAS) -lm

##@ In a device, in a browser

firmware-run: $(ELF)  ## examples/firmware on an emulated Cortex-M4F; ELF=build/NAME.elf: the demo() of your build/NAME.c
	$(QEMU_ARM) -M mps2-an386 -display none -monitor none -serial stdio \
	  -semihosting-config enable=on,target=native -kernel $< </dev/null

playground: build/playground/index.html  ### a page to see learning in a browser: build/playground/index.html

test-playground:  ## that page in headless Chromium, and its bytes beside the program's; pictures in build/playground
	$(RUN_TESTS) playground
	$(RUN_TESTS) playground_bits

##@ To install, to clean up

# What is installed runs on any machine of the architecture, so it is built without -march=native.
install:  ### the header, and program and man page if the program is built, to PREFIX (default /usr/local), below DESTDIR
	install -d $(DESTDIR)$(INCLUDEDIR) $(DESTDIR)$(PREFIX)/share/pkgconfig
	install -m 644 perceptron.h $(DESTDIR)$(INCLUDEDIR)/
	printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$(INCLUDEDIR)' '' 'Name: perceptron' \
	  'Description: Online linear classifiers in one C header' 'Version: $(VERSION)' \
	  'Cflags: -I$${includedir}' > $(DESTDIR)$(PREFIX)/share/pkgconfig/perceptron.pc
	chmod 644 $(DESTDIR)$(PREFIX)/share/pkgconfig/perceptron.pc
	if [ -x build/perceptron ]; then \
	  $(MAKE) ARCH= build/any/perceptron && \
	  install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 && \
	  install build/any/perceptron $(DESTDIR)$(PREFIX)/bin/ && \
	  build/any/perceptron --man > $(DESTDIR)$(PREFIX)/share/man/man1/perceptron.1 && \
	  chmod 644 $(DESTDIR)$(PREFIX)/share/man/man1/perceptron.1; \
	fi

uninstall:  ### removes what make install has installed there
	rm -f $(DESTDIR)$(INCLUDEDIR)/perceptron.h $(DESTDIR)$(PREFIX)/share/pkgconfig/perceptron.pc \
	  $(DESTDIR)$(PREFIX)/bin/perceptron $(DESTDIR)$(PREFIX)/share/man/man1/perceptron.1

dist:  ## packages for CMake, Meson, vcpkg, Conan, xmake, clib, Arduino, PlatformIO, Zephyr, ESP-IDF and CMSIS, with checksums: build/dist, see examples/packages
	@command -v python3 >/dev/null || { echo "Python 3 is missing: install it (Debian: apt-get install python3)." >&2; exit 1; }
	@python3 examples/packages/dist.py $(URL)

help:
	@sed -n 's/^\([a-z-]*\):.*  ### \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

help-all:  ### all targets, by purpose
	@sed -n -e 's/^##@ /\n/p' -e 's/^\([a-z-]*\):.*  ###* \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

clean:  ### removes build/
	rm -rf build

# An object for each file of the program: one that has changed is compiled anew, with what includes it. Those in build/any
# are made without -march=native (make ARCH=).
OBJECTS = $(if $(ARCH),build/objects,build/any/objects)
COMPILE = $(CC) -std=gnu99 $(CFLAGS) $(ARCH) $(WARN) -I. -Iexamples/perceptron $(STB)
objects = $(patsubst examples/%.c,$(OBJECTS)/%.o,$(1))

build/perceptron build/any/perceptron: $(call objects,$(PROGRAM))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(ARCH) $^ -o $@ -pthread -lm

$(OBJECTS)/%.o: examples/%.c $(OBJECTS)/command | check-tools
	@mkdir -p $(@D)
	$(COMPILE) $(if $(findstring examples/mpi/,$<),$(MPI_CFLAGS)) -MMD -MP -c $< -o $@

# Another compiler or another flag makes all objects anew.
$(OBJECTS)/command: ALWAYS
	@mkdir -p $(@D)
	@echo '$(COMPILE)' | cmp -s - $@ || echo '$(COMPILE)' >$@

.PHONY: ALWAYS
-include $(wildcard $(OBJECTS)/*/*.d $(OBJECTS)/*/*/*.d)

# -march=native would make code for this machine only.
build/perceptron.exe: $(PROGRAM) $(PROGRAM_PARTS) | check-mingw-tools
	@mkdir -p $(@D)
	$(MINGW_CC) -std=gnu99 $(CFLAGS) $(WARN) -Wno-float-conversion -D__USE_MINGW_ANSI_STDIO=1 -I. -Iexamples/perceptron $(STB) $(PROGRAM) -o $@ \
	  -static -pthread

build/perceptron-mpi: $(call objects,$(MPI_PROGRAM)) | check-mpi
	$(CC) $(CFLAGS) $(ARCH) $^ -o $@ $(MPI_LIBS) -pthread -lm

$(EXAMPLES:%=build/%): build/%: examples/%.c
$(LITERATURE:%=build/%): build/%: examples/literature/%.c
$(EXAMPLES:%=build/%) $(LITERATURE:%=build/%): perceptron.h examples/must.h examples/picture.h examples/perceptron/text/words.h \
  examples/perceptron/teach/margin.h $(OBJECTS)/header.o | check-tools
	$(CC) -std=c99 $(CFLAGS) $(ARCH) $(WARN) -DPCN_IMPLEMENTED -I. -Ibuild $(STB) $(filter %.c %.o,$^) -o $@ -pthread -lm

# The header's code, compiled once for all examples: each has it in itself if it is built as its first line says.
$(OBJECTS)/header.o: perceptron.h $(OBJECTS)/command | check-tools
	$(CC) -std=c99 $(CFLAGS) $(ARCH) $(WARN) $(STB) -DPERCEPTRON_GROW -DPERCEPTRON_IMPLEMENTATION -x c -c $< -o $@

build/exported: build/language.h
build/language.h: examples/data/languages.tsv build/perceptron
	build/perceptron train -q --force --text $< build/languages.model
	build/perceptron export --force --as arrays --predict --name language build/languages.model $@

build/libperceptron.so: perceptron.h | check-tools
	printf '%s\n' '#define PERCEPTRON_IMPLEMENTATION' '#include "perceptron.h"' \
	  'const unsigned pcn_perceptron_size = sizeof(pcn_perceptron);' | \
	  $(CC) -std=c99 $(CFLAGS) $(ARCH) $(WARN) -shared -fPIC -I. -x c - -o $@

build/draw_figures: examples/literature/figures.c perceptron.h examples/must.h examples/picture.h examples/perceptron/teach/margin.h | check-tools
	$(CC) -std=c99 $(CFLAGS) $(ARCH) $(WARN) -I. $< -o $@ -lm

build/firmware/firmware.elf: examples/firmware/startup.c examples/firmware/board.ld $(FIRMWARE_PARTS) | check-arm-tools
	$(ARM_CC) $(ARM_FLAGS) $(WARN) -I. -Ibuild/firmware -T examples/firmware/board.ld $< $(FIRMWARE) -lgcc -o $@

build/%.elf: build/%.c $(wildcard build/*.h) $(addprefix examples/firmware/,startup.c print.c board.ld board.h print.h) perceptron.h | check-arm-tools check-arm-math
	$(ARM_CC) $(ARM_FLAGS) $(WARN) -I. -Iexamples/firmware -T examples/firmware/board.ld $(filter %.c,$^) -lm -lc -lgcc -o $@

build/firmware/host: examples/firmware/host.c $(FIRMWARE_PARTS)
	$(CC) -std=c99 $(CFLAGS) $(ARCH) $(WARN) -I. -Ibuild/firmware $< $(FIRMWARE) -o $@

# The story of examples/firmware/there_and_back.md.
WRIST = $(addprefix examples/firmware/,wrist.c users.c state.c flash.c activity.c print.c)
WRIST_PARTS = $(WRIST) $(wildcard examples/firmware/*.h) build/wrist.h perceptron.h

build/firmware/wrist.elf: examples/firmware/startup.c examples/firmware/board.ld $(WRIST_PARTS) | check-arm-tools
	$(ARM_CC) $(ARM_FLAGS) $(WARN) -I. -Ibuild -T examples/firmware/board.ld $< $(WRIST) -lgcc -o $@

build/firmware/wrist: examples/firmware/host.c $(WRIST_PARTS)
	@mkdir -p $(@D)
	$(CC) -std=c99 $(CFLAGS) $(ARCH) $(WARN) -I. -Ibuild $< $(WRIST) -o $@

build/firmware/windows: $(addprefix examples/firmware/,windows.c users.c activity.c users.h activity.h) | check-tools
	@mkdir -p $(@D)
	$(CC) -std=c99 $(CFLAGS) $(WARN) $(filter %.c,$^) -o $@

build/wrist.h:
	@echo "build/wrist.h is missing: examples/firmware/there_and_back.md trains and exports it." >&2; exit 1

build/firmware/activity_model.h: build/firmware/factory
	build/firmware/factory >$@

build/firmware/factory: examples/firmware/factory.c examples/firmware/activity.c examples/firmware/activity.h examples/must.h perceptron.h | check-tools
	mkdir -p build/firmware
	$(CC) -std=c99 $(CFLAGS) $(WARN) -I. $(filter %.c,$^) -o $@

build/playground/index.html: build/playground/engine.wasm $(wildcard examples/playground/* examples/playground/*/*) examples/data/digits.csv
	python3 examples/playground/build.py $< examples/data/digits.csv $@

# Linked without -O: with it clang runs a wasm-opt of the PATH, and that of Debian does not know SIMD.
build/playground/engine.wasm: examples/playground/engine/engine.c perceptron.h | check-wasm-tools
	@mkdir -p build/playground
	$(WASM_CC) $(WASM_FLAGS) $(WARN) -I. -c $< -o $(@:.wasm=.o)
	$(WASM_CC) $(WASM_LINK) $(@:.wasm=.o) -o $@

# What is missing gets one sentence.
check-tools:
	@mkdir -p build
	@command -v $(firstword $(CC)) >/dev/null || \
	  { echo "There is no C compiler '$(CC)': install one (Debian: apt-get install gcc)." >&2; exit 1; }
	@echo '#include <stdio.h>' | $(CC) -E -x c - >/dev/null 2>&1 || \
	  { echo "The C library's headers are missing: install them (Debian: apt-get install libc6-dev)." >&2; exit 1; }
	@echo '#include "stb_ds.h"' | $(CC) $(STB) -E -x c - >/dev/null 2>&1 || \
	  { echo "stb_ds.h is missing: install it (Debian: apt-get install libstb-dev) or name its folder: make STB_CFLAGS=-I..." >&2; exit 1; }

check-mpi:
	@command -v mpicc >/dev/null || \
	  { echo "Open MPI is missing: install it (Debian: apt-get install openmpi-bin libopenmpi-dev)." >&2; exit 1; }

check-arm-tools:
	@command -v $(firstword $(ARM_CC)) >/dev/null && command -v $(firstword $(QEMU_ARM)) >/dev/null || \
	  { echo "The firmware needs '$(ARM_CC)' and '$(QEMU_ARM)' (Debian: apt-get install gcc-arm-none-eabi qemu-system-arm)." >&2; exit 1; }

check-mingw-tools:
	@command -v $(firstword $(MINGW_CC)) >/dev/null || \
	  { echo "The program for Windows needs '$(MINGW_CC)' (Debian: apt-get install gcc-mingw-w64-x86-64)." >&2; exit 1; }

check-arm-math:
	@echo '#include <math.h>' | $(ARM_CC) -E -x c - >/dev/null 2>&1 || \
	  { echo "The C library of '$(ARM_CC)' is missing (Debian: apt-get install libnewlib-arm-none-eabi)." >&2; exit 1; }

check-wasm-tools:
	@for t in '$(firstword $(WASM_CC)) clang' 'wasm-ld lld' 'python3 python3'; do set -- $$t; command -v $$1 >/dev/null || \
	  { echo "The playground needs '$$1', which is missing: install it (Debian: apt-get install $$2)." >&2; exit 1; }; done
