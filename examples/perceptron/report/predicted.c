#include "predicted.h"
#include "cli/json.h"

#include <math.h>

/* Among scores a label is one word. */
static void write_word(FILE *f, const char *label)
{
    print_field(f, label, " \t\"\r\n");
}

void predicted_header(const predicted *l)
{
    const model *m = l->m;
    const uint32_t columns = l->probabilities ? labels_count(&m->labels) : model_units(m);
    uint32_t k;
    fputs("label", l->out);
    for (k = 0; k < columns; k++) {
        fputc(' ', l->out);
        write_word(l->out, l->probabilities ? labels_text(&m->labels, k) : model_unit_label(m, k));
    }
    fputc('\n', l->out);
}

/* Of each label: of two with one score the first has its opposite. A new array. */
static float *values_of(const predicted *l, const float *score, const float *p)
{
    const uint32_t n = labels_count(&l->m->labels);
    float *value = allocate(n, sizeof *value);
    uint32_t k;
    for (k = 0; k < n; k++)
        value[k] = l->probabilities ? p[k] : model_units(l->m) == n ? score[k] : k ? *score : -*score;
    return value;
}

void predicted_row(const predicted *l, uint64_t number, uint32_t class, int refused, const float *score, const float *p)
{
    const labels *names = &l->m->labels;
    const uint32_t n = labels_count(names), shown = l->top && l->top < n ? l->top : n;
    const char *label = refused ? REFUSED : labels_text(names, class);
    const int one = l->scores && !l->top && model_units(l->m) == 1;
    float *left = values_of(l, score, p);
    json j = {l->json ? l->out : NULL, 0};
    uint32_t k;
    json_open(&j, NULL, '{');
    json_count(&j, "row", number);
    json_text(&j, "label", label);
    json_open(&j, "probabilities", '{');
    if (!l->json) write_word(l->out, label);
    for (k = (uint32_t)one; k < shown; k++) { /* pcn_decide: the best of what is left */
        const uint32_t best = !l->top ? k : k ? (uint32_t)pcn_decide(left, n, 0) : class;
        json_number(&j, labels_text(names, best), (double)left[best]);
        if (!l->json && l->top && (k || refused)) {
            fputc(' ', l->out);
            write_word(l->out, labels_text(names, best));
        }
        if (!l->json) fprintf(l->out, " %.9g", (double)left[best]);
        left[best] = -INFINITY;
    }
    json_close(&j, '}');
    json_close(&j, '}');
    fputc('\n', l->out);
    free(left);
}

/* ---- What an output holds ---- */

/* A new string: the label as it is written among scores. */
static char *written(const char *label)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (f) write_word(f, label);
    if (!f || fclose(f) != 0 || !text) die(EXIT_MEMORY, "out of memory");
    return text;
}

/* Behind one of the words at p; NULL: there is none. */
static const char *skip_word(char *const *word, const char *p)
{
    size_t k, length;
    for (k = 0; k < arrlenu(word); k++) {
        length = strlen(word[k]);
        if (strncmp(word[k], p, length) == 0 && (p[length] == ' ' || p[length] == '\0')) return p + length;
    }
    return NULL;
}

/* Could the model write this line: one of the words, then numbers and words, not more than each label with its own? */
static int is_prediction(const model *m, char *const *word, const char *line)
{
    const char *p = skip_word(word, line), *next;
    size_t parts;
    char *end;
    for (parts = 0; p && *p == ' '; parts++, p = next) {
        next = skip_word(word, p + 1);
        strtod(p + 1, &end);
        if (!next) next = end == p + 1 ? NULL : end;
    }
    return labels_find(&m->labels, line) != NO_LABEL || (p && *p == '\0' && parts <= 2 * labels_count(&m->labels));
}

void predicted_check_old(const model *m, const char *name)
{
    FILE *f = output_old(name);
    char *line = NULL, **word = NULL;
    size_t room = 0, number, i;
    ssize_t length;
    for (i = 0; i < labels_count(&m->labels); i++) arrput(word, written(labels_text(&m->labels, (uint32_t)i)));
    arrput(word, copy_text(REFUSED));
    for (number = 0; f && (length = getline(&line, &room, f)) >= 0; number++) {
        if (number == 0 && strncmp(line, "label ", 6) == 0) continue;
        if (line[length - 1] == '\n') line[--length] = '\0';
        if (strlen(line) != (size_t)length || !is_prediction(m, word, line))
            die(EXIT_USAGE, "%s holds no predictions of this model: --force replaces it", name);
    }
    if (f && !feof(f)) die_of(name); /* a line that could not be read, or held */
    for (i = 0; i < arrlenu(word); i++) free(word[i]);
    arrfree(word);
    free(line);
    if (f) fclose(f);
}
