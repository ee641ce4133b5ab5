#include "team.h"

void print_json(run *r, size_t bytes)
{
    char *algorithm = option_word(ALGORITHM_WORDS, r->m.algorithm);
    size_t i;
    printf("{\"algorithm\": \"%s\", \"rows\": %lu, \"features\": %lu, \"classes\": %lu, \"epochs\": [",
           algorithm, (unsigned long)r->rows, (unsigned long)model_features(&r->m),
           (unsigned long)labels_count(&r->m.labels));
    for (i = 0; i < arrlenu(r->epochs); i++) {
        printf("%s{\"epoch\": %zu, \"updates\": %llu, \"mistakes\": %llu", i ? ", " : "", i + 1,
               (unsigned long long)r->epochs[i].updates, (unsigned long long)r->epochs[i].mistakes);
        if (r->held_out.count) printf(", \"held_out_errors\": %lu", (unsigned long)r->epochs[i].held_out_errors);
        if (r->s.test) printf(", \"test_error\": %.9g", r->epochs[i].test_error);
        printf("}");
    }
    printf("], \"model_bytes\": %zu, \"seconds\": {\"read\": %.6f, \"train\": %.6f, \"test\": %.6f}",
           bytes, r->read_seconds, r->train_seconds, r->test_seconds);
    if (r->s.shards > 1)
        printf(", \"shards\": %lu, \"threads\": %u, \"mixing_seconds\": %.6f", (unsigned long)r->s.shards, r->threads,
               r->mix_seconds);
    if (team_size() > 1)
        printf(", \"processes\": %lu, \"sent_bytes\": %llu", (unsigned long)team_size(), (unsigned long long)r->sent);
    if (model_is_kernel(&r->m))
        printf(", \"support_vectors\": %lu", (unsigned long)r->m.dual.model.slots);
    if (r->s.test)
        printf(", \"test\": {\"rows\": %lu, \"errors\": %lu, \"accuracy\": %.9g, \"unlabelled\": %lu}",
               (unsigned long)r->test.count, (unsigned long)r->tested.errors,
               1 - (double)r->tested.errors / r->test.count, (unsigned long)r->tested.unlabelled);
    if (r->s.report) {
        printf(", \"report\": ");
        report_json(&r->tested, stdout);
    }
    if (r->s.budget) printf(", \"dropped\": %llu", (unsigned long long)r->dropped);
    if (r->s.measure) print_measures_json(r);
    if (interrupted) printf(", \"interrupted\": true");
    printf("}\n");
    free(algorithm);
}

void print_summary(run *r, const char *name, size_t bytes)
{
    const pcn_count *c = &model_learner(&r->m)->count;
    size_t i;
    fprintf(stderr, "%llu rows, %lu features, %lu classes", (unsigned long long)r->rows,
            (unsigned long)model_features(&r->m), (unsigned long)labels_count(&r->m.labels));
    if (r->m.label_name) fprintf(stderr, " (column '%s')", printable(r->m.label_name, SIZE_MAX));
    fprintf(stderr, "\n%zu %s, %llu updates, %llu mistakes", (size_t)arrlenu(r->epochs),
            arrlenu(r->epochs) == 1 ? "epoch" : "epochs", (unsigned long long)c->updates,
            (unsigned long long)c->mistakes);
    if (r->s.shards > 1) fprintf(stderr, ", %lu shards", (unsigned long)r->s.shards);
    if (r->dropped) fprintf(stderr, ", %llu times no room for a row", (unsigned long long)r->dropped);
    if (r->s.resume) fprintf(stderr, " in all");
    fprintf(stderr, "; %s: %zu bytes\n", strcmp(name, "-") == 0 ? "standard output" : name, bytes);
    for (i = 0; i < arrlenu(r->o->overridden); i++)
        fprintf(stderr, "%s%s%s", i ? ", " : "given again: ", r->o->overridden[i],
                i + 1 < arrlenu(r->o->overridden) ? "" : "\n");
}
