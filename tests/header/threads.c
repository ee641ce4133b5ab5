/* One thread learns while another predicts with copies, handed over under a lock as examples/GUIDE.md says. The
 * predictions are those of one thread alone, and ThreadSanitizer has nothing to say. With an argument, 1 to 4, one of four models
 * is no copy: it predicts by what its trainer is just rewriting. threads.sh builds and runs it. */
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "random.h"
#include "test.h"
#include <pthread.h>
#include <stdlib.h>

enum { N = 6, K = 3, ROWS = 3000, EVERY = 10, ASKED = 16, SLOTS = 20 };

static float x[ROWS][N];
static int16_t whole[ROWS][N];
static int y[ROWS];

static struct {
    pcn_perceptron plain, mean;
    pcn_iperceptron integer;
    pcn_kperceptron kernel;
    float plain_memory[PCN_PERCEPTRON_FLOATS(N, K)], mean_memory[PCN_PERCEPTRON_FLOATS(N, K)];
    float sums[PCN_AVERAGING_FLOATS(N, K)], kernel_memory[PCN_KPERCEPTRON_FLOATS(N, K, SLOTS)];
    int32_t integer_memory[PCN_IPERCEPTRON_NUMBERS(N, K)];
    pcn_slot slot[SLOTS];
} trainer;

typedef struct copies {
    pcn_linear plain, mean;
    pcn_ilinear integer;
    pcn_kmodel kernel;
    float plain_weight[PCN_LINEAR_FLOATS(N, K)], mean_weight[PCN_LINEAR_FLOATS(N, K)];
    int32_t integer_weight[PCN_IPERCEPTRON_NUMBERS(N, K)];
    uint32_t kernel_image[PCN_KERNEL_IMAGE(K, SLOTS, N *SLOTS, 0, 0) / 4];
} copies;

static copies room[3], *spare = &room[0], *handed = &room[1], *mine = &room[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of handed and fresh */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int fresh;     /* has `handed` not been taken yet? */
static int without;   /* the argument */
static int failed;    /* of the thread that learns */
static uint32_t hash; /* of what the other one predicts */

static void must(int result)
{
    failed += result < 0;
}

static void begin(void)
{
    must(pcn_perceptron_init(&trainer.plain, N, K, trainer.plain_memory, sizeof trainer.plain_memory));
    must(pcn_perceptron_init(&trainer.mean, N, K, trainer.mean_memory, sizeof trainer.mean_memory));
    must(pcn_perceptron_use_averaging(&trainer.mean, trainer.sums, sizeof trainer.sums));
    must(pcn_iperceptron_init(&trainer.integer, N, K, trainer.integer_memory, sizeof trainer.integer_memory));
    must(pcn_kperceptron_init(&trainer.kernel, pcn_kernel_rbf(0.1f), N, K, trainer.slot, SLOTS, trainer.kernel_memory,
                              sizeof trainer.kernel_memory));
    trainer.kernel.admit = pcn_admit_oldest;
    hash = 0;
}

static void learn(uint32_t from)
{
    for (uint32_t i = from; i < from + EVERY; i++) {
        must(pcn_perceptron_learn(&trainer.plain, pcn_dense(x[i], N), y[i]));
        must(pcn_perceptron_learn(&trainer.mean, pcn_dense(x[i], N), y[i]));
        must(pcn_iperceptron_learn(&trainer.integer, pcn_idense(whole[i], N), y[i]));
        must(pcn_kperceptron_learn(&trainer.kernel, pcn_dense(x[i], N), y[i]));
    }
}

static void copy(copies *to)
{
    must(pcn_perceptron_final(&trainer.plain, &to->plain, without == 1 ? NULL : to->plain_weight,
                              sizeof to->plain_weight));
    must(pcn_perceptron_final(&trainer.mean, &to->mean, to->mean_weight, sizeof to->mean_weight));
    must(pcn_iperceptron_final(&trainer.integer, &to->integer, without == 2 ? NULL : to->integer_weight,
                               sizeof to->integer_weight));
    must(pcn_kmodel_open(&to->kernel, pcn_kernel_rbf(0.1f), to->kernel_image,
                         pcn_kperceptron_save(&trainer.kernel, to->kernel_image, sizeof to->kernel_image)));
}

static void predict(const copies *m)
{
    static float work[PCN_KMODEL_WORK(K, SLOTS, 1)];
    for (int i = 0; i < ASKED; i++) {
        const pcn_vec v = pcn_dense(x[i], N);
        int cls = K;
        if (pcn_kmodel_predict(without == 4 ? &trainer.kernel.model : &m->kernel, PCN_DECIDE_LAST, &v, 1, &cls, work,
                               sizeof work) < 0)
            hash++;
        hash = hash * 31 + (uint32_t)pcn_linear_predict(&m->plain, v);
        hash = hash * 31 +
               (uint32_t)(without == 3 ? pcn_perceptron_predict(&trainer.mean, v) : pcn_linear_predict(&m->mean, v));
        hash = hash * 31 + (uint32_t)pcn_ilinear_predict(&m->integer, pcn_idense(whole[i], N));
        hash = hash * 31 + (uint32_t)cls;
    }
}

static void swap(copies **a, copies **b, int now_fresh)
{
    copies *c;
    pthread_mutex_lock(&lock);
    while (fresh == now_fresh) pthread_cond_wait(&changed, &lock);
    c = *a, *a = *b, *b = c;
    fresh = now_fresh;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *predicts(void *unused)
{
    for (uint32_t i = 0; i < ROWS; i += EVERY) {
        swap(&mine, &handed, 0);
        predict(mine);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    uint32_t alone, i;
    if (argc > 1) without = atoi(argv[1]);
    for (i = 0; i < ROWS; i++) {
        for (int j = 0; j < N; j++) whole[i][j] = (int16_t)(random_bits() % 16 - 8), x[i][j] = whole[i][j];
        y[i] = (whole[i][0] + whole[i][1] > 0) + (whole[i][2] > 3);
    }
    begin();
    for (i = 0; i < ROWS; i += EVERY) {
        learn(i);
        copy(mine);
        predict(mine);
    }
    alone = hash;
    begin();
    CHECK(pthread_create(&thread, NULL, predicts, NULL) == 0);
    for (i = 0; i < ROWS; i += EVERY) {
        learn(i);
        copy(spare);
        swap(&spare, &handed, 1);
    }
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(failed == 0);
    CHECK(trainer.plain.learner.count.updates > ROWS / 50);
    CHECK(hash == alone);
    return report();
}
