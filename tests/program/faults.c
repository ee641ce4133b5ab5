/* Preloaded into a program, this makes its calls of the system fail. tests/program/faults.py says in the environment which:
 * FAULT_CLASS  a word of class_names, or "any": all classes but alloc and thread
 * FAULT_FROM   the first call of that class that fails, from 1; 0: none
 * FAULT_TO     the last one
 * FAULT_DO     what happens there: an error number; a signal as -number, once the call is done; or of the letters
 *              t (the file is cut to half first), a (a line is added to it first), s (at random, fewer bytes than asked
 *              for, and poll interrupted)
 * FAULT_SEED   of what is random
 * FAULT_COUNTS a file that receives the calls of each class, and how many were made to fail
 * Allocation and threads are functions of the C library. The rest are system calls, whoever makes them: a filter of
 * the kernel sends them here as signals, so what stdio does unseen counts, too. Linux, x86-64, glibc. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { ALLOC, THREAD, OPEN, READ, WRITE, CLOSE, RENAME, SYNC, OTHER, CLASSES, ANY = CLASSES, HITS, COUNTS };
static const char *const class_names[] = {"alloc", "thread", "open", "read",  "write",
                                          "close", "rename", "sync", "other", "any"};

static const struct {
    int number, class;
} calls[] = {{SYS_openat, OPEN},     {SYS_open, OPEN},        {SYS_read, READ},        {SYS_pread64, READ},
             {SYS_write, WRITE},     {SYS_writev, WRITE},     {SYS_close, CLOSE},      {SYS_rename, RENAME},
             {SYS_renameat, RENAME}, {SYS_renameat2, RENAME}, {SYS_fsync, SYNC},       {SYS_newfstatat, OTHER},
             {SYS_fstat, OTHER},     {SYS_stat, OTHER},       {SYS_lstat, OTHER},      {SYS_fchmod, OTHER},
             {SYS_access, OTHER},    {SYS_faccessat, OTHER},  {SYS_faccessat2, OTHER}, {SYS_poll, OTHER},
             {SYS_readlink, OTHER},  {SYS_getcwd, OTHER},     {SYS_ioctl, OTHER},      {SYS_sched_getaffinity, OTHER}};
enum { CALLS = sizeof calls / sizeof *calls, SLICE = 64 };

static _Atomic uint32_t unread[COUNTS], *counts = unread;
static int class = -1, error; /* error: below 0, a signal */
static char way;              /* 0: by error */
static uint32_t from, to;
static _Atomic uint32_t seed;

static uint32_t draw(uint32_t below)
{
    uint32_t s = atomic_fetch_add(&seed, 0x9E3779B9u);
    s = (s ^ s >> 16) * 0x85EBCA6Bu;
    s = (s ^ s >> 13) * 0xC2B2AE35u;
    return (s ^ s >> 16) % below;
}

/* Counts a call; is it one of those that fail? */
static int falls_on(int of)
{
    uint32_t number = ++counts[of];
    if (of != ALLOC && of != THREAD) {
        uint32_t any = ++counts[ANY];
        if (class == ANY) number = any;
    }
    if ((class != of && (class != ANY || of == ALLOC || of == THREAD)) || number < from || number > to) return 0;
    counts[HITS]++;
    return 1;
}

/* ---- Allocation and threads ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t boundary, size_t size);

static int allocation_fails(void)
{
    if (!falls_on(ALLOC)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return allocation_fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    return allocation_fails() ? NULL : __libc_realloc(p, size);
}

int posix_memalign(void **p, size_t boundary, size_t size)
{
    if (allocation_fails()) return ENOMEM;
    *p = __libc_memalign(boundary, size);
    return *p ? 0 : ENOMEM;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    if (falls_on(THREAD)) return EAGAIN;
    memcpy(&create, &found, sizeof create);
    return create(thread, attributes, run, argument);
}

/* ---- System calls ---- */

/* The one place whose calls the filter lets through. */
long fault_call(long number, long a, long b, long c, long d, long e);
extern char fault_called[];
__asm__(".text\nfault_call: mov %rdi,%rax\n mov %rsi,%rdi\n mov %rdx,%rsi\n mov %rcx,%rdx\n mov %r8,%r10\n"
        " mov %r9,%r8\n syscall\nfault_called: ret\n");

/* The regular file behind a handle is cut, or becomes longer: not one that the program has made itself, and reads. */
static void change_file(long handle)
{
    static const char line[] = "1 1:1 2:2\n";
    char path[40], target[4096] = "";
    long size, other;
    snprintf(path, sizeof path, "/proc/self/fd/%ld", handle);
    fault_call(SYS_readlink, (long)path, (long)target, sizeof target - 1, 0, 0);
    if (strstr(target, ".perceptron-")) return;
    other = fault_call(SYS_open, (long)path, O_RDWR, 0, 0, 0);
    if (other < 0) return;
    size = fault_call(SYS_lseek, other, 0, SEEK_END, 0, 0);
    if (way == 't')
        fault_call(SYS_ftruncate, other, size / 2, 0, 0, 0);
    else
        fault_call(SYS_write, other, (long)line, sizeof line - 1, 0, 0);
    fault_call(SYS_close, other, 0, 0, 0, 0);
}

static long call(int number, long *a)
{
    if (number == SYS_fsync) return 0; /* tests need not outlive a power cut */
    return fault_call(number, a[0], a[1], a[2], a[3], a[4]);
}

static long call_badly(int number, int of, long *a)
{
    long result;
    if (way == 's') {
        if (number == SYS_poll && draw(2)) return -EINTR;
        if ((number == SYS_read || number == SYS_write) && a[2] > 0 && draw(2))
            a[2] = 1 + (long)draw(a[2] < SLICE ? (uint32_t)a[2] : SLICE);
        return call(number, a);
    }
    if (way) {
        if (of == READ) change_file(a[0]);
        return call(number, a);
    }
    if (error > 0 && of != CLOSE) return -error;
    result = call(number, a); /* a file is closed even if close says that something went wrong */
    if (error > 0) return -error;
    fault_call(SYS_tgkill, fault_call(SYS_getpid, 0, 0, 0, 0, 0), fault_call(SYS_gettid, 0, 0, 0, 0, 0), -error, 0, 0);
    return result;
}

static void on_call(int signal_, siginfo_t *info, void *context)
{
    greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
    long a[5] = {(long)g[REG_RDI], (long)g[REG_RSI], (long)g[REG_RDX], (long)g[REG_R10], (long)g[REG_R8]};
    int number = info->si_syscall, i = 0;
    (void)signal_;
    while (i < CALLS && calls[i].number != number) i++;
    if (i == CALLS || (calls[i].class == WRITE && a[0] == STDERR_FILENO) || !falls_on(calls[i].class))
        g[REG_RAX] = call(number, a);
    else
        g[REG_RAX] = call_badly(number, calls[i].class, a);
}

static int trap_calls(void)
{
    struct sock_filter f[CALLS + 8];
    struct sock_fprog program = {0, f};
    uint64_t place = (uint64_t)(uintptr_t)fault_called;
    struct sigaction action;
    unsigned short n = 0, i;
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer));
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)place, 0, 3);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                          offsetof(struct seccomp_data, instruction_pointer) + 4);
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(place >> 32), 0, 1);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (i = 0; i < CALLS; i++)
        f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number,
                                              (uint8_t)(CALLS - i), 0);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    program.len = n;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_call;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static uint32_t number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("FAULT_CLASS"), *what = getenv("FAULT_DO"), *path = getenv("FAULT_COUNTS");
    int file = path ? open(path, O_RDWR) : -1, wanted = -1, i;
    void *p = file < 0 ? MAP_FAILED : mmap(NULL, sizeof unread, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (!name || !what || p == MAP_FAILED) return;
    close(file);
    from = number_of("FAULT_FROM");
    to = number_of("FAULT_TO");
    seed = number_of("FAULT_SEED");
    error = atoi(what);
    way = error ? 0 : *what;
    for (i = 0; i <= ANY; i++)
        if (strcmp(name, class_names[i]) == 0) wanted = i;
    if (!trap_calls()) _exit(99);
    counts = p;
    memset(p, 0, sizeof unread);
    class = wanted;
}
