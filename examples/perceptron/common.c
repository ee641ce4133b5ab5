#define STB_DS_IMPLEMENTATION
#include "common.h"
#include "json.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HUGE_PAGE = 1 << 21 };

__thread failure *failing;
void (*fail_together)(int *status, char *text, size_t room);
int errors_as_json;
volatile sig_atomic_t interrupted;
enum { OUTPUTS = 8 };
static char *volatile temporaries[OUTPUTS]; /* of open outputs: removed when the program fails */

static void remove_temporaries(void)
{
    unsigned i;
    for (i = 0; i < OUTPUTS; i++)
        if (temporaries[i]) unlink(temporaries[i]);
}

void die(int status, const char *format, ...)
{
    char text[sizeof failing->text];
    va_list arguments;
    va_start(arguments, format);
    if (failing) {
        failing->status = status;
        vsnprintf(failing->text, sizeof failing->text, format, arguments);
        va_end(arguments);
        longjmp(failing->back, 1);
    }
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (fail_together) fail_together(&status, text, sizeof text);
    fprintf(stderr, "perceptron: %s\n", text);
    if (errors_as_json) {
        json j = {stdout, 0};
        json_open(&j, NULL, '{');
        json_text(&j, "error", text);
        json_count(&j, "status", (uint64_t)status);
        json_close(&j, '}');
        putchar('\n');
    }
    remove_temporaries();
    exit(status);
}

void die_of(const char *name)
{
    if (errno == ENOMEM) die(EXIT_MEMORY, "out of memory (%s)", name);
    die(EXIT_IO, "%s: %s", name, strerror(errno));
}

void *reallocate(void *p, size_t size)
{
    void *q = realloc(p, size ? size : 1);
    if (!q) die(EXIT_MEMORY, "out of memory (%zu bytes asked for)", size);
    return q;
}

void *allocate(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) die(EXIT_MEMORY, "out of memory (the model is too large)");
    return reallocate(NULL, count * size);
}

/* A hint, before the first access to what is large. */
static void use_huge_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    size_t before = -(size_t)p % HUGE_PAGE;
    if (bytes >= before + HUGE_PAGE)
        madvise((char *)p + before, (bytes - before) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#else
    (void)p;
    (void)bytes;
#endif
}

void *allocate_for_weights(size_t count, size_t size)
{
    const size_t bytes = count * size;
    void *p;
    if ((size && count > SIZE_MAX / size) ||
        posix_memalign(&p, bytes < HUGE_PAGE ? 64 : HUGE_PAGE, bytes ? bytes : 1) != 0)
        die(EXIT_MEMORY, "out of memory (%zu times %zu bytes asked for)", count, size);
    use_huge_pages(p, bytes);
    return p;
}

void *allocate_zero(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size); /* checks the product, and gets untouched pages */
    if (!p) die(EXIT_MEMORY, "out of memory (%zu times %zu bytes asked for)", count, size);
    return p;
}

char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(allocate(size, 1), text, size);
}

static volatile sig_atomic_t softly;
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}; /* signals that end the program */
enum { ENDS = sizeof ends / sizeof *ends };

static void on_signal(int signal_)
{
    if (signal_ == SIGINT && softly && !interrupted) {
        interrupted = 1;
        return;
    }
    remove_temporaries();
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

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Is there a file of that name? Ends the program if that cannot be found out. */
static int is_there(const char *name, struct stat *there)
{
    if (stat(name, there) == 0) return 1;
    if (errno != ENOENT) die_of(name);
    return 0;
}

void output_spare(const char *name, const char *const *input, size_t inputs)
{
    struct stat there, in;
    size_t i;
    if (strcmp(name, "-") == 0 || !is_there(name, &there) || !S_ISREG(there.st_mode)) return;
    for (i = 0; i < inputs; i++) {
        if (!input[i]) continue;
        if (strcmp(input[i], "-") == 0 ? fstat(STDIN_FILENO, &in) != 0 : !is_there(input[i], &in)) continue;
        if (in.st_dev == there.st_dev && in.st_ino == there.st_ino)
            die(EXIT_USAGE, "%s is an input: the output must be another file", name);
    }
}

FILE *output_old(const char *name)
{
    struct stat there;
    FILE *f;
    if (strcmp(name, "-") == 0 || !is_there(name, &there) || !S_ISREG(there.st_mode) || there.st_size == 0)
        return NULL;
    f = fopen(name, "rb");
    if (!f) die_of(name);
    return f;
}

void output_old_read(FILE *f, const char *name)
{
    if (ferror(f)) die_of(name);
    fclose(f);
}

int output_begins(const char *name, const char *text)
{
    FILE *f = output_old(name);
    if (!f) return 1;
    while (*text && getc(f) == (unsigned char)*text) text++;
    output_old_read(f, name);
    return *text == '\0';
}

/* The one path of a file, perhaps yet to be made; NULL: its folder is not there. */
static char *real_path(const char *name, int exists)
{
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    char *folder = copy_text(slash ? name : "."), *path, *target;
    if (slash) folder[file - name] = '\0';
    path = exists ? realpath(name, NULL) : realpath(folder, NULL);
    free(folder);
    if (exists || !path) return path;
    target = allocate(strlen(path) + strlen(file) + 2, 1);
    sprintf(target, "%s/%s", path, file);
    free(path);
    return target;
}

/* Two outputs in one file, however they are spelt: the first would be lost. */
static void check_target(const output *o)
{
    size_t length = strlen(o->target);
    unsigned i;
    for (i = 0; i < OUTPUTS; i++)
        if (temporaries[i] && strlen(temporaries[i]) == length + 7 && strncmp(temporaries[i], o->target, length) == 0)
            die(EXIT_USAGE, "%s is to hold two outputs: give each a file of its own", o->name);
}

/* The handle of a new file beside the target, or -1. A signal waits until its name is known to the handler. */
static int open_temporary(output *o)
{
    sigset_t held, before;
    size_t i;
    int handle;
    o->temporary = allocate(strlen(o->target) + 8, 1);
    sprintf(o->temporary, "%s.XXXXXX", o->target);
    while (temporaries[o->place]) o->place++;
    sigemptyset(&held);
    for (i = 0; i < ENDS; i++) sigaddset(&held, ends[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    handle = mkstemp(o->temporary);
    if (handle >= 0) temporaries[o->place] = o->temporary;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return handle;
}

void output_open(output *o, const char *name)
{
    struct stat there;
    int exists, handle;
    mode_t mask = umask(0);
    umask(mask);
    memset(o, 0, sizeof *o);
    o->name = name;
    if (strcmp(name, "-") == 0) {
        o->name = "standard output";
        o->file = stdout;
        return;
    }
    exists = is_there(name, &there);
    if (exists && !S_ISREG(there.st_mode)) {
        o->file = fopen(name, "wb");
        if (!o->file) die_of(name);
        return;
    }
    o->target = real_path(name, exists);
    if (!o->target) die_of(name);
    check_target(o);
    if (exists && access(o->target, W_OK) != 0) die_of(name);
    handle = open_temporary(o);
    if (handle < 0 || fchmod(handle, exists ? there.st_mode & 0777 : 0666 & ~mask) != 0) die_of(name);
    o->file = fdopen(handle, "wb");
    if (!o->file) die_of(name);
}

void output_close(output *o)
{
    int bad = fflush(o->file) != 0 || ferror(o->file);
    if (!bad && o->temporary) bad = fsync(fileno(o->file)) != 0;
    if (o->file != stdout) bad |= fclose(o->file) != 0;
    if (bad && !errno) errno = EIO;
    if (bad) die_of(o->name);
    if (!o->temporary) return;
    if (rename(o->temporary, o->target) != 0) die_of(o->name);
    temporaries[o->place] = NULL;
    free(o->temporary);
    free(o->target);
}

void print_field(FILE *f, const char *text, const char *special)
{
    int quoted = *text == '\0' || text[strcspn(text, special)] != '\0';
    if (quoted) fputc('"', f);
    for (; *text; text++) {
        if (quoted && *text == '"') fputc('"', f);
        fputc(*text, f);
    }
    if (quoted) fputc('"', f);
}
