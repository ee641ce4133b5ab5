/* Two learners of one stream, AROW and averaged PA-I, both with a mean that follows. They learn the same rows, and never
 * see each other. A counter says who predicts:
 *
 *     only averaged had the row right    lead += 1, up to LEAD_MOST
 *     only arow had it right             lead -= 1, down to -LEAD_MOST
 *
 * and averaged predicts while lead is above 0. So the errors are at most those of either learner and the times that it
 * has handed over to the other: while arow predicts, lead goes from 0 to 1 at most, so averaged wins one row more than it
 * there, or fewer. Likewise the other way round.
 *
 * The model's own learner is arow while they learn, and the one that leads in a file and behind it. */
#include "model.h"

const char *const pair_learner[2] = {"arow", "averaged"};

/* All that the two do not share. */
static void take_own(model *to, const model *from)
{
    to->kind = from->kind;
    to->trainer = from->trainer;
    to->arrays = from->arrays;
    to->mean = from->mean;
    to->calibration = from->calibration;
    to->image = from->image;
    to->bytes = from->bytes;
    to->info = from->info;
}

void pair_begin(model *m)
{
    m->beside = allocate_zero(1, sizeof *m->beside);
    m->beside->kind = learner_named(pair_learner[1]);
}

void pair_end(model *m)
{
    if (!m->beside) return;
    arrays_free(&m->beside->arrays);
    free(m->beside->mean);
    free(m->beside);
    m->beside = NULL;
    m->lead = 0;
}

void pair_leave(model *m)
{
    static const char *const own[2][3] = {{"decision=", "r=", "regrow="}, {"rule=", "aggressive=", "rule="}};
    const int other = model_can(m, CAN_R) != 0;
    size_t i, k, n = 0;
    if (!m->beside) return;
    pair_end(m);
    for (i = 0; i < arrlenu(m->kept); i++) {
        for (k = 0; k < LENGTH(own[other]);)
            if (strncmp(m->kept[i], own[other][k], strlen(own[other][k])) == 0)
                break;
            else
                k++;
        if (k < LENGTH(own[other]))
            free(m->kept[i]);
        else
            m->kept[n++] = m->kept[i];
    }
    arrsetlen(m->kept, n);
}

void pair_share(model *m)
{
    const model own = *m->beside;
    *m->beside = *m;
    take_own(m->beside, &own);
    m->beside->beside = NULL;
}

void pair_note(model *m, int first_right, int second_right)
{
    if (second_right && !first_right && m->lead < LEAD_MOST) m->lead++;
    if (first_right && !second_right && m->lead > -LEAD_MOST) m->lead--;
}

int pair_turn(model *m, int first)
{
    const model own = *m;
    if (!m->beside || model_can(m, CAN_R) == (first || !pair_second_leads(m))) return 0;
    take_own(m, m->beside);
    take_own(m->beside, &own);
    return 1;
}

void pair_load(model *m, int batched)
{
    model *other = m->beside;
    const pcn_image *info = &m->info;
    if (other) {
        pair_share(m);
        stored_take(other);
        if (pcn_image_read(&other->info, other->image, other->bytes) < 0 || other->info.kind != PCN_KIND_PERCEPTRON ||
            other->info.features != info->features || other->info.scores != info->scores)
            die(EXIT_INPUT, "%s: damaged: what its second learner has learned", m->file);
        model_load(other, batched);
    }
    model_load(m, batched);
}
