#include "output.h"
#include "signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".perceptron-XXXXXX" /* behind the name of an output while it is written */

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

/* A new string: the file as it is named in that folder. */
static char *path_in(const char *folder, const char *file)
{
    const int whole = *file == '/';
    char *path = allocate(strlen(folder) + strlen(file) + 2, 1);
    sprintf(path, "%s%s%s", whole ? "" : folder, whole ? "" : "/", file);
    return path;
}

/* The one path of a file, perhaps yet to be made, which a link may name; NULL: its folder is not there. */
static char *real_path(const char *name, int exists)
{
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    char *folder = copy_text(slash ? name : "."), *path, *target, named[PATH_MAX]; /* by a link */
    ssize_t length;
    if (slash) folder[file - name] = '\0';
    path = exists ? realpath(name, NULL) : realpath(folder, NULL);
    free(folder);
    if (exists || !path) return path;
    target = path_in(path, file);
    length = readlink(target, named, sizeof named - 1);
    if (length >= 0) {
        named[length] = '\0';
        free(target);
        folder = path_in(path, named);
        target = real_path(folder, 0);
        free(folder);
    }
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
    sigset_t before;
    int handle;
    o->temporary = allocate(strlen(o->target) + sizeof TEMPORARY, 1);
    remove_leftovers(o->target);
    while (temporaries[o->place]) o->place++;
    signals_hold(&before);
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
