/* The loops by hand for Cortex-M4 with its FPU. Compared in count.c, where they are declared. vmla would
 * round the same, in fewer instructions but more time: 3 cycles for 1 + 1 of vmul and vadd. */
    .syntax unified
    .cpu cortex-m4
    .fpu fpv4-sp-d16
    .thumb
    .text
    .altmacro

.macro function name
    .balign 4
    .global \name
    .type \name, STT_FUNC
\name:
.endm

/* `count` times OP s<d>, s<a>, s<b>, each with the next registers; by = 0: the same s<b>. */
.macro each op, d, a, b, count, by=1
    \op s\d, s\a, s\b
    .if \count - 1
    each \op, %(\d + 1), %(\a + 1), %(\b + \by), %(\count - 1), \by
    .endif
.endm

/* ---- float hand_dot(const float *w, const float *x, uint32_t n) ---- */

/* Eight products into partial sums s<first> and on. */
.macro products first
    vldmia r0!, {s16-s23}
    vldmia r1!, {s24-s31}
    each vmul.f32, 16, 16, 24, 8
    each vadd.f32, \first, \first, 16, 8
.endm

/* Half a block of 32. */
.macro half
    products 0
    products 8
    add r0, #64
    add r1, #64
.endm

/* r3: partial sums in memory; r5, r6: w and x; r7: zeros. */
function hand_dot
    push {r4-r7, lr}
    vpush {s16-s31}
    sub sp, #128
    adr r7, zeros
    mov r3, sp
    vldmia r7, {s0-s15}
    cmp r2, #32
    blo small
    mov r5, r0
    mov r6, r1
    movs r12, #2                /* partial sums 0-15 of all blocks, then 16-31 */
pass:
    lsrs r4, r2, #7
    beq 2f
1:  .rept 4
    half
    .endr
    subs r4, #1
    bne 1b
2:  lsrs r4, r2, #5
    ands r4, r4, #3
    beq 4f
3:  half
    subs r4, #1
    bne 3b
4:  vstmia r3!, {s0-s15}
    vldmia r7, {s0-s15}
    add r0, r5, #64
    add r1, r6, #64
    subs r12, #1
    bne pass
    bic r4, r2, #31
    add r0, r5, r4, lsl #2
    add r1, r6, r4, lsl #2
    ands r4, r2, #31
    beq tree
    mov r3, sp
    b rest
small:
    vstmia r3, {s0-s15}
    add r4, r3, #64
    vstmia r4, {s0-s15}
    mov r4, r2
rest:                           /* r4 < 32 products are left */
    subs r4, #8
    blo 6f
5:  vldmia r3, {s0-s7}
    products 0
    vstmia r3!, {s0-s7}
    subs r4, #8
    bhs 5b
6:  adds r4, #8
    beq tree
7:  vldmia r0!, {s16}
    vldmia r1!, {s24}
    vldr s0, [r3]
    vmul.f32 s16, s16, s24
    vadd.f32 s0, s0, s16
    vstmia r3!, {s0}
    subs r4, #1
    bne 7b
tree:
    vldmia sp, {s0-s31}
    cmp r2, #8
    bls 9f
    cmp r2, #16
    bls 8f
    each vadd.f32, 0, 0, 16, 16
8:  each vadd.f32, 0, 0, 8, 8
9:  each vadd.f32, 0, 0, 4, 4
    each vadd.f32, 0, 0, 2, 2
    vadd.f32 s0, s0, s1
    add sp, #128
    vpop {s16-s31}
    pop {r4-r7, pc}

    .balign 4
zeros:
    .fill 16, 4, 0

/* ---- void hand_add(float *w, const float *x, uint32_t n, float step) ---- */

/* w += step x for `count` <= 13 features. */
.macro change count
    change_ \count, %(13 + \count)
.endm
.macro change_ count, last
    vldmia r0, {s1-s\count}
    vldmia r1!, {s14-s\last}
    each vmul.f32, 14, 14, 0, \count, 0
    each vadd.f32, 1, 1, 14, \count
    vstmia r0!, {s1-s\count}
.endm

function hand_add
    vpush {s16-s26}
    subs r2, #64
    blo 2f
1:  .rept 4
    change 13
    .endr
    change 12
    subs r2, #64
    bhs 1b
2:  adds r2, #64 - 8
    bmi 4f
3:  change 8
    subs r2, #8
    bpl 3b
4:  adds r2, #8
    beq 6f
5:  vldr s1, [r0]
    vldmia r1!, {s14}
    vmul.f32 s14, s14, s0
    vadd.f32 s1, s1, s14
    vstmia r0!, {s1}
    subs r2, #1
    bne 5b
6:  vpop {s16-s26}
    bx lr

/* ---- int64_t hand_idot(const int32_t *w, const int16_t *x, uint32_t n) ---- */

/* Eight products into lr:r12. */
.macro iproducts
    ldmia r0!, {r4-r11}
    ldrsh r3, [r1], #16
    smlal r12, lr, r4, r3
    iproduct r5, -14
    iproduct r6, -12
    iproduct r7, -10
    iproduct r8, -8
    iproduct r9, -6
    iproduct r10, -4
    iproduct r11, -2
.endm
.macro iproduct w, at
    ldrsh r3, [r1, #\at]
    smlal r12, lr, \w, r3
.endm

function hand_idot
    push {r4-r11, lr}
    mov r12, #0
    mov lr, #0
    subs r2, #32
    blo 2f
1:  .rept 4
    iproducts
    .endr
    subs r2, #32
    bhs 1b
2:  adds r2, #32 - 8
    bmi 4f
3:  iproducts
    subs r2, #8
    bpl 3b
4:  adds r2, #8
    beq 6f
5:  ldr r4, [r0], #4
    ldrsh r3, [r1], #2
    smlal r12, lr, r4, r3
    subs r2, #1
    bne 5b
6:  mov r0, r12
    mov r1, lr
    pop {r4-r11, pc}

/* ---- void hand_iadd(int32_t *w, const int16_t *x, uint32_t n, int32_t step) ---- */

/* w += step x for eight features. ssat keeps -2^30 .. 2^30 - 1 and sets the flag Q if it must: then, and
 * so for 2^30 too, the eight are done anew, one by one. */
.macro ichanges
    ldmia r0, {r4-r11}
    ldrsh r12, [r1], #16
    mla r4, r12, r3, r4
    ssat r4, #31, r4
    ichange r5, -14
    ichange r6, -12
    ichange r7, -10
    ichange r8, -8
    ichange r9, -6
    ichange r10, -4
    ichange r11, -2
    mrs r12, apsr
    tst r12, #1 << 27
    beq 9f
    bl anew
    b 8f
9:  stmia r0!, {r4-r11}
8:
.endm
.macro ichange w, at
    ldrsh r12, [r1, #\at]
    mla \w, r12, r3, \w
    ssat \w, #31, \w
.endm

/* r4 features one by one. */
anew:
    sub r1, #16
    mov r4, #8
    mov r5, #0
    msr apsr_nzcvq, r5
slowly:
    ldr r6, [r0]
    ldrsh r12, [r1], #2
    mla r6, r12, r3, r6
    cmp r6, #1 << 30
    it gt
    movgt r6, #1 << 30
    cmp r6, #-1 << 30
    it lt
    movlt r6, #-1 << 30
    str r6, [r0], #4
    subs r4, #1
    bne slowly
    bx lr

function hand_iadd
    push {r4-r11, lr}
    mov r4, #0
    msr apsr_nzcvq, r4
    subs r2, #32
    blo 2f
1:  .rept 4
    ichanges
    .endr
    subs r2, #32
    bhs 1b
2:  adds r2, #32 - 8
    bmi 4f
3:  ichanges
    subs r2, #8
    bpl 3b
4:  adds r4, r2, #8
    it ne
    blne slowly
    pop {r4-r11, pc}
