#include "reading.h"
#include "processes.h"

void found_number(reading *r)
{
    uint32_t i, k, n = labels_count(&r->found), *class_of = allocate(n, sizeof *class_of);
    int same = 1;
    for (k = 0; k < n; k++) {
        class_of[k] = labels_find(&r->m->labels, labels_text(&r->found, k));
        same &= class_of[k] == k;
    }
    for (i = 0; !same && i < r->data.count; i++) r->data.label[i] = class_of[r->data.label[i]];
    free(class_of);
}

/* A new string: the label as rows have it. */
static char *label_of_rows(const reader *in, const char *text)
{
    return reader_labels_are_numbers(&in->options, in->format) ? label_canonical(text) : copy_text(text);
}

void found_begin(reading *r, const reader *in)
{
    const char *text = r->s->classes;
    long number;
    char *copy, *label;
    r->most_classes = r->streams || r->s->resume ? STREAM_CLASSES : 0;
    if (!text) return;
    if (!strchr(text, ',')) {
        if (!label_is_integer(text, &number) || number < 2)
            die(EXIT_USAGE, "--classes %s: give a number from 2 on, or labels with commas", text);
        r->most_classes = (uint32_t)number;
        return;
    }
    if (r->s->resume) die(EXIT_USAGE, "--classes %s: the model has labels; a number says how many there may be", text);
    copy = copy_text(text);
    for (label = strtok(copy, ","); label; label = strtok(NULL, ",")) {
        char *own = label_of_rows(in, label);
        labels_add(&r->found, own);
        free(own);
    }
    free(copy);
    if (labels_count(&r->found) < 2) die(EXIT_USAGE, "--classes %s: two labels at least", text);
    r->given = 1;
}

const char *found_fixed(const reading *r)
{
    if (r->s->refuse_new) return "--fixed takes nothing new";
    if (process_count() > 1) return "several processes take nothing new, one does";
    return model_can(r->m, CAN_GROW) ? NULL : "its learner takes nothing new";
}

/* Ends the program if it may not be one more of those known. */
static void check_new_label(const reading *r, const reader *in, uint32_t known)
{
    const settings *s = r->s;
    const int few = !s->refuse_new && process_count() == 1 && known < 2;
    const char *why = s->resume && !few ? found_fixed(r) : NULL;
    if (why) reader_fail(in, "label %s is not one of the model's: %s", printable(in->label, EXCERPT), why);
    if (r->given) reader_fail(in, "label %s is not one of the --classes", printable(in->label, EXCERPT));
    if (r->streams && known == 2 && !model_can(r->m, CAN_GROW))
        reader_fail(in,
                    "label %s is a third one, and %s learns two labels online; --classes A,B,C says beforehand that "
                    "there are more",
                    printable(in->label, EXCERPT), r->m->kind->name);
    if (r->most_classes && known >= r->most_classes)
        reader_fail(in, "label %s is one more than %lu labels%s: --classes says how many there may be",
                    printable(in->label, EXCERPT), (unsigned long)r->most_classes,
                    s->classes ? "" : ", and values are not estimated, each is a class");
}

uint32_t found_label(reading *r, const reader *in)
{
    labels *known = r->s->resume && !r->streams ? &r->m->labels : &r->found;
    const uint32_t label = labels_find(known, in->label);
    if (label != NO_LABEL) return label;
    check_new_label(r, in, labels_count(known));
    return labels_add(known, in->label);
}
