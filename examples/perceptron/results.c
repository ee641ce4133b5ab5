#include "train.h"

void read_test(run *r)
{
    reader in;
    reader_options o = r->s.reader;
    double from = seconds();
    model_expects(&r->m, &o);
    reader_open(&in, r->s.test, &o);
    rows_init(&r->test);
    while (reader_next(&in)) {
        pcn_vec x = reader_vector(&in);
        if (in.label)
            rows_add(&r->test, &x, labels_find(&r->m.labels, in.label), 0);
        else
            r->unlabelled++;
    }
    if (r->test.count == 0) die(EXIT_INPUT, "%s: no row with a label", in.name);
    normalize_rows(&r->m, &r->test);
    reader_close(&in);
    r->test_seconds = seconds() - from;
}

void test_model(run *r)
{
    double from = seconds();
    model_use(&r->m, r->kept.weight ? &r->kept : NULL);
    r->test_errors = count_errors(r, &r->test, UINT32_MAX);
    r->test_seconds += seconds() - from;
}

void print_json(const run *r, size_t bytes)
{
    char *algorithm = option_word(ALGORITHM_WORDS, r->m.algorithm);
    size_t i;
    printf("{\"algorithm\": \"%s\", \"rows\": %lu, \"features\": %lu, \"classes\": %lu, \"epochs\": [",
           algorithm, (unsigned long)r->rows, (unsigned long)model_features(&r->m),
           (unsigned long)labels_count(&r->m.labels));
    for (i = 0; i < arrlenu(r->epochs); i++) {
        printf("%s{\"epoch\": %zu, \"updates\": %llu, \"mistakes\": %llu", i ? ", " : "", i + 1,
               (unsigned long long)r->epochs[i].updates, (unsigned long long)r->epochs[i].mistakes);
        if (r->held_out.count && !r->s.pocket)
            printf(", \"held_out_errors\": %lu", (unsigned long)r->epochs[i].held_out_errors);
        printf("}");
    }
    printf("], \"model_bytes\": %zu, \"seconds\": {\"read\": %.6f, \"train\": %.6f, \"test\": %.6f}",
           bytes, r->read_seconds, r->train_seconds, r->test_seconds);
    if (model_is_kernel(&r->m))
        printf(", \"support_vectors\": %lu", (unsigned long)r->m.dual.model.slots);
    if (r->s.test)
        printf(", \"test\": {\"rows\": %lu, \"errors\": %lu, \"accuracy\": %.9g}",
               (unsigned long)r->test.count, (unsigned long)r->test_errors,
               1 - (double)r->test_errors / r->test.count);
    printf("}\n");
    free(algorithm);
}

void print_summary(run *r, const char *name, size_t bytes)
{
    const pcn_count *c = &model_learner(&r->m)->count;
    fprintf(stderr,
            "%llu rows, %lu features, %lu classes; %zu %s, %llu updates, %llu mistakes; "
            "%s: %zu bytes\n",
            (unsigned long long)r->rows, (unsigned long)model_features(&r->m),
            (unsigned long)labels_count(&r->m.labels), (size_t)arrlenu(r->epochs),
            arrlenu(r->epochs) == 1 ? "epoch" : "epochs", (unsigned long long)c->updates,
            (unsigned long long)c->mistakes, name, bytes);
}
