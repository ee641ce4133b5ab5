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

void pair_begin(model *m, const learner *second)
{
    m->beside = allocate_zero(1, sizeof *m->beside);
    m->beside->kind = second;
}

void pair_end(model *m)
{
    if (!m->beside) return;
    m->beside->work = NULL; /* m's */
    m->beside->kind->family->free(m->beside);
    free(m->beside);
    m->beside = NULL;
    m->lead = 0;
    if (!model_can(m, CAN_DECISION)) m->decision = 0; /* as where it has learned alone */
}

/* Is it an option of arow, or of averaged, that the other has not? */
static int is_own(const char *kept, int arow)
{
    static const char *const own[2][3] = {{"rule=", "aggressive=", NULL}, {"decision=", "r=", "regrow="}};
    size_t k = 0;
    while (k < LENGTH(own[arow]) && own[arow][k] && strncmp(kept, own[arow][k], strlen(own[arow][k])) != 0) k++;
    return k < LENGTH(own[arow]) && own[arow][k];
}

void pair_leave(model *m)
{
    size_t i, n = 0;
    if (!m->beside) return;
    pair_end(m);
    for (i = 0; i < arrlenu(m->kept); i++) {
        if (is_own(m->kept[i], !model_can(m, CAN_R)))
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
