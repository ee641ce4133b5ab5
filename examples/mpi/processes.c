/* A team of MPI processes. Only the main thread of each calls MPI. */
#include "meet.h"

static uint32_t rank, size;

/* ---- How all end ---- */

/* Where one process or more have failed, all get the status and the text of the first of them. */
static void agree_on_failure(int *status, char *text, size_t room)
{
    int who = (int)(*status ? rank : size), first;
    MPI_Allreduce(&who, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == (int)size) return;
    MPI_Bcast(status, 1, MPI_INT, first, MPI_COMM_WORLD);
    MPI_Bcast(text, (int)room, MPI_CHAR, first, MPI_COMM_WORLD);
    fail_together = NULL;
}

void meet(void)
{
    char text[sizeof failing->text] = "";
    int status = 0;
    agree_on_failure(&status, text, sizeof text);
    if (status) die(status, "%s", text);
}

/* The first process to end by an error has the others killed, so what process 0 has said must be out by then. */
static void leave(void)
{
    fflush(NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}

void processes_start(int argc, char **argv)
{
    int number, threads;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank = (uint32_t)number;
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    size = (uint32_t)number;
    fail_together = agree_on_failure;
    atexit(leave);
    if (rank > 0 && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))) die_of("/dev/null");
    if (argc > 1 && argv[1][0] != '-' && strcmp(argv[1], "train") != 0)
        die(EXIT_USAGE, "several processes only train: build/perceptron has '%s'", argv[1]);
}

void processes_end(void)
{
    meet();
}

/* ---- Numbers ---- */

uint32_t process_number(void)
{
    return rank;
}

uint32_t process_count(void)
{
    return size;
}

void processes_sum(uint64_t *number, size_t n)
{
    meet();
    MPI_Allreduce(MPI_IN_PLACE, number, (int)n, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void processes_largest(float *number, size_t n)
{
    meet();
    MPI_Allreduce(MPI_IN_PLACE, number, (int)n, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
}

uint64_t processes_least(uint64_t number)
{
    meet();
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return number;
}

/* ---- Arrays ---- */

enum { MESSAGE = 1 << 20 }; /* bytes at most: MPI counts with an int */

static uint64_t traded;

void trade(const void *out, uint64_t out_bytes, uint32_t to, void *in, uint64_t in_bytes, uint32_t from)
{
    const char *sent = out;
    char *got = in;
    if (to != rank) traded += out_bytes;
    while (out_bytes + in_bytes > 0) {
        const int give = out_bytes < MESSAGE ? (int)out_bytes : MESSAGE;
        const int take = in_bytes < MESSAGE ? (int)in_bytes : MESSAGE;
        MPI_Sendrecv(sent, give, MPI_BYTE, give ? (int)to : MPI_PROC_NULL, 0, got, take, MPI_BYTE,
                     take ? (int)from : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sent += give;
        got += take;
        out_bytes -= (uint64_t)give;
        in_bytes -= (uint64_t)take;
    }
}

uint64_t bytes_traded(void)
{
    return traded;
}
