#include "state.h"

enum { SEQUENCE, LENGTH, NOTE, CHECK = STATE_HEAD - 1 }; /* words of the head */

static const void *image_of(int page)
{
    return flash_memory[page] + STATE_HEAD;
}

static int is_written(int page)
{
    const uint32_t *head = flash_memory[page];
    return head[CHECK] == pcn_crc32(0, head, 4 * CHECK) && head[LENGTH] <= STATE_ROOM;
}

/* Of two written pages the one whose sequence is ahead, modulo 2^32. */
static int newest_page(void)
{
    uint32_t ahead = flash_memory[1][SEQUENCE] - flash_memory[0][SEQUENCE];
    return is_written(1) && (!is_written(0) || ahead - 1 < UINT32_MAX / 2);
}

void state_load(state_store *s, pcn_perceptron *m, uint32_t *note)
{
    int newest = newest_page(), i;
    s->page = -1;
    s->sequence = is_written(newest) ? flash_memory[newest][SEQUENCE] : 0;
    for (i = 0; i < FLASH_PAGES; i++) {
        int page = i == 0 ? newest : !newest;
        s->result[page] = is_written(page) ? STATE_OLDER : STATE_NONE;
        if (s->result[page] == STATE_NONE || s->page >= 0) continue;
        s->result[page] = pcn_perceptron_load(m, image_of(page), flash_memory[page][LENGTH]);
        if (s->result[page] < 0) continue;
        s->page = page;
        *note = flash_memory[page][NOTE];
    }
}

/* The page not in use. With neither in use, a state of a newer version is left alone: whoever goes back
 * to that version finds it. */
static int page_to_write(const state_store *s)
{
    return s->page >= 0 ? !s->page : s->result[0] == PCN_EVERSION;
}

/* Through a small buffer; what lies beyond the image's end is 0xff, as after an erase. */
static int write_image(int page, const pcn_perceptron *m, size_t length)
{
    uint32_t word[STATE_HEAD];
    const uint32_t *image = flash_memory[page] + STATE_HEAD;
    size_t at;
    if (flash_erase(page) < 0) return STATE_EFLASH;
    for (at = 0; at < length; at += sizeof word) {
        pcn_perceptron_save(m, at, word, sizeof word);
        if (flash_program(page, 4 * STATE_HEAD + at, word, STATE_HEAD) < 0) return STATE_EFLASH;
    }
    return pcn_crc32(0, image, length - 4) == image[length / 4 - 1] ? PCN_OK : STATE_EFLASH;
}

int state_save(state_store *s, const pcn_perceptron *m, uint32_t note)
{
    uint32_t head[STATE_HEAD];
    int page = page_to_write(s), result, i;
    for (i = 0; i < STATE_HEAD; i++) head[i] = UINT32_MAX;
    head[SEQUENCE] = s->sequence + 1;
    head[LENGTH] = (uint32_t)pcn_perceptron_save(m, 0, NULL, 0);
    head[NOTE] = note;
    head[CHECK] = pcn_crc32(0, head, 4 * CHECK);
    if (head[LENGTH] == 0) return PCN_EIMAGE;
    if (head[LENGTH] > STATE_ROOM) return PCN_EFULL;
    result = write_image(page, m, head[LENGTH]);
    if (result == PCN_OK && flash_program(page, 0, head, STATE_HEAD) < 0) result = STATE_EFLASH;
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
