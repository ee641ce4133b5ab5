#include "list.h"
#include "model/weight_table.h"

#include <math.h>

enum { FIRST_VALUES = 5 }; /* of a stored vector */

void list_pair(say *to, const model *m, const char *before)
{
    const int ahead = abs(m->lead);
    if (!m->beside) return;
    say_line(to, "%s%s and %s; %s predicts (", before, pair_learner[0], pair_learner[1], m->kind->name);
    json_text(&to->j, "beside", m->beside->kind->name);
    json_count(&to->j, "ahead", (uint64_t)ahead);
    if (ahead)
        say_line(to, "ahead by %d of %d)", ahead, LEAD_MOST);
    else
        say_line(to, "neither is ahead)");
}

/* ---- Columns ---- */

void list_dates(say *to, const model *m, const char *before, const char *behind, uint32_t first)
{
    char room[FEATURE_ROOM];
    uint32_t j;
    if (!m->date) return;
    json_open(&to->j, "dates", '[');
    for (j = 0; j < arrlenu(m->date); j++) {
        const enum date_order order = model_date(m, j);
        if (order == NO_DATE) continue;
        json_open(&to->j, NULL, '{');
        say_text(to, "feature", before, model_feature(m, j, first, room), "");
        json_text(&to->j, "order", date_word[order]);
        json_close(&to->j, '}');
        say_line(to, " (%s)", date_words[order]);
        before = ", ";
    }
    json_close(&to->j, ']');
    say_line(to, "%s", behind);
}

void list_offsets(say *to, const model *m, uint32_t first)
{
    char room[FEATURE_ROOM], text[32];
    uint32_t j;
    if (!m->offset) return;
    say_line(to, "\nless       ");
    json_open(&to->j, "offsets", '[');
    for (j = 0; j < arrlenu(m->offset); j++) {
        const char *name = model_feature(m, j, first, room);
        if (m->offset[j] == 0) continue;
        json_open(&to->j, NULL, '{');
        json_text(&to->j, "feature", name);
        snprintf(text, sizeof text, "%.17g", m->offset[j]);
        json_word(&to->j, "offset", text);
        json_close(&to->j, '}');
        say_line(to, "%s from %s%s", text, printable(name, SIZE_MAX), j + 1 < arrlenu(m->offset) ? ", " : "");
    }
    json_close(&to->j, ']');
}

/* ---- Probabilities ---- */

/* The numbers of a fit, see fit.h: of each label that has a score. */
static void put_fit(say *to, const model *m)
{
    static const char *const name[] = {"slope", "offset", "drift"};
    const uint32_t units = model_units(m);
    const float *own = m->fit + FIT_HEAD;
    uint32_t i, k;
    json_open(&to->j, "fit", '{');
    json_number(&to->j, "q0", (double)m->fit[0]);
    json_number(&to->j, "low", (double)m->fit[1]);
    json_number(&to->j, "high", (double)m->fit[2]);
    say_number(to, "power", "\nfitted     probabilities from scores; slopes go with the power ", (double)m->fit[3], "");
    say_number(to, "blur", " of the row's length, and of labels ", (double)m->fit[4], " are taken as drawn by chance");
    for (i = 0; i < LENGTH(name); i++) {
        json_open(&to->j, name[i], '[');
        for (k = 0; k < units; k++, own++) json_number(&to->j, NULL, (double)*own);
        json_close(&to->j, ']');
    }
    json_close(&to->j, '}');
    for (k = 0, own = m->fit + FIT_HEAD; k < units; k++)
        say_line(to, "\n           %s: %.6g score %+.6g %+.6g q", printable(model_unit_label(m, k), EXCERPT),
                 (double)own[k], (double)own[units + k], (double)own[2 * (size_t)units + k]);
}

void list_probabilities(say *to, const model *m)
{
    const uint32_t n = labels_count(&m->labels);
    say_number(to, "calibration_a", "\nsure       probabilities of ", (double)m->calibration.a, " score");
    say_number(to, "calibration_b", n == 2 ? " + " : ", b = ", (double)m->calibration.b, "");
    if (n == 2) say_number(to, "calibration_c", ", c = ", (double)m->calibration.c, "");
    say_number(to, "calibration_most", ", none above ", 1 / (1 + (n - 1) * model_least_odds(m)), "");
    if (m->fit) {
        put_fit(to, m);
        return;
    }
    json_word(&to->j, "fit", "null");
    say_line(to, "\nfitted     nothing: the line above gives all probabilities");
}

/* ---- Stored vectors ---- */

/* The slots that weigh most. */
static uint32_t heaviest_vectors(const pcn_kmodel *d, const double *coef, uint32_t *slot, uint32_t top)
{
    float *sum = allocate_zero(d->slots, sizeof *sum);
    pcn_linear l = {NULL, NULL, 0, 1, 0, 0, 0};
    size_t i;
    uint32_t n;
    for (i = 0; i < (size_t)d->slots * d->scores; i++) sum[i / d->scores] += (float)fabs(coef[i]);
    l.weight = sum;
    l.features = d->slots;
    n = pcn_linear_top(&l, 1, 1, slot, top);
    while (n && sum[slot[n - 1]] <= 0) n--;
    free(sum);
    return n;
}

/* With two labels a coefficient below 0 is for the first; in JSON it has its sign. */
static void put_coefficients(say *to, const model *m, const double *coef, uint32_t scores)
{
    const char *before = "";
    uint32_t c;
    for (c = 0; c < scores; c++) {
        const char *label = list_label(m, scores, c);
        if (coef[c] == 0) continue;
        json_open(&to->j, NULL, '{');
        json_text(&to->j, "label", label);
        json_number(&to->j, "coefficient", coef[c]);
        json_close(&to->j, '}');
        if (coef[c] < 0 && scores == 1) label = labels_text(&m->labels, 0);
        say_line(to, "%s%g %s %s", before, fabs(coef[c]), coef[c] < 0 && scores > 1 ? "against" : "for",
                 printable(label, SIZE_MAX));
        before = ", ";
    }
}

static void put_values(say *to, const model *m, uint32_t slot, uint32_t first)
{
    const pcn_vec z = vector_stored(&m->dual.model, slot);
    char room[FEATURE_ROOM];
    uint32_t i, shown = 0;
    for (i = 0; i < z.count && shown <= FIRST_VALUES; i++) {
        if (z.value[i] == 0 || shown++ == FIRST_VALUES) continue;
        json_open(&to->j, NULL, '{');
        say_text(to, "feature", " ", model_feature(m, z.index ? z.index[i] : i, first, room), ":");
        say_number(to, "value", "", (double)z.value[i], "");
        json_close(&to->j, '}');
    }
    if (shown > FIRST_VALUES) say_line(to, " ...");
}

static void put_vector(say *to, const model *m, uint32_t slot, const double *coef, uint32_t first)
{
    const pcn_kmodel *d = &m->dual.model;
    const uint32_t id = d->slot[slot].id;
    json *j = &to->j;
    json_open(j, NULL, '{');
    json_known(j, "row", (uint64_t)id + 1, id != PCN_NO_ID);
    if (id == PCN_NO_ID)
        say_line(to, "  a row, ");
    else
        say_line(to, "  row %lu, ", (unsigned long)id + 1);
    json_open(j, "coefficients", '[');
    put_coefficients(to, m, coef, d->scores);
    json_close(j, ']');
    say_line(to, ":");
    json_open(j, "features", '[');
    put_values(to, m, slot, first);
    json_close(j, ']');
    json_close(j, '}');
    say_line(to, "\n");
}

void list_vectors(say *to, const model *m, uint32_t top, uint32_t first)
{
    const pcn_kmodel *d = &m->dual.model;
    double *coef = vector_coefficients(d, m->decision);
    uint32_t *slot = allocate(top, sizeof *slot), n = heaviest_vectors(d, coef, slot, top), i;
    say_count(to, "support_vectors", "vectors    ", d->slots, "; those that weigh most:\n");
    json_open(&to->j, "vectors", '[');
    for (i = 0; i < n; i++) put_vector(to, m, slot[i], coef + (size_t)slot[i] * d->scores, first);
    json_close(&to->j, ']');
    free(coef);
    free(slot);
}

/* ---- States ---- */

/* Moves class c by a step of the stored vector; the biases are at the end. */
static void add_step(float *w, const pcn_kmodel *d, const pcn_log_entry *e)
{
    const pcn_vec z = vector_stored(d, e->slot);
    pcn_add(w + (size_t)e->cls * d->features, d->features, e->step, z);
    w[(size_t)d->features * d->scores + e->cls] += e->step * d->bias2;
}

/* A state begins with all steps of an update, at their clock, and ends with the next one. */
void list_states(say *to, const model *m, uint32_t first)
{
    listing lines = {.to = to, .first = first}, *s = &lines;
    const pcn_kmodel *d = &m->dual.model;
    const pcn_linear shape = {NULL, NULL, d->features, d->scores, 0, 0, 0};
    const int has_weights = m->kernel == KERNEL_LINEAR && (!to->text || d->features <= LISTING_FEW);
    float *w = has_weights ? allocate_zero(PCN_LINEAR_FLOATS(d->features, d->scores), sizeof *w) : NULL;
    float *step = allocate(d->scores, sizeof *step);
    uint32_t i = 0, number = 0;
    json_open(&s->to->j, "list", '[');
    while (i < d->entries) {
        const pcn_log_entry *e = &d->log[i];
        const uint32_t begun = e->clock, id = d->slot[e->slot].id;
        memset(step, 0, d->scores * sizeof *step);
        for (; i < d->entries && d->log[i].clock == begun; i++) {
            step[d->log[i].cls] = d->log[i].step;
            if (w) add_step(w, d, &d->log[i]);
        }
        json_open(&s->to->j, NULL, '{');
        listing_count(s, "state", ++number);
        listing_count(s, "survived", (i < d->entries ? d->log[i].clock : d->clock + 1) - begun);
        if (id != PCN_NO_ID) listing_count(s, "row", (uint64_t)id + 1);
        list_classes(s, m, "step", step);
        if (w) list_weights(s, m, &shape, "w", w, NULL);
        listing_end_line(s);
    }
    json_close(&s->to->j, ']');
    if (to->text) listing_print(s, to->text);
    free(w);
    free(step);
}
