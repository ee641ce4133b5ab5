/* A program that must fault, for firmware.sh: -DNO_MEMORY or -DDEEP says how. */
#include "board.h"

#ifdef NO_MEMORY

int demo(void)
{
    return *(volatile int *)0xf0000000;
}

#endif
#ifdef DEEP

static int deep(volatile int *p)
{
    volatile int here[8];
    here[0] = *p + 1;
    return deep(here) + here[0];
}

int demo(void)
{
    volatile int zero = 0;
    return deep(&zero);
}

#endif
