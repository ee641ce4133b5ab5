#include "signals.h"

#include <string.h>
#include <unistd.h>

volatile sig_atomic_t interrupted;
char *volatile temporaries[OUTPUTS];
static volatile sig_atomic_t softly;
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}; /* signals that end the program */
enum { ENDS = sizeof ends / sizeof *ends };

void outputs_drop(void)
{
    unsigned i;
    for (i = 0; i < OUTPUTS; i++)
        if (temporaries[i]) unlink(temporaries[i]);
}

static void on_signal(int signal_)
{
    if (signal_ == SIGINT && softly && !interrupted) {
        interrupted = 1;
        return;
    }
    outputs_drop();
    signal(signal_, SIG_DFL);
    raise(signal_);
}

void catch_signals(void)
{
    struct sigaction action;
    size_t i;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART; /* what is being written is written; poll() ends all the same */
    for (i = 0; i < ENDS; i++)
        if (signal(ends[i], SIG_IGN) != SIG_IGN) sigaction(ends[i], &action, NULL); /* ignored under nohup: stays so */
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error of writing */
}

void interrupt_softly(void)
{
    softly = 1;
}

void signals_hold(sigset_t *before)
{
    sigset_t held;
    size_t i;
    sigemptyset(&held);
    for (i = 0; i < ENDS; i++) sigaddset(&held, ends[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}
