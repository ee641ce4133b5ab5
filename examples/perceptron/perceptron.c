/* perceptron - train and apply online linear classifiers from the shell.
 * Build with: make (in the top folder); the program is build/perceptron. */
#define PERCEPTRON_IMPLEMENTATION
#include "commands.h"

static const char usage[] =
    "usage: perceptron train [options] DATA [MODEL]\n"
    "       perceptron predict [options] DATA MODEL [OUTPUT]\n"
    "       perceptron train|predict --help\n"
    "Exit status: 0 ok, 1 usage, 2 bad input, 3 cannot read or write, 4 out of memory\n";

void reader_options_default(reader_options *o)
{
    memset(o, 0, sizeof *o);
    o->max_features = 1u << 24;
}

void reader_options_check(reader_options *o)
{
    const char *text = o->separator_text ? o->separator_text : ",";
    o->separator = strcmp(text, "tab") == 0 ? '\t' : text[0];
    if ((text[0] == '\0' || text[1] != '\0') && o->separator != '\t')
        die(EXIT_USAGE, "--sep %s: give one character, or 'tab'", text);
}

int main(int argc, char **argv)
{
    int status;
    if (argc < 2) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "train") == 0) {
        status = command_train(argc - 1, argv + 1);
    } else if (strcmp(argv[1], "predict") == 0) {
        status = command_predict(argc - 1, argv + 1);
    } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(usage, stdout);
        status = 0;
    } else if (strcmp(argv[1], "--version") == 0) {
        printf("perceptron %d.%d.%d\n", PERCEPTRON_VERSION >> 16, PERCEPTRON_VERSION >> 8 & 255,
               PERCEPTRON_VERSION & 255);
        status = 0;
    } else {
        die(EXIT_USAGE, "'%s' is not a command: train or predict; see perceptron --help", argv[1]);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) die(EXIT_IO, "standard output: cannot write");
    return status;
}
