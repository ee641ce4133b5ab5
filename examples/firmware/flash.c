#include "flash.h"

uint32_t flash_supply = UINT32_MAX;
struct flash_place flash_torn = {-1, 0};

int flash_erase(int page)
{
    size_t i;
    if (flash_supply == 0) return -1;
    for (i = 0; i < FLASH_PAGE / 4; i++) flash_memory[page][i] = UINT32_MAX;
    if (flash_torn.page == page) flash_torn.page = -1;
    return 0;
}

int flash_program(int page, size_t at, const uint32_t *word, size_t words)
{
    uint32_t *to = &flash_memory[page][at / 4];
    for (; words != 0; words--, word++, to++) {
        if (flash_supply == 0) {
            flash_torn.page = page;
            flash_torn.word = (size_t)(to - flash_memory[page]);
            return -1;
        }
        flash_supply--;
        *to &= *word;
        if (*to != *word) return -1;
    }
    return 0;
}

int flash_read(int page, size_t at, uint32_t *word, size_t words)
{
    const uint32_t *from = &flash_memory[page][at / 4];
    if (flash_torn.page == page && flash_torn.word - at / 4 < words) return -1;
    for (; words != 0; words--) *word++ = *from++;
    return 0;
}
