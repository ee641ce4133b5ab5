/* What a trainer in C has stored comes back: images one behind the other, as export_trainer.c writes their code. */
#include "export.h"

/* Remembers --follow, where train would: options stand in the order of their table. */
static void remember_following(model *m)
{
    size_t i, behind = 0;
    for (i = 0; i < arrlenu(m->kept); i++)
        if (strncmp(m->kept[i], "rule=", 5) == 0 || strncmp(m->kept[i], "regrow=", 7) == 0) behind = i + 1;
    arrput(m->kept, NULL);
    for (i = arrlenu(m->kept) - 1; i > behind; i--) m->kept[i] = m->kept[i - 1];
    m->kept[behind] = copy_text("follow=");
}

/* Makes m the trainer that NAME_start begins with. */
static void begin_trainer(model *m, const char *like)
{
    model_open(m, like);
    model_load(m, 0);
    model_sort_classes(m); /* as NAME_label has them; they stay so, since the device learns in this order */
    export_check_trainer(m);
    pair_leave(m);
    m->frozen = 0;
    if (!m->arrays.sum || m->follows) return;
    must(pcn_perceptron_use_following(&m->trainer));
    m->follows = 1;
    remember_following(m);
}

/* Do the bytes of a trainer with a mean lack its sums? Other factories are as long as their states. */
static int is_factory(const model *m, const uint8_t *bytes, size_t size)
{
    return m->arrays.sum && size > 12 && !(bytes[12] & PCN_PART_SUMS);
}

/* Ends the program unless the bytes are as many as a state has, or a page of flash that goes on with 0xff. */
static void check_length(const char *name, const char *like, const uint8_t *bytes, size_t size, size_t state)
{
    size_t used = size;
    if (size < state)
        die(EXIT_INPUT, "%s: %zu bytes: what the trainer of %s has stored is %zu bytes long", name, size, like, state);
    while (used > state && bytes[used - 1] == 0xff) used--;
    if (used > state)
        die(EXIT_INPUT, "%s: the state of a trainer of %s ends after %zu bytes, and at byte %zu is something else",
            name, like, state, used);
}

static void check_part(const char *name, const char *what, int result)
{
    if (result < 0) die(EXIT_INPUT, "%s: the image of the %s: %s", name, what, pcn_error_text(result));
}

/* Loads the images, which begin at these bytes. */
static void load_parts(model *m, const char *name, const uint8_t *bytes, size_t weights, size_t scaler)
{
    check_part(name, "weights", pcn_perceptron_load(&m->trainer, bytes, weights));
    if (scaler) check_part(name, "scaler", pcn_scaler_load(&m->scaler, bytes + weights, scaler));
    if (model_calibrated(m))
        check_part(name, "probabilities",
                   pcn_calibration_load(&m->calibration, bytes + weights + scaler, PCN_CALIBRATION_IMAGE));
    model_end_fit(m); /* the device has gone on with the calibration alone */
    if (is_factory(m, bytes, weights)) m->trainer.learner.clock = TRAINER_ROWS;
}

void import_state(const char *name, const char *like, model *m)
{
    const pcn_linear *l = &m->trainer.live;
    size_t size, weights, scaler, all;
    uint8_t *bytes;
    pcn_image info;
    begin_trainer(m, like);
    bytes = read_file(name, &size);
    weights = pcn_perceptron_save_part(&m->trainer, 0, NULL, 0);
    if (is_factory(m, bytes, size)) weights -= 2 * sizeof(float) * model_numbers(l);
    scaler = m->scaler.features ? PCN_SCALER_IMAGE(m->scaler.features) : 0;
    all = weights + scaler + (model_calibrated(m) ? PCN_CALIBRATION_IMAGE : 0);
    if (pcn_image_read(&info, bytes, size) == PCN_OK && (info.features != l->features || info.scores != l->scores))
        die(EXIT_INPUT, "%s: of a trainer of %lu features and %lu labels: %s has %lu and %lu", name,
            (unsigned long)info.features, (unsigned long)PCN_CLASSES(info.scores), like, (unsigned long)l->features,
            (unsigned long)labels_count(&m->labels));
    check_length(name, like, bytes, size, all);
    load_parts(m, name, bytes, weights, scaler);
    free(bytes);
}
