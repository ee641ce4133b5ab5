# Integer models and frozen linear images have no undefined behaviour, whatever numbers come in: Frama-C proves that
# there is no access beyond an array, no signed overflow, nothing uninitialised, no division by 0, no shift too far.
#
# Eva looks at tests/tools/proof/*.c. Arrays and counts are bounded by what each driver says at its head; pointers have
# 16, 32 or 64 bits, int 16 or 32. tests/tools/proof/alarms.txt lists what could not be shown; an alarm that is not
# there fails, and so does one there that does not come. Not proved yet: images of linear trainers, integer and kernel
# models, headers with other kinds, slots or entries, images cut short, the checksum, and the program's number reader.
. tests/lib.sh

machines=64
short "64 bits only, not 16 and 32" || machines='16 32 64'

# The alarms in a log, one a line, without their places.
alarms() { # LOG
    awk '/^\[eva:alarm\]/ { getline; gsub(/^ +| \(Behavior.*/, ""); print }' "$1" | sort
}

listed() { # DRIVER ENTRY MACHINE
    sed -n "s/^- $1 $2 \([0-9,]*\): /\1 /p" tests/tools/proof/alarms.txt |
        awk -v machine="$3" '("," $1 ",") ~ "," machine "," { sub(/^[^ ]* /, ""); print }' | sort
}

# Did the analysis come to its end, on ways that exist, with a specification for all that is called?
whole() { # LOG ENTRY
    grep -q "done for function $2" "$1" && ! grep -E 'NON TERMINATING|user error|missing-spec|assigns:missing' "$1"
}

# What asm statements the header has are empty: they change nothing, whatever compilers have to believe.
prove() { # DRIVER ENTRY OPTIONS...
    driver=$1 entry=$2
    shift 2
    for machine in $machines; do
        label="$driver $entry, $machine bits" log=$out/$driver-$entry-$machine
        frama-c -no-asm-contracts -eva -no-unicode -warn-special-float none -machdep "gcc_x86_$machine" -main "$entry" \
            -cpp-extra-args='-I. -Itests/tools/proof -DPERCEPTRON_SIMD=0' "$@" "tests/tools/proof/$driver.c" >"$log.log" 2>&1
        verdict $? "$label: see $log.log" || continue
        whole "$log.log" "$entry"
        verdict $? "$label: the analysis is not complete"
        alarms "$log.log" >"$log.alarms"
        listed "$driver" "$entry" "$machine" | diff - "$log.alarms"
        verdict $? "$label: < in tests/tools/proof/alarms.txt, > found"
        echo "$label: $(wc -l <"$log.alarms") alarms," \
            "$(sed -n 's/.*, \([0-9]* statements reached.*\): .*/\1/p' "$log.log")"
    done
}

# Eva keeps what a function returned with an error apart from what it returned without one.
reading=pcnp_read_header:0,pcnp_read:0,pcnp_in_place:0,pcnp_linear_header_valid:0,pcnp_count_weights:0,pcn_image_size:0
reading=$reading,pcn_image_read:0,pcn_linear_open:0

images() { # DRIVER ENTRY
    prove "$@" -eva-precision 0 -eva-use-spec pcn_crc32 -eva-slevel 50 -eva-auto-loop-unroll 128 \
        -eva-split-return-function "$reading"
}

if need frama-c frama-c-base; then
    prove integer learners -eva-precision 3 -eva-use-spec pcnp_saturate
    prove integer frozen -eva-precision 3
    prove integer saturate -eva-precision 3
    images linear_images frozen
fi
finish
