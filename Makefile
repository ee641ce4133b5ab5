# perceptron.h is one file and needs no building; this builds the examples and runs the tests.
# make help lists the targets. Everything built goes to build/.

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
VERSION := $(shell sed -n '1s/.* v\([0-9.]*\) .*/\1/p' perceptron.h)

EXAMPLES = or sensor text digits spam committee rings freund_schapire
PROGRAM = $(wildcard examples/perceptron/*.c)

.PHONY: all demo test bench install help clean check-tools

all: build/perceptron $(EXAMPLES:%=build/%)  ## the program build/perceptron and the examples

demo: all  ## learn handwritten digits: accuracy, confusion matrix, picture (build/digits.svg)
	build/digits examples/data/digits.csv build/digits.svg

test: all  ## every test that this machine has the tools for
	CC='$(CC)' STB='$(STB)' sh tests/run.sh

bench: check-tools  ## kernels and a training epoch beside plain loops and the memory's speed
	$(CC) -std=gnu99 $(CFLAGS) $(ARCH) -I. $(STB) tests/bench/bench.c -o build/bench \
	  $$(printf '#include <cblas.h>\nint main(void) { return 0; }\n' | $(CC) -x c - -lopenblas \
	     -o build/blas 2>/dev/null && echo -DBENCH_BLAS -lopenblas) -lm
	build/bench

install:  ## perceptron.h and perceptron.pc to PREFIX (default /usr/local), below DESTDIR
	install -d $(DESTDIR)$(INCLUDEDIR) $(DESTDIR)$(PREFIX)/share/pkgconfig
	install -m 644 perceptron.h $(DESTDIR)$(INCLUDEDIR)/
	printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$(INCLUDEDIR)' '' 'Name: perceptron' \
	  'Description: Online linear classifiers in one C header' 'Version: $(VERSION)' \
	  'Cflags: -I$${includedir}' > $(DESTDIR)$(PREFIX)/share/pkgconfig/perceptron.pc
	chmod 644 $(DESTDIR)$(PREFIX)/share/pkgconfig/perceptron.pc

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*  ## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

clean:  ## removes build/
	rm -rf build

build/perceptron: $(PROGRAM) $(wildcard examples/perceptron/*.h) perceptron.h | check-tools
	$(CC) -std=gnu99 $(CFLAGS) $(ARCH) $(WARN) -I. $(STB) $(PROGRAM) -o $@ -lm

$(EXAMPLES:%=build/%): build/%: examples/%.c perceptron.h | check-tools
	$(CC) -std=c99 $(CFLAGS) $(ARCH) $(WARN) -I. $(STB) $< -o $@ -lm

# What is missing gets one sentence.
check-tools:
	@mkdir -p build
	@command -v $(firstword $(CC)) >/dev/null || \
	  { echo "There is no C compiler '$(CC)': install one (Debian: apt-get install gcc)." >&2; exit 1; }
	@echo '#include <stdio.h>' | $(CC) -E -x c - >/dev/null 2>&1 || \
	  { echo "The C library's headers are missing: install them (Debian: apt-get install libc6-dev)." >&2; exit 1; }
	@echo '#include "stb_ds.h"' | $(CC) $(STB) -E -x c - >/dev/null 2>&1 || \
	  { echo "stb_ds.h is missing: install it (Debian: apt-get install libstb-dev) or name its folder: make STB_CFLAGS=-I..." >&2; exit 1; }
