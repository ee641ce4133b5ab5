"""The mistakes that C programmers are most likely to make with perceptron.h, and what hears each of them:

    impossible    what is easiest to write is right, or the wrong thing does not compile
    warning       gcc and clang warn
    code          a function answers with an error code
    assertion     with PERCEPTRON_DEBUG the program stops
    said          only the manual says it: nothing can hear it

An entry is (the mistake, who hears it, what must be printed or warned of, statements of C). From the project's root."""
import os
import re
import shutil
import subprocess

from cli import OUT, check, finish, put, skip

PRELUDE = """
#include "perceptron.h"
#include <stdio.h>
#include <stdlib.h>
enum { ROWS = 200 };
static float X[ROWS][3];
static int Y[ROWS];
static pcn_perceptron m;
static float memory[PCN_PERCEPTRON_FLOATS(3, 4)], sum[PCN_AVERAGING_FLOATS(3, 4)], other[PCN_LINEAR_FLOATS(3, 4)];
static uint32_t image[200];
static void must(int result) { if (result < 0) exit(9); }
static void learn(void) { for (int i = 0; i < ROWS; i++) pcn_perceptron_learn(&m, pcn_dense(X[i], 3), Y[i]); }
static int wrong(void)
{
    int n = 0;
    for (int i = 0; i < ROWS; i++) n += pcn_perceptron_predict(&m, pcn_dense(X[i], 3)) != Y[i];
    return n;
}
typedef void mistake(void);
static int run(mistake *made)
{
    uint32_t seed = 1;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < 2; j++) X[i][j] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24) - .5f;
        X[i][2] = 1;
        Y[i] = X[i][0] + X[i][1] > 0;
    }
    (void)learn, (void)wrong, (void)must, (void)sum, (void)other, (void)image;
    made();
    return 0;
}
"""
INIT = "must(pcn_perceptron_init(&m, 3, 1, memory, sizeof memory));\n"
RIGHT = 'printf("%d\\n", wrong() <= 4);'  # of 200 rows, learned once

MISTAKES = [
    ("averaging is on, and the trainer is asked", "impossible", "mean", INIT + """
        must(pcn_perceptron_use_averaging(&m, sum, sizeof sum));
        learn();
        pcn_linear mean;
        must(pcn_perceptron_final(&m, &mean, other, sizeof other));
        int mine = 0, last = 0;
        for (int i = 0; i < ROWS; i++) {
            int c = pcn_perceptron_predict(&m, pcn_dense(X[i], 3));
            mine += c != pcn_linear_predict(&mean, pcn_dense(X[i], 3));
            last += c != pcn_linear_predict(&m.live, pcn_dense(X[i], 3));
        }
        puts(mine == 0 && last != 0 ? "mean" : "live");"""),
    ("averaging is on, and m.model is saved", "impossible", "model", "(void)pcn_linear_save(&m.model, 0, NULL, 0);"),
    ("one score, and classes are called 1 and 2", "code", "PCN_ELABEL, 100 refused", INIT + """
        for (int i = 0; i < ROWS; i++) {
            int result = pcn_perceptron_learn(&m, pcn_dense(X[i], 3), i % 2 + 1);
            if (result == PCN_ELABEL && i == 1) printf("PCN_ELABEL, ");
        }
        printf("%u refused\\n", (unsigned)m.learner.refused);"""),
    ("classes are called 1 .. K", "code", "66 refused", """
        must(pcn_perceptron_init(&m, 3, 3, memory, sizeof memory));
        for (int i = 0; i < ROWS; i++) pcn_perceptron_learn(&m, pcn_dense(X[i], 3), 1 + i % 3);
        printf("%u refused\\n", (unsigned)m.learner.refused);"""),
    ("labels are -1 and 1, as in books", "impossible", "1", INIT + """
        for (int i = 0; i < ROWS; i++) pcn_perceptron_learn(&m, pcn_dense(X[i], 3), Y[i] ? 1 : -1);
        """ + RIGHT),
    ("learn of two scores, with the function for one", "impossible", "1", """
        must(pcn_perceptron_init(&m, 3, 2, memory, sizeof memory));
        learn();
        """ + RIGHT),
    ("predictions are compared with labels 0 and 1", "impossible", "1", INIT + "learn();" + RIGHT),
    ("a length in bytes, where it was one in floats", "impossible", "-4", """
        static float tiny[5];
        printf("%d\\n", pcn_perceptron_init(&m, 17, 1, tiny, sizeof tiny));"""),
    ("a length in floats, where it is one in bytes", "code", "-4", """
        printf("%d\\n", pcn_perceptron_init(&m, 3, 1, memory, PCN_PERCEPTRON_FLOATS(3, 1)));"""),
    ("sizeof of a pointer", "code", "-4", """
        float *p = malloc(sizeof memory);
        printf("%d\\n", pcn_perceptron_init(&m, 3, 1, p, sizeof p));
        free(p);"""),
    ("init has failed, nobody has looked, and learning begins", "code", "-11 -11 0", """
        if (pcn_perceptron_init(&m, 3, 1, NULL, 0) == 0) return;
        printf("%d ", pcn_perceptron_learn(&m, pcn_dense(X[0], 3), 1));
        printf("%d ", pcn_perceptron_use_averaging(&m, sum, sizeof sum));
        printf("%d\\n", pcn_perceptron_predict(&m, pcn_dense(X[0], 3)));"""),
    ("the code of init is not looked at", "warning", "unused.result", "pcn_perceptron_init(&m, 3, 1, memory, 8);"),
    ("the code of an option is not looked at", "warning", "unused.result",
     "pcn_perceptron_use_averaging(&m, sum, sizeof sum);"),
    ("the code of load is not looked at", "warning", "unused.result",
     "pcn_perceptron_load(&m, image, sizeof image);"),
    ("a short array for the mean", "code", "-4", INIT + """
        must(pcn_perceptron_use_averaging(&m, sum, sizeof sum));
        pcn_linear mean;
        printf("%d\\n", pcn_perceptron_final(&m, &mean, other, 3 * sizeof *other));"""),
    ("a short array for a copy", "code", "-4", INIT + """
        pcn_linear best;
        printf("%d\\n", pcn_linear_copy(&m.live, &best, other, 3 * sizeof *other));"""),
    ("a short array for a model of 8 bits", "code", "-4", INIT + """
        pcn_ilinear q;
        static int32_t narrow[2];
        printf("%d\\n", pcn_ilinear_quantize(&q, &m.live, 8, 1, NULL, narrow, sizeof narrow));"""),
    ("resize without more room", "code", "-4", INIT + """
        pcn_arrays arrays = {memory, sizeof memory, NULL, 0, NULL, 0, NULL, 0};
        printf("%d\\n", pcn_perceptron_resize(&m, 300, 1, &arrays));"""),
    ("resize, and an array that is in use is forgotten", "code", "-4", INIT + """
        must(pcn_perceptron_use_averaging(&m, sum, sizeof sum));
        pcn_arrays arrays = {memory, sizeof memory, NULL, 0, NULL, 0, NULL, 0};
        printf("%d\\n", pcn_perceptron_resize(&m, 2, 1, &arrays));"""),
    ("apply is forgotten", "code", "-14 -14", INIT + """
        must(pcn_perceptron_use_batch(&m, other, sizeof other));
        learn();
        pcn_linear l;
        printf("%d ", pcn_perceptron_final(&m, &l, NULL, 0));
        size_t size = pcn_perceptron_save(&m, 0, image, sizeof image);
        printf("%d\\n", pcn_linear_open(&l, image, size));"""),
    ("a rule, then confidence, which has its own", "code", "-11", INIT + """
        m.learner.rule = pcn_rule_pa(0.1f);
        printf("%d\\n", pcn_perceptron_use_confidence(&m, 1, other, sizeof other));"""),
    ("confidence, then another rule", "code", "-11", INIT + """
        must(pcn_perceptron_use_confidence(&m, 1, other, sizeof other));
        m.learner.rule = pcn_rule_pa(0.1f);
        printf("%d\\n", pcn_perceptron_learn(&m, pcn_dense(X[0], 3), 1));"""),
    ("Winnow, when rows are learned already", "code", "-13", INIT + """
        learn();
        printf("%d\\n", pcn_perceptron_use_winnow(&m, 1, 0, other, sizeof other));"""),
    ("features and classes swapped", "code", "-2", """
        must(pcn_perceptron_init(&m, 1, 3, memory, sizeof memory));
        printf("%d\\n", pcn_perceptron_learn(&m, pcn_dense(X[0], 3), 0));"""),
    ("a row longer than the model is learned", "code", "-2", """
        must(pcn_perceptron_init(&m, 2, 1, memory, sizeof memory));
        printf("%d\\n", pcn_perceptron_learn(&m, pcn_dense(X[0], 3), 1));"""),
    ("a row longer than the model is predicted", "assertion", "features", """
        must(pcn_perceptron_init(&m, 2, 1, memory, sizeof memory));
        pcn_perceptron_predict(&m, pcn_dense(X[0], 3));"""),
    ("indices that do not ascend", "assertion", "pcnp_ascends", INIT + """
        static const uint32_t index[3] = {2, 0, 1};
        pcn_perceptron_learn(&m, pcn_sparse(index, X[0], 3), 1);"""),
    ("an index twice", "assertion", "pcnp_ascends", INIT + """
        static const uint32_t index[3] = {0, 1, 1};
        pcn_perceptron_learn(&m, pcn_sparse(index, X[0], 3), 1);"""),
    ("a NaN among the features is learned", "code", "-1", INIT + """
        X[0][1] = X[0][1] / 0.0f - X[0][1] / 0.0f;
        printf("%d\\n", pcn_perceptron_learn(&m, pcn_dense(X[0], 3), 1));"""),
    ("final without averaging, where a mean was meant", "impossible", "1", INIT + """
        learn();
        pcn_linear l;
        must(pcn_perceptron_final(&m, &l, NULL, 0));
        puts(l.weight == m.live.weight ? "1" : "0");"""),
    ("the image of an averaged trainer is opened as its result", "code", "-12", INIT + """
        must(pcn_perceptron_use_averaging(&m, sum, sizeof sum));
        size_t size = pcn_perceptron_save(&m, 0, image, sizeof image);
        pcn_linear l;
        printf("%d\\n", pcn_linear_open(&l, image, size));"""),
    ("a length in floats for a scaler", "code", "-4", """
        pcn_scaler s;
        printf("%d\\n", pcn_scaler_init(&s, 3, memory, PCN_SCALER_FLOATS(3)));"""),
    ("the code of a scaler's init is not looked at", "warning", "unused.result", """
        pcn_scaler s;
        pcn_scaler_init(&s, 3, memory, sizeof memory);"""),
    ("infinity is noted", "code", "-1", """
        static float column[PCN_SCALER_FLOATS(3)];
        pcn_scaler s;
        must(pcn_scaler_init(&s, 3, column, sizeof column));
        X[0][1] = X[0][1] / 0.0f;
        printf("%d\\n", pcn_scaler_note(&s, X[0]));"""),
    ("folding before 8 bits, and columns are of unlike size", "code", "2", INIT + """
        static float column[PCN_SCALER_FLOATS(3)];
        pcn_scaler s;
        pcn_linear l;
        must(pcn_scaler_init(&s, 3, column, sizeof column));
        for (int i = 0; i < ROWS; i++) X[i][0] *= 100, must(pcn_scaler_note(&s, X[i]));
        printf("%d\\n", pcn_scaler_fold(&s, &m.live, &l, other, sizeof other));"""),
    ("quantising a folded model", "said", "Quantise the model of scaled rows", ""),
    ("calibrating with labels 1 and 2", "code", "-3", """
        pcn_calibration c = {0, 0, 0, 0, 0, 0};
        float score = 1, p;
        pcn_probabilities(&c, &score, 1, &p);
        printf("%d\\n", pcn_calibrate(&c, &score, 1, &p, 2));"""),
    ("scores and probabilities swapped", "assertion", "rest", """
        pcn_calibration c = {0, 0, 0, 0, 0, 0};
        float score[2] = {7, -3}, p[2];
        pcn_probabilities(&c, score, 2, p);
        pcn_calibrate(&c, p, 2, score, 1);"""),
    ("calibrating, and pcn_probabilities was not called", "assertion", "rest", """
        pcn_calibration c = {0, 0, 0, 0, 0, 0};
        float score[2] = {7, -3}, p[2] = {0, 0};
        pcn_calibrate(&c, score, 2, p, 1);"""),
    ("calibrating by a row that is learned already", "said", "Call pcn_calibrate before the row is learned", ""),
    ("calibrating by the last weights, when the mean predicts", "said", "these are not learner.score", ""),
    ("following, and no mean to follow with", "code", "-11", INIT + """
        printf("%d", pcn_perceptron_use_following(&m));"""),
    ("variances that grow again, and there are none", "code", "-11", INIT + """
        printf("%d", pcn_perceptron_use_regrowth(&m, 0.003f));"""),
    ("the target flips, and a mean follows late", "said", "call pcn_perceptron_use_following", ""),
    ("best = m, whose weights go on changing", "said", "pcn_linear_copy", ""),
    ("the rule is not set again after load", "said", "set rule, margin and rate again after load", ""),
    ("rows are learned in the file's order", "said", "pcn_pass", ""),
]


def compiled(compiler, name, text, *flags):
    source = put(name + ".c", PRELUDE + text)
    return subprocess.run([compiler, "-std=c99", "-O1", "-Wall", "-Wextra", "-I.", *flags, source, "-o",
                           f"{OUT}/{name}"], capture_output=True, text=True)


def function(number, body):
    return f"static void mistake{number}(void)\n{{\n{body}\n}}\n"


def seen_by_compiler(compiler, number, body):
    """What it says of the mistake in a file that is compiled without the library."""
    text = function(number, body) + f"int main(void) {{ return run(mistake{number}); }}\n"
    done = compiled(compiler, f"{compiler}{number}", text, "-c")
    return done.returncode, re.sub("[‘’]", "'", done.stderr)


def program(compiler, bodies, *flags):
    """One that makes the mistake whose number it is given."""
    text = "".join(function(n, body) for n, body in bodies.items()) + "int main(int n, char **word)\n{\n"
    text += "    if (n != 2) return 9;\n"
    text += "".join(f"    if (atoi(word[1]) == {n}) return run(mistake{n});\n" for n in bodies)
    name = compiler + "_debug" * bool(flags)
    done = compiled(compiler, name, text + "    return 9;\n}\n", "-DPERCEPTRON_IMPLEMENTATION", *flags)
    check(done.returncode == 0, f"{name}: {done.stderr}")
    return f"{OUT}/{name}"


def hear(compiler):
    """Each mistake is heard as the table says."""
    ran, debug = {}, {}
    for number, (mistake, by, wanted, body) in enumerate(MISTAKES):
        if by == "warning" or wanted == "model":
            status, said = seen_by_compiler(compiler, number, body)
            check(bool(re.search(wanted, said)) and (status != 0) == (by == "impossible"), f"{mistake}: {said}")
        elif by == "assertion":
            debug[number] = body
        elif by != "said":
            ran[number] = body
    plain, asserting = program(compiler, ran), program(compiler, debug, "-DPERCEPTRON_DEBUG")
    for number in [*ran, *debug]:
        mistake, by, wanted, _ = MISTAKES[number]
        path = asserting if by == "assertion" else plain
        done = subprocess.run([path, str(number)], capture_output=True, text=True)
        if by == "assertion":
            check(done.returncode < 0 and wanted in done.stderr, f"{mistake}: no assertion: {done}")
        else:
            check((done.returncode, done.stdout.strip()) == (0, wanted), f"{mistake}: {done.stdout}, not {wanted}")


def main():
    manual = open("perceptron.h").read().split("#ifndef PERCEPTRON_H_")[0]
    manual = re.sub(r"\s+", " ", manual.replace("\n *", " "))
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
    if not compilers:
        skip("gcc and clang are not there")
    for compiler in compilers:
        hear(compiler)
    for mistake, by, wanted, _ in MISTAKES:
        if by == "said":
            check(wanted in manual, f"{mistake}: the manual does not say '{wanted}'")
    finish()


os.environ["LC_ALL"] = "C"
main()
