/* perceptron - train and apply online linear classifiers from the shell.
 * Build with: make (in the top folder); the program is build/perceptron.
 *
 * Nine rooms. Files include and call those of their own room and of the rooms above it (tests/program/rooms.py):
 *     cli      ending, memory, the system; outputs, JSON, tables; command lines from tables, --help
 *     text     lines of a file; what one field says: numbers, labels, the words of a text
 *     read     from lines to rows: the formats, libsvm text, CSV, texts, products
 *     model    what learns, predicts, is saved and loaded; a thread that reads ahead
 *     report   predict and show; measures of predictions, explanations, charts
 *     learn    settings and what follows from them; finding rows; epochs, shards, processes; advice
 *     train    train and compare: one run from its options to its results; streams, folds, tests
 *     export   C, integers, LIBLINEAR, LIBSVM; import
 *     teach    what only lessons ask for, as observers of train: --trace, --measure
 *
 * README.md says what to touch for a new rule, learner, option, reader, command, report or export. */
#define PERCEPTRON_IMPLEMENTATION
#include "cli/help.h"
#include "export/export.h"
#include "train/run.h"
#include "learn/processes.h"
#include "report/report.h"
#include "teach/lessons.h"

static const command *const commands[] = {&command_train,  &command_compare, &command_predict,
                                          &command_export, &command_import,  &command_show};

#define STATUS                                                                                                          \
    "0 ok, 1 usage, 2 bad input, 3 cannot read or write,\n4 out of memory, 130 interrupted, 128 + N ended by signal N " \
    "(train: what was\nlearned is saved)"

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
    puts(".SH VERSIONS\nEvery 1.x takes the options of 1.0, and reads its model files.");
}

/* The command of that name; ends the program if there is none. */
static int run_command(int argc, char **argv)
{
    static char help[] = "--help";
    options o;
    size_t i, nearest = 0;
    unsigned apart;
    int k, status;
    if (argc > 1 && strcmp(argv[0], "help") == 0) { /* help COMMAND is COMMAND --help */
        argv[0] = argv[1];
        argv[1] = help;
    }
    for (k = 0; k < argc; k++) errors_as_json |= strcmp(argv[k], "--json") == 0;
    for (i = 1; i < LENGTH(commands); i++)
        if (edits(argv[0], commands[i]->name) < edits(argv[0], commands[nearest]->name)) nearest = i;
    apart = edits(argv[0], commands[nearest]->name);
    if (apart >= 3)
        die(EXIT_USAGE, "'%s' is not a command: train, compare, predict, export, import, show; see perceptron --help",
            argv[0]);
    if (apart > 0)
        die(EXIT_USAGE, "'%s' is not a command: is %s meant? See perceptron --help", argv[0], commands[nearest]->name);
    argc = options_read(&o, commands[nearest], argc, argv);
    status = argc < 0 ? 0 : commands[nearest]->run(&o, argc, argv);
    options_free(&o);
    return status;
}

int main(int argc, char **argv)
{
    int status = 0, failed;
    system_start();
    signals_start();
    processes_start(argc, argv);
    train_observer = &lessons;
    if (argc < 2) {
        print_usage(stderr);
        status = EXIT_USAGE;
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
               (argc == 2 && strcmp(argv[1], "help") == 0)) {
        print_usage(stdout);
    } else if (strcmp(argv[1], "--man") == 0) {
        print_man();
    } else if (strcmp(argv[1], "--version") == 0) {
        printf("perceptron %d.%d.%d\n", PERCEPTRON_VERSION >> 16, PERCEPTRON_VERSION >> 8 & 255,
               PERCEPTRON_VERSION & 255);
    } else {
        status = run_command(argc - 1, argv + 1);
    }
    failed = fflush(stdout) != 0 || ferror(stdout);
    if (failed && interrupted == SIGPIPE) interrupt_end();
    if (failed) die(EXIT_IO, "standard output: cannot write");
    processes_end();
    return status;
}
