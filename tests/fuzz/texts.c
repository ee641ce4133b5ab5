/* Models of LIBLINEAR: each is refused with a sentence, or gives a model that predicts as its text says, is saved, and
 * loads as the same weights. Input: the text. */
#include "program.h"
#include "export/import.c"

enum { MOST_TEXT = 4096 };

/* No text has --like. */
void import_state(const char *name, const char *like, model *m)
{
    (void)name, (void)like, (void)m;
    abort();
}

static failure stop;

/* Behind the line "w" is a number for each weight, by strtof; columns: in the file. */
static void check_weights(const char *text, const model *m, const pcn_linear *l)
{
    const char *p = text;
    uint32_t all = l->features, second = m->zero_negative == 0 && l->scores == 1, j, c, columns;
    uint64_t words = 0;
    while (p && !((p == text || strchr(" \t\r\n", p[-1])) && *p == 'w' && p[1] && strchr(" \t\r\n", p[1])))
        p = strchr(p + 1, 'w');
    MUST(p);
    for (text = ++p; *(p += strspn(p, " \t\r\n")); p += strcspn(p, " \t\r\n")) words++;
    MUST(words % l->scores == 0);
    columns = words / l->scores > all + (uint64_t)1 ? 2 : l->scores; /* two labels of MCSVM_CS */
    if (all == 1 && l->scores == 1) return;                          /* a second number may be the bias */
    for (p = text, j = 0; j < all; j++)
        for (c = 0; c < columns; c++) {
            char *end;
            float w = (float)strtod(p, &end);
            MUST(end > p);
            p = end;
            if (c < l->scores) MUST(l->weight[j * l->scores + c] == (second ? -w : w));
        }
}

static void predict(const pcn_linear *l)
{
    float *score = floats(l->scores), *value = floats(l->features);
    uint32_t i;
    for (i = 0; i < l->features; i++) value[i] = float_of_byte((uint8_t)(i * 7));
    pcn_linear_scores(l, pcn_dense(value, l->features), score);
    pcn_linear_scores(l, pcn_dense(value, l->features / 2), score);
    MUST(pcn_decide(score, l->scores, l->zero_negative) < (int)PCN_CLASSES(l->scores));
    free(score), free(value);
}

/* What is written is a model again, with the same weights. */
static void save_and_load(const model *m, const pcn_linear *l)
{
    static model again;
    output o;
    uint8_t *bytes;
    size_t size, at, all = PCN_LINEAR_FLOATS(l->features, PCN_CLASSES(l->scores));
    memset(&o, 0, sizeof o);
    o.file = tmpfile();
    MUST(o.file);
    model_save(m, l, &o);
    size = (size_t)ftell(o.file);
    bytes = (uint8_t *)room(size);
    rewind(o.file);
    MUST(fread(bytes, 1, size, o.file) == size);
    fclose(o.file);
    memset(&again, 0, sizeof again);
    model_open(&again, write_input(bytes, size));
    model_load(&again, 0);
    MUST(model_features(&again) == l->features && again.trainer.live.scores == l->scores);
    MUST(labels_count(&again.labels) == labels_count(&m->labels));
    for (at = 0; at < all; at++) {
        const pcn_linear *k = &again.trainer.live;
        uint32_t c = (uint32_t)(at % l->scores), j = (uint32_t)(at / l->scores);
        float w = j < l->features ? k->weight[model_weight_at(k, c, j)] : k->bias[c];
        MUST(w == l->weight[at]);
    }
    model_free(&again);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static model m;
    pcn_linear l;
    char *text;
    if (size > MOST_TEXT) return 0;
    text = (char *)room(size + 1);
    if (size) memcpy(text, bytes, size);
    text[size] = '\0';
    memset(&m, 0, sizeof m);
    failing = &stop;
    if (setjmp(stop.back) == 0) {
        l = import_liblinear(write_input(bytes, size), &m);
        MUST(l.features > 0 && l.scores > 0 && labels_count(&m.labels) == PCN_CLASSES(l.scores));
        check_weights(text, &m, &l);
        predict(&l);
        save_and_load(&m, &l);
        model_free(&m);
    } else {
        check_refusal(&stop);
    }
    failing = NULL;
    free(text);
    return 0;
}
