/* What each process reads: of all bytes behind the first row of DATA, or of DATA.0, DATA.1, ... one after the other, an
 * equal part, cut at ends of lines. The first row is read by all, to know columns and format, and is process 0's. */
#include "meet.h"
#include "read/reader_parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

typedef struct part {
    const char *name;
    uint64_t from, to; /* bytes */
} part;

static part *files, *own; /* stb_ds arrays, in the order of the data */

/* ---- Options ---- */

void processes_check(const settings *s, const char *data)
{
    if (strcmp(data, "-") == 0) die(EXIT_USAGE, "standard input: several processes read parts of a file");
    if (s->shards < 2) die(EXIT_USAGE, "several processes need --shards of 2 or more: each has some of them");
    if (s->validate > 0) die(EXIT_USAGE, "--validate: several processes cannot hold rows back; give them as --test");
    if (s->online) die(EXIT_USAGE, "--online: rows arrive at one process; build/perceptron has it");
    if (s->folds) die(EXIT_USAGE, "--folds: not with several processes; build/perceptron has it");
    if (s->probabilities && !s->resume)
        die(EXIT_USAGE,
            "--probabilities: not with several processes, of which none has all rows; build/perceptron has it");
    if (settings_weigh_rows(s))
        die(EXIT_USAGE, "--%s: several processes have no weights of rows; build/perceptron has them",
            s->reader.weights ? "weights" : "weight-column");
    if (s->reader.products)
        die(EXIT_USAGE, "--products: several processes do not number pairs alike; build/perceptron has it");
    if (s->measure)
        die(EXIT_USAGE, "--measure: not with several processes, of which none has all rows; build/perceptron has it");
    if (reader_leaves_gaps(&s->reader))
        die(EXIT_USAGE, "--missing mean: not with several processes, of which none has all rows: --missing zero or "
                        "drop");
}

/* Features get numbers as their texts are met, which no process knows of the others. */
static void refuse_new_features(const reader *in)
{
    if (!in->grows) return;
    if (in->options.text) die(EXIT_USAGE, "--text: several processes need --hash BITS, so that words have numbers");
    die(EXIT_USAGE, "%s has columns of texts, which several processes do not number alike: --ignore leaves them out",
        in->lines.name);
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

/* One above the greatest number that a file DATA.number has; 0: there is none. */
static unsigned long count_parts(const char *data)
{
    const char *slash = strrchr(data, '/'), *file = slash ? slash + 1 : data, *number;
    char *name = copy_text(slash ? data : "."), *end;
    const struct dirent *entry;
    unsigned long most = 0, value;
    DIR *folder;
    if (slash) name[file - data] = '\0';
    folder = opendir(name);
    while (folder && (entry = readdir(folder)) != NULL) {
        number = entry->d_name + strlen(file) + 1;
        if (strncmp(entry->d_name, file, strlen(file)) != 0 || number[-1] != '.' || !isdigit((unsigned char)*number) ||
            (*number == '0' && number[1] != '\0'))
            continue;
        value = strtoul(number, &end, 10);
        if (*end == '\0' && value < UINT32_MAX && value >= most) most = value + 1;
    }
    if (folder) closedir(folder);
    free(name);
    return most;
}

const char *processes_first_file(const char *data)
{
    const unsigned long parts = count_parts(data);
    char *name = allocate(strlen(data) + 24, 1);
    unsigned long i;
    sprintf(name, "%s.0", data);
    if (add_file(data)) {
        if (size_of(name) >= 0)
            die(EXIT_USAGE, "%s: there are %s and %s, which is a part of it: move one of them away", data, data, name);
        return data;
    }
    for (i = 0; i < parts; i++) {
        sprintf(name, "%s.%lu", data, i);
        if (!add_file(name)) die(EXIT_IO, "%s: there is no such part, but there is %s.%lu", name, data, parts - 1);
    }
    return parts ? files[0].name : data;
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

/* Could it be a row, as far as plain fields tell? Cuts the line. */
static int is_row(const reader *in, char *line)
{
    const char separator[] = {in->options.separator, '\0'};
    char *rest = line, *word;
    float value;
    size_t i;
    for (i = 0; !strchr(line, '"') && i < arrlenu(in->own.columns) && (word = strsep(&rest, separator)) != NULL; i++) {
        word = trim(word);
        if (in->own.columns[i].kind == COLUMN_NUMBER && !is_missing(word) && !field_value(word, &value)) return 0;
        if (!rest) break;
    }
    return 1;
}

/* A header may stand in every file, but counts once. */
static void skip_headers(const reader *in)
{
    char *header = NULL, *line = NULL;
    size_t room = 0, line_room = 0, i;
    for (i = 0; i < arrlenu(files); i++) {
        FILE *f = open_at(files[i].name, 0);
        const ssize_t length = getline(i ? &line : &header, i ? &line_room : &room, f);
        close_read(f, files[i].name);
        if (length > 0) (i ? line : header)[strcspn(i ? line : header, "\r\n")] = '\0';
        if (i == 0 || length <= 0) continue;
        if (strcmp(line, header) == 0)
            files[i].from = (uint64_t)length;
        else if (!is_row(in, line))
            die(EXIT_INPUT, "%s:1: neither a row nor the header of %s, '%s'", files[i].name, files[0].name,
                printable(header, EXCERPT));
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
    files[0].from = lines_place(&in->lines);
    if (in->format->is_table && in->label_name) skip_headers(in);
    for (i = 0; i < arrlenu(files); i++) all += files[i].to - files[i].from;
    if (processes_least(all) != all || processes_least(UINT64_MAX - all) != UINT64_MAX - all)
        die(EXIT_INPUT, "%s: not of the same size for all processes", in->lines.name);
    take_bytes(part_begin(all, process_number()), part_begin(all, process_number() + 1));
}

int processes_read(reader *in)
{
    static size_t begun; /* parts, and one */
    if (begun == 0) {
        if (!reader_next(in)) return 0;
        refuse_new_features(in);
        take_part(in);
        begun = 1;
        if (process_number() == 0) return 1;
        in->dropped = in->empty = 0;
    }
    while (begun == 1 || !reader_next(in)) {
        const part *next = &own[begun - 1];
        if (begun > arrlenu(own)) return 0;
        lines_move(&in->lines, next->name, next->from, next->to);
        begun++;
    }
    return 1;
}
