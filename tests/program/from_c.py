"""Images that a C program saves, without a section for names and labels: show says what is in them, predict
--image --zero-based predicts as the C program does, export exports them, and what they cannot be used for is refused."""
import json
import os
import re
import shlex
import struct
import subprocess
import zlib

from cli import OUT, check, finish, get, image, must, put, refused, train

CC = [*shlex.split(os.environ.get("CC") or "cc"), "-std=c99", "-O1", "-Wall", "-Wextra", "-I."]

# Rows have small multiples of 1/4, so that sums are exact in any order. NAME.svm: those of a number of classes, with
# indices from 0. NAME.pcn: an image; NAME.txt: what the C program predicts of each row.
PROGRAM = r"""
#define PERCEPTRON_IMPLEMENTATION
#define PERCEPTRON_GROW
#include <stdio.h>
#include <stdlib.h>
#include "perceptron.h"

enum { ROWS = 60, FEATURES = 7, MOST = 3, SLOTS = 12 };
static float x[ROWS][FEATURES];
static int16_t whole[ROWS][FEATURES];
static int label[ROWS];
static uint32_t seed = 9, index_of[FEATURES] = {0, 1, 2, 3, 4, 5, 6};

static FILE *out(const char *name, const char *end)
{
    char path[200];
    FILE *f;
    sprintf(path, OUT "/%s%s", name, end);
    f = fopen(path, "wb");
    if (!f) exit(1);
    return f;
}

static int draw(int n)
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 16) % n;
}

/* Labels are -1 and 1 if there is one class, else the class. */
static void make_rows(const char *name, int classes)
{
    FILE *f = out(name, ".svm");
    int i, j, sum, n = classes == 1 ? 2 : classes;
    for (i = 0; i < ROWS; i++) {
        for (j = sum = 0; j < FEATURES; j++) {
            whole[i][j] = (int16_t)(draw(3) ? 0 : draw(9) - 3);
            x[i][j] = 0.25f * whole[i][j];
            sum += (j % n + 1) * (whole[i][j] > 0);
        }
        label[i] = sum % n;
        if (classes == 1) label[i] = label[i] ? 1 : -1;
        fprintf(f, "%d", label[i]);
        for (j = 0; j < FEATURES; j++)
            if (x[i][j] != 0) fprintf(f, " %d:%g", j, x[i][j]);
        fprintf(f, "\n");
    }
    fclose(f);
}

static void save(const char *name, size_t (*write)(const void *m, void *to, size_t size), const void *m)
{
    size_t size = write(m, NULL, 0);
    unsigned char *bytes = malloc(size + 1);
    FILE *f = out(name, ".pcn");
    write(m, bytes, size);
    fwrite(bytes, 1, size, f);
    fclose(f);
    free(bytes);
}

#define WRITER(type) \
    static size_t write_##type(const void *m, void *to, size_t size) { return pcn_##type##_save(m, 0, to, size); }
WRITER(linear)
WRITER(perceptron)
WRITER(kmodel)
WRITER(kperceptron)
WRITER(ilinear)
WRITER(iperceptron)

/* As a label. */
static void put_class(FILE *f, int class, uint32_t classes)
{
    fprintf(f, "%d\n", classes == 1 && class == 0 ? -1 : class);
}

static void predict_linear(const char *name, const pcn_linear *m)
{
    FILE *f = out(name, ".txt");
    int i;
    for (i = 0; i < ROWS; i++)
        put_class(f, pcn_linear_predict(m, pcn_sparse(index_of, x[i], FEATURES)), m->classes);
    fclose(f);
}

enum { AVERAGED = 1, BY_FEATURE = 2, AROW = 4, WINNOW = 8, BALANCED = 16, BATCH = 32, FROZEN = 64, NEGATIVE = 128,
       COLLECTS = 256 /* the last batch is not applied */ };

static void linear(const char *name, int classes, int how)
{
    static float memory[PCN_PERCEPTRON_FLOATS(FEATURES, MOST)], sum[PCN_AVERAGING_FLOATS(FEATURES, MOST)],
        state[PCN_LINEAR_FLOATS(FEATURES, MOST)], batch[PCN_LINEAR_FLOATS(FEATURES, MOST)],
        mean[PCN_LINEAR_FLOATS(FEATURES, MOST)];
    pcn_perceptron t;
    pcn_linear m;
    int i, epoch, bad = 0, end;
    make_rows(name, classes);
    bad |= pcn_perceptron_init(&t, FEATURES, (uint32_t)classes, memory, sizeof memory);
    if (how & BY_FEATURE) bad |= pcn_perceptron_use_feature_major(&t);
    if (how & AROW) bad |= pcn_perceptron_use_confidence(&t, 1, state, sizeof state);
    if (how & (WINNOW | BALANCED))
        bad |= pcn_perceptron_use_winnow(&t, 2, (how & BALANCED) != 0, state, sizeof state);
    if (how & AVERAGED) bad |= pcn_perceptron_use_averaging(&t, sum, sizeof sum);
    if (how & BATCH) bad |= pcn_perceptron_use_batch(&t, batch, sizeof batch);
    if (how & NEGATIVE) t.live.zero_negative = 1;
    for (epoch = 0; epoch < 2; epoch++)
        for (i = 0; i < ROWS; i++) {
            const pcn_vec row = pcn_sparse(index_of, x[i], FEATURES);
            int result = pcn_perceptron_learn(&t, row, label[i]);
            if (result < 0) bad = result;
            if (how & BATCH && i % 4 == 3 && !(how & COLLECTS && epoch == 1 && i > 30))
                bad |= pcn_perceptron_apply_batch(&t, 1) < 0;
        }
    end = pcn_perceptron_final(&t, &m, mean, sizeof mean);
    if (end != (how & COLLECTS ? PCN_EBATCH : PCN_OK)) bad = end;
    if (how & COLLECTS) m = t.live;
    if (bad) printf("%s: %s\n", name, pcn_error_text(bad));
    predict_linear(name, &m);
    if (how & FROZEN) save(name, write_linear, &m);
    else save(name, write_perceptron, &t);
    if (!how && classes == 1) { /* its weights, for show */
        FILE *f = out(name, ".weights");
        for (i = 0; i < FEATURES; i++) fprintf(f, "%d,%s,%.9g\n", i, "1", m.weight[i]);
        fprintf(f, "(bias),1,%.9g\n", m.bias[0]);
        fclose(f);
    }
}

enum { DENSE = 1, LOG = 2, SMALL = 4, MODEL = 8 };

static void kernel(const char *name, pcn_kernel k, int classes, int how)
{
    static float memory[PCN_KPERCEPTRON_FLOATS(FEATURES, MOST, SLOTS)], work[1000];
    static pcn_slot slot[SLOTS];
    pcn_kperceptron t;
    FILE *f;
    int i, epoch, bad = 0, predicted = 0;
    make_rows(name, classes);
    if (how & SMALL)
        bad |= pcn_kperceptron_init(&t, k, FEATURES, (uint32_t)classes, slot, SLOTS, memory, sizeof memory);
    else
        bad |= pcn_kperceptron_init(&t, k, FEATURES, (uint32_t)classes, NULL, 0, memory, sizeof memory);
    t.admit = how & SMALL ? pcn_admit_oldest : pcn_admit_grow;
    if (!(how & DENSE)) bad |= pcn_kperceptron_use_sparse(&t, NULL, NULL, 0);
    if (how & LOG) bad |= pcn_kperceptron_use_log(&t, NULL, 0);
    for (epoch = 0; epoch < 2; epoch++)
        for (i = 0; i < ROWS; i++) {
            int result = pcn_kperceptron_learn(&t, pcn_sparse(index_of, x[i], FEATURES), label[i], (uint32_t)i);
            if (result < 0) bad = result;
        }
    if (bad) printf("%s: %s\n", name, pcn_error_text(bad));
    f = out(name, ".txt");
    for (i = 0; i < ROWS; i++) {
        const pcn_vec row = pcn_sparse(index_of, x[i], FEATURES);
        pcn_kmodel_predict(&t.model, how & LOG ? PCN_DECIDE_MEAN : PCN_DECIDE_LAST, &row, 1, &predicted, work,
                           sizeof work);
        put_class(f, predicted, t.model.classes);
    }
    fclose(f);
    if (how & MODEL) save(name, write_kmodel, &t.model);
    else save(name, write_kperceptron, &t);
    if (!(how & SMALL)) pcn_kperceptron_free(&t);
}

/* Saves a trainer, with and without a mean, and a model of 8 or 16 bits; and the weights that predict. */
static void integer(const char *name, int classes, int averaged, uint32_t bits)
{
    static int32_t memory[PCN_IPERCEPTRON_NUMBERS(FEATURES, MOST)], mean[PCN_IPERCEPTRON_NUMBERS(FEATURES, MOST)];
    static int64_t sum[PCN_IPERCEPTRON_NUMBERS(FEATURES, MOST)];
    static int16_t narrow[FEATURES * MOST];
    static int32_t bias[MOST];
    static uint16_t scale[MOST];
    pcn_iperceptron t;
    pcn_ilinear m;
    FILE *f;
    int i, j, bad;
    make_rows(name, classes);
    bad = pcn_iperceptron_init(&t, FEATURES, (uint32_t)classes, memory, sizeof memory);
    if (averaged) bad |= pcn_iperceptron_use_averaging(&t, sum, sizeof sum);
    for (i = 0; i < ROWS; i++) bad |= pcn_iperceptron_learn(&t, pcn_idense(whole[i], FEATURES), label[i]) < 0;
    bad |= pcn_iperceptron_final(&t, &m, mean, sizeof mean);
    if (bad) printf("%s: %d\n", name, bad);
    if (bits < 32) {
        for (i = 0; i < classes * FEATURES; i++) {
            if (bits == 8) ((int8_t *)narrow)[i] = (int8_t)(i * 7 % 50 - 25);
            else narrow[i] = (int16_t)(i * 701 % 5000 - 2500);
        }
        for (i = 0; i < classes; i++) bias[i] = 1000 - 900 * i, scale[i] = (uint16_t)(3 + i);
        m.weight = narrow;
        m.bias = bias;
        m.scale = scale;
        m.bits = (uint8_t)bits;
        save(name, write_ilinear, &m);
    } else {
        save(name, write_iperceptron, &t);
    }
    f = out(name, ".weights");
    for (j = 0; j <= FEATURES; j++)
        for (i = 0; i < classes; i++) {
            int at = i * FEATURES + j, by = m.scale ? m.scale[i] : 1;
            int w = j == FEATURES ? m.bias[i] : bits == 8 ? ((const int8_t *)m.weight)[at]
                    : bits == 16 ? ((const int16_t *)m.weight)[at] : ((const int32_t *)m.weight)[at];
            if (j == FEATURES) fprintf(f, "(bias)");
            else fprintf(f, "%d", j);
            fprintf(f, ",%d,%d\n", classes == 1 ? 1 : i, w * by);
        }
    fclose(f);
}

int main(void)
{
    linear("binary", 1, 0);
    linear("negative", 1, NEGATIVE);
    linear("frozen", 1, FROZEN);
    linear("averaged", 1, AVERAGED);
    linear("arow", 1, AROW);
    linear("averaged_arow", 1, AROW | AVERAGED);
    linear("winnow", 1, WINNOW);
    linear("averaged_winnow", 1, BALANCED | AVERAGED);
    linear("batch", 1, BATCH);
    linear("collects", 1, BATCH | COLLECTS);
    linear("two", 2, AVERAGED);
    linear("three", 3, 0);
    linear("frozen_three", 3, FROZEN);
    linear("averaged_three", 3, AVERAGED);
    linear("by_feature", 3, BY_FEATURE | AVERAGED);
    linear("winnow_three", 3, WINNOW | BY_FEATURE);
    kernel("rbf", pcn_kernel_rbf(0.5f), 1, 0);
    kernel("dense", pcn_kernel_rbf(0.5f), 1, DENSE);
    kernel("mean", pcn_kernel_poly(2, 1, 1), 1, LOG);
    kernel("kernel_two", pcn_kernel_linear(), 2, LOG | DENSE);
    kernel("kernel_three", pcn_kernel_rbf(0.25f), 3, MODEL);
    kernel("forgets", pcn_kernel_rbf(0.5f), 1, DENSE | SMALL);
    integer("whole", 1, 0, 32);
    integer("whole_three", 3, 1, 32);
    integer("bits8", 3, 0, 8);
    integer("bits16", 1, 0, 16);
    return 0;
}
"""

# Name -> algorithm, what C saved, and its options
IMAGES = {
    "binary": ("perceptron", "pcn_perceptron", "--zero-class positive"),
    "negative": ("perceptron", "pcn_perceptron", "--zero-class negative"),
    "frozen": ("perceptron", "pcn_linear", "--zero-class positive"),
    "averaged": ("averaged", "pcn_perceptron", "--zero-class positive"),
    "arow": ("arow", "pcn_perceptron", "--decision last --zero-class positive"),
    "averaged_arow": ("arow", "pcn_perceptron", "--decision averaged --zero-class positive"),
    "winnow": ("winnow", "pcn_perceptron", "--threshold 2 --zero-class positive"),
    "averaged_winnow": ("balanced-winnow", "pcn_perceptron", "--threshold 2 --zero-class positive"),
    "batch": ("perceptron", "pcn_perceptron", "--zero-class positive"),
    "collects": ("perceptron", "pcn_perceptron", "--zero-class positive"),
    "two": ("averaged", "pcn_perceptron", "--zero-class negative"),
    "three": ("perceptron", "pcn_perceptron", ""), "frozen_three": ("perceptron", "pcn_linear", ""),
    "averaged_three": ("averaged", "pcn_perceptron", ""), "by_feature": ("averaged", "pcn_perceptron", ""),
    "winnow_three": ("winnow", "pcn_perceptron", "--threshold 2"),
    "rbf": ("kernel", "pcn_kmodel", "--kernel rbf --gamma 0.5 --decision last --zero-class positive"),
    "dense": ("kernel", "pcn_kmodel", "--kernel rbf --gamma 0.5 --decision last --zero-class positive"),
    "mean": ("kernel", "pcn_kmodel",
             "--kernel poly --degree 2 --gamma 1 --coef0 1 --decision last --zero-class positive"),
    "kernel_two": ("kernel", "pcn_kmodel", "--kernel linear --decision last --zero-class negative"),
    "kernel_three": ("kernel", "pcn_kmodel", "--kernel rbf --gamma 0.25 --decision last"),
    "forgets": ("kernel", "pcn_kmodel", "--kernel rbf --gamma 0.5 --decision last --zero-class positive"),
}
INTEGERS = {"whole": ("perceptron", "pcn_iperceptron"), "whole_three": ("averaged", "pcn_iperceptron"),
            "bits8": ("perceptron", "pcn_ilinear"), "bits16": ("perceptron", "pcn_ilinear")}


def make_images():
    source = put("save.c", PROGRAM)
    subprocess.run([*CC, f'-DOUT="{OUT}"', source, "-o", OUT + "/save", "-lm"], check=True)
    done = subprocess.run([OUT + "/save"], check=True, capture_output=True, text=True)
    check(done.stdout == "", f"the C program: {done.stdout}")


def file(name, end="pcn"):
    return f"{OUT}/{name}.{end}"


def classes_of(name):
    return struct.unpack_from("<I", get(file(name)), 20)[0]


def labels_of(name):
    return ["-1", "1"] if classes_of(name) == 1 else [str(k) for k in range(classes_of(name))]


def predicted(name, *options, image=None):
    return must("predict", "--image", "--zero-based", "-q", *options, file(name, "svm"), image or file(name)).split()


def test_predict():
    for name in IMAGES:
        more = ("--decision", "averaged") if name in ("mean", "kernel_two") else ()
        expected, truth = get(file(name, "txt")).decode().split(), get(file(name, "svm")).decode().splitlines()
        got = predicted(name, *more)
        check(got == expected and len(set(got)) > 1, f"{name}: {got}, {expected} expected")
        said = json.loads(must("predict", "--image", "--zero-based", "--json", *more, file(name, "svm"), file(name)))
        wrong = sum(a != row.split()[0] for a, row in zip(expected, truth))
        check((said["errors"], said["rows"], said["ignored"]) == (wrong, 60, 0), f"{name}: {said}, {wrong} expected")
    one_more = re.sub(r"(\d+):", lambda found: f"{int(found.group(1)) + 1}:", get(file("binary", "svm")).decode())
    check(must("predict", "--image", "-q", put("more.svm", one_more), file("binary")).split() == predicted("binary"),
          "indices from 1 without it")
    table = ""
    for label, *pairs in map(str.split, get(file("three", "svm")).decode().splitlines()):
        value = dict(pair.split(":") for pair in pairs)
        table += ",".join([*(value.get(str(j), "0") for j in range(7)), label]) + "\n"
    check(must("predict", "--image", "-q", put("t.csv", table), file("three")).split() == predicted("three"), "columns in order")


def test_scores():
    """Of two classes with a score each the difference of both decides; curves and thresholds are about it."""
    rows = file("two", "svm")
    lines = must("predict", "--image", "--zero-based", "-q", "-s", rows, file("two")).splitlines()
    check(lines[0] == "label 0 1", f"a score of each class: {lines[0]}")
    scores = [tuple(map(float, line.split()[1:])) for line in lines[1:]]
    check([line.split()[0] for line in lines[1:]] == [str(int(b > a)) for a, b in scores], "the greater score wins")
    margins = sorted(b - a for a, b in scores)
    for threshold in (margins[20], (margins[40] + margins[41]) / 2):
        got = predicted("two", "--threshold", str(threshold))
        unsure = [abs(b - a - threshold) < 1e-4 for a, b in scores]
        check(all(u or g == str(int(b - a > threshold)) for g, u, (a, b) in zip(got, unsure, scores)),
              f"--threshold {threshold}")
    truth = [int(line.split()[0]) for line in get(rows).decode().splitlines()]
    pairs = [(p > n) + (p == n) / 2 for p, l in zip([b - a for a, b in scores], truth) if l
             for n, k in zip([b - a for a, b in scores], truth) if not k]
    auc = json.loads(must("predict", "--image", "--zero-based", "--json", "--report", rows, file("two")))["report"]["auc"]
    check(abs(auc - sum(pairs) / len(pairs)) < 1e-6, f"AUC {auc}, {sum(pairs) / len(pairs)} expected")


def test_show():
    for name, (algorithm, saved, options) in IMAGES.items():
        lines = must("show", "--top", "3", file(name)).splitlines()
        rows, updates, mistakes = struct.unpack_from("<3Q", get(file(name)), 32)
        alone = "learned    not in the file: it has the weights alone"
        expected = [f"algorithm  {algorithm}",
                    f"image      {saved} alone, as C saves it: features and classes are numbers from 0",
                    f"options    {options and ' '}{options}".replace("    ", "   ", 1) if options else "options   ",
                    f"learned    {rows} rows, {updates} updates, {mistakes} mistakes" if rows else alone,
                    f"classes    {len(labels_of(name))}: " + " ".join(labels_of(name)), "features   7",
                    f"bytes      {len(get(file(name)))}"]
        check(lines[:7] == expected, f"{name}: {lines[:7]}, {expected} expected")
        said = json.loads(must("show", "--json", file(name)))
        check((said["algorithm"], said["image"], said["labels"], said["features"], said["rows"]) ==
              (algorithm, saved, labels_of(name), 7, rows or None), f"{name} as JSON: {said}")
    check(must("show", "--csv", file("binary")) == "feature,label,weight\n" + get(file("binary", "weights")).decode(),
          "weights have the numbers of C")
    names = put("names", "".join(f"n{j}\n" for j in range(7)))
    check("\nn6,1," in must("show", "--csv", "--names", names, file("binary")), "or names, if somebody has them")
    check('"image"' not in must("show", "--json", train(put("d", "1 1:1\n2 2:1\n"))), "of a model file nothing is said")


def test_integers():
    for name, (algorithm, saved) in INTEGERS.items():
        said = json.loads(must("show", "--json", file(name)))
        check((said["algorithm"], said["image"], said["labels"], said["features"]) ==
              (algorithm, saved, labels_of(name), 7), f"{name}: {said}")
        check((said["rows"], said["updates"]) == (struct.unpack_from("<2Q", get(file(name)), 32) if "w" in name else
                                                  (None, None)), f"{name}: counts {said['rows']}, {said['updates']}")
        check(must("show", "--csv", file(name)) == "feature,label,weight\n" + get(file(name, "weights")).decode(),
              f"{name}: weights")
        for command in (("predict", "--image", "--zero-based", file(name, "svm"), file(name)), ("export", "--image", file(name))):
            refused(2, "an image of integers, and does not say in what units its rows are", *command)


def test_export():
    """As a model file."""
    for name in ("averaged", "averaged_three", "negative"):
        must("export", "--image", "--format", "liblinear", file(name), OUT + "/text")
        must("import", OUT + "/text", OUT + "/back")
        check(must("predict", "--zero-based", "-q", file(name, "svm"), OUT + "/back").split() == predicted(name),
              f"{name} goes out and comes in")
    check("static int model_predict" in must("export", "--image", "--as", "arrays", "--predict", file("arow")), "arrays")
    check("pcn_kernel_rbf(0)" in must("export", "--image", file("rbf")), "a kernel model")
    refused(2, "does not say how large the values were that it was trained on: --test DATA finds a unit for them, "
            "--unit gives one\n", "export", "--image", "--bits", "8", file("three"))
    must("export", "--image", "--bits", "8", "--zero-based", "--test", file("three", "svm"), file("three"), OUT + "/bits.h")
    for name in ("two", "kernel_two"):
        more = ("--decision", "last") if "kernel" in name else ()
        refused(2, "has a score for each of two classes", "export", "--image", *more, file(name))


def test_said():
    """An image alone may be a model file cut short: it is taken for one that predicts where somebody says so."""
    whole = train(put("words.svm", "ham 1:1\nspam 2:1\n"), "--word-labels", "--normalize", "maxabs")
    cut = put("cut", image(whole))
    words = "an image alone, or a model file cut short, without labels, names and scaling: --image takes it for an image"
    for alone in (cut, file("three")):
        refused(2, f"{alone}: {words}", "predict", file("three", "svm"), alone)
        refused(2, f"{alone}: {words}", "export", alone)
    check(must("predict", "--image", "-q", put("no labels", "1:1\n2:1\n"), cut).split() == ["-1", "1"], "where it is said")
    for command in ("predict", OUT + "/words.svm"), ("export",):
        refused(1, f"--image: {whole} is a model file, with labels: leave it out", command[0], "--image", *command[1:], whole)
    for command in ("predict", file("mean", "svm")), ("export",):
        refused(1, f"--decision last, averaged or voted: {file('mean')} has all its states, and does not say which decide",
                command[0], "--image", *command[1:], file("mean"))
    voted = put("voted", image(train(file("binary", "svm"), "-a", "voted", "--zero-based", model="v")))
    got = [predicted("binary", "--decision", how, image=voted) for how in ("last", "averaged", "voted")]
    check(got[2] == must("predict", "-q", file("binary", "svm"), OUT + "/v").split() and got[0] != got[1], "each decides")


OPENS = r"""
#define PERCEPTRON_IMPLEMENTATION
#include <stdio.h>
#include "perceptron.h"

int main(int argc, char **argv)
{
    static uint32_t image[1 << 16];
    static float memory[PCN_PERCEPTRON_FLOATS(1 << 14, 1)];
    pcn_linear m;
    pcn_ilinear i;
    pcn_kmodel k;
    pcn_perceptron t;
    FILE *f = fopen(argv[argc - 1], "rb");
    const size_t size = f ? fread(image, 1, sizeof image, f) : 0;
    const int opened = pcn_linear_open(&m, image, size);
    if (pcn_perceptron_init(&t, 1 << 14, 1, memory, sizeof memory) < 0) return 1;
    printf("%d %d %d %d %d %s\n", pcn_image_read(NULL, image, size) == opened, pcn_ilinear_open(&i, image, size) == opened,
           pcn_kmodel_open(&k, pcn_kernel_linear(), image, size) == opened, pcn_perceptron_load(&t, image, size) == opened,
           pcn_image_size(image, size) == 0, pcn_error_text(opened));
    return 0;
}
"""


def test_opened():
    """C hears of a model file that only the program reads, and opens what it exports."""
    put("opens.c", OPENS)
    subprocess.run([*CC, OUT + "/opens.c", "-o", OUT + "/opens", "-lm"], check=True)
    texts, rows = put("t.tsv", "a\tx y\nb\ty z\n" * 9), file("binary", "svm")
    for data, *options in (texts, "--text", "--hash", "14"), (rows, "--normalize", "l2"), (rows, "--normalize", "maxabs"):
        model = train(data, "-a", "perceptron", "--final", *options, *["--zero-based"] * (data == rows))
        said = subprocess.run([OUT + "/opens", model], stdout=subprocess.PIPE, check=True).stdout.decode()
        check(said == "1 1 1 1 1 a model file that only the program reads: perceptron export --as image (or raw) for C\n",
              f"{options}: {said}")
        must("export", "--as", "raw", model, OUT + "/raw")
        said = subprocess.run([OUT + "/opens", OUT + "/raw"], stdout=subprocess.PIPE, check=True).stdout.decode()
        check(said.endswith(" 0 ok\n"), f"{options}, exported: {said}")


def test_refusals():
    refused(2, "is an image alone, which says nothing of labels and settings", "train", "--resume", file("binary"),
            file("binary", "svm"), OUT + "/m")
    refused(1, "is no model", "train", file("binary", "svm"), file("binary"), force=False)
    content = get(file("binary"))
    for damaged in (content[:-1], content + b"x", content[:70] + b"x" + content[71:], content[:40]):
        for command in (("show",), ("predict", file("binary", "svm"))):
            refused(2, "not a model file, or cut short", *command, put("damaged", damaged))
    refused(2, "there is nothing in it", "show", put("empty", empty_image()))


def empty_image():
    """Of no features, which holds any number of classes."""
    head = b"PCN\x1a" + struct.pack("<5I", 1, 1, 0, 0, 10**9) + bytes(40)
    return head + struct.pack("<I", zlib.crc32(head))


make_images()
test_predict()
test_scores()
test_show()
test_integers()
test_export()
test_said()
test_opened()
test_refusals()
finish()
