#include "predicted.h"
#include "cli/json.h"

#include <math.h>

/* Among scores a label is one word. */
static void write_word(FILE *f, const char *label)
{
    print_field(f, label, " \t\"\r\n");
}

void predicted_add(char **lines, const char *label)
{
    if (*label) append_field(lines, label, "\r\n");
    arrput(*lines, '\n');
}

void predicted_label(FILE *f, const char *label)
{
    if (*label) print_field(f, label, "\r\n");
    fputc('\n', f);
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

void predicted_row(const predicted *l, uint64_t number, uint32_t class, int refused, const float *score, const float *p)
{
    const labels *names = &l->m->labels;
    const uint32_t n = labels_count(names), columns = l->probabilities || l->top ? n : model_units(l->m);
    const uint32_t shown = l->top && l->top < n ? l->top : columns;
    const char *label = refused ? REFUSED : labels_text(names, class);
    float *left = allocate(columns, sizeof *left);
    json j = {l->json ? l->out : NULL, 0};
    uint32_t k;
    for (k = 0; k < columns; k++) /* of two labels with one score the first has its opposite */
        left[k] = l->probabilities ? p[k] : columns == model_units(l->m) ? score[k] : k ? *score : -*score;
    json_open(&j, NULL, '{');
    json_count(&j, "row", number);
    json_text(&j, "label", label);
    json_open(&j, "probabilities", '{');
    if (!l->json) write_word(l->out, label);
    for (k = 0; k < shown; k++) { /* pcn_decide: the best of what is left */
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

/* Into `word` what write_word has written at p; returns what follows. */
static const char *take_word(const char *p, char *word)
{
    const int quoted = *p == '"';
    for (p += quoted; *p && (quoted ? *p != '"' || *++p == '"' : *p != ' '); p++) *word++ = *p;
    *word = '\0';
    return p;
}

/* Could the model write this line: a label, then numbers and labels, not more than each with its own? */
static int is_prediction(const model *m, const char *line)
{
    char *word = allocate(strlen(line) + 1, 1), *end;
    const char *p = take_word(line, word);
    int good = labels_find(&m->labels, word) != NO_LABEL || strcmp(word, REFUSED) == 0;
    size_t parts;
    for (parts = 0; good && *p == ' ' && parts < 2 * labels_count(&m->labels); parts++) {
        p = take_word(p + 1, word);
        strtod(word, &end);
        good = labels_find(&m->labels, word) != NO_LABEL || (end > word && *end == '\0');
    }
    free(word);
    return labels_find(&m->labels, line) != NO_LABEL || (good && *p == '\0');
}

/* The next line as an stb_ds array, NUL behind it, from `at` on; 0: there is none. */
static int read_line(FILE *f, char **line, size_t at)
{
    int c;
    arrsetlen(*line, at);
    while ((c = getc(f)) != EOF && c != '\n') arrput(*line, (char)c);
    if (c == EOF && arrlenu(*line) == at) return 0;
    arrput(*line, '\0');
    return 1;
}

/* The same to the end of a quoted label, if a label has lines. */
static int read_record(const model *m, FILE *f, char **line)
{
    uint32_t k, of_lines = 0;
    size_t i, quotes = 0, from = 0;
    if (!read_line(f, line, 0)) return 0;
    for (k = 0; k < labels_count(&m->labels); k++) of_lines += strchr(labels_text(&m->labels, k), '\n') != NULL;
    while (of_lines > 0) {
        for (i = from; i < arrlenu(*line); i++) quotes += (*line)[i] == '"';
        from = arrlenu(*line);
        if (quotes % 2 == 0) break;
        if (!read_line(f, line, from)) return 1;
        (*line)[from - 1] = '\n';
    }
    return 1;
}

void predicted_check_old(const model *m, const char *name)
{
    FILE *f = output_old(name);
    char *line = NULL;
    size_t number;
    for (number = 0; f && read_record(m, f, &line); number++) {
        if (number == 0 && strncmp(line, "label ", 6) == 0) continue;
        if (strlen(line) + 1 != arrlenu(line) || !(*line == '\0' || is_prediction(m, line)))
            die(EXIT_USAGE, "%s holds no predictions of this model: --force replaces it", name);
    }
    if (f && !feof(f)) die_of(name); /* a line that could not be read, or held */
    arrfree(line);
    if (f) fclose(f);
}
