#include "predicted.h"
#include "cli/json.h"

#include <math.h>

/* Among scores a label is one word. */
static void write_word(FILE *f, const char *label)
{
    print_field(f, label, " \t\"\r\n");
}

static void write_header(FILE *f, const model *m, int probabilities)
{
    uint32_t k;
    fputs("label", f);
    for (k = 0; k < (probabilities ? labels_count(&m->labels) : model_units(m)); k++) {
        fputc(' ', f);
        write_word(f, probabilities ? labels_text(&m->labels, k) : model_unit_label(m, k));
    }
    fputc('\n', f);
}

void predicted_header(const predicted *l)
{
    write_header(l->out, l->m, l->probabilities);
}

/* ---- A row ---- */

typedef struct ranked {
    uint32_t label, is_class;
    float value;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->is_class != y->is_class) return x->is_class ? -1 : 1;
    if (x->value > y->value || x->value < y->value) return x->value > y->value ? -1 : 1;
    return x->label < y->label ? -1 : 1;
}

/* A new array of all labels. Of two with one score the first has its opposite. */
static ranked *rank(const model *m, uint32_t class, const float *value, int one)
{
    const uint32_t n = labels_count(&m->labels);
    ranked *all = allocate(n, sizeof *all);
    uint32_t k;
    for (k = 0; k < n; k++) {
        const ranked r = {k, k == class, !one ? value[k] : k ? value[0] : -value[0]};
        all[k] = r;
    }
    qsort(all, n, sizeof *all, compare_ranked);
    return all;
}

static void write_json(const predicted *l, uint64_t number, const char *label, const ranked *all, uint32_t n)
{
    json j = {l->out, 0};
    uint32_t k;
    json_open(&j, NULL, '{');
    json_count(&j, "row", number);
    if (label)
        json_text(&j, "label", label);
    else
        json_word(&j, "label", "null");
    json_open(&j, "probabilities", '[');
    for (k = 0; k < n; k++) {
        json_open(&j, NULL, '{');
        json_text(&j, "label", labels_text(&l->m->labels, all[k].label));
        json_number(&j, "probability", (double)all[k].value);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
    fputc('\n', l->out);
}

void predicted_row(const predicted *l, uint64_t number, uint32_t class, int refused, const float *score, const float *p)
{
    const model *m = l->m;
    const uint32_t n = labels_count(&m->labels), units = l->probabilities ? n : model_units(m);
    const char *label = refused ? NULL : labels_text(&m->labels, class);
    const float *value = l->probabilities ? p : score;
    ranked *all = l->top || l->json ? rank(m, class, value, units < n) : NULL;
    const uint32_t shown = l->top && l->top < n ? l->top : n;
    uint32_t k;
    if (l->json) {
        write_json(l, number, label, all, shown);
    } else if (!l->scores && !l->probabilities) {
        fprintf(l->out, "%s\n", label ? label : REFUSED);
    } else {
        if (label && !all) write_word(l->out, label);
        if (!label) fputs(REFUSED, l->out);
        for (k = 0; !all && k < units; k++) fprintf(l->out, " %.9g", (double)value[k]);
        for (k = 0; all && k < shown; k++) {
            if (k || !label) fputc(' ', l->out);
            write_word(l->out, labels_text(&m->labels, all[k].label));
            fprintf(l->out, " %.9g", (double)all[k].value);
        }
        fputc('\n', l->out);
    }
    free(all);
}

/* ---- What an output holds ---- */

/* As it is written among scores, or as the header. */
static char *written(const model *m, const char *label, int probabilities)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (f && !label) write_header(f, m, probabilities);
    if (f && label) write_word(f, label);
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

/* Behind a blank and a number. */
static const char *skip_number(const char *p)
{
    char *end;
    if (*p != ' ') return NULL;
    strtod(p + 1, &end);
    return end == p + 1 ? NULL : end;
}

/* Could the model write this line? word: the labels as among scores, and what a refusal is. */
static int is_prediction(const model *m, char *const *word, const char *line)
{
    const uint32_t units = model_units(m);
    const char *first = skip_word(word, line), *p = first, *next;
    uint32_t numbers;
    if (labels_find(&m->labels, line) != NO_LABEL || strcmp(line, REFUSED) == 0) return 1;
    for (numbers = 0; p && (next = skip_number(p)) != NULL; numbers++) p = next;
    if (p && *p == '\0') return numbers == units || numbers == labels_count(&m->labels) || numbers == 1;
    p = strncmp(line, REFUSED " ", 2) == 0 ? line + 2 : line; /* --top */
    while ((p = skip_word(word, p)) != NULL && (p = skip_number(p)) != NULL && *p == ' ') p++;
    return p && *p == '\0';
}

void predicted_check_old(const predicted *l, const char *name)
{
    const model *m = l->m;
    FILE *f = output_old(name);
    char *line = NULL, *header[] = {written(m, NULL, 0), written(m, NULL, 1)}, **word = NULL;
    size_t room = 0, number, i;
    ssize_t length;
    for (i = 0; i < labels_count(&m->labels); i++) arrput(word, written(m, labels_text(&m->labels, (uint32_t)i), 0));
    arrput(word, copy_text(REFUSED));
    for (number = 0; f && (length = getline(&line, &room, f)) >= 0; number++) {
        if (number == 0 && (strcmp(line, header[0]) == 0 || strcmp(line, header[1]) == 0)) continue;
        if (line[length - 1] == '\n') line[--length] = '\0';
        if (strlen(line) != (size_t)length || !is_prediction(m, word, line))
            die(EXIT_USAGE, "%s holds no predictions of this model: --force replaces it", name);
    }
    if (f && !feof(f)) die_of(name); /* a line that could not be read, or held */
    for (i = 0; i < arrlenu(word); i++) free(word[i]);
    arrfree(word);
    free(header[0]);
    free(header[1]);
    free(line);
    if (f) fclose(f);
}
