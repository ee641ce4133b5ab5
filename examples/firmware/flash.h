/* Two pages of flash that the program may write. On a real board: the vendor's erase and program
 * functions; here: memory that behaves like flash. */
#ifndef FLASH_H
#define FLASH_H

#include <stddef.h>
#include <stdint.h>

enum { FLASH_PAGES = 2, FLASH_PAGE = 2048 }; /* bytes: the smallest piece that is erased at once */

extern uint32_t flash_memory[FLASH_PAGES][FLASH_PAGE / 4];

/* Simulation only: words that can still be programmed before the power fails. */
extern uint32_t flash_supply;

/* All bits of a page to 1. 0, or -1 if it failed. */
int flash_erase(int page);

/* Programs whole words, each once after an erase: bits can only go from 1 to 0. 0, or -1 if it failed
 * or if the words do not read back as written. */
int flash_program(int page, size_t at, const uint32_t *word, size_t words);

#endif
