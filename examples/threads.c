/* build with: cc -std=c99 -O2 -pthread -I. examples/threads.c -o build/threads
 *
 * Several processors, one model. Four shards learn a quarter of the digits each by AROW, and after each epoch their
 * trainers are mixed into one, with which the next epoch begins. The bytes of the model depend on the number of
 * shards, but not on how many threads learn them. No thread reads what another one writes: each shard has copies of
 * the common weights. After build/threads examples/data/digits.csv
 *
 * It prints:
 *
 *     threads: 1   refused: 0   right: 291 of 300 test rows   checksum of the model: ef5c456d
 *     threads: 2   refused: 0   right: 291 of 300 test rows   checksum of the model: ef5c456d
 *     threads: 4   refused: 0   right: 291 of 300 test rows   checksum of the model: ef5c456d
 */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "must.h"
#include <pthread.h>
#include <string.h>

enum { PIXELS = 64, DIGITS = 10, ROWS = 1797, HELD = 6, EPOCHS = 3, SHARDS = 4 }; /* every sixth row is a test row */
enum { NUMBERS = PCN_LINEAR_FLOATS(PIXELS, DIGITS) };

typedef struct trainer {
    pcn_perceptron m;
    float memory[PCN_PERCEPTRON_FLOATS(PIXELS, DIGITS)], variance[NUMBERS];
} trainer;

static float x[ROWS][PIXELS];
static int y[ROWS], threads, number[SHARDS] = {0, 1, 2, 3}; /* of the threads */
static trainer common, shard[SHARDS];

static int read_rows(FILE *f)
{
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < PIXELS; j++)
            if (fscanf(f, "%f,", &x[i][j]) != 1) return 0;
        if (fscanf(f, "%d", &y[i]) != 1) return 0;
    }
    return 1;
}

static void begin(trainer *t)
{
    must(pcn_perceptron_init(&t->m, PIXELS, DIGITS, t->memory, sizeof t->memory));
    must(pcn_perceptron_use_confidence(&t->m, 1, t->variance, sizeof t->variance));
}

/* An epoch of rows s, s + SHARDS, s + 2 SHARDS, ..., from what all have learned. */
static void learn_shard(int s)
{
    trainer *t = &shard[s];
    memcpy(t->memory, common.memory, sizeof t->memory);
    memcpy(t->variance, common.variance, sizeof t->variance);
    memset(&t->m.learner.count, 0, sizeof t->m.learner.count);
    for (int i = s; i < ROWS; i += SHARDS)
        if (i % HELD) pcn_perceptron_learn(&t->m, pcn_dense(x[i], PIXELS), y[i]);
}

static void *work(void *first)
{
    for (int s = *(int *)first; s < SHARDS; s += threads) learn_shard(s);
    return NULL;
}

static void mix(void)
{
    pcn_shard part[SHARDS];
    for (int s = 0; s < SHARDS; s++)
        part[s] = (pcn_shard){.weight = shard[s].memory, .state = shard[s].variance, .count = shard[s].m.learner.count};
    must(pcn_perceptron_mix(&common.m, part, SHARDS, 0, NUMBERS));
}

int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!f || !read_rows(f)) return fprintf(stderr, "usage: threads examples/data/digits.csv\n"), 1;
    for (threads = 1; threads <= SHARDS; threads *= 2) {
        static uint32_t image[PCN_PERCEPTRON_IMAGE(PIXELS, DIGITS, PCN_PART_VARIANCES) / 4];
        pthread_t thread[SHARDS];
        unsigned right = 0, refused = 0;
        begin(&common);
        for (int s = 0; s < SHARDS; s++) begin(&shard[s]);
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            for (int t = 0; t < threads; t++)
                if (pthread_create(&thread[t], NULL, work, &number[t]) != 0) return 1;
            for (int t = 0; t < threads; t++) pthread_join(thread[t], NULL);
            mix();
        }
        for (int i = 0; i < ROWS; i += HELD)
            right += pcn_perceptron_predict(&common.m, pcn_dense(x[i], PIXELS)) == y[i];
        for (int s = 0; s < SHARDS; s++) refused += shard[s].m.refused;
        if (pcn_perceptron_save(&common.m, image, sizeof image) == 0) return 1;
        printf("threads: %d   refused: %u   right: %u of %d test rows   checksum of the model: %08lx\n", threads,
               refused, right, (ROWS - 1) / HELD + 1, (unsigned long)pcn_crc32(0, image, sizeof image - 4));
    }
}
