/* The trainer's state in two flash pages. It is written to the page that is not in use, so at any moment,
 * even if the power fails, one complete state remains.
 *
 *      0  sequence: which page is newer    4  length of the image    8  note    12  0xff
 *     28  CRC-32 of these 28 bytes; this head is written last
 *     32  image of the trainer, with its own CRC-32 at its end; then 0xff
 *
 * Head and image are programmed in pieces of 32 bytes, each once: what any flash can do. */
#ifndef STATE_H
#define STATE_H

#include "flash.h"
#include "perceptron.h"

enum { STATE_HEAD = 8, STATE_ROOM = FLASH_PAGE - 4 * STATE_HEAD }; /* words; bytes for the image */

enum {
    STATE_OLDER = 2,   /* complete, but not needed */
    STATE_NONE = 1,    /* never written, or not to the end */
    STATE_EFLASH = -32 /* flash cannot be erased or programmed */
};

typedef struct state_store {
    int page;                /* whose state is in use; -1: neither */
    uint32_t sequence;       /* the newest that a page has */
    int result[FLASH_PAGES]; /* PCN_OK: in use; STATE_OLDER, STATE_NONE, or why load refused it */
} state_store;

/* Loads the newest state that load accepts into an initialised trainer; of a page that it refuses
 * nothing is used. note: a word of the program's own; it changes only with the trainer. */
void state_load(state_store *s, pcn_perceptron *m, uint32_t *note);

/* PCN_OK; PCN_EFULL: too long for a page, PCN_EIMAGE: load would refuse it, nothing done; STATE_EFLASH: the
 * state in use is still there. */
int state_save(state_store *s, const pcn_perceptron *m, uint32_t note);

/* What a result above means. */
const char *state_text(int result);

#endif
