/* Models as text for LIBLINEAR and LIBSVM. */
#include "export.h"

void export_check_labels(const model *m, const char *whose)
{
    uint32_t k;
    long value, before = 0;
    for (k = 0; k < labels_count(&m->labels); before = value, k++) {
        if (!label_is_integer(labels_text(&m->labels, k), &value))
            die(EXIT_USAGE, "label '%s' is not an integer: %s has no others, --format c has",
                labels_text(&m->labels, k), whose);
        if (k > 0 && value == before)
            die(EXIT_USAGE, "labels '%s' and '%s' are one number, and %s has no texts: --format c tells them apart",
                labels_text(&m->labels, k - 1), labels_text(&m->labels, k), whose);
    }
}

/* Both tools give a score > 0 of two labels the first of the header, and 0 the second: the first is the
 * class that a score of 0 does not get, and the scores are turned to it by this sign. */
static int first_sign(const model *m)
{
    return m->zero_negative ? 1 : -1;
}

static void put_two_labels(FILE *f, const model *m)
{
    uint32_t first = m->zero_negative ? 1 : 0;
    fprintf(f, "label %s %s\n", labels_text(&m->labels, first), labels_text(&m->labels, 1 - first));
}

/* Ties go to the lowest class there, too. */
void export_liblinear(FILE *f, const model *m)
{
    pcn_linear l = m->predictor;
    int sign = l.scores == 1 ? first_sign(m) : 1, biased = 0;
    uint32_t c, j;
    for (c = 0; c < l.scores; c++) biased |= l.bias[c] != 0;
    fprintf(f, "solver_type %s\nnr_class %lu\n", l.scores == 1 ? "L2R_L2LOSS_SVC_DUAL" : "MCSVM_CS",
            (unsigned long)labels_count(&m->labels));
    if (l.scores == 1) {
        put_two_labels(f, m);
    } else {
        fputs("label", f);
        for (c = 0; c < l.scores; c++) fprintf(f, " %s", labels_text(&m->labels, c));
        fputc('\n', f);
    }
    fprintf(f, "nr_feature %lu\nbias %d\nw\n", (unsigned long)l.features, biased ? 1 : -1);
    for (j = 0; j < l.features + (uint32_t)biased; j++) {
        for (c = 0; c < l.scores; c++) { /* the bias is one feature more */
            float w = j < l.features ? l.weight[(size_t)c * l.features + j] : l.bias[c];
            fprintf(f, "%.17g ", sign * (double)w);
        }
        fputc('\n', f);
    }
}

static void put_values(FILE *f, pcn_vec z)
{
    uint32_t i;
    for (i = 0; i < z.count; i++)
        if (z.value[i] != 0)
            fprintf(f, " %lu:%.17g", (unsigned long)(z.index ? z.index[i] : i) + 1, (double)z.value[i]);
    fputc('\n', f);
}

/* One vector a class. Its classes vote in pairs, and a decision value of 0 votes for the second of a
 * pair: in descending order ties go to the lowest class. The vector of the p-th class counts +1 against
 * later ones, -1 against earlier ones. */
static void write_svm_classes(FILE *f, const model *m, const pcn_linear *l)
{
    uint32_t n = l->scores, i, k;
    fprintf(f, "svm_type c_svc\nkernel_type linear\nnr_class %lu\ntotal_sv %lu\nrho", (unsigned long)n,
            (unsigned long)n);
    for (i = n; i-- > 0;)
        for (k = i; k-- > 0;) fprintf(f, " %.17g", (double)l->bias[k] - (double)l->bias[i]);
    fputs("\nlabel", f);
    for (i = n; i-- > 0;) fprintf(f, " %s", labels_text(&m->labels, i));
    fputs("\nnr_sv", f);
    for (i = 0; i < n; i++) fputs(" 1", f);
    fputs("\nSV\n", f);
    for (i = n; i-- > 0;) {
        for (k = 1; k < n; k++) fprintf(f, "%s ", k < n - i ? "-1" : "1");
        put_values(f, pcn_dense(l->weight + (size_t)i * l->features, l->features));
    }
}

/* Two labels: f(x) = sum of coef[s] K(x, z[s]) - rho. Vectors that speak for the first label come first. */
static void write_svm_pair(FILE *f, const model *m, const pcn_kernel *kernel, const pcn_vec *z, const double *coef,
                           uint32_t n, double rho)
{
    static const char *const type[] = {"linear", "polynomial", "rbf"};
    int sign = first_sign(m), turn;
    uint32_t s, first = 0, second = 0;
    for (s = 0; s < n; s++) {
        first += sign * coef[s] > 0;
        second += sign * coef[s] < 0;
    }
    fprintf(f, "svm_type c_svc\nkernel_type %s\n", type[kernel->id - 1]);
    if (kernel->id == 2) fprintf(f, "degree %lu\n", (unsigned long)kernel->degree);
    if (kernel->id != 1) fprintf(f, "gamma %.17g\n", (double)kernel->gamma);
    if (kernel->id == 2) fprintf(f, "coef0 %.17g\n", (double)kernel->coef0);
    fprintf(f, "nr_class 2\ntotal_sv %lu\nrho %.17g\n", (unsigned long)first + second, sign * rho);
    put_two_labels(f, m);
    fprintf(f, "nr_sv %lu %lu\nSV\n", (unsigned long)first, (unsigned long)second);
    for (turn = 1; turn >= -1; turn -= 2)
        for (s = 0; s < n; s++)
            if (turn * sign * coef[s] > 0) {
                fprintf(f, "%.17g", sign * coef[s]);
                put_values(f, z[s]);
            }
}

static void write_svm_kernel(FILE *f, const model *m)
{
    const pcn_kmodel *d = &m->dual.model;
    double *coef = vector_coefficients(d, m->decision), sum = 0;
    pcn_vec *z = allocate(d->slots, sizeof *z);
    uint32_t s;
    for (s = 0; s < d->slots; s++) {
        z[s] = vector_stored(d, s);
        sum += coef[s];
    }
    write_svm_pair(f, m, &d->kernel, z, coef, d->slots, -(double)d->bias2 * sum);
    free(coef);
    free(z);
}

static void write_svm_linear(FILE *f, const model *m)
{
    pcn_linear l = m->predictor;
    pcn_kernel kernel = pcn_kernel_linear();
    pcn_vec w = pcn_dense(l.weight, l.features);
    double one = 1;
    if (l.scores == 1)
        write_svm_pair(f, m, &kernel, &w, &one, 1, -(double)l.bias[0]);
    else
        write_svm_classes(f, m, &l);
}

void export_libsvm(FILE *f, const model *m)
{
    if (model_vectors(m))
        write_svm_kernel(f, m);
    else
        write_svm_linear(f, m);
}
