#include "state.h"

enum { SEQUENCE, LENGTH, CHECK = STATE_HEAD - 1 }; /* words of the head */

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

/* Both images, one behind the other. After an error half of them may have been taken: then load others. */
static int load(pcn_perceptron *m, pcn_scaler *scaler, const void *images, size_t size)
{
    const int result = pcn_perceptron_load(m, images, size);
    const size_t first = (size_t)pcn_image_size(images, size);
    return result < 0 ? result : pcn_scaler_load(scaler, (const uint8_t *)images + first, size - first);
}

int state_load(state_store *s, pcn_perceptron *m, pcn_scaler *scaler, const void *factory, size_t size)
{
    int newest = newest_page(), i;
    s->page = -1;
    s->sequence = is_written(newest) ? flash_memory[newest][SEQUENCE] : 0;
    for (i = 0; i < FLASH_PAGES; i++) {
        int page = i == 0 ? newest : !newest;
        s->result[page] = is_written(page) ? STATE_OLDER : STATE_NONE;
        if (s->result[page] == STATE_NONE || s->page >= 0) continue;
        s->result[page] = load(m, scaler, flash_memory[page] + STATE_HEAD, flash_memory[page][LENGTH]);
        if (s->result[page] == PCN_OK) s->page = page;
    }
    return s->page >= 0 ? PCN_OK : load(m, scaler, factory, size);
}

/* The page not in use. With neither in use, a state of a newer version is left alone: whoever goes back
 * to that version finds it. */
static int page_to_write(const state_store *s)
{
    return s->page >= 0 ? !s->page : s->result[0] == PCN_EVERSION;
}

/* Through a small buffer; what lies beyond the images' end is 0xff, as after an erase. first: the trainer's bytes. */
static int write_page(int page, const pcn_perceptron *m, size_t first, const pcn_scaler *scaler, const uint32_t *head)
{
    uint32_t word[STATE_HEAD];
    size_t at, here;
    if (flash_erase(page) < 0) return STATE_EFLASH;
    for (at = 0; at < head[LENGTH]; at += sizeof word) {
        pcn_perceptron_save(m, at, word, sizeof word);
        here = at < first ? first - at : 0;
        if (here < sizeof word) pcn_scaler_save(scaler, at + here - first, word + here / 4, sizeof word - here);
        if (flash_program(page, sizeof word + at, word, STATE_HEAD) < 0) return STATE_EFLASH;
    }
    return flash_program(page, 0, head, STATE_HEAD) < 0 ? STATE_EFLASH : PCN_OK;
}

int state_save(state_store *s, const pcn_perceptron *m, const pcn_scaler *scaler)
{
    const size_t first = pcn_perceptron_save(m, 0, NULL, 0), second = pcn_scaler_save(scaler, 0, NULL, 0);
    uint32_t head[STATE_HEAD];
    int page = page_to_write(s), result, i;
    if (first == 0 || second == 0) return PCN_EIMAGE;
    if (first + second > STATE_ROOM) return PCN_EFULL;
    for (i = 0; i < STATE_HEAD; i++) head[i] = UINT32_MAX;
    head[SEQUENCE] = s->sequence + 1;
    head[LENGTH] = (uint32_t)(first + second);
    head[CHECK] = pcn_crc32(0, head, 4 * CHECK);
    result = write_page(page, m, first, scaler, head);
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
