/* What has been learned, in two or more flash pages: the trainer and its scaler. The pages are written in turn, never the
 * one in use, so at any moment, even if the power fails, one complete state remains. What cannot be read is damaged.
 *
 *      0  sequence: which page is newer    4  length of the images    8  0xff
 *     28  CRC-32 of these 28 bytes; this head is written last
 *     32  image of the trainer, image of the scaler, each with its own CRC-32 at its end; then 0xff
 *
 * Head and images are programmed in pieces of 32 bytes, each once: what any flash can do. */
#ifndef STATE_H
#define STATE_H

#include "flash.h"
#include "perceptron.h"

enum { STATE_HEAD = 8, STATE_ROOM = FLASH_PAGE - 4 * STATE_HEAD }; /* words; bytes for the images */

enum {
    STATE_OLDER = 2,   /* complete, but not needed */
    STATE_NONE = 1,    /* never written, or not to the end */
    STATE_EFLASH = -32 /* flash cannot be erased or programmed */
};

typedef struct state_store {
    int page;                /* whose state is in use; -1: none */
    uint32_t sequence;       /* the newest that a page has */
    int result[FLASH_PAGES]; /* PCN_OK: in use; STATE_OLDER, STATE_NONE, or why load refused it */
} state_store;

/* Loads the newest state that load accepts, of both, into an initialised trainer and scaler; if there is none, the two
 * images at `factory`. Below 0: these are refused, too, and the trainer and the scaler may not be used. */
int state_load(state_store *s, pcn_perceptron *m, pcn_scaler *scaler, const void *factory, size_t size);

/* PCN_OK; PCN_EFULL: too long for a page, PCN_EIMAGE: load would refuse it, nothing done; STATE_EFLASH: the
 * state in use is still there. */
int state_save(state_store *s, const pcn_perceptron *m, const pcn_scaler *scaler);

/* What a result above means. */
const char *state_text(int result);

#endif
