/* Start-up code of the MPS2 board with FPGA image AN386 (Cortex-M4F), as QEMU has it. */
#include "board.h"
#include "print.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define UART_DATA REGISTER(0x40004000u) /* CMSDK UART 0 */
#define UART_STATE REGISTER(0x40004004u)
#define UART_CONTROL REGISTER(0x40004008u)
#define UART_DIVIDER REGISTER(0x40004010u)
#define SCB_AIRCR REGISTER(0xe000ed0cu)
#define SCB_CFSR REGISTER(0xe000ed28u)
#define SCB_CPACR REGISTER(0xe000ed88u)
#define MPU_CONTROL REGISTER(0xe000ed94u)
#define MPU_BASE REGISTER(0xe000ed9cu)
#define MPU_SIZE REGISTER(0xe000eda0u)

/* From board.ld. */
extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[];
extern uint32_t stack_bottom[], stack_top[];

enum { STACK_PAINT = 0x5afe57ac }; /* what the stack has never reached */

void board_put(char c)
{
    while (UART_STATE & 1) continue; /* full */
    UART_DATA = (uint8_t)c;
}

/* Ends the emulator by semihosting (SYS_EXIT_EXTENDED). Without a debugger: replace by a reset. */
static void stop(uint32_t status)
{
    const uint32_t block[2] = {0x20026u, status};
    register uint32_t call __asm__("r0") = 0x20;
    register const uint32_t *argument __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : : "r"(call), "r"(argument) : "memory");
    for (;;) continue;
}

static void reset(void)
{
    __asm__ volatile("dsb" : : : "memory");
    SCB_AIRCR = 0x05fa0004u;
    for (;;) continue;
}

/* Forbids the 4 KB below the stack, so that its overflow faults. */
static void guard_stack(void)
{
    MPU_BASE = ((uint32_t)stack_bottom - 4096) | 0x10; /* as region 0 */
    MPU_SIZE = 1u << 28 | 11 << 1 | 1;                 /* no access, 2^(11 + 1) bytes, on */
    MPU_CONTROL = 5;                                   /* everything else as without MPU */
    __asm__ volatile("dsb\n\tisb" : : : "memory");
}

/* Fills the free stack; what is overwritten later has been used. */
static void paint_stack(void)
{
    uint32_t *p, *end = (uint32_t *)__builtin_frame_address(0) - 16;
    for (p = stack_bottom; p < end; p++) *p = STACK_PAINT;
}

static void measure_stack(void)
{
    const uint32_t *p = stack_bottom;
    uint32_t used;
    while (*p == STACK_PAINT) p++;
    used = (uint32_t)(stack_top - p) * 4;
    if (used > board_kept[KEPT_STACK]) board_kept[KEPT_STACK] = used;
}

void start(void);
void start(void)
{
    uint32_t *p;
    const uint32_t *from = data_load;
    int status;
    SCB_CPACR |= 0xfu << 20; /* the FPU */
    __asm__ volatile("dsb\n\tisb" : : : "memory");
    for (p = data_start; p < data_end; p++) *p = *from++;
    for (p = bss_start; p < bss_end; p++) *p = 0;
    guard_stack();
    paint_stack();
    UART_DIVIDER = 25000000 / 115200;
    UART_CONTROL = 1; /* transmit */
    status = demo();
    measure_stack();
    if (status == BOARD_RESET) reset();
    print("Stack: %u of %u bytes used\n", board_kept[KEPT_STACK], (uint32_t)(stack_top - stack_bottom) * 4);
    stop((uint32_t)status);
}

static void tell_fault(void)
{
    uint32_t number;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    print("Fault: exception %u, cause %x\n", number, SCB_CFSR);
    stop(BOARD_FAILED);
}

/* With a fresh stack: it may be the stack that is broken. */
__attribute__((naked)) static void fault(void)
{
    __asm__ volatile("ldr r0, =stack_top\n\tmov sp, r0\n\tb %c0" : : "i"(tell_fault));
}

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handler[15])(void);
} vectors = {stack_top,
             {start, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault}};
