/* Signals that end the program, and what is removed then, as after an error. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>

/* A signal that ends the program takes half-written files with it. From interrupt_softly on, the first SIGINT only
 * sets `interrupted`: work comes to an early end, and what there is by then is saved. */
extern volatile sig_atomic_t interrupted;
void catch_signals(void);
void interrupt_softly(void);
void signals_hold(sigset_t *before); /* they wait until sigprocmask sets back what was before */

/* Half-written files: of outputs that are open. NULL: a free place. */
enum { OUTPUTS = 8 };
extern char *volatile temporaries[OUTPUTS];
void outputs_drop(void); /* nothing of those that are open takes its name */

#endif
