/* Pages of flash that the program may write. On a real board: the vendor's erase and program functions; here: memory that
 * behaves like flash, of the kind that checks what it reads (ECC). */
#ifndef FLASH_H
#define FLASH_H

#include <stddef.h>
#include <stdint.h>

#ifndef FLASH_PAGES
#define FLASH_PAGES 2 /* or more: each is then erased less often */
#endif
enum { FLASH_PAGE = 2048 }; /* bytes: the smallest piece that is erased at once */

extern uint32_t flash_memory[FLASH_PAGES][FLASH_PAGE / 4];

/* Simulation only: words that can still be programmed before the power fails; and the word that was then under way,
 * which cannot be read until its page is erased. Page -1: there is none. */
extern uint32_t flash_supply;
extern struct flash_place {
    int page;
    size_t word;
} flash_torn;

/* All bits of a page to 1. 0, or -1 if it failed. */
int flash_erase(int page);

/* Programs whole words, each once after an erase: bits can only go from 1 to 0. 0, or -1 if it failed
 * or if the words do not read back as written. */
int flash_program(int page, size_t at, const uint32_t *word, size_t words);

/* Copies whole words. 0, or -1 if one of them cannot be read: flash with ECC raises a fault where a write or an erase was
 * cut off, and on a board this function must survive that. */
int flash_read(int page, size_t at, uint32_t *word, size_t words);

#endif
