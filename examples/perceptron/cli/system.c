#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef _WIN32
#include <io.h>
#include <windows.h>
#define fsync _commit
#define rename replace /* that function is below */
#define PIPE_BUF 4096
#define has_room(handle) 1
#else
#include <dirent.h>
#include <poll.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#endif

volatile sig_atomic_t interrupted;
char *volatile temporaries[OUTPUTS];

void outputs_drop(void)
{
    unsigned i;
    for (i = 0; i < OUTPUTS; i++)
        if (temporaries[i]) unlink(temporaries[i]);
}

const char *system_base(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (strchr(SYSTEM_SLASHES, *path)) name = path + 1;
    return name;
}

#ifdef _WIN32

/* ---- Windows ---- */

int _CRT_glob = 0; /* arguments stay as they were typed, because '*' stands for products, too */

void system_start(void)
{
    int i;
    for (i = 0; i < 3; i++) _setmode(i, _O_BINARY);
    _fmode = _O_BINARY;
}

static int fail(void)
{
    const DWORD why = GetLastError();
    errno = why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND || why == ERROR_INVALID_NAME ? ENOENT
            : why == ERROR_ACCESS_DENIED || why == ERROR_SHARING_VIOLATION                          ? EACCES
            : why == ERROR_DISK_FULL                                                                ? ENOSPC
                                                                                                    : EIO;
    return -1;
}

/* Lets others remove or rename a file while it is open. */
enum { SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

int system_look(const char *name, system_file *there)
{
    BY_HANDLE_FILE_INFORMATION info;
    const HANDLE file = name ? CreateFileA(name, 0, SHARED, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
                             : GetStdHandle(STD_INPUT_HANDLE);
    memset(there, 0, sizeof *there);
    if (file == INVALID_HANDLE_VALUE) return fail(), errno == ENOENT ? 0 : -1;
    if (GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &info)) {
        there->regular = !(info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
        there->size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
        there->place[0] = info.dwVolumeSerialNumber;
        there->place[1] = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    }
    if (name) CloseHandle(file);
    return 1;
}

char *system_path(const char *name, int exists)
{
    return (void)exists, _fullpath(NULL, name, 0);
}

/* Removes what killed runs have left of this target: files that no process holds. */
static void remove_leftovers(const char *target, char *temporary)
{
    WIN32_FIND_DATAA entry;
    HANDLE all;
    sprintf(temporary, "%s" SYSTEM_MARK "??????", target);
    all = FindFirstFileA(temporary, &entry);
    if (all == INVALID_HANDLE_VALUE) return;
    do {
        HANDLE file;
        sprintf(temporary + (system_base(target) - target), "%.*s", (int)strlen(system_base(temporary)),
                entry.cFileName);
        file = CreateFileA(temporary, DELETE, 0, NULL, OPEN_EXISTING, FILE_FLAG_DELETE_ON_CLOSE, NULL);
        if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
    } while (FindNextFileA(all, &entry));
    FindClose(all);
}

static int temporary_handle(const char *target, const system_file *old, char *temporary, unsigned place)
{
    unsigned number = GetCurrentProcessId() * 8;
    HANDLE file;
    (void)old;
    remove_leftovers(target, temporary);
    do {
        sprintf(temporary, "%s" SYSTEM_MARK "%06x", target, number++ & 0xFFFFFF);
        file = CreateFileA(temporary, GENERIC_WRITE, SHARED, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    } while (file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_FILE_EXISTS);
    if (file == INVALID_HANDLE_VALUE) return fail();
    temporaries[place] = temporary;
    return _open_osfhandle((intptr_t)file, _O_BINARY);
}

static int replace(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : fail();
}

int system_open(const char *name, int *live)
{
    system_file there;
    const int standard = strcmp(name, "-") == 0;
    *live = system_look(standard ? NULL : name, &there) != 1 || !there.regular;
    return standard ? STDIN_FILENO : open(name, O_RDONLY | O_BINARY);
}

ptrdiff_t system_read(int handle, void *to, size_t most)
{
    const ptrdiff_t got = interrupted ? 0 : read(handle, to, most < INT_MAX ? (unsigned)most : INT_MAX);
    return interrupted ? 0 : got;
}

void *system_pages(size_t bytes)
{
    return malloc(bytes ? bytes : 1);
}

unsigned processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors;
}

uint64_t memory_there_is(void)
{
    MEMORYSTATUSEX status;
    status.dwLength = sizeof status;
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : UINT64_MAX;
}

#else

/* ---- POSIX ---- */

static const int ends[] = {SYSTEM_ENDS};
enum { ENDS = sizeof ends / sizeof *ends, HUGE_PAGE = 1 << 21 };

/* Keeps the number of a standard stream that is closed, so that no output gets it. Reading or writing it still
 * fails. */
void system_start(void)
{
    int i;
    for (i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0) open(SYSTEM_NOWHERE, i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    signal(SIGXFSZ, SIG_IGN); /* writing a file that grows too large fails then */
}

int system_look(const char *name, system_file *there)
{
    struct stat found;
    if ((name ? stat(name, &found) : fstat(STDIN_FILENO, &found)) != 0) return name && errno == ENOENT ? 0 : -1;
    there->regular = S_ISREG(found.st_mode);
    there->mode = found.st_mode & 0777;
    there->size = (uint64_t)found.st_size;
    there->place[0] = (uint64_t)found.st_dev;
    there->place[1] = (uint64_t)found.st_ino;
    return 1;
}

/* Returns a new string: the path of the file of that name in the folder. */
static char *path_in(const char *folder, const char *file)
{
    const int whole = *file == '/';
    char *path = malloc(strlen(folder) + strlen(file) + 2);
    if (path) sprintf(path, "%s%s%s", whole ? "" : folder, whole ? "" : "/", file);
    return path;
}

char *system_path(const char *name, int exists)
{
    const char *file = system_base(name);
    char *folder, *path, *target, named[PATH_MAX]; /* by a link, if it is one */
    ssize_t length;
    if (exists) return realpath(name, NULL);
    folder = file > name ? strndup(name, (size_t)(file - name)) : strdup(".");
    path = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    target = path ? path_in(path, file) : NULL;
    length = target ? readlink(target, named, sizeof named - 1) : -1;
    if (length >= 0) {
        named[length] = '\0';
        free(target);
        folder = path_in(path, named);
        target = folder ? system_path(folder, 0) : NULL;
        free(folder);
    }
    free(path);
    return target;
}

/* Removes what a killed run has left of this target: a file with such a name that no process holds. */
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

/* Removes all that killed runs have left of this target. path: room for the name of such a file. */
static void remove_leftovers(const char *target, char *path)
{
    const char *file = system_base(target);
    const size_t length = strlen(file), all = length + strlen(SYSTEM_TEMPORARY), mark = strlen(SYSTEM_MARK);
    const struct dirent *entry;
    DIR *folder;
    sprintf(path, "%.*s", (int)(file - target), target);
    folder = opendir(path);
    while (folder && (entry = readdir(folder)) != NULL) {
        if (strlen(entry->d_name) != all || strncmp(entry->d_name, file, length) != 0 ||
            strncmp(entry->d_name + length, SYSTEM_TEMPORARY, mark) != 0)
            continue;
        strcpy(path + (file - target), entry->d_name);
        remove_leftover(path);
    }
    if (folder) closedir(folder);
}

/* Returns the handle of a new file beside the target, or -1. A lock says that this process lives. If another process
 * was about to remove the file before that, it is left to that process. */
static int make_temporary(const char *target, char *temporary)
{
    struct stat there;
    int handle, lost;
    do {
        sprintf(temporary, "%s" SYSTEM_TEMPORARY, target);
        handle = mkstemp(temporary);
        if (handle < 0) return -1;
        lost = flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        lost |= fstat(handle, &there) == 0 && there.st_nlink == 0;
        if (lost) close(handle);
    } while (lost);
    return handle;
}

/* Returns the handle of a new file beside the target, or -1. A signal waits until its handler can know the name. */
static int temporary_handle(const char *target, const system_file *old, char *temporary, unsigned place)
{
    const mode_t mask = umask(0);
    sigset_t held, before;
    size_t i;
    int handle;
    umask(mask);
    remove_leftovers(target, temporary);
    sigemptyset(&held);
    for (i = 0; i < ENDS; i++) sigaddset(&held, ends[i]);
    sigprocmask(SIG_BLOCK, &held, &before);
    handle = make_temporary(target, temporary);
    if (handle >= 0) temporaries[place] = temporary;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return handle < 0 || fchmod(handle, old ? old->mode : 0666 & ~mask) != 0 ? -1 : handle;
}

int system_open(const char *name, int *live)
{
    struct stat there;
    const int handle = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY);
    *live = handle >= 0 && (fstat(handle, &there) != 0 || !S_ISREG(there.st_mode));
    return handle;
}

ptrdiff_t system_read(int handle, void *to, size_t most)
{
    struct pollfd file = {handle, POLLIN, 0};
    while (!interrupted && poll(&file, 1, 100) == 0) continue;
    return interrupted ? 0 : read(handle, to, most);
}

/* Waits for room for PIPE_BUF bytes, but after a signal only a tenth of a second. Returns 0 if there is no room. */
static int has_room(int handle)
{
    struct pollfd file = {handle, POLLOUT, 0};
    int waits, found;
    do {
        waits = !interrupted;
        found = poll(&file, 1, 100);
    } while (waits && (found == 0 || (found < 0 && errno == EINTR)));
    return found != 0;
}

/* The advice must come before the first access. */
void *system_pages(size_t bytes)
{
    void *p;
    if (posix_memalign(&p, bytes < HUGE_PAGE ? 64 : HUGE_PAGE, bytes ? bytes : 1) != 0) return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_PAGE) madvise(p, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return p;
}

unsigned processors(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return (unsigned)CPU_COUNT(&allowed);
#endif
    return online > 0 ? (unsigned)online : 1;
}

uint64_t memory_there_is(void)
{
    const uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < all ? limit.rlim_cur : all;
}

#endif

/* ---- Both ---- */

FILE *system_create(const char *target, const system_file *old, char *temporary, unsigned place)
{
    const int handle = old && access(target, W_OK) != 0 ? -1 : temporary_handle(target, old, temporary, place);
    return handle < 0 ? NULL : fdopen(handle, "wb");
}

int system_replace(FILE *f, const char *temporary, const char *target)
{
    const int bad = fsync(fileno(f)) != 0, lock = dup(fileno(f)); /* the lock holds the file until it has its name */
    if (fclose(f) != 0 || bad || rename(temporary, target) != 0) return -1;
    if (lock >= 0) close(lock);
    return 0;
}

int system_write(int handle, const char *from, size_t size)
{
    while (size > 0 && has_room(handle)) {
        const ptrdiff_t done = write(handle, from, size < PIPE_BUF ? (unsigned)size : PIPE_BUF);
        if (done < 0 && errno != EINTR) return -1;
        if (done < 0) continue;
        from += done;
        size -= (size_t)done;
    }
    return 0;
}

int64_t system_seek(int handle, int64_t from)
{
    return lseek(handle, from < 0 ? 0 : (off_t)from, from < 0 ? SEEK_CUR : SEEK_SET);
}

void system_close(int handle)
{
    if (handle != STDIN_FILENO) close(handle);
}

int system_is_terminal(void)
{
    return isatty(STDERR_FILENO);
}

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
