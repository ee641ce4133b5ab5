#define STB_DS_IMPLEMENTATION
#include "common.h"
#include "json.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
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
#define TEMPORARY ".perceptron-XXXXXX"      /* behind the name of an output while it is written */
static char *volatile temporaries[OUTPUTS]; /* of open outputs: removed when the program fails */

void outputs_drop(void)
{
    unsigned i;
    for (i = 0; i < OUTPUTS; i++)
        if (temporaries[i]) unlink(temporaries[i]);
}

/* A control character of ASCII, or a byte of one of Unicode in UTF-8. */
static int is_control(const char *text, size_t i)
{
    const unsigned char *u = (const unsigned char *)text + i;
    if (*u < ' ' || *u == 127) return 1;
    if (*u == 0xC2) return u[1] >= 0x80 && u[1] < 0xA0;
    return i > 0 && u[-1] == 0xC2 && *u < 0xA0;
}

/* As printable, to where there is room for four times as much. */
static void make_printable(char *to, const char *text, size_t most)
{
    const size_t length = strlen(text);
    size_t kept = length > most ? most : length, i;
    while (kept < length && kept > 0 && (text[kept] & 0xC0) == 0x80) kept--; /* a character is all there */
    for (i = 0; i < kept; i++) {
        if (!is_control(text, i))
            *to++ = text[i];
        else if (text[i] == '\n' || text[i] == '\t')
            to += sprintf(to, text[i] == '\n' ? "\\n" : "\\t");
        else
            to += sprintf(to, "\\x%02x", (unsigned char)text[i]);
    }
    strcpy(to, kept < length ? " ..." : "");
}

void die(int status, const char *format, ...)
{
    char text[sizeof failing->text], shown[4 * sizeof failing->text]; /* there may be no memory */
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
    make_printable(shown, text, SIZE_MAX);
    fprintf(stderr, "perceptron: %s\n", shown);
    if (errors_as_json) {
        json j = {stdout, 0};
        json_open(&j, NULL, '{');
        json_text(&j, "error", text);
        json_count(&j, "status", (uint64_t)status);
        json_close(&j, '}');
        putchar('\n');
    }
    outputs_drop();
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
    if (strcmp(name, "-") == 0 || !is_there(name, &there) || !S_ISREG(there.st_mode) || there.st_size == 0) return NULL;
    f = fopen(name, "rb");
    if (!f) die_of(name);
    return f;
}

void output_old_read(FILE *f, const char *name)
{
    if (ferror(f)) die_of(name);
    fclose(f);
}

int file_begins(const char *name, const char *text)
{
    struct stat there;
    return stat(name, &there) == 0 && S_ISREG(there.st_mode) && there.st_size > 0 && output_begins(name, text);
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
        if (temporaries[i] && strlen(temporaries[i]) == length + strlen(TEMPORARY) &&
            strncmp(temporaries[i], o->target, length) == 0)
            die(EXIT_USAGE, "%s is to hold two outputs: give each a file of its own", o->name);
}

/* Removes what a run that was killed has left of this target: a file of such a name that no process holds. */
static void remove_leftover(const char *path)
{
    const int handle = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct stat there;
    if (handle < 0) return;
    if (fstat(handle, &there) == 0 && S_ISREG(there.st_mode) && there.st_uid == geteuid() &&
        flock(handle, LOCK_EX | LOCK_NB) == 0)
        unlink(path);
    close(handle);
}

static void remove_leftovers(const char *target)
{
    const char *file = strrchr(target, '/') + 1;
    const size_t length = strlen(file), all = length + strlen(TEMPORARY), mark = strlen(TEMPORARY) - strlen("XXXXXX");
    char *path = copy_text(target);
    const struct dirent *entry;
    DIR *folder;
    path[file - target] = '\0';
    folder = opendir(path);
    while (folder && (entry = readdir(folder)) != NULL) {
        if (strlen(entry->d_name) != all || strncmp(entry->d_name, file, length) != 0 ||
            strncmp(entry->d_name + length, TEMPORARY, mark) != 0)
            continue;
        path = reallocate(path, strlen(target) + strlen(TEMPORARY) + 1);
        sprintf(path + (file - target), "%s", entry->d_name);
        remove_leftover(path);
    }
    if (folder) closedir(folder);
    free(path);
}

/* The handle of a new file beside the target, or -1. A lock says that this process lives; a file that another process
 * was about to remove before that is left to it. */
static int make_temporary(output *o)
{
    struct stat there;
    int handle, lost;
    do {
        sprintf(o->temporary, "%s" TEMPORARY, o->target);
        handle = mkstemp(o->temporary);
        if (handle < 0) return -1;
        lost = flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        lost |= fstat(handle, &there) == 0 && there.st_nlink == 0;
        if (lost) close(handle);
    } while (lost);
    return handle;
}

/* The same. A signal waits until its name is known to the handler. */
static int open_temporary(output *o)
{
    sigset_t held, before;
    size_t i;
    int handle;
    o->temporary = allocate(strlen(o->target) + sizeof TEMPORARY, 1);
    remove_leftovers(o->target);
    while (temporaries[o->place]) o->place++;
    sigemptyset(&held);
    for (i = 0; i < ENDS; i++) sigaddset(&held, ends[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    handle = make_temporary(o);
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
    const int lock = o->temporary ? dup(fileno(o->file)) : -1; /* holds the file until it has its name */
    if (o->file != stdout) bad |= fclose(o->file) != 0;
    if (bad && !errno) errno = EIO;
    if (bad) die_of(o->name);
    if (!o->temporary) return;
    if (rename(o->temporary, o->target) != 0) die_of(o->name);
    if (lock >= 0) close(lock);
    temporaries[o->place] = NULL;
    free(o->temporary);
    free(o->target);
}

unsigned edits(const char *a, const char *b)
{
    unsigned cost[64], i, before, corner, n = (unsigned)strlen(b);
    if (n >= sizeof cost / sizeof *cost) return UINT32_MAX;
    for (i = 0; i <= n; i++) cost[i] = i;
    for (; *a; a++) {
        corner = cost[0]++;
        for (i = 1; i <= n; i++) {
            before = cost[i];
            if (*a != b[i - 1]) corner = 1 + (corner < before ? corner : before);
            if (corner > cost[i - 1] + 1) corner = cost[i - 1] + 1;
            cost[i] = corner;
            corner = before;
        }
    }
    return cost[n];
}

const char *printable(const char *text, size_t most)
{
    enum { COPIES = 8 };
    static __thread char *copies[COPIES];
    static __thread unsigned calls;
    char **copy = &copies[calls++ % COPIES];
    size_t length = strlen(text);
    *copy = reallocate(*copy, 4 * (length < most ? length : most) + sizeof " ...");
    make_printable(*copy, text, most);
    return *copy;
}

void print_shell_word(FILE *f, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    char *word, *to;
    if (*text && text[strspn(text, plain)] == '\0') {
        fputs(text, f);
        return;
    }
    word = to = allocate(4 * strlen(text) + 3, 1);
    *to++ = '\'';
    for (; *text; text++) to += sprintf(to, *text == '\'' ? "'\\''" : "%c", *text);
    strcpy(to, "'");
    fputs(printable(word, SIZE_MAX), f);
    free(word);
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
