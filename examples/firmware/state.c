#include "state.h"

enum { SEQUENCE, LENGTH, CHECK = STATE_HEAD - 1 }; /* words of the head */

/* The head of a page. Is there one, of a state that was written to its end? */
static int read_head(int page, uint32_t *head)
{
    return flash_read(page, 0, head, STATE_HEAD) == 0 && head[CHECK] == pcn_crc32(0, head, 4 * CHECK) &&
           head[LENGTH] <= STATE_ROOM;
}

/* Can all of the images be read? Then load may read them by address: they were written to their end, as the head says, so
 * only an erase that was cut off can have harmed them since. */
static int is_readable(int page, size_t length)
{
    uint32_t word[STATE_HEAD];
    size_t at = 0;
    while (at < length && flash_read(page, sizeof word + at, word, STATE_HEAD) == 0) at += sizeof word;
    return at >= length;
}

/* The newest of the pages that are left, whose sequence is ahead modulo 2^32; -1: there is none. */
static int newest_page(const uint32_t *sequence, const int *left)
{
    int newest = -1, page;
    for (page = 0; page < FLASH_PAGES; page++)
        if (left[page] && (newest < 0 || sequence[page] - sequence[newest] < UINT32_MAX / 2)) newest = page;
    return newest;
}

int state_load(state_store *s, void *owner, state_loader *load, const void *factory, size_t size)
{
    uint32_t head[STATE_HEAD], sequence[FLASH_PAGES], length[FLASH_PAGES];
    int left[FLASH_PAGES], page;
    for (page = 0; page < FLASH_PAGES; page++) {
        left[page] = read_head(page, head);
        s->result[page] = left[page] ? STATE_OLDER : STATE_NONE;
        if (left[page]) sequence[page] = head[SEQUENCE], length[page] = head[LENGTH];
    }
    page = newest_page(sequence, left);
    s->sequence = page >= 0 ? sequence[page] : 0;
    for (s->page = -1; page >= 0 && s->page < 0; page = newest_page(sequence, left)) {
        left[page] = 0;
        s->result[page] = is_readable(page, length[page]) ? load(owner, flash_memory[page] + STATE_HEAD, length[page])
                                                          : PCN_EIMAGE;
        if (s->result[page] == PCN_OK) s->page = page;
    }
    return s->page >= 0 ? PCN_OK : load(owner, factory, size);
}

/* The page behind that in use, the oldest; one that could not be written only if there is no other. With none in use, a
 * state of a newer version is left alone, unless all are: whoever goes back to that version finds it. */
static int page_to_write(const state_store *s)
{
    int again, i;
    for (again = 0; again < 2; again++)
        for (i = 1; i <= FLASH_PAGES - (s->page >= 0); i++) {
            const int page = (s->page + i) % FLASH_PAGES, result = s->result[page];
            if ((again || result != STATE_EFLASH) && (s->page >= 0 || result != PCN_EVERSION)) return page;
        }
    return FLASH_PAGES - 1;
}

/* Through a small buffer; what lies beyond the images' end is 0xff, as after an erase. */
static int write_page(int page, const void *owner, state_saver *save, const uint32_t *head)
{
    uint32_t word[STATE_HEAD];
    size_t at;
    if (flash_erase(page) < 0) return STATE_EFLASH;
    for (at = 0; at < head[LENGTH]; at += sizeof word) {
        save(owner, at, word, sizeof word);
        if (flash_program(page, sizeof word + at, word, STATE_HEAD) < 0) return STATE_EFLASH;
    }
    return flash_program(page, 0, head, STATE_HEAD) < 0 ? STATE_EFLASH : PCN_OK;
}

int state_save(state_store *s, const void *owner, state_saver *save)
{
    uint32_t head[STATE_HEAD];
    const size_t length = save(owner, 0, NULL, 0);
    int page = page_to_write(s), result, i;
    if (length == 0) return PCN_EIMAGE;
    if (length > STATE_ROOM) return PCN_EFULL;
    for (i = 0; i < STATE_HEAD; i++) head[i] = UINT32_MAX;
    head[SEQUENCE] = s->sequence + 1;
    head[LENGTH] = (uint32_t)length;
    head[CHECK] = pcn_crc32(0, head, 4 * CHECK);
    result = write_page(page, owner, save, head);
    s->result[page] = result;
    if (result < 0) return result;
    if (s->page >= 0) s->result[s->page] = STATE_OLDER;
    s->page = page;
    s->sequence++;
    return PCN_OK;
}

const char *state_text(int result)
{
    if (result == STATE_NONE) return "no complete state";
    if (result == STATE_OLDER) return "older";
    return result == STATE_EFLASH ? "flash cannot be written" : pcn_error_text(result);
}
