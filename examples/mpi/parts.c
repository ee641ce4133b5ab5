/* What each process reads: of all bytes behind the first row of DATA, or of DATA.0, DATA.1, ... one after the other, an
 * equal part, cut at ends of lines. The first row is read by all, to know columns and format, and is process 0's. */
#include "meet.h"

#include <errno.h>
#include <sys/stat.h>

typedef struct part {
    const char *name;
    uint64_t from, to; /* bytes */
} part;

static part *files, *own; /* stb_ds arrays, in the order of the data */

/* ---- Options ---- */

void team_check(const settings *s, const char *data)
{
    if (strcmp(data, "-") == 0) die(EXIT_USAGE, "standard input: several processes read parts of a file");
    if (s->shards < 2) die(EXIT_USAGE, "several processes need --shards of 2 or more: each has some of them");
    if (s->validate > 0) die(EXIT_USAGE, "--validate: several processes cannot hold rows back; give them as --test");
    if (s->online) die(EXIT_USAGE, "--online: rows arrive at one process; build/perceptron has it");
    if (s->folds) die(EXIT_USAGE, "--folds: not with several processes; build/perceptron has it");
    if (s->measure) die(EXIT_USAGE, "--measure: not with several processes, of which none has all rows");
    if (reader_leaves_gaps(&s->reader))
        die(EXIT_USAGE, "--missing mean: not with several processes, of which none has all rows");
}

/* Features get numbers as their texts are met, which no process knows of the others. */
static void refuse_new_features(const reader *in)
{
    if (!in->grows) return;
    if (in->options.text) die(EXIT_USAGE, "--text: several processes need --hash BITS, so that words have numbers");
    die(EXIT_USAGE, "%s has columns of texts, which several processes do not number alike: --ignore leaves them out",
        in->name);
}

/* ---- Files ---- */

/* Its size; -1: there is none of that name. */
static int64_t size_of(const char *name)
{
    struct stat there;
    if (stat(name, &there) != 0 && errno == ENOENT) return -1;
    if (stat(name, &there) != 0) die_of(name);
    if (!S_ISREG(there.st_mode)) die(EXIT_USAGE, "%s: several processes read parts of regular files", name);
    return there.st_size;
}

static int add_file(const char *name)
{
    const int64_t bytes = size_of(name);
    const part all = {copy_text(name), 0, (uint64_t)bytes};
    if (bytes < 0) return 0;
    arrput(files, all);
    return 1;
}

const char *team_first_file(const char *data)
{
    char *name = allocate(strlen(data) + 24, 1);
    unsigned long number = 0;
    if (add_file(data)) return data;
    do
        sprintf(name, "%s.%lu", data, number++);
    while (add_file(name));
    return arrlenu(files) ? files[0].name : data;
}

static FILE *open_at(const char *name, uint64_t place)
{
    FILE *f = fopen(name, "rb");
    if (!f || fseeko(f, (off_t)place, SEEK_SET) != 0) die_of(name);
    return f;
}

static void close_read(FILE *f, const char *name)
{
    if (ferror(f)) die_of(name);
    fclose(f);
}

/* The first line that begins at a byte of the file or behind it. */
static uint64_t line_from(const part *file, uint64_t place)
{
    FILE *f;
    int c = 0;
    if (place == file->from || place == file->to) return place;
    f = open_at(file->name, --place);
    while (place < file->to && c != '\n' && (c = getc(f)) != EOF) place++;
    close_read(f, file->name);
    return place;
}

/* A header may stand in every file, but counts once. */
static void skip_headers(void)
{
    char *header = NULL, *line = NULL;
    size_t room = 0, line_room = 0, i;
    for (i = 0; i < arrlenu(files); i++) {
        FILE *f = open_at(files[i].name, 0);
        const ssize_t length = getline(i ? &line : &header, i ? &line_room : &room, f);
        close_read(f, files[i].name);
        if (i > 0 && length > 0 && strcmp(line, header) == 0) files[i].from = (uint64_t)length;
    }
    free(header);
    free(line);
}

/* ---- Parts ---- */

/* The bytes of all files, from number `low` to number `high`. */
static void take_bytes(uint64_t low, uint64_t high)
{
    size_t i;
    for (i = 0; i < arrlenu(files); i++) {
        const part *file = &files[i];
        const uint64_t bytes = file->to - file->from;
        const part cut = {file->name, line_from(file, file->from + (low < bytes ? low : bytes)),
                          line_from(file, file->from + (high < bytes ? high : bytes))};
        if (cut.from < cut.to) arrput(own, cut);
        low -= low < bytes ? low : bytes;
        high -= high < bytes ? high : bytes;
    }
}

/* The first row has been read. */
static void take_part(const reader *in)
{
    uint64_t all = 0;
    size_t i;
    files[0].from = reader_place(in);
    if (in->csv && in->label_name) skip_headers();
    for (i = 0; i < arrlenu(files); i++) all += files[i].to - files[i].from;
    if (team_least(all) != all || team_least(UINT64_MAX - all) != UINT64_MAX - all)
        die(EXIT_INPUT, "%s: not of the same size for all processes", in->name);
    take_bytes(part_begin(all, team_rank()), part_begin(all, team_rank() + 1));
}

int team_read(reader *in)
{
    static size_t begun; /* parts, and one */
    if (begun == 0) {
        if (!reader_next(in)) return 0;
        refuse_new_features(in);
        take_part(in);
        begun = 1;
        if (team_rank() == 0) return 1;
        in->dropped = 0;
    }
    while (begun == 1 || !reader_next(in)) {
        const part *next = &own[begun - 1];
        if (begun > arrlenu(own)) return 0;
        reader_move(in, next->name, next->from, next->to);
        begun++;
    }
    return 1;
}
