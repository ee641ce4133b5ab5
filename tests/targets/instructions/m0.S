/* The loops by hand for Cortex-M0, which has no long multiply and eight registers to calculate in.
 * Compared in count.c, where they are declared. */
    .syntax unified
    .cpu cortex-m0
    .thumb
    .text
    .altmacro

.macro function name
    .balign 4
    .global \name
    .type \name, STT_FUNC
\name:
.endm

/* ---- int64_t hand_idot(const int32_t *w, const int16_t *x, uint32_t n) ----
 * Three sums modulo 2^32 need no carry: A = sum of w x, B = sum of (w >> 10) x, C = sum of (w >> 20) x. Of
 * up to 62 products with |w| <= 2^30 C is exact, for 62 2^10 2^15 < 2^31. Then so is B - 2^10 C, the sum of
 * (w >> 10) mod 2^10 times x, and gives B in 64 bits; from it in the same way A. */

/* One product into A, B, C, in r8, r9, r10; op: add, or mov for the first. */
.macro product op, w
    asrs r5, \w, #20
    muls r5, r4, r5
    \op r10, r5
    asrs r5, \w, #10
    muls r5, r4, r5
    \op r9, r5
    muls \w, r4, \w
    \op r8, \w
.endm

/* Two products; r6, r7: 0, 2. */
.macro products op
    ldmia r0!, {r2, r3}
    ldrsh r4, [r1, r6]
    product \op, r2
    ldrsh r4, [r1, r7]
    product add, r3
    adds r1, #4
.endm

/* r3:r2 = lo, exact, where `lo` is known modulo 2^32 and r3:r2 to within 2^31. */
.macro exact lo
    subs r6, \lo, r2
    asrs r7, r6, #31
    adds r2, r2, r6
    adcs r3, r7
.endm

/* r12:r11 += A. */
.macro total
    mov r2, r10
    asrs r3, r2, #22
    lsls r2, r2, #10
    mov r4, r9
    exact r4
    lsls r3, r3, #10
    lsrs r6, r2, #22
    orrs r3, r6
    lsls r2, r2, #10
    mov r4, r8
    exact r4
    mov r6, r11
    mov r7, r12
    adds r2, r2, r6
    adcs r3, r7
    mov r11, r2
    mov r12, r3
    movs r6, #0
    movs r7, #2
.endm

function hand_idot
    push {r4-r7, lr}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    push {r4-r7}
    movs r6, #0
    movs r7, #2
    mov r11, r6
    mov r12, r6
    subs r2, #62
    bhs 1f
    b 2f
1:  mov lr, r2
    products mov
    .rept 30
    products add
    .endr
    total
    mov r2, lr
    subs r2, #62
    blo 2f
    b 1b
2:  adds r2, #62
    beq 5f
    mov r8, r6
    mov r9, r6
    mov r10, r6
    mov r3, r2
3:  ldmia r0!, {r2}
    ldrsh r4, [r1, r6]
    product add, r2
    adds r1, #2
    subs r3, #1
    bne 3b
    total
5:  mov r0, r11
    mov r1, r12
    pop {r4-r7}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
    pop {r4-r7, pc}

/* ---- void hand_iadd(int32_t *w, const int16_t *x, uint32_t n, int32_t step) ---- */

/* w += step x, kept within +-2^30, beyond which 2 w would overflow. */
.macro change w
    muls r2, r3, r2
    adds \w, \w, r2
    adds r2, \w, \w
    bvc 9f
    asrs r2, \w, #31            /* 0 or -1: 2^30 or its complement + 1 */
    movs \w, #1
    lsls \w, \w, #30
    eors \w, r2
    subs \w, \w, r2
9:
.endm
.macro changes w, at
    movs r2, #\at
    ldrsh r2, [r1, r2]
    change \w
.endm
.macro four at
    ldmia r0!, {r4-r7}
    changes r4, \at
    changes r5, %(\at + 2)
    changes r6, %(\at + 4)
    changes r7, %(\at + 6)
    subs r0, #16
    stmia r0!, {r4-r7}
.endm

function hand_iadd
    push {r4-r7, lr}
    subs r2, #32
    bhs 1f
    b 2f
1:  mov r12, r2
    four 0
    four 8
    four 16
    four 24
    four 32
    four 40
    four 48
    four 56
    adds r1, #64
    mov r2, r12
    subs r2, #32
    blo 2f
    b 1b
2:  adds r2, #32
    beq 4f
    mov r7, r2
3:  ldr r4, [r0]
    changes r4, 0
    stmia r0!, {r4}
    adds r1, #2
    subs r7, #1
    bne 3b
4:  pop {r4-r7, pc}
