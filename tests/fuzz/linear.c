/* The linear trainer under any sequence of calls. Two trainers take the same calls: the first class-major, the second at
 * times feature-major, and of rows of ones when the first has sparse values. Their numbers must agree to the bit. Each
 * call is also checked against plain arithmetic in double precision, from the numbers before the call. After an error
 * nothing may have changed, but the count of refused rows. */
#include "perceptron.h"

enum {
    CLASSES = 11,
    FEATURES = 70,
    WORDS = (FEATURES + 1) * CLASSES,
    CALLS = 200
}; /* most classes: with a score each */

#include "steps.h"
#include "../sums.h"

static input in;

typedef struct trainer {
    pcn_perceptron m;
    float *memory, *sum, *batch, *state; /* NULL: the option is off */
    int balanced;                        /* of Winnow */
} trainer;

static trainer one, two;
static int confident; /* the state is variances; otherwise it is exponents of Winnow */

static plain_linear beside;   /* takes its numbers from the first trainer, but the sums for the mean */
static double largest[WORDS]; /* the size that each weight has had */

/* ---- The trainers ---- */

static size_t all_of(const trainer *t)
{
    return PCN_LINEAR_FLOATS(t->m.live.features, t->m.live.scores);
}

/* Has it learned a row? Then most options come too late. */
static int is_late(const trainer *t)
{
    return t->m.learner.clock != 0 || t->m.learner.count.rows != 0;
}

/* Has the batch steps in it? */
static int waits(const trainer *t)
{
    size_t i;
    for (i = 0; t->m.own.batch && i < all_of(t); i++)
        if (t->m.own.batch[i] != 0) return 1;
    return 0;
}

/* A copy of all that a trainer is. */
typedef struct snapshot {
    pcn_perceptron m;
    float weight[WORDS], sum[2 * WORDS], batch[WORDS], state[WORDS];
} snapshot;

static void keep(snapshot *s, const trainer *t)
{
    size_t all = all_of(t);
    memcpy(&s->m, &t->m, sizeof s->m);
    memcpy(s->weight, t->m.live.weight, all * sizeof(float));
    if (t->m.own.sum) memcpy(s->sum, t->m.own.sum, 2 * all * sizeof(float));
    if (t->m.own.batch) memcpy(s->batch, t->m.own.batch, all * sizeof(float));
    if (t->m.own.state) memcpy(s->state, t->m.own.state, all * sizeof(float));
}

static int unchanged(const snapshot *s, const trainer *t)
{
    size_t all = all_of(t);
    return memcmp(&s->m, &t->m, sizeof s->m) == 0 && memcmp(s->weight, t->m.live.weight, all * sizeof(float)) == 0 &&
           (!t->m.own.sum || memcmp(s->sum, t->m.own.sum, 2 * all * sizeof(float)) == 0) &&
           (!t->m.own.batch || memcmp(s->batch, t->m.own.batch, all * sizeof(float)) == 0) &&
           (!t->m.own.state || memcmp(s->state, t->m.own.state, all * sizeof(float)) == 0);
}

static snapshot before, before_two;

/* Is that a row refused, and nothing else? */
static int refused_row(snapshot *s, const trainer *t)
{
    s->m.refused++;
    return unchanged(s, t);
}

static int same_bits(const float *a, const float *b, int by_place)
{
    size_t i, all = all_of(&one);
    for (i = 0; i < all; i++)
        if (bits_of(a[by_place ? where_is(&one.m.live, i) : i]) != bits_of(b[by_place ? where_is(&two.m.live, i) : i]))
            return 0;
    return 1;
}

static void agree(void)
{
    size_t all = all_of(&one);
    MUST(same_bits(one.m.live.weight, two.m.live.weight, 1));
    if (one.m.own.sum)
        MUST(same_bits(one.m.own.sum, two.m.own.sum, 1) && same_bits(one.m.own.sum + all, two.m.own.sum + all, 1));
    if (one.m.own.batch) MUST(same_bits(one.m.own.batch, two.m.own.batch, 0));
    if (one.m.own.state) MUST(same_bits(one.m.own.state, two.m.own.state, 1));
    MUST(memcmp(&one.m.learner.count, &two.m.learner.count, sizeof one.m.learner.count) == 0);
    MUST(one.m.learner.guess == two.m.learner.guess && one.m.learner.clock == two.m.learner.clock);
    MUST(one.m.refused == two.m.refused && one.m.learner.moved == two.m.learner.moved);
}

/* ---- Rows ---- */

typedef struct row {
    float *value;           /* all features, as the model in double precision reads them */
    pcn_vec x, mine, other; /* dense; as the two trainers read it: both dense, or both sparse */
    float *given;
    uint32_t *index;
} row;

static void free_row(row *r)
{
    free(r->value), free(r->given), free(r->index);
}

/* A row of the model's features, or at times one more. `mine` has values where `other` has ones. */
static row make_row(void)
{
    uint32_t n = one.m.live.features, form = take(&in), step = take(&in), i, given = 0;
    int ones = (form & 3) == 1, keeps_zeros = form & 4;
    row r;
    if (form >= 250) n++;
    r.value = floats(n), r.given = floats(n);
    r.index = (uint32_t *)room(n * sizeof *r.index);
    for (i = 0; i < n; i++) { /* from a byte each, or from a pattern */
        uint8_t byte = (uint8_t)(form & 8 ? take(&in) : step * (i + 1) >> (form >> 4 & 3));
        r.value[i] = ones ? (float)(byte & 1) : form & 64 && byte & 1 ? 0 : float_of_byte(byte);
    }
    if (form >= 250 && r.value[n - 1] == 0) r.value[n - 1] = 1;
    for (i = 0; i < n; i++) {
        if (bits_of(r.value[i]) << 1 == 0 && (ones || !keeps_zeros)) continue;
        r.index[given] = i;
        r.given[given++] = r.value[i];
    }
    r.x = pcn_dense(r.value, n);
    r.mine = (form & 3) == 0 ? r.x : pcn_sparse(r.index, r.given, given);
    r.other = ones ? pcn_ones(r.index, given) : r.mine;
    return r;
}

/* ---- The plain model ---- */

/* It takes the settings of the first trainer, and numbers that are arranged as its own. */
static void read_plain(const float *weight, const float *state)
{
    size_t i;
    beside.n = one.m.live.features, beside.classes = one.m.live.scores;
    take_settings(&beside, &one.m.learner, one.m.live.zero_negative);
    if (confident) beside.rule = AROW, beside.by = 0.5 / (double)one.m.learner.rule.strength;
    for (i = 0; i < all_of(&one); i++) {
        beside.w[i] = (double)weight[i];
        beside.state[i] = one.m.own.state ? (double)state[i] : 0;
    }
}

/* The sum of the sizes of all terms of a score. */
static double score_size(const double *w, uint32_t c, const float *x)
{
    const uint32_t n = beside.n;
    double size = fabs(w[n * beside.classes + c]);
    uint32_t j;
    for (j = 0; j < n; j++) size += fabs(w[c * n + j] * (double)x[j]);
    return size;
}

/* How far rounding may carry the score of a class: so many sums, for each partial sum. */
static double score_radius(uint32_t c, const float *x)
{
    return score_size(beside.w, c, x) * (beside.n / 4 + 8) * ldexp(1, -24) + ldexp(1, -140);
}

/* Is this class the best, or within the radii of it? */
static void must_be_best(int guess, const double *s, const double *radius)
{
    uint32_t c;
    if (beside.classes == 1 && fabs(s[0]) > radius[0]) MUST(guess == (s[0] > 0));
    for (c = 0; c < beside.classes && beside.classes > 1; c++) MUST(s[guess] + radius[guess] >= s[c] - radius[c]);
}

static void check_scores(const row *r)
{
    const pcn_linear *l = &one.m.live;
    float score[CLASSES], other[CLASSES];
    double s[CLASSES], rounded[CLASSES], radius[CLASSES];
    uint32_t c;
    int guess;
    read_plain(one.m.live.weight, one.m.own.state);
    pcn_linear_scores(l, r->mine, score);
    pcn_linear_scores(&two.m.live, r->other, other);
    pcn_linear_fetch(&two.m.live, r->other);
    for (c = 0; c < l->scores; c++) {
        s[c] = linear_score(&beside, beside.w, c, r->value);
        radius[c] = score_radius(c, r->value);
        if (!is_finite(score[c])) { /* NaN and infinity in x, or products of more than FLT_MAX */
            MUST(!(fabs(s[c]) + radius[c] * ldexp(1, 24) < (double)FLT_MAX));
            MUST(!is_finite(other[c]));
            return;
        }
        MUST(bits_of(score[c]) == bits_of(other[c]));
        MUST(bits_of(score[c]) == bits_of(plain_score(l, c, r->mine)));
        MUST(fabs((double)score[c] - s[c]) <= radius[c]);
        rounded[c] = (double)score[c];
    }
    guess = linear_best(&beside, rounded, -1);
    MUST(pcn_decide(score, l->scores, l->zero_negative) == guess);
    MUST(pcn_linear_predict(l, r->mine) == guess && pcn_linear_predict(&two.m.live, r->other) == guess);
    must_be_best(guess, s, radius);
}

/* The score of class c by the mean of all weights seen. *size: of all terms that the trainer adds up. */
static double mean_score(uint32_t c, const float *x, double *size, double *radius)
{
    static double mean[WORDS], sum[WORDS], known[WORDS];
    const double seen = (double)one.m.learner.clock + 1;
    double of_weights, of_sums;
    size_t i;
    for (i = 0; i < all_of(&one); i++) {
        mean[i] = linear_mean(&beside, i, seen - 1);
        sum[i] = (double)one.m.own.sum[i];
        known[i] = largest[i] * ldexp(1, -33) + ldexp(1, -147); /* how far off are the sums / seen? */
    }
    of_weights = score_size(beside.w, c, x), of_sums = score_size(sum, c, x);
    *size = of_weights + of_sums;
    *radius = (of_weights + of_sums / seen) * (beside.n / 4 + 12) * ldexp(1, -24) + score_size(known, c, x) +
              ldexp(1, -139);
    return linear_score(&beside, mean, c, x);
}

/* Those of the frozen model, bit for bit, though it is not made. */
static void check_final_scores(const row *r)
{
    const size_t all = all_of(&one), bytes = all * sizeof(float);
    float *out = floats(all), score[CLASSES], other[CLASSES], expected[CLASSES];
    pcn_linear final;
    uint32_t c;
    MUST(pcn_perceptron_final(&one.m, &final, out, bytes) == PCN_OK);
    pcn_linear_scores(&final, r->mine, expected);
    pcn_perceptron_final_scores(&one.m, r->mine, score);
    pcn_perceptron_final_scores(&two.m, r->other, other);
    for (c = 0; c < final.scores; c++) {
        MUST(is_finite(score[c]) == is_finite(expected[c]) && is_finite(other[c]) == is_finite(expected[c]));
        if (is_finite(score[c]))
            MUST(bits_of(score[c]) == bits_of(expected[c]) && bits_of(other[c]) == bits_of(score[c]));
    }
    free(out);
}

/* What the trainers answer: by the mean where they average. */
static void check_answers(const row *r)
{
    const pcn_linear *l = &one.m.live;
    float score[CLASSES], other[CLASSES], live[CLASSES];
    double s[CLASSES], radius[CLASSES], size;
    const int guess = pcn_perceptron_predict(&one.m, r->mine);
    uint32_t c;
    read_plain(one.m.live.weight, one.m.own.state);
    pcn_linear_scores(l, r->mine, live);
    pcn_perceptron_scores(&one.m, r->mine, score);
    pcn_perceptron_scores(&two.m, r->other, other);
    MUST(guess >= 0 && guess < (int)PCN_CLASSES(l->scores));
    for (c = 0; c < l->scores; c++) {
        s[c] = (double)live[c], size = radius[c] = 0;
        if (one.m.own.sum) s[c] = mean_score(c, r->value, &size, &radius[c]);
        if (!is_finite(score[c])) { /* the score of the weights is none, or that of the sums */
            MUST(!is_finite(live[c]) || !(2 * size < (double)FLT_MAX));
            MUST(!is_finite(other[c]));
            return;
        }
        MUST(bits_of(score[c]) == bits_of(other[c]));
        MUST(one.m.own.sum ? fabs((double)score[c] - s[c]) <= radius[c] : bits_of(score[c]) == bits_of(live[c]));
    }
    MUST(guess == pcn_decide(score, l->scores, l->zero_negative) && guess == pcn_perceptron_predict(&two.m, r->other));
    must_be_best(guess, s, radius);
}

/* ---- Moves ---- */

/* Winnow: the weight of an exponent. */
static int weight_fits(float w, float e)
{
    const int balanced = beside.rule == BALANCED;
    double size = winnow_weight((double)e, 0) + (balanced ? winnow_weight(-(double)e, 0) : 0);
    return fabs((double)w - winnow_weight((double)e, balanced)) <= ldexp(size, -22) + ldexp(1, -125);
}

/* Number i of an array after a step of its class by x, which is of the bias its input. `was` is of the first trainer,
 * which is class-major. */
static void check_number(const float *was, const float *now, size_t i, const span *change, double x, double bias_input)
{
    const float *state = one.m.own.state, *old = before.state;
    double w[2], s[2];
    int high, arow = beside.rule == AROW;
    for (high = 0; high < 2; high++) {
        w[high] = (double)was[i], s[high] = beside.state[i];
        linear_move(&beside, &w[high], &s[high], high ? change->high : change->low, x, bias_input);
    }
    MUST(fabs((double)now[i]) < ldexp(1, 80));
    if (beside.rule < WINNOW) {
        MUST(moved(was[i], now[i], w[0], w[1], x * bias_input, arow));
        if (arow) MUST(moved(old[i], state[i], s[0], s[1], x, 1) && state[i] <= old[i] && state[i] >= FLT_MIN);
    } else if (i >= (size_t)beside.n * beside.classes) {
        MUST(bits_of(was[i]) == bits_of(now[i])); /* the threshold stays */
    } else {
        MUST(moved(old[i], state[i], s[0], s[1], x, 0));
        MUST(fabs((double)state[i]) <= 1048576);
        if (bits_of(state[i]) == bits_of(old[i]))
            MUST(bits_of(was[i]) == bits_of(now[i]));
        else
            MUST(weight_fits(now[i], state[i]));
    }
}

/* The weights, or the batch, after steps of all classes along x. */
static void check_moves(const float *was, const float *now, const span *change, const float *x)
{
    uint32_t n = beside.n, c, j;
    for (c = 0; c < beside.classes; c++) {
        for (j = 0; j < n; j++) check_number(was, now, (size_t)c * n + j, &change[c], (double)x[j], 1);
        check_number(was, now, (size_t)n * beside.classes + c, &change[c], beside.bias_input, beside.bias_input);
    }
}

/* How numbers move: in a batch, or without a state, they add up. */
static void take_form(int batched)
{
    if (batched || !one.m.own.state)
        beside.rule = FIXED;
    else if (!confident)
        beside.rule = one.balanced ? BALANCED : WINNOW;
}

/* May a step be refused, or learned? learned: the other way round. It is refused if it moves a number by 2^54 or more,
 * or is no number itself. */
static int may_be(int learned, const span *change, const float *x)
{
    const double end = ldexp(1, 54), rounding = ldexp(1, 40);
    uint32_t c, j;
    double most, far = beside.bias_input * beside.bias_input;
    for (j = 0; j < beside.n; j++) far = fmax(far, fabs((double)x[j]));
    for (c = 0; c < beside.classes; c++) {
        const double low = change[c].low.step, high = change[c].high.step;
        most = fmax(fabs(low), fabs(high));
        if (!(most < wild)) return 1;
        if (learned) most = low > 0 ? low : high < 0 ? -high : 0;
        if (learned && most * far > end + rounding) return 0;
        if (!learned && most * far > end - rounding) return 1;
    }
    return learned;
}

static void note_weights(void)
{
    size_t i;
    for (i = 0; i < all_of(&one); i++) largest[i] = fmax(largest[i], fabs((double)one.m.live.weight[i]));
}

/* ---- Confidence ---- */

/* 0, or neither very large nor so small that a step made from it has no digits left. */
static int is_tame_number(float f)
{
    return f == 0 || (fabsf(f) > 1e-10f && fabsf(f) < 1e20f);
}

/* Can double precision say what float does? Not where something nears the ends of its range. */
static int is_tame(const float *x, const double *slope)
{
    const pcn_learner *l = &one.m.learner;
    size_t i;
    for (i = 0; i < beside.n; i++)
        if (!(fabs((double)x[i]) < 1e6) || (x[i] != 0 && fabs((double)x[i]) < 1e-6)) return 0;
    for (i = 0; i < all_of(&one); i++)
        if (!(fabs((double)before.weight[i]) < 1e20) || before.state[i] < 1e-12f) return 0;
    for (i = 0; i < l->scores; i++)
        if (!is_tame_number(l->score[i]) || !(slope[i] < 1e15)) return 0;
    return l->rule.strength > 1e-9f && l->rule.strength < 1e9f && is_tame_number(l->rule.margin);
}

/* ---- Calls ---- */

static int is_label(int y)
{
    return one.m.live.scores == 1 || (y >= 0 && (uint32_t)y < one.m.live.scores);
}

static void check_learned(const row *r, int y, int result)
{
    const pcn_learner *l = &one.m.learner;
    const pcn_count *old = &before.m.learner.count;
    const int batched = one.m.own.batch != NULL;
    double slope[CLASSES];
    span change[CLASSES];
    uint64_t fired;
    uint32_t c, bad = 0;
    int unsure;
    for (c = 0; c < l->scores; c++) bad |= !is_finite(l->score[c]);
    if (bad) {
        MUST(result == PCN_EVALUE);
        return;
    }
    read_plain(before.weight, before.state);
    for (c = 0; c < l->scores; c++) slope[c] = linear_slope(&beside, c, r->value);
    if (confident && !is_tame(r->value, slope)) return;
    if (result == PCN_EOPTION) { /* Winnow has the fixed rule only; or the settings cannot be meant */
        if (rule_misset(&before.m.learner) || may_overflow(l)) return;
        MUST(one.m.own.state && !confident && l->rule.step != pcn_rule_fixed(1).step);
        return;
    }
    MUST(result == 0 || !rule_misset(&before.m.learner) || result == PCN_EVALUE);
    step_spans(&beside, l->score, slope, y, confident ? 0 : (beside.n / 4 + 24) * ldexp(1, -24), change);
    if (result < 0) {
        MUST(result == PCN_EVALUE && !confident && may_be(0, change, r->value));
        return;
    }
    MUST(confident || may_be(1, change, r->value));
    for (c = 0; c < r->x.count; c++) MUST(is_finite(r->x.value[c]));
    take_form(batched);
    check_moves(batched ? before.batch : before.weight, batched ? one.m.own.batch : one.m.live.weight, change,
                r->value);
    for (c = 0; result == 1 && c < l->scores; c++) {
        MUST(bits_of(pcn_changes(l)[c]) == bits_of(pcn_changes(&two.m.learner)[c]));
        MUST(moved(0, pcn_changes(l)[c], change[c].low.step, change[c].high.step, 1, confident));
    }
    if (batched) MUST(memcmp(before.weight, one.m.live.weight, all_of(&one) * sizeof(float)) == 0);
    fired = classes_moved(&beside, change, &unsure);
    MUST(unsure || (l->count.updates == old->updates + fired && result == (fired != 0)));
    MUST(l->moved == (before.m.learner.moved || result == 1));
    check_guess(&beside, l, l->guess);
    MUST(l->count.rows == old->rows + 1 && l->clock == before.m.learner.clock + 1);
    MUST(l->count.mistakes == old->mistakes + (l->guess != (l->scores == 1 ? y > 0 : y)));
}

/* A label that is none. */
static void refuse_label(const row *r)
{
    static const int no_binary[] = {2, -2, INT32_MAX, INT32_MIN};
    const int y = one.m.live.scores == 1 ? no_binary[r->x.count & 3] : r->x.count & 1 ? -1 : (int)one.m.live.scores;
    keep(&before, &one), keep(&before_two, &two);
    MUST(pcn_perceptron_learn(&one.m, r->mine, y) == PCN_ELABEL && refused_row(&before, &one));
    MUST(pcn_perceptron_learn(&two.m, r->other, y) == PCN_ELABEL && refused_row(&before_two, &two));
}

/* For the second trainer 0 and -1, which are the same class, change places. */
static int other_label(int y)
{
    return one.m.live.scores == 1 && y <= 0 ? -1 - y : y;
}

static void call_learn(void)
{
    int y = (int)take_below(&in, one.m.live.scores + 2) - (one.m.live.scores == 1), result;
    uint32_t (*update)(const pcn_learner *, pcn_update *, uint32_t, float *) = one.m.learner.update;
    int settings_valid = rule_valid(&one.m.learner.rule);
    row r = make_row();
    size_t i;
    if (confident) settings_valid &= rule == PA2 && update != pcn_update_others && update != pcn_update_uniform;
    if (take(&in) >= 250)
        refuse_label(&r);
    else if (one.m.live.scores > 1)
        y %= (int)one.m.live.scores;
    keep(&before, &one), keep(&before_two, &two);
    result = pcn_perceptron_learn(&one.m, r.mine, y);
    MUST(pcn_perceptron_learn(&two.m, r.other, other_label(y)) == result);
    MUST(result >= 0 || (refused_row(&before, &one) && refused_row(&before_two, &two)));
    if (!is_label(y))
        MUST(result == PCN_ELABEL);
    else if (r.x.count > one.m.live.features)
        MUST(result == PCN_EINDEX);
    else if (!settings_valid) /* seen when the rule fires */
        MUST(result == PCN_EOPTION || result == PCN_EVALUE || result == 0);
    else
        check_learned(&r, y, result);
    for (i = 0; result >= 0 && i < all_of(&one); i++) beside.seen[i] += (double)before.weight[i];
    free_row(&r);
}

static void call_predict(void)
{
    row r = make_row();
    if (r.x.count <= one.m.live.features) check_scores(&r);
    if (r.x.count <= one.m.live.features && !waits(&one)) check_answers(&r), check_final_scores(&r);
    free_row(&r);
}

static void call_settings(void)
{
    change_setting(&in, &one.m.learner, &one.m.live.zero_negative);
    two.m.learner.rule = one.m.learner.rule;
    two.m.learner.update = one.m.learner.update;
    two.m.learner.zero_predicted = one.m.learner.zero_predicted;
    two.m.learner.bias_input = one.m.learner.bias_input;
    two.m.live.zero_negative = one.m.live.zero_negative;
}

/* May confidence come with this r? 1 / r must be a float. */
static int is_confidence(float r)
{
    return r > 0 && is_finite(r) && 1 / (double)r < ldexp(1, 128) - ldexp(1, 103);
}

static int has_weights(const trainer *t)
{
    size_t i = 0;
    while (i < all_of(t) && t->m.live.weight[i] == 0) i++;
    return i < all_of(t);
}

/* What an option answers. which: as below. */
static int answer_of(const trainer *t, uint32_t which, int too_short, float threshold)
{
    const pcn_rule *r = &t->m.learner.rule;
    const int fixed = r->step == pcn_rule_fixed(1).step, as_begun = fixed && r->rate == 1 && r->margin == 0;
    const int winnow = t->m.own.state && !confident;
    if (which != 0 && is_late(t)) return PCN_ELATE;
    if (too_short) return PCN_EMEMORY;
    if (which == 2 && !t->m.own.state && has_weights(t)) return PCN_ELATE;
    switch (which) {
    case 0: return PCN_OK;
    case 1: return confident ? PCN_EOPTION : PCN_OK;
    case 2: return confident || !fixed || !(fabsf(threshold) < ldexpf(1, 54)) ? PCN_EOPTION : PCN_OK;
    default: return t->m.own.batch || winnow || !as_begun || !is_confidence(threshold) ? PCN_EOPTION : PCN_OK;
    }
}

/* Options, at times with an array that is one byte too short: sums, batch, Winnow, and (4) confidence. */
static int init_option(trainer *t, uint32_t which, int too_short, float threshold, int balanced)
{
    const size_t all = all_of(t), bytes = (which == 0 ? 2 * all : all) * sizeof(float) - (size_t)too_short;
    const int answer = answer_of(t, which, too_short, threshold);
    float *array = (float *)room(bytes), **mine[5];
    snapshot *old = t == &one ? &before : &before_two;
    int result;
    mine[0] = &t->sum, mine[1] = &t->batch, mine[2] = mine[4] = &t->state;
    keep(old, t);
    result = which == 0   ? pcn_perceptron_use_averaging(&t->m, array, bytes)
             : which == 1 ? pcn_perceptron_use_batch(&t->m, array, bytes)
             : which == 2 ? pcn_perceptron_use_winnow(&t->m, threshold, balanced, array, bytes)
                          : pcn_perceptron_use_confidence(&t->m, threshold, array, bytes);
    MUST(result == answer);
    if (result < 0) {
        MUST(unchanged(old, t));
        free(array);
    } else {
        free(*mine[which]);
        *mine[which] = array;
        if (which == 2) t->balanced = balanced;
    }
    return result;
}

/* Too late, or after another option. */
static void refuse_feature_major(void)
{
    const int late = is_late(&one);
    if (!late && !one.m.own.sum && !one.m.own.batch && !one.m.own.state) return;
    keep(&before, &one);
    MUST(pcn_perceptron_use_feature_major(&one.m) == (late ? PCN_ELATE : PCN_EOPTION) && unchanged(&before, &one));
}

static void call_option(void)
{
    uint32_t which = take_below(&in, 4), choice = take(&in);
    int too_short = choice >= 200, result;
    float threshold = take_float(&in);
    if (which == 3) {
        refuse_feature_major();
        return;
    }
    if (which == 2 && choice & 2) which = 4;
    result = init_option(&one, which, too_short, threshold, choice & 1);
    init_option(&two, which, too_short, threshold, choice & 1);
    if (result < 0 || which == 1) return;
    if (which == 4) confident = 1, rule = PA2;
    memset(beside.seen, 0, sizeof beside.seen);
    memset(largest, 0, sizeof largest);
}

static void call_apply(void)
{
    const float *batch = before.batch;
    float scale = take_float(&in);
    span change;
    int some = 0, result, refused = 0; /* it moves a number by 2^54 or more */
    size_t i;
    keep(&before, &one), keep(&before_two, &two);
    result = pcn_perceptron_apply_batch(&one.m, scale);
    MUST(pcn_perceptron_apply_batch(&two.m, scale) == result);
    for (i = 0; one.m.own.batch && i < all_of(&one); i++) {
        some |= batch[i] != 0;
        refused |= scale != 0 && !(fabs((double)(float)((double)scale * (double)batch[i])) < ldexp(1, 54));
    }
    if (result < 0) MUST(unchanged(&before, &one) && unchanged(&before_two, &two));
    if (!one.m.own.batch || scale == 0)
        MUST(result == PCN_EOPTION);
    else
        MUST(result == (!some ? 0 : refused ? PCN_EVALUE : 1));
    read_plain(before.weight, before.state);
    take_form(0);
    memset(&change, 0, sizeof change);
    change.low.step = change.high.step = (double)scale;
    for (i = 0; some && result >= 0 && i < all_of(&one); i++) {
        check_number(before.weight, one.m.live.weight, i, &change, (double)batch[i], 1);
        MUST(one.m.own.batch[i] == 0);
    }
}

/* A batch is emptied, or it ends where there is nothing in it. */
static void call_batch(void)
{
    const int ends = take(&in) & 1, answer = !one.m.own.batch ? PCN_EOPTION : ends && waits(&one) ? PCN_EBATCH : PCN_OK;
    keep(&before, &one), keep(&before_two, &two);
    MUST((ends ? pcn_perceptron_end_batch(&one.m) : pcn_perceptron_discard_batch(&one.m)) == answer);
    MUST((ends ? pcn_perceptron_end_batch(&two.m) : pcn_perceptron_discard_batch(&two.m)) == answer);
    if (answer < 0) {
        MUST(unchanged(&before, &one) && unchanged(&before_two, &two));
        return;
    }
    MUST(!waits(&one) && !waits(&two) && (one.m.own.batch == NULL) == ends);
    MUST(memcmp(before.weight, one.m.live.weight, all_of(&one) * sizeof(float)) == 0);
    if (!ends) return;
    free(one.batch), free(two.batch);
    one.batch = two.batch = NULL;
}

/* The array moves to one of exactly `n` numbers; `kept` of them are kept. */
static void move_array(float **array, size_t n, size_t kept)
{
    float *to = floats(n);
    memcpy(to, *array, (n < kept ? n : kept) * sizeof *to);
    free(*array);
    *array = to;
}

static void fit_arrays(trainer *t, uint32_t features, uint32_t classes)
{
    const size_t all = all_of(t), want = PCN_LINEAR_FLOATS(features, classes);
    move_array(&t->memory, PCN_PERCEPTRON_FLOATS(features, classes), all);
    if (t->sum) move_array(&t->sum, 2 * want, 2 * all);
    if (t->batch) move_array(&t->batch, want, all);
    if (t->state) move_array(&t->state, want, all);
}

/* The arrays in use, as long as they must be for these numbers. */
static pcn_arrays arrays_for(const trainer *t, uint32_t features, uint32_t classes)
{
    const size_t bytes = PCN_LINEAR_FLOATS(features, classes) * sizeof(float);
    pcn_arrays a;
    a.memory = t->memory, a.memory_bytes = PCN_PERCEPTRON_FLOATS(features, classes) * sizeof(float);
    a.sum = t->sum, a.sum_bytes = t->sum ? 2 * bytes : 0;
    a.batch = t->batch, a.batch_bytes = t->batch ? bytes : 0;
    a.state = t->state, a.state_bytes = t->state ? bytes : 0;
    return a;
}

static void resize(trainer *t, uint32_t features, uint32_t classes)
{
    const uint32_t was = t->m.live.features, most = features > was ? features : was;
    pcn_arrays a;
    fit_arrays(t, most, classes);
    a = arrays_for(t, most, classes);
    MUST(pcn_perceptron_resize(&t->m, features, classes, &a) == PCN_OK);
    fit_arrays(t, features, classes);
    a = arrays_for(t, features, classes);
    MUST(pcn_perceptron_resize(&t->m, features, classes, &a) == PCN_OK); /* the arrays have moved */
}

/* An array that is in use is missing, or a byte too short. */
static void refuse_arrays(trainer *t, const snapshot *old, uint32_t features, uint32_t classes)
{
    const pcn_arrays good = arrays_for(t, features, classes);
    int i;
    for (i = 0; i < 8; i++) {
        pcn_arrays a = good;
        float **array = i / 2 == 0 ? &a.memory : i / 2 == 1 ? &a.sum : i / 2 == 2 ? &a.batch : &a.state;
        size_t *bytes = i / 2 == 0   ? &a.memory_bytes
                        : i / 2 == 1 ? &a.sum_bytes
                        : i / 2 == 2 ? &a.batch_bytes
                                     : &a.state_bytes;
        if (!*array) continue;
        if (i & 1)
            *array = NULL;
        else
            --*bytes;
        MUST(pcn_perceptron_resize(&t->m, features, classes, &a) == PCN_EMEMORY && unchanged(old, t));
    }
}

/* Where number j of class c was in class-major arrays, before resize; j == features: its bias. WORDS: it is new. */
static size_t source(uint32_t c, uint32_t j)
{
    const uint32_t classes = before.m.live.scores, features = before.m.live.features;
    if (classes == 1 && c == 1) c = 0;
    if (c >= classes) return WORDS;
    if (j == one.m.live.features) return (size_t)features * classes + c;
    return j < features ? (size_t)c * features + j : WORDS;
}

/* Is `array` what `old` was? The score of one class became that of class 1, and its opposite that of class 0. */
static int carried(const float *array, const float *old, int opposite, float fresh)
{
    const uint32_t n = one.m.live.features, classes = one.m.live.scores;
    uint32_t c, j;
    for (c = 0; c < classes; c++)
        for (j = 0; j <= n; j++) {
            const size_t from = source(c, j);
            float f = from == WORDS ? fresh : old[from];
            if (opposite && c == 0 && before.m.live.scores == 1 && classes > 1) f = f == 0 ? 0 : -f;
            if (bits_of(array[j < n ? c * n + j : n * classes + c]) != bits_of(f)) return 0;
        }
    return 1;
}

static void carry_plain(double *array, double sign)
{
    static double old[WORDS];
    const uint32_t n = one.m.live.features, classes = one.m.live.scores;
    uint32_t c, j;
    memcpy(old, array, sizeof old);
    for (c = 0; c < classes; c++)
        for (j = 0; j <= n; j++) {
            const size_t from = source(c, j);
            double f = from == WORDS ? 0 : old[from];
            if (c == 0 && before.m.live.scores == 1 && classes > 1) f *= sign;
            array[j < n ? c * n + j : n * classes + c] = f;
        }
}

static void call_resize(void)
{
    const uint32_t features = one.m.live.features, scores = one.m.live.scores;
    const uint32_t to = take_below(&in, FEATURES + 1), choice = take_below(&in, CLASSES + 1);
    const uint32_t grown = choice + (choice != 0 && choice < 3); /* none, or two and more */
    const size_t old = all_of(&one);
    const pcn_arrays a = arrays_for(&one, to, grown), b = arrays_for(&two, to, grown);
    keep(&before, &one), keep(&before_two, &two);
    MUST(pcn_perceptron_resize(&one.m, to, 1, &a) == PCN_EOPTION && unchanged(&before, &one));
    if (grown == 0 || PCN_SCORES(grown) < scores ||
        (one.m.own.state && !confident && (to != features || PCN_SCORES(grown) != scores))) {
        MUST(pcn_perceptron_resize(&one.m, to, grown, &a) == PCN_EOPTION && unchanged(&before, &one));
        MUST(pcn_perceptron_resize(&two.m, to, grown, &b) == PCN_EOPTION && unchanged(&before_two, &two));
        return;
    }
    refuse_arrays(&one, &before, to, grown), refuse_arrays(&two, &before_two, to, grown);
    resize(&one, to, grown), resize(&two, to, grown);
    carry_plain(beside.seen, -1), carry_plain(largest, 1);
    MUST(carried(one.m.live.weight, before.weight, 1, 0));
    if (one.m.own.sum) MUST(carried(one.m.own.sum, before.sum, 1, 0));
    if (one.m.own.sum) MUST(carried(one.m.own.sum + all_of(&one), before.sum + old, 1, 0));
    if (one.m.own.batch) MUST(carried(one.m.own.batch, before.batch, 1, 0));
    if (confident) MUST(carried(one.m.own.state, before.state, 0, 1));
}

/* ---- Images ---- */

typedef struct saved {
    uint8_t *image, *image_two;
    size_t size;
    uint32_t features, scores, parts;
    int balanced;
    double seen[WORDS], largest[WORDS];
} saved;

static saved kept;

static uint32_t parts_of(const pcn_perceptron *m)
{
    return (m->own.sum ? PCN_PART_SUMS : 0u) | (m->own.batch ? PCN_PART_BATCH : 0u) |
           (!m->own.state ? 0u
            : confident   ? PCN_PART_VARIANCES
                          : PCN_PART_EXPONENTS);
}

/* An image, written at once and again in pages. */
static uint8_t *save(const trainer *t, size_t *size)
{
    uint8_t *whole, *page;
    size_t at, step;
    *size = pcn_perceptron_save_part(&t->m, 0, NULL, 0);
    MUST(*size != 0);
    whole = (uint8_t *)room(*size);
    step = 1 + *size / 3;
    page = (uint8_t *)room(step);
    MUST(pcn_perceptron_save(&t->m, whole, *size - 1) == 0 && pcn_perceptron_save(&t->m, whole, *size) == *size);
    for (at = 0; at < *size; at += step) {
        size_t n = *size - at < step ? *size - at : step;
        MUST(pcn_perceptron_save_part(&t->m, at, page, step) == *size && memcmp(whole + at, page, n) == 0);
    }
    free(page);
    return whole;
}

static void call_save(void)
{
    free(kept.image), free(kept.image_two);
    kept.image = save(&one, &kept.size);
    kept.image_two = save(&two, &kept.size);
    kept.features = one.m.live.features;
    kept.scores = one.m.live.scores;
    kept.parts = parts_of(&one.m);
    kept.balanced = one.balanced;
    memcpy(kept.seen, beside.seen, sizeof kept.seen);
    memcpy(kept.largest, largest, sizeof largest);
}

static void call_load(void)
{
    uint32_t parts = parts_of(&one.m), lost = kept.parts & ~parts;
    int fits = kept.features == one.m.live.features && kept.scores == one.m.live.scores && lost == 0 &&
               (kept.parts & PCN_PART_EXPONENTS) == (parts & PCN_PART_EXPONENTS);
    size_t size, flip;
    uint8_t *again;
    if (!kept.image) return;
    keep(&before, &one), keep(&before_two, &two);
    if (fits && kept.balanced != one.balanced) {
        MUST(pcn_perceptron_load(&one.m, kept.image, kept.size) == PCN_EMATCH && unchanged(&before, &one));
        return;
    }
    flip = take_word(&in) % kept.size;
    kept.image[flip] ^= 1;
    MUST(pcn_perceptron_load(&one.m, kept.image, kept.size) < 0 && unchanged(&before, &one));
    kept.image[flip] ^= 1;
    MUST(pcn_perceptron_load(&one.m, kept.image, kept.size) == (fits ? PCN_OK : PCN_EMATCH));
    MUST(pcn_perceptron_load(&two.m, kept.image_two, kept.size) == (fits ? PCN_OK : PCN_EMATCH));
    if (!fits) {
        MUST(unchanged(&before, &one) && unchanged(&before_two, &two));
        return;
    }
    again = save(&one, &size);
    if (parts == kept.parts) MUST(size == kept.size && memcmp(again, kept.image, size) == 0);
    free(again);
    memcpy(largest, kept.largest, sizeof largest);
    memcpy(beside.seen, kept.seen, sizeof kept.seen);
    if (!(kept.parts & PCN_PART_SUMS)) memset(beside.seen, 0, sizeof beside.seen);
}

/* ---- Views ---- */

/* Number i of what has been learned: of the mean, or of the weights. */
static void check_final(size_t i, float final)
{
    double exact, bound;
    if (!one.m.own.sum) {
        MUST(bits_of(final) == bits_of(one.m.live.weight[i]));
        return;
    }
    exact = linear_mean(&beside, i, (double)one.m.learner.clock);
    bound = fabs(exact) * ldexp(1, -23) + largest[i] * ldexp(1, -34) + ldexp(1, -148);
    MUST(fabs((double) final - exact) <= bound);
}

static void call_final(void)
{
    const size_t all = all_of(&one), bytes = all * sizeof(float);
    const int waiting = waits(&one) ? PCN_EBATCH : PCN_OK;
    float *out = floats(all), *other = floats(all);
    pcn_linear view, view_two;
    size_t i;
    keep(&before, &one);
    MUST(pcn_perceptron_final(&one.m, &view, out, bytes - 1) == (waiting ? waiting : PCN_EMEMORY));
    MUST(pcn_perceptron_final(&one.m, &view, NULL, 0) == (waiting ? waiting : one.m.own.sum ? PCN_EMEMORY : PCN_OK));
    if (!waiting && !one.m.own.sum) MUST(view.weight == one.m.live.weight && view.bias == one.m.live.bias);
    MUST(pcn_perceptron_final(&one.m, &view, out, bytes) == waiting);
    MUST(pcn_perceptron_final(&two.m, &view_two, other, bytes) == waiting && unchanged(&before, &one));
    if (!waiting) {
        MUST(view.weight == out && view_two.weight == other && view_two.by_feature == two.m.live.by_feature);
        MUST(view.features == one.m.live.features && view.scores == one.m.live.scores);
        MUST(view.bias == out + all - view.scores && view.zero_negative == one.m.live.zero_negative);
        MUST(same_bits(out, other, 1));
        read_plain(one.m.live.weight, one.m.own.state);
        for (i = 0; i < all; i++) check_final(i, out[i]);
    }
    free(out), free(other);
}

static void call_copy(void)
{
    size_t all = all_of(&one);
    float *copy = floats(all), *other = floats(all);
    uint32_t cls = take_below(&in, PCN_CLASSES(one.m.live.scores)), k = take_below(&in, 9), i, n;
    uint32_t *feature = (uint32_t *)room(k * sizeof *feature), *feature_two = (uint32_t *)room(k * sizeof *feature);
    int sign = take(&in) & 1 ? 1 : -1;
    pcn_linear a, b;
    MUST(pcn_linear_copy(&one.m.live, &a, copy, all * sizeof *copy - 1) == PCN_EMEMORY);
    MUST(pcn_linear_copy(&one.m.live, &a, NULL, 0) == PCN_EMEMORY);
    MUST(pcn_linear_copy(&one.m.live, &a, copy, all * sizeof *copy) == PCN_OK);
    MUST(pcn_linear_copy(&two.m.live, &b, other, all * sizeof *other) == PCN_OK);
    MUST(same_bits(a.weight, b.weight, 1) &&
         same_bits(copy, one.m.live.weight, 1) == same_bits(other, two.m.live.weight, 1));
    n = pcn_linear_top(&a, cls, sign, feature, k);
    MUST(pcn_linear_top(&b, cls, sign, feature_two, k) == n);
    MUST(n == (k < one.m.live.features ? k : one.m.live.features));
    if (one.m.live.scores == 1 && cls == 0) sign = -sign; /* its weights are those of class 1, negated */
    for (i = 0; i < n; i++) {
        const float *w = one.m.live.weight + (one.m.live.scores == 1 ? 0 : (size_t)cls * one.m.live.features);
        MUST(feature[i] == feature_two[i] && feature[i] < one.m.live.features);
        if (i == 0) continue;
        MUST((float)sign * w[feature[i]] <= (float)sign * w[feature[i - 1]]);
        MUST(w[feature[i]] != w[feature[i - 1]] || feature[i] > feature[i - 1]);
    }
    free(copy), free(other), free(feature), free(feature_two);
}

/* Between calls a program may write the weights. */
static void call_write(void)
{
    uint32_t c = take_below(&in, one.m.live.scores), j = take(&in);
    float w = take_float(&in);
    if (one.m.own.sum || one.m.own.state || j >= one.m.live.features) return;
    if (!(fabs((double)w) < ldexp(1, 80)) || bits_of(w) == 0x80000000u) return;
    one.memory[weight_at(&one.m.live, c, j)] = w;
    two.memory[weight_at(&two.m.live, c, j)] = w;
}

/* A row that does not ascend: the result means nothing, so this call is the last. */
static void call_wild(void)
{
    uint32_t index[40], i, count = take_below(&in, 41);
    float value[40];
    pcn_vec x = pcn_sparse(index, take(&in) & 1 ? value : NULL, count);
    for (i = 0; i < count; i++) {
        index[i] = take(&in) % (one.m.live.features + 3);
        value[i] = take_float(&in);
    }
    pcn_perceptron_learn(&one.m, x, 1);
    pcn_perceptron_learn(&two.m, x, 0);
    MUST(pcn_perceptron_apply_batch(&two.m, 1) >= (two.m.own.batch ? PCN_EVALUE : PCN_EOPTION));
    if (one.m.own.sum) call_option();
}

/* ---- A run ---- */

/* A trainer whose init has failed refuses what is asked of it. */
static void check_no_init(trainer *t, int result, int expected)
{
    static const pcn_perceptron nothing;
    pcn_arrays none;
    pcn_linear view;
    memset(&none, 0, sizeof none);
    MUST(result == expected && memcmp(&t->m, &nothing, sizeof nothing) == 0);
    MUST(pcn_perceptron_learn(&t->m, pcn_dense(NULL, 0), 0) == PCN_EOPTION && t->m.refused == 1);
    MUST(pcn_perceptron_use_averaging(&t->m, t->memory, 1000) == PCN_EOPTION);
    MUST(pcn_perceptron_use_feature_major(&t->m) == PCN_EOPTION);
    MUST(pcn_perceptron_resize(&t->m, 0, 2, &none) == PCN_EOPTION && pcn_perceptron_save_part(&t->m, 0, NULL, 0) == 0);
    MUST(pcn_perceptron_discard_batch(&t->m) == PCN_EOPTION && pcn_perceptron_end_batch(&t->m) == PCN_EOPTION);
    MUST(pcn_perceptron_final(&t->m, &view, NULL, 0) == PCN_EOPTION);
}

static void begin(trainer *t, uint32_t features, uint32_t classes, int feature_major)
{
    const size_t bytes = PCN_PERCEPTRON_FLOATS(features, classes) * sizeof(float);
    memset(t, 0, sizeof *t);
    t->memory = (float *)room(bytes);
    check_no_init(t, pcn_perceptron_init(&t->m, features, classes, t->memory, bytes - 1), PCN_EMEMORY);
    check_no_init(t, pcn_perceptron_init(&t->m, features, 0, t->memory, bytes), PCN_EOPTION);
    check_no_init(t, pcn_perceptron_init(&t->m, features, 1, t->memory, bytes), PCN_EOPTION);
    MUST(pcn_perceptron_init(&t->m, features, classes, t->memory, bytes) == PCN_OK);
    if (feature_major) MUST(pcn_perceptron_use_feature_major(&t->m) == PCN_OK);
}

static void end(trainer *t)
{
    free(t->memory), free(t->sum), free(t->batch), free(t->state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static void (*const calls[])(void) = {call_predict, call_settings, call_option, call_apply, call_resize, call_save,
                                          call_load,    call_final,    call_copy,   call_write, call_batch};
    uint32_t features, classes, i, call = 0;
    in.at = bytes, in.end = bytes + size;
    features = take_below(&in, FEATURES + 1);
    classes = 1 + take_below(&in, CLASSES);
    classes += classes < 3; /* two, or three and more */
    rule = FIXED;
    confident = 0;
    memset(&beside, 0, sizeof beside);
    memset(largest, 0, sizeof largest);
    memset(&kept, 0, sizeof kept);
    begin(&one, features, classes, 0);
    begin(&two, features, classes, take(&in) & 1);
    for (i = 0; i < CALLS && in.at < in.end && call < 31; i++) {
        call = take(&in) & 31;
        if (call == 31)
            call_wild();
        else if (call < sizeof calls / sizeof calls[0])
            calls[call]();
        else if (call < 13)
            call_settings();
        else
            call_learn();
        if (call == 31) break;
        note_weights();
        agree();
    }
    end(&one), end(&two);
    free(kept.image), free(kept.image_two);
    return 0;
}
