/* What has been learned, in two or more flash pages: images of perceptron.h, one behind the other. The pages are
 * written in turn, never the one in use, so at any moment, even if the power fails, one complete state remains. What
 * cannot be read is damaged.
 *
 *      0  sequence: which page is newer    4  length of the images    8  0xff
 *     28  CRC-32 of these 28 bytes; this head is written last
 *     32  the images, each with its own CRC-32 at its end; then 0xff
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

/* Loads all images into the owner. Below 0: an error of perceptron.h, and the owner may not be used. */
typedef int state_loader(void *owner, const void *images, size_t size);
/* Writes bytes [from, from + size) of all images of the owner, 0xff beyond their end. Returns their length; 0: load
 * would refuse one. That is found when the window reaches the end. */
typedef size_t state_saver(const void *owner, size_t from, void *out, size_t size);

/* Loads the newest state that `load` accepts; if there is none, the images at `factory`. Below 0: these are refused,
 * too, and the owner may not be used. */
int state_load(state_store *s, void *owner, state_loader *load, const void *factory, size_t size);

/* PCN_OK; PCN_EFULL: too long for a page, PCN_EIMAGE: load would refuse it, nothing done; STATE_EFLASH: the
 * state in use is still there. */
int state_save(state_store *s, const void *owner, state_saver *save);

/* What a result above means. */
const char *state_text(int result);

#endif
