/* The same program on a PC: prints what the device prints, bit for bit. */
#include "board.h"
#include "flash.h"

#include <stdio.h>

uint32_t board_kept[KEPT_WORDS];
uint32_t flash_memory[FLASH_PAGES][FLASH_PAGE / 4];

void board_put(char c)
{
    putchar(c);
}

int main(void)
{
    int status;
    do status = demo();
    while (status == BOARD_RESET);
    return status;
}
