/* perceptron - train and apply online linear classifiers from the shell.
 * Build with: make (in the top folder); the program is build/perceptron.
 *
 * Files call those above them, and none below (tests/program/rooms.py):
 *     common, json, table, svg, options   ending, memory, outputs; writing; command lines from tables
 *     number, labels, lines, read_*, reader, rows, stream, reader_options   from text to rows
 *     linear, vectors, learner, model, model_file   what learns, predicts, is saved and loaded
 *     quantize, export_c, export; import; show; report, predict   the other commands
 *     train_options, settle, team, advice, prepare, reading   what train is told; finding rows and making them ready
 *     watch, shards, learn, online, testing, measure, folds, results, train   learning, and what is said of it
 *     compare   several learners
 *
 * A new learner is an entry in learner.c, with functions in linear.c or vectors.c where it learns in another way. A new
 * option is an entry in the table of its command, and a member of the settings there. A new command is a file with a
 * struct command, listed in commands.h and below. */
#define PERCEPTRON_IMPLEMENTATION
#include "export/export.h"
#include "cli/signals.h"
#include "learn/run.h"
#include "learn/processes.h"
#include "report/report.h"
#include "teach/lessons.h"

#include <fcntl.h>
#include <unistd.h>

static const command *const commands[] = {&command_train,  &command_compare, &command_predict,
                                          &command_export, &command_import,  &command_show};

#define STATUS                                                                                                         \
    "0 ok, 1 usage, 2 bad input, 3 cannot read or write,\n4 out of memory, 130 interrupted (train: the model is saved)"

static void print_usage(FILE *f)
{
    size_t i;
    fputs("usage: perceptron COMMAND [options] FILES\n", f);
    for (i = 0; i < LENGTH(commands); i++)
        fprintf(f, "  %-8s %-21s %s\n", commands[i]->name, commands[i]->arguments, commands[i]->purpose);
    fputs("perceptron COMMAND --help has the options, perceptron --man the manual page.\n"
          "Exit status: " STATUS "\n",
          f);
}

static void print_man(void)
{
    printf(".TH PERCEPTRON 1 \"\" \"perceptron %d.%d.%d\"\n.SH NAME\nperceptron \\- train and apply online linear "
           "classifiers\n.SH SYNOPSIS\n.B perceptron\n.I command\n[\\fIoptions\\fR] \\fIfiles\\fR\n",
           PERCEPTRON_VERSION >> 16, PERCEPTRON_VERSION >> 8 & 255, PERCEPTRON_VERSION & 255);
    options_man(stdout, commands, LENGTH(commands));
    puts(".SH EXIT STATUS\n" STATUS);
}

/* The command of that name; ends the program if there is none. */
static int run_command(int argc, char **argv)
{
    options o;
    size_t i = 0, nearest = 0;
    int k;
    for (k = 0; k < argc; k++) errors_as_json |= strcmp(argv[k], "--json") == 0;
    while (i < LENGTH(commands) && strcmp(argv[0], commands[i]->name) != 0) i++;
    for (k = 0; k < (int)LENGTH(commands); k++)
        if (edits(argv[0], commands[k]->name) < edits(argv[0], commands[nearest]->name)) nearest = (size_t)k;
    if (i == LENGTH(commands) && edits(argv[0], commands[nearest]->name) < 3)
        die(EXIT_USAGE, "'%s' is not a command: is %s meant? See perceptron --help", argv[0], commands[nearest]->name);
    if (i == LENGTH(commands))
        die(EXIT_USAGE, "'%s' is not a command: train, compare, predict, export, import, show; see perceptron --help",
            argv[0]);
    argc = options_read(&o, commands[i], argc, argv);
    return argc < 0 ? 0 : commands[i]->run(&o, argc, argv);
}

/* A standard stream that is closed keeps its number, so that no output gets it and is written into. */
static void hold_standard_streams(void)
{
    int i;
    for (i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0) open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* it still fails */
}

int main(int argc, char **argv)
{
    int status = 0;
    hold_standard_streams();
    catch_signals();
    processes_start(argc, argv);
    train_observer = &lessons;
    if (argc < 2) {
        print_usage(stderr);
        status = EXIT_USAGE;
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
    } else if (strcmp(argv[1], "--man") == 0) {
        print_man();
    } else if (strcmp(argv[1], "--version") == 0) {
        printf("perceptron %d.%d.%d\n", PERCEPTRON_VERSION >> 16, PERCEPTRON_VERSION >> 8 & 255,
               PERCEPTRON_VERSION & 255);
    } else {
        status = run_command(argc - 1, argv + 1);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) die(EXIT_IO, "standard output: cannot write");
    processes_end();
    return status;
}
