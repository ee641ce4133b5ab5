/* Catches the signals that end the program, or what it learns. */
#include "system.h"

#include <stdlib.h>

static const int ends[] = {SYSTEM_ENDS};
static volatile sig_atomic_t softly;

static void end_by(int signal_)
{
    outputs_drop();
    signal(signal_, SIG_DFL);
    raise(signal_);
}

/* Does the signal say that somebody wants the program to end? A second one ends it at once. SIGHUP and SIGPIPE come by
 * themselves, often twice, or with such a signal, so they never cut short what is being saved. */
static int is_wish(int signal_)
{
    return signal_ == SIGINT || signal_ == SIGTERM;
}

static void on_signal(int signal_)
{
    if (!softly || signal_ == ends[0] || (is_wish(signal_) && is_wish(interrupted))) {
        end_by(signal_);
        return;
    }
    if (!interrupted || is_wish(signal_)) interrupted = signal_;
    signal(signal_, on_signal); /* because some systems keep it for one signal only */
}

/* Catches the signals that are not ignored, as they are under nohup. A write goes on behind one: signal() restarts
 * it. */
void signals_start(void)
{
    size_t i;
    for (i = 0; i < sizeof ends / sizeof *ends; i++)
        if (signal(ends[i], SIG_IGN) != SIG_IGN) signal(ends[i], on_signal);
}

void interrupt_softly(void)
{
    softly = 1;
}

void interrupt_end(void)
{
    end_by(interrupted);
    exit(EXIT_SIGNAL + interrupted); /* if that signal is ignored */
}
