/* perceptron - train and apply online linear classifiers from the shell.
 * Build with: make (in the top folder); the program is build/perceptron. */
#define PERCEPTRON_IMPLEMENTATION
#include "commands.h"
#include "stream.h"

static const char usage[] =
    "usage: perceptron train [options] DATA [MODEL]\n"
    "       perceptron predict [options] DATA MODEL [OUTPUT]\n"
    "       perceptron export [options] MODEL [OUTPUT]        to C, LIBLINEAR or LIBSVM\n"
    "       perceptron import [options] TEXT [MODEL]          from LIBLINEAR\n"
    "       perceptron show [options] MODEL                   what is in a model file\n"
    "       perceptron train|predict|export|import|show --help\n"
    "Exit status: 0 ok, 1 usage, 2 bad input, 3 cannot read or write, 4 out of memory\n";

void reader_options_default(reader_options *o)
{
    memset(o, 0, sizeof *o);
    o->max_features = 1u << 24;
    o->threads = stream_threads();
}

void reader_options_check(reader_options *o)
{
    const char *text = o->separator_text ? o->separator_text : ",";
    o->separator = strcmp(text, "tab") == 0 ? '\t' : text[0];
    if ((text[0] == '\0' || text[1] != '\0') && o->separator != '\t')
        die(EXIT_USAGE, "--sep %s: give one character, or 'tab'", text);
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"train", command_train},
    {"predict", command_predict},
    {"export", command_export},
    {"import", command_import},
    {"show", command_show},
};

/* The command of that name; ends the program if there is none. */
static int run_command(int argc, char **argv)
{
    size_t i;
    for (i = 0; i < PCN_LENGTH(commands); i++)
        if (strcmp(argv[0], commands[i].name) == 0) return commands[i].run(argc, argv);
    die(EXIT_USAGE, "'%s' is not a command: train, predict, export, import, show; see perceptron --help", argv[0]);
}

int main(int argc, char **argv)
{
    int status = 0;
    if (argc < 2) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        fputs(usage, stdout);
    else if (strcmp(argv[1], "--version") == 0)
        printf("perceptron %d.%d.%d\n", PERCEPTRON_VERSION >> 16, PERCEPTRON_VERSION >> 8 & 255,
               PERCEPTRON_VERSION & 255);
    else
        status = run_command(argc - 1, argv + 1);
    if (fflush(stdout) != 0 || ferror(stdout)) die(EXIT_IO, "standard output: cannot write");
    return status;
}
