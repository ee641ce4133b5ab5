/* A mistake that is natural to make is answered: by a code, by an assertion (PERCEPTRON_DEBUG, PCN_ASSERT), by an
 * interface in which it is right or cannot be written, or else by a warning in examples/GUIDE.md or in a comment of
 * the header.
 *
 * Each function is one mistake, and its comment names the answer. */
static int asserted;
#define PCN_ASSERT(condition) ((condition) ? (void)0 : (void)asserted++)
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "test.h"

#include <string.h>

enum { N = 6, K = 3, ROWS = 600, EPOCHS = 5 };
static float x[ROWS][N], memory[PCN_PERCEPTRON_FLOATS(N, K)], array[PCN_AVERAGING_FLOATS(N, K)];
static int y[ROWS];
static pcn_perceptron m;

/* Rows of numbers from -1 to 1, in which every classes-th number leans towards its class. */
static void make_rows(int classes)
{
    uint32_t state = 1;
    int i, j;
    for (i = 0; i < ROWS; i++) {
        y[i] = i % classes;
        for (j = 0; j < N; j++) {
            state = state * 1664525u + 1013904223u;
            x[i][j] = (float)(state >> 8) / 8388608.0f - 1 + (j % classes == y[i] ? 0.7f : 0);
        }
    }
}

static void begin(uint32_t classes)
{
    asserted = 0;
    make_rows((int)classes);
    CHECK(pcn_perceptron_init(&m, N, classes, memory, sizeof memory) == PCN_OK);
}

/* Learns all rows, so many times, and returns what the last learn returned. */
static int learn_all(int epochs)
{
    int result = PCN_OK, e, i;
    for (e = 0; e < epochs; e++)
        for (i = 0; i < ROWS; i++) result = pcn_perceptron_learn(&m, pcn_dense(x[i], N), y[i]);
    return result;
}

static int wrong_rows(const pcn_linear *model)
{
    int i, wrong = 0;
    for (i = 0; i < ROWS; i++) wrong += pcn_linear_predict(model, pcn_dense(x[i], N)) != y[i];
    return wrong;
}

/* A code. 1 / 10 is 0 in C, so nothing would be learned. */
static void strength_divided_as_integers(void)
{
    begin(K);
    m.learner.rule = pcn_rule_pa(1 / 10);
    CHECK(learn_all(1) == PCN_EOPTION && m.refused == ROWS && m.learner.count.rows == 0);
}

/* A code, if it is so from the first row on. After an update a rate of 0 may be the end of a decay, so nobody hears of
 * 1 / pass.epoch, which is 1 in the first epoch. */
static void rate_divided_as_integers(void)
{
    begin(K);
    m.learner.rule.rate = 1 / 10;
    CHECK(learn_all(1) == PCN_EOPTION && m.refused == ROWS);
    m.learner.rule.rate = 1;
    CHECK(learn_all(1) >= 0);
    m.learner.rule.rate = 1 / 2;
    CHECK(learn_all(1) == 0);
}

/* A code of init. */
static void gamma_divided_as_integers(void)
{
    static float floats[PCN_KPERCEPTRON_FLOATS(N, 2, 10)];
    static pcn_slot slot[10];
    pcn_kperceptron k;
    CHECK(pcn_kperceptron_init(&k, pcn_kernel_rbf(1 / N), N, 2, slot, 10, floats, sizeof floats) == PCN_EOPTION);
    CHECK(pcn_kperceptron_init(&k, pcn_kernel_poly(2, 1 / N, 1), N, 2, slot, 10, floats, sizeof floats) == PCN_EOPTION);
}

/* A code. */
static void scale_divided_as_integers(void)
{
    begin(K);
    CHECK(pcn_perceptron_use_batch(&m, array, sizeof array) == PCN_OK);
    CHECK(learn_all(1) >= 0);
    CHECK(pcn_perceptron_apply_batch(&m, 1 / ROWS) == PCN_EOPTION);
    CHECK(pcn_perceptron_apply_batch(&m, 1.0f / ROWS) == 1);
}

/* A code. The passive-aggressive rule has no rate. */
static void rate_of_a_rule_without_one(void)
{
    begin(K);
    m.learner.rule = pcn_rule_pa(0.1f);
    m.learner.rule.rate = 0.001f;
    CHECK(learn_all(1) == PCN_EOPTION && m.refused == ROWS);
}

/* Nobody: learn takes -1 for class 0, and predict answers 0. */
static void labels_of_minus_one(void)
{
    int i, wrong;
    begin(2);
    for (i = 0; i < ROWS; i++) y[i] = y[i] ? 1 : -1;
    CHECK(learn_all(EPOCHS) >= 0 && m.refused == 0);
    wrong = wrong_rows(&m.live);
    for (i = 0; i < ROWS; i++) y[i] = y[i] > 0;
    CHECK(wrong >= ROWS / 2 && wrong_rows(&m.live) < ROWS / 4);
}

/* A code: of three classes and more -1 is none. */
static void labels_of_minus_one_of_three(void)
{
    begin(K);
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x[0], N), -1) == PCN_ELABEL && m.refused == 1);
}

/* The interface: classes are classes, and p has a number for each. A code for those who count scores. */
static void classes_of_two(void)
{
    float score[PCN_SCORES(2)], p[2];
    pcn_calibration c;
    int guess;
    begin(2);
    CHECK(pcn_perceptron_init(&m, N, 1, memory, sizeof memory) == PCN_EOPTION);
    CHECK(pcn_perceptron_init(&m, N, 2, memory, sizeof memory) == PCN_OK && m.live.scores == 1);
    CHECK(learn_all(EPOCHS) >= 0);
    pcn_calibration_init(&c);
    c.a = 1;
    pcn_perceptron_scores(&m, pcn_dense(x[0], N), score);
    guess = pcn_probabilities(&c, score, 2, p);
    CHECK(p[guess] > 0.5f && p[0] + p[1] == 1);
    CHECK(pcn_probabilities(&c, score, 1, p) == PCN_EOPTION && pcn_calibrate(&c, score, 1, p, 1) == PCN_EOPTION);
}

/* The interface: of two classes, the words of 0 are those that speak against 1. */
static void top_of_class_0(void)
{
    uint32_t one[2], zero[2], against[2];
    begin(2);
    memory[3] = 5, memory[4] = -7;
    CHECK(pcn_linear_top(&m.live, 1, 1, one, 2) == 2 && one[0] == 3);
    CHECK(pcn_linear_top(&m.live, 0, 1, zero, 2) == 2 && zero[0] == 4);
    CHECK(pcn_linear_top(&m.live, 1, -1, against, 2) == 2 && against[0] == 4);
    CHECK(pcn_linear_top(&m.live, 2, 1, one, 2) == 0);
}

/* Nobody: a struct that was not initialised has any numbers. Like all objects it has an init. "At first all classes are
 * equally probable", after pcn_calibration_init. */
static void calibration_without_init(void)
{
    float p[K];
    const float score[K] = {1, 2, 3};
    pcn_calibration c;
    memset(&c, 0x5a, sizeof c);
    pcn_calibration_init(&c);
    pcn_probabilities(&c, score, K, p);
    CHECK(p[0] == p[1] && p[1] == p[2]);
}

/* A code: the mean would be written over the weights from which the trainer learns on. */
static void final_into_the_memory(void)
{
    pcn_linear model;
    begin(K);
    CHECK(pcn_perceptron_use_averaging(&m, array, sizeof array) == PCN_OK);
    CHECK(learn_all(1) >= 0);
    CHECK(pcn_perceptron_final(&m, &model, memory, sizeof memory) < 0);
}

/* Nobody: both are counts. It takes each of `epochs` as a row. */
static void rows_and_epochs_swapped(void)
{
    pcn_pass pass;
    uint32_t row, most = 0;
    pcn_pass_init(&pass, 10, ROWS, 1);
    while (pcn_pass_next(&pass, &row))
        if (row > most) most = row;
    CHECK(most == 9 && pass.epoch == ROWS);
}

/* Nobody: rows that are scaled already are rows, too. */
static void scaled_in_each_epoch(void)
{
    static float columns[PCN_SCALER_FLOATS(N)];
    pcn_scaler scaler;
    float first;
    begin(K);
    CHECK(pcn_scaler_init(&scaler, N, columns, sizeof columns) == PCN_OK);
    CHECK(pcn_scaler_note(&scaler, x[0]) == PCN_OK && pcn_scaler_note(&scaler, x[1]) == PCN_OK);
    pcn_scaler_scale(&scaler, x[1], x[1]);
    first = x[1][0];
    CHECK(pcn_scaler_note(&scaler, x[1]) == PCN_OK);
    pcn_scaler_scale(&scaler, x[1], x[1]);
    CHECK(x[1][0] != first);
}

/* Nobody: init cannot know what was there. */
static void rule_before_init(void)
{
    memset(&m, 0, sizeof m);
    m.learner.rule = pcn_rule_pa(0.1f);
    begin(K);
    CHECK(m.learner.rule.step == pcn_rule_fixed(1).step && m.learner.rule.margin == 0);
}

/* A code of learn; predict is an assertion. */
static void no_init(void)
{
    static pcn_perceptron zero;
    asserted = 0;
    CHECK(pcn_perceptron_learn(&zero, pcn_dense(x[0], N), 1) == PCN_EOPTION && zero.refused == 1 && asserted == 0);
    CHECK(pcn_perceptron_predict(&zero, pcn_dense(x[0], N)) == 0 && asserted > 0);
}

/* A code: it ends the pass, is its result, and m.refused counts the row. */
static void a_row_of_nan(void)
{
    const uint32_t nan_bits = 0x7fc00000u;
    pcn_pass pass;
    uint32_t row;
    begin(K);
    memcpy(&x[77][2], &nan_bits, sizeof nan_bits);
    pcn_pass_init(&pass, ROWS, 10, 1);
    while (pcn_pass_next(&pass, &row)) pcn_pass_note(&pass, pcn_perceptron_learn(&m, pcn_dense(x[row], N), y[row]));
    CHECK(pass.result == PCN_EVALUE && m.refused == 1 && pass.epoch == 1);
}

/* The interface: rows that are skipped do not count, so the pass ends when the others have no update. */
static void rows_skipped_before_note(void)
{
    static const float points[6][1] = {{-1}, {1}, {-2}, {2}, {-3}, {3}};
    pcn_pass pass;
    uint32_t i;
    CHECK(pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) == PCN_OK);
    pcn_pass_init(&pass, 6, 0, 1);
    pass.order = PCN_ORDER_FILE;
    while (pcn_pass_next(&pass, &i) && pass.epoch < 100) {
        if (i % 3 == 2) continue;
        pcn_pass_note(&pass, pcn_perceptron_learn(&m, pcn_dense(points[i], 1), i % 2 == 1));
    }
    CHECK(pass.result == PCN_END_CLEAN && pass.epoch < 10);
}

/* The interface: a stream needs no ids. */
static void a_kernel_stream(void)
{
    enum { SLOTS = 40 };
    static float floats[PCN_KPERCEPTRON_FLOATS(N, 2, SLOTS)];
    static pcn_slot slot[SLOTS];
    pcn_kperceptron k;
    int i, wrong = 0;
    make_rows(2);
    asserted = 0;
    CHECK(pcn_kperceptron_init(&k, pcn_kernel_rbf(0.5f), N, 2, slot, SLOTS, floats, sizeof floats) == PCN_OK);
    k.admit = pcn_admit_oldest;
    for (i = 0; i < ROWS; i++) {
        wrong += i >= ROWS / 2 && pcn_kperceptron_predict(&k, pcn_dense(x[i], N)) != y[i];
        CHECK(pcn_kperceptron_learn(&k, pcn_dense(x[i], N), y[i]) >= 0);
    }
    CHECK(k.model.slots == SLOTS && wrong < ROWS / 8 && asserted == 0);
}

/* An assertion: one id for all rows would make one vector of them. */
static void one_id_for_all_rows(void)
{
    static float floats[PCN_KPERCEPTRON_FLOATS(N, 2, 9)];
    static pcn_slot slot[9];
    pcn_kperceptron k;
    int i;
    make_rows(2);
    asserted = 0;
    CHECK(pcn_kperceptron_init(&k, pcn_kernel_rbf(0.5f), N, 2, slot, 9, floats, sizeof floats) == PCN_OK);
    for (i = 0; i < 20; i++) CHECK(pcn_kperceptron_learn_row(&k, pcn_dense(x[i], N), y[i], 0) >= 0);
    CHECK(asserted == 19);
}

/* A model as it is, with a folded one in the trainer's own weights: nobody, as fold may write over the weights that it
 * reads. A code for a model of other columns. */
static void folded_twice(void)
{
    static float columns[PCN_SCALER_FLOATS(N)], fewer[PCN_SCALER_FLOATS(N - 1)];
    pcn_scaler scaler, other;
    pcn_linear folded;
    begin(K);
    CHECK(pcn_scaler_init(&scaler, N, columns, sizeof columns) == PCN_OK);
    CHECK(pcn_scaler_init(&other, N - 1, fewer, sizeof fewer) == PCN_OK);
    CHECK(pcn_scaler_fold(&scaler, &m.live, &folded, array, sizeof array) == PCN_OK);
    CHECK(pcn_scaler_fold(&other, &m.live, &folded, array, sizeof array) == PCN_EOPTION);
}

/* A code: a trainer loads the image of a folded model, and learns on with rows as they are. Their steps are so long
 * that the first one would undo what it knew. The weights that were folded go on, and so does whatever open gives. */
static void learns_on_folded(void)
{
    static float columns[PCN_SCALER_FLOATS(N)];
    static uint32_t image[PCN_LINEAR_IMAGE(N, K) / 4];
    pcn_scaler scaler;
    pcn_linear folded, opened, copy;
    begin(K);
    CHECK(pcn_scaler_init(&scaler, N, columns, sizeof columns) == PCN_OK);
    CHECK(pcn_scaler_fold(&scaler, &m.live, &folded, array, sizeof array) == PCN_OK);
    CHECK(pcn_linear_save(&folded, image, sizeof image) > 0);
    CHECK(pcn_perceptron_load(&m, image, sizeof image) == PCN_EFOLDED);
    CHECK(pcn_linear_open(&opened, image, sizeof image) == PCN_OK && opened.folded == 1);
    CHECK(pcn_linear_copy(&opened, &copy, array, sizeof array) == PCN_OK && copy.folded == 1);
    CHECK(pcn_linear_save(&m.live, image, sizeof image) > 0 && pcn_perceptron_load(&m, image, sizeof image) == PCN_OK);
    CHECK(pcn_linear_open(&opened, image, sizeof image) == PCN_OK && opened.folded == 0);
}

/* The interface: save says 0, and open of 0 bytes gives a code. */
static void image_too_short(void)
{
    static uint32_t image[20];
    pcn_linear model;
    size_t size;
    begin(K);
    size = pcn_linear_save(&m.live, image, sizeof image);
    CHECK(size == 0 && pcn_linear_open(&model, image, size) == PCN_EIMAGE);
}

/* Nobody: an opened model points into its image. */
static void image_used_again(void)
{
    static uint32_t image[PCN_LINEAR_IMAGE(N, K) / 4];
    pcn_linear model;
    float before;
    begin(K);
    memory[0] = 1;
    CHECK(pcn_linear_save(&m.live, image, sizeof image) == sizeof image);
    CHECK(pcn_linear_open(&model, image, sizeof image) == PCN_OK);
    before = model.weight[0];
    memory[0] = 2;
    CHECK(pcn_linear_save(&m.live, image, sizeof image) == sizeof image);
    CHECK(before == 1 && model.weight[0] == 2);
}

/* Nobody: learner.score is that of the last row learned. */
static void scores_of_another_row(void)
{
    float now[K];
    begin(K);
    CHECK(learn_all(1) >= 0);
    pcn_perceptron_scores(&m, pcn_dense(x[0], N), now);
    CHECK(memcmp(now, m.learner.score, sizeof now) != 0);
}

/* A code: too little memory, unless the model takes less. */
static void features_and_classes_swapped(void)
{
    CHECK(pcn_perceptron_init(&m, K, N, memory, sizeof memory) == PCN_EMEMORY);
}

/* The interface: features that are not given are 0, in dense rows, too. */
static void a_row_too_short(void)
{
    begin(K);
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x[0], N - 1), 0) == 1 && m.refused == 0);
}

/* A code: sizeof a row is no count. */
static void bytes_for_a_count(void)
{
    begin(K);
    CHECK(pcn_perceptron_learn(&m, pcn_dense(x[0], sizeof x[0]), 0) == PCN_EINDEX);
}

/* A code: a count is no sizeof. */
static void count_for_bytes(void)
{
    CHECK(pcn_perceptron_init(&m, N, K, memory, PCN_PERCEPTRON_FLOATS(N, K)) == PCN_EMEMORY);
}

/* An assertion of predict, a code of learn. */
static void a_row_too_long(void)
{
    CHECK(pcn_perceptron_init(&m, N - 1, K, memory, sizeof memory) == PCN_OK);
    asserted = 0;
    pcn_perceptron_predict(&m, pcn_dense(x[0], N));
    CHECK(asserted == 1 && pcn_perceptron_learn(&m, pcn_dense(x[0], N), 0) == PCN_EINDEX);
}

/* A code: AROW has a rule of its own. */
static void rule_of_arow(void)
{
    begin(K);
    CHECK(pcn_perceptron_use_confidence(&m, 1, array, sizeof array) == PCN_OK);
    m.learner.rule = pcn_rule_pa(0.1f);
    CHECK(learn_all(1) == PCN_EOPTION && m.refused == ROWS);
}

/* A code, and an assertion: p over the scores. */
static void probabilities_over_scores(void)
{
    pcn_calibration c;
    float score[K] = {1, 2, 3};
    pcn_calibration_init(&c);
    asserted = 0;
    pcn_probabilities(&c, score, K, score);
    CHECK(asserted == 1 && pcn_calibrate(&c, score, K, score, 0) == PCN_EOPTION && c.rows == 0);
}

/* Nobody: values of -1 .. 1 that are cast to int16 are nearly all 0. */
static void values_cast_to_int16(void)
{
    static int32_t numbers[PCN_ILINEAR_NUMBERS(N, K, 8)];
    pcn_ilinear q;
    int16_t row[N];
    int i, j, cast = 0, scaled = 0;
    begin(K);
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < N; j++) x[i][j] *= 0.5f;
    CHECK(learn_all(EPOCHS) >= 0);
    CHECK(pcn_ilinear_quantize(&q, &m.live, 8, 1, NULL, numbers, sizeof numbers) == PCN_OK);
    for (i = 0; i < ROWS; i++) {
        for (j = 0; j < N; j++) row[j] = (int16_t)x[i][j];
        cast += pcn_ilinear_predict(&q, pcn_idense(row, N)) != y[i];
    }
    CHECK(pcn_ilinear_quantize(&q, &m.live, 8, 1.0f / 1024, NULL, numbers, sizeof numbers) == PCN_OK);
    for (i = 0; i < ROWS; i++) {
        for (j = 0; j < N; j++) row[j] = (int16_t)(x[i][j] * 1024);
        scaled += pcn_ilinear_predict(&q, pcn_idense(row, N)) != y[i];
    }
    CHECK(cast == ROWS / K * (K - 1) && scaled < ROWS / 3);
}

/* Nobody: between two classes no one is sure. */
static void equal_scores(void)
{
    const float score[K] = {5, 5, -40};
    float p[K];
    pcn_calibration c;
    pcn_calibration_init(&c);
    c.a = 0.94f;
    for (c.b = -2; c.b <= 2; c.b++) CHECK(pcn_probabilities(&c, score, K, p) == 0 && p[0] == p[1]);
}

/* Nobody: two classes, one of which has not come yet. At a score of 0 class 1 is predicted, or class 0 if zero_negative
 * is set. */
static void one_class_so_far(void)
{
    begin(2);
    CHECK(pcn_perceptron_predict(&m, pcn_dense(x[0], N)) == 1);
    m.live.zero_negative = 1;
    CHECK(pcn_perceptron_predict(&m, pcn_dense(x[0], N)) == 0);
}

int main(void)
{
    strength_divided_as_integers();
    rate_divided_as_integers();
    gamma_divided_as_integers();
    scale_divided_as_integers();
    rate_of_a_rule_without_one();
    labels_of_minus_one();
    labels_of_minus_one_of_three();
    classes_of_two();
    top_of_class_0();
    calibration_without_init();
    final_into_the_memory();
    rows_and_epochs_swapped();
    scaled_in_each_epoch();
    rule_before_init();
    no_init();
    a_row_of_nan();
    rows_skipped_before_note();
    a_kernel_stream();
    one_id_for_all_rows();
    folded_twice();
    learns_on_folded();
    image_too_short();
    image_used_again();
    scores_of_another_row();
    features_and_classes_swapped();
    a_row_too_short();
    bytes_for_a_count();
    count_for_bytes();
    a_row_too_long();
    rule_of_arow();
    probabilities_over_scores();
    values_cast_to_int16();
    equal_scores();
    one_class_so_far();
    return report();
}
