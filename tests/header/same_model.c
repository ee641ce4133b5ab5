/* Dense rows, sparse rows and rows of ones, either layout (feature-major), averaging or not, and batches of 1 give
 * the same model. */
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"

enum { N = 40, K = 6, ROWS = 120 };

#include "random_rows.h"

/* Once over the set; what is batched is applied every 5 rows. */
static void train_fives(trainer *t, const set *s, enum form form, float scale)
{
    uint32_t i;
    for (i = 0; i < s->rows; i += 5) {
        train(t, s, i, i + 5, form);
        if (t->m.own.batch) CHECK(pcn_perceptron_apply_batch(&t->m, scale) >= 0);
    }
}

static void train_anew(trainer *t, const set *s, unsigned options, size_t rule, size_t update, enum form form)
{
    trainer_with(t, s->features, s->classes, options);
    settings(t, rule, update);
    train_fives(t, s, form, 0.6f);
}

/* `first` is averaged: batches of 1 give the same, means and counts too, and without averaging the weights are the
 * same. */
static void check_averaged(const trainer *first, const set *s, size_t rule, size_t update, enum form form)
{
    static trainer t;
    static float mean[PCN_LINEAR_FLOATS(N, K)], mean2[PCN_LINEAR_FLOATS(N, K)];
    pcn_linear average = final_of(&first->m, mean), average2;
    uint32_t i;
    trainer_with(&t, s->features, s->classes, BATCHED + AVERAGED);
    settings(&t, rule, update);
    for (i = 0; i < s->rows; i++) {
        train(&t, s, i, i + 1, form);
        CHECK(pcn_perceptron_apply_batch(&t.m, 1) >= 0);
    }
    average2 = final_of(&t.m, mean2);
    CHECK(same_model(&first->m.live, &t.m.live) && same_model(&average, &average2));
    CHECK(memcmp(&first->m.learner.count, &t.m.learner.count, sizeof t.m.learner.count) == 0);
    train_anew(&t, s, 0, rule, update, form);
    CHECK(same_model(&first->m.live, &t.m.live));
}

/* Every rule, update, layout and option, from dense rows and from sparse ones: rows of ones give the image that
 * values of 1 give, and the layouts the same weights; options in any order; online = batches of 1; averaging does not
 * disturb. */
static void check_ways(uint32_t classes, size_t rule, size_t update, enum content content)
{
    static set s;
    static trainer first, t;
    unsigned options;
    int form;
    set_init(&s, ROWS, 1 + random_bits() % N, classes, content);
    for (options = 0; options < 8; options++)
        for (form = DENSE; form <= SPARSE; form++) {
            train_anew(&first, &s, options, rule, update, (enum form)form);
            CHECK(first.m.learner.count.rows == s.rows && first.m.learner.count.updates > 0);
            if (form == SPARSE && content == BINARY) {
                train_anew(&t, &s, options, rule, update, ONES);
                CHECK(same_image(&first, &t));
            }
            if (options & FEATURE_MAJOR) {
                train_anew(&t, &s, options - FEATURE_MAJOR, rule, update, (enum form)form);
                CHECK(same_model(&first.m.live, &t.m.live));
            }
            if (options == BATCHED + AVERAGED) { /* the other order of options */
                trainer_with(&t, s.features, s.classes, BATCHED);
                CHECK(pcn_perceptron_use_averaging(&t.m, t.sum, sizeof t.sum) == 0);
                settings(&t, rule, update);
                train_fives(&t, &s, (enum form)form, 0.6f);
                CHECK(same_image(&first, &t));
            }
            if (options == AVERAGED) check_averaged(&first, &s, rule, update, (enum form)form);
        }
}

/* Where every sum is exact, in whole numbers, dense and sparse rows give the same image. */
static void check_whole_numbers(uint32_t classes, size_t update)
{
    static set s;
    static trainer t[2];
    unsigned options;
    int form;
    for (options = 0; options < 8; options++) {
        set_init(&s, ROWS, N, classes, INTEGERS);
        for (form = DENSE; form <= SPARSE; form++) {
            trainer_with(&t[form], s.features, s.classes, options);
            t[form].m.learner.update = updates[update];
            train_fives(&t[form], &s, (enum form)form, 0.5f);
        }
        CHECK(same_image(&t[DENSE], &t[SPARSE]));
    }
}

static void check_all_ways(void)
{
    size_t rule, update;
    for (rule = 0; rules(rule); rule++) {
        check_ways(2, rule, 0, REALS);
        check_ways(2, rule, 0, BINARY);
        for (update = 0; update < LENGTH(updates); update++) {
            check_ways(3, rule, update, BINARY);
            check_ways(K, rule, update, REALS);
        }
    }
    check_whole_numbers(2, 0);
    for (update = 0; update < LENGTH(updates); update++)
        if (updates[update] != pcn_update_uniform) check_whole_numbers(K, update); /* that one divides */
}

int main(void)
{
    check_all_ways();
    return report();
}
