/* The text reader beside a slow and simple one: the same rows to the bit, the same lines of errors, in blocks of every
 * size, from a file and from a pipe. Input: 4 bytes of options, the text. */
#include "program.h"

static size_t block;    /* bytes that a read gives at most */
static size_t room_now; /* of the reader's buffer */

static ptrdiff_t read_block(int file, void *to, size_t size)
{
    return system_read(file, to, size < block ? size : block);
}

#include "read/formats.h"
#include "read/reader.h"
#include "read/reader_parts.h"
#include "text/words.h"

#define system_read read_block
#include "../../examples/perceptron/text/lines.c"
#undef system_read

enum { CHOICES = 4, MOST = 4096, MOST_VALUES = 3 * MOST, MOST_RESULT = 1 << 20 };

/* ---- What was read, as text ---- */

static char got[2][MOST_RESULT], *result; /* of the reader; of the simple one */
static size_t written;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    written += (size_t)vsnprintf(result + written, MOST_RESULT - written, format, arguments);
    va_end(arguments);
    if (written >= MOST_RESULT) written = MOST_RESULT - 1;
}

static void put_row(unsigned long line, const char *label, uint32_t features)
{
    put("\n%lu [%s] %lu:", line, label ? label : "", (unsigned long)features);
}

static void put_value(uint32_t index, float value)
{
    if (value != value)
        put(" %lu:nan", (unsigned long)index);
    else
        put(" %lu:%08lx", (unsigned long)index, (unsigned long)bits_of(value));
}

static void put_names(char *const *name, size_t count)
{
    size_t i;
    put("\nnames");
    for (i = 0; i < count; i++) put(" [%s]", name[i]);
}

/* ---- The reader ---- */

static void read_all(const char *path, const reader_options *o, const row_format **format)
{
    static reader r;
    static failure stop;
    const char *line;
    size_t i;
    written = 0;
    failing = &stop;
    memset(&r, 0, sizeof r);
    if (setjmp(stop.back) == 0) {
        reader_open(&r, path, o);
        set_room(&r.lines, room_now);
        r.lines.text = r.lines.next = r.lines.end = r.lines.buffer;
        while (reader_next(&r)) {
            pcn_vec x = reader_vector(&r);
            put_row(r.lines.line, r.label, r.features);
            for (i = 0; i < x.count; i++) put_value(x.index ? x.index[i] : (uint32_t)i, x.value[i]);
        }
        put_names(r.names, arrlenu(r.names));
        put("\n%lu dropped", (unsigned long)r.dropped);
    } else {
        check_refusal(&stop);
        line = strncmp(stop.text, path, strlen(path)) == 0 ? stop.text + strlen(path) : "";
        put("\nerror %lu", *line == ':' ? strtoul(line + 1, NULL, 10) : 0);
    }
    failing = NULL;
    *format = r.format;
    reader_close(&r);
}

static void read_pipe(const uint8_t *bytes, size_t size, const reader_options *o, const row_format **format)
{
    char path[32];
    int ends[2];
    MUST(pipe(ends) == 0 && write(ends[1], bytes, size) == (ssize_t)size); /* a pipe holds 4096 bytes at least */
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    read_all(path, o, format);
    close(ends[0]);
}

/* ---- The simple reader: lines ---- */

static const reader_options *rules;
static jmp_buf wrong;
static const char *rest, *last; /* of the text */
static unsigned long line_number, row_line;
static char line_text[MOST + 1];
static size_t line_length;

static void reject(unsigned long line)
{
    put("\nerror %lu", line);
    longjmp(wrong, 1);
}

/* 0: there is none. NULs and carriage returns within are wrong. */
static int take_line(int first)
{
    const char *end;
    if (rest == last) return 0;
    end = memchr(rest, '\n', (size_t)(last - rest));
    if (!end) end = last;
    line_length = (size_t)(end - rest);
    memcpy(line_text, rest, line_length);
    rest = end + (end < last);
    if (line_length && line_text[line_length - 1] == '\r') line_length--;
    if (line_number == 0 && line_length >= 3 && memcmp(line_text, "\xEF\xBB\xBF", 3) == 0)
        memmove(line_text, line_text + 3, line_length -= 3);
    line_text[line_length] = '\0';
    line_number++;
    if (first) row_line = line_number;
    if (strlen(line_text) != line_length || strchr(line_text, '\r')) reject(row_line);
    return 1;
}

static void check_beginning(void)
{
    static const struct {
        size_t length;
        const char *bytes;
    } no_rows[] = {{2, "\x1F\x8B"}, {2, "\xFF\xFE"}, {2, "\xFE\xFF"},    {4, "PCN\x1A"},      {4, "PK\3\4"},
                   {5, "PAR1\x15"}, {6, "\3757zXZ"}, {10, "BZh91AY&SY"}, {4, "\x28\xB5/\xFD"}};
    const size_t size = (size_t)(last - rest);
    size_t i;
    for (i = 0; i < LENGTH(no_rows); i++)
        if (size >= no_rows[i].length && memcmp(rest, no_rows[i].bytes, no_rows[i].length) == 0) reject(0);
}

/* ---- The simple reader: words ---- */

/* [sign] (digits [. digits] | . digits) [e [sign] digits]: its end, NULL if it is none. */
static const char *number_end(const char *p)
{
    size_t digits;
    p += *p == '-' || *p == '+';
    digits = strspn(p, "0123456789");
    p += digits;
    if (*p == '.') {
        size_t more = strspn(p + 1, "0123456789");
        p += 1 + more;
        digits += more;
    }
    if (digits == 0) return NULL;
    if (*p != 'e' && *p != 'E') return p;
    p++;
    p += *p == '-' || *p == '+';
    digits = strspn(p, "0123456789");
    return digits ? p + digits : NULL;
}

static int whole_number(const char *text)
{
    const char *end = number_end(text);
    return end && *end == '\0';
}

/* [sign] digits [. zeros], of 32 bits. */
static int integer(const char *text, long long *value)
{
    const char *p = text + (*text == '-' || *text == '+');
    size_t digits = strspn(p, "0123456789"), zeros = strspn(p, "0");
    if (digits == 0 || digits - zeros > 10) return 0;
    *value = 0;
    for (p += zeros; digits > zeros; digits--, p++) *value = *value * 10 + (*p - '0');
    if (*text == '-') *value = -*value;
    if (*p == '.') p += 1 + strspn(p + 1, "0");
    return *p == '\0' && *value >= INT32_MIN && *value <= INT32_MAX;
}

/* The label as rows have it; numbers: equal ones are one. */
static const char *simple_label(const char *text, int words, int numbers)
{
    static char canonical[MOST + 1];
    long long value;
    if (numbers && integer(text, &value))
        snprintf(canonical, sizeof canonical, "%lld", value);
    else if (*text && words)
        strcpy(canonical, text);
    else
        reject(row_line);
    return canonical;
}

static float finite_value(const char *text)
{
    float value = strtof(text, NULL);
    if (isinf(value)) reject(row_line);
    return value;
}

static uint32_t row_index[MOST_VALUES], row_count, all_features;
static float row_value[MOST_VALUES];

static void add_value(uint32_t index, float value)
{
    uint32_t i = row_count++;
    MUST(i < MOST_VALUES);
    for (; i > 0 && row_index[i - 1] > index; i--) row_index[i] = row_index[i - 1], row_value[i] = row_value[i - 1];
    row_index[i] = index, row_value[i] = value;
}

static void finish_row(const char *label)
{
    uint32_t i;
    put_row(row_line, label, all_features);
    for (i = 0; i < row_count; i++) put_value(row_index[i], row_value[i]);
}

/* ---- The simple reader: libsvm ---- */

/* index:value in a word of its own. */
static void simple_pair(const char *word, long long *before)
{
    size_t digits = strspn(word, "0123456789"), zeros = strspn(word, "0");
    long long index = digits - zeros > 11 ? 1LL << 40 : strtoll(word, NULL, 10);
    const char *value = word + digits + 1;
    if (digits == 0 || word[digits] != ':' || !whole_number(value)) reject(row_line);
    index -= !rules->zero_based;
    if (index < 0 || index >= rules->max_features) reject(row_line);
    if (!rules->sort && index <= *before) reject(row_line);
    *before = index;
    if (index >= all_features) all_features = (uint32_t)index + 1;
    if (rules->binarize && strtof(value, NULL) == 0)
        finite_value(value);
    else
        add_value((uint32_t)index, rules->binarize ? finite_value(value) / finite_value(value) : finite_value(value));
}

static void simple_libsvm(void)
{
    while (take_line(1)) {
        char *word, *p = line_text;
        const char *label;
        long long before = -1;
        uint32_t i;
        static char kept[MOST + 1];
        p[strcspn(p, "#")] = '\0';
        row_count = 0;
        word = strtok(p, " \t");
        if (!word) continue;
        if (strchr(word, ':')) reject(row_line);
        label = strcpy(kept, simple_label(word, rules->word_labels, 1));
        while ((word = strtok(NULL, " \t")) != NULL) simple_pair(word, &before);
        for (i = 1; i < row_count; i++)
            if (row_index[i] == row_index[i - 1]) reject(row_line);
        finish_row(label);
    }
}

/* ---- The simple reader: texts ---- */

static char *name[MOST_VALUES * 4];
static size_t names;

static void add_name(const char *text)
{
    size_t i = 0;
    uint32_t k;
    while (i < names && strcmp(name[i], text) != 0) i++;
    if (i == names) {
        if (all_features == rules->max_features) reject(row_line);
        MUST(names < sizeof name / sizeof *name);
        name[names++] = copy_of(text, strlen(text) + 1);
        all_features++;
    }
    for (k = 0; k < row_count; k++)
        if (row_index[k] == i) return;
    add_value((uint32_t)i, 1);
}

static void add_hash(const char *text)
{
    uint32_t hash = 2166136261u, k;
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 16777619u;
    hash %= 1u << rules->hash_bits;
    for (k = 0; k < row_count; k++)
        if (row_index[k] == hash) return;
    add_value(hash, 1);
}

/* The n tokens from t on in small letters, a blank between those that do not touch, to `to`; 0: there are fewer, or
 * they are no feature. tests/program/words.py tests words.h. */
static int simple_gram(words_token t, uint32_t n, char *to)
{
    const int marks = rules->marks == MARKS_YES;
    uint32_t i;
    for (i = 0; i < n; i++) {
        unsigned size;
        if (i > 0 && !words_go(&t, marks)) return 0;
        if (i == 1 && n == 2 && rules->ngrams < 2 && !t.touches) return 0;
        if (i > 0 && !t.touches) *to++ = ' ';
        while ((size = words_next(&t, to)) > 0) to += size;
    }
    *to = '\0';
    return 1;
}

static void simple_text(void)
{
    static char gram[2 * MOST + 2], kept[MOST + 1];
    if (rules->hash_bits) all_features = 1u << rules->hash_bits;
    while (take_line(1)) {
        const int marked = strncmp(line_text, "__label__", 9) == 0;
        char *text = line_text + strcspn(line_text, marked ? " \t" : "\t");
        words_token t;
        uint32_t n;
        if (line_length == 0) continue;
        if (!*text && !marked) reject(row_line);
        if (*text) *text++ = '\0';
        if (marked && strncmp(text + strspn(text, " \t"), "__label__", 9) == 0) reject(row_line);
        row_count = 0;
        strcpy(kept, simple_label(trim(line_text + (marked ? 9 : 0)), 1, rules->number_labels));
        t = words_begin(text);
        while (words_go(&t, rules->marks == MARKS_YES))
            for (n = 1; n <= rules->ngrams || n <= 2; n++) {
                if (!simple_gram(t, n, gram)) continue;
                if (rules->hash_bits)
                    add_hash(gram);
                else
                    add_name(gram);
            }
        finish_row(kept);
    }
}

/* ---- The simple reader: CSV ---- */

static struct {
    unsigned long line;
    size_t from, fields;
} record[MOST + 1];
static char *cell[MOST + 2], cells[2 * MOST + 2]; /* of all records, ended by NULs */
static size_t records, columns, label_column;
static enum kind { NUMBER, TEXT, LABEL } kind[MOST + 2];

/* The field at *p, by RFC 4180, to `to`; its end. */
static char *take_cell(const char **p, char *to)
{
    if (**p != '"') {
        for (; **p && **p != rules->separator; (*p)++) {
            if (**p == '"') reject(row_line);
            *to++ = **p;
        }
        return to;
    }
    for (++*p; **p != '"' || *++*p == '"'; ++*p) {
        *to++ = **p ? **p : '\n';
        if (**p) continue;
        if (!take_line(0)) reject(row_line);
        *p = line_text - 1;
    }
    if (**p && **p != rules->separator) reject(row_line);
    return to;
}

/* A reader that has to find the format passes over blank lines and comments until then. */
static int is_before_format(const char *line)
{
    line += strspn(line, " \t");
    return records == 0 && !rules->format && (*line == '\0' || *line == '#');
}

static void take_records(void)
{
    char *to = cells;
    size_t n = 0;
    const char *p;
    records = 0;
    while (take_line(1)) {
        if (line_length == 0 || is_before_format(line_text)) continue;
        record[records].line = row_line, record[records].from = n;
        for (p = line_text;; p++) {
            char *text = to;
            to = take_cell(&p, to);
            *to++ = '\0';
            cell[n++] = trim(text);
            if (*p == '\0') break;
        }
        record[records].fields = n - record[records].from;
        records++;
    }
}

static int missing(const char *text)
{
    return *text == '\0' || strcmp(text, "?") == 0 || strcasecmp(text, "na") == 0 || strcasecmp(text, "nan") == 0;
}

/* With a comma for the point, too; and infinity, which will be an error. */
static int looks_like_number(const char *text)
{
    char copy[32];
    const char *digits = text + (*text == '-' || *text == '+');
    if (whole_number(text) || strcasecmp(digits, "inf") == 0 || strcasecmp(digits, "infinity") == 0) return 1;
    if (strlen(text) >= sizeof copy || !strchr(text, ',')) return 0;
    strcpy(copy, text);
    *strchr(copy, ',') = '.';
    return whole_number(copy);
}

static int looks_like_text(const char *text)
{
    return !missing(text) && !looks_like_number(text);
}

/* The cells below the first record in a column. */
static void count_cells(size_t column, size_t *numbers, size_t *texts)
{
    size_t i;
    *numbers = *texts = 0;
    for (i = 1; i < records; i++) {
        const char *text = column < record[i].fields ? cell[record[i].from + column] : "";
        *numbers += (size_t)looks_like_number(text), *texts += (size_t)looks_like_text(text);
    }
}

/* As --label names a column; `columns`: there is none. */
static size_t labelled(int header)
{
    size_t i = 0;
    if (!rules->label) return columns - 1;
    while (header && i < columns && strcmp(cell[i], rules->label) != 0) i++;
    if (header && i < columns) return i;
    i = strtoul(rules->label, NULL, 10);
    return i >= 1 && i <= columns ? i - 1 : columns;
}

static const char *column_name(size_t i, int header)
{
    static char number[24];
    snprintf(number, sizeof number, "%zu", i + 1);
    return header ? cell[i] : number;
}

static void check_header(void)
{
    size_t i, k, length;
    for (i = 0; i < columns; i++)
        for (k = 0; k < columns; k++) {
            length = strlen(cell[i]);
            if (i != k && strcmp(cell[i], cell[k]) == 0) reject(record[0].line);
            if (kind[i] == TEXT && kind[k] != LABEL && strncmp(cell[i], cell[k], length) == 0 && cell[k][length] == '=')
                reject(record[0].line);
        }
}

/* Finds what each column is; returns whether some hold texts. */
static int settle_columns(int header)
{
    size_t numbers, texts, i, grows = 0;
    columns = record[0].fields;
    label_column = labelled(header);
    for (i = 0; i < columns; i++) {
        count_cells(i, &numbers, &texts);
        if (!header) numbers += (size_t)looks_like_number(cell[i]), texts += (size_t)looks_like_text(cell[i]);
        kind[i] = i == label_column ? LABEL : texts > 0 && numbers == 0 ? TEXT : NUMBER;
        grows |= kind[i] == TEXT;
    }
    if (header) check_header();
    if (label_column == columns) reject(record[0].line);
    for (i = 0; i < columns; i++) all_features += kind[i] == NUMBER;
    if (all_features > rules->max_features) reject(record[0].line);
    for (i = 0; i < columns && (header || grows); i++)
        if (kind[i] == NUMBER) name[names++] = copy_of(column_name(i, header), strlen(column_name(i, header)) + 1);
    return grows != 0;
}

static float simple_value(const char *text)
{
    float value;
    if (missing(text)) {
        if (rules->missing == MISSING_REFUSED) reject(row_line);
        return rules->missing == MISSING_MEAN ? float_of(0x7fc00000u) : 0;
    }
    if (!whole_number(text)) reject(row_line);
    value = finite_value(text);
    return rules->binarize ? (value != 0 ? 1 : 0) : value;
}

/* Row i; returns whether it is left out. */
static int simple_record(size_t i, int header, int sparse)
{
    static char feature[2 * MOST + 2];
    char *const *text = cell + record[i].from;
    const char *label = NULL;
    size_t k, gaps = 0;
    uint32_t next = 0;
    row_line = record[i].line;
    if (record[i].fields != columns) reject(row_line);
    for (k = 0; k < columns; k++) gaps += missing(text[k]) && (kind[k] == LABEL || rules->missing == MISSING_DROP);
    if (gaps && rules->missing != MISSING_REFUSED) return 1;
    row_count = 0;
    for (k = 0; k < columns; k++) {
        if (kind[k] == LABEL && missing(text[k])) reject(row_line);
        if (kind[k] == LABEL) {
            label = simple_label(text[k], 1, rules->number_labels);
        } else if (kind[k] == NUMBER) {
            float value = simple_value(text[k]);
            if (!sparse || value != 0) add_value(next, value);
            next++;
        } else if (!missing(text[k])) {
            snprintf(feature, sizeof feature, "%s=%s", column_name(k, header), text[k]);
            add_name(feature);
        } else if (rules->missing == MISSING_REFUSED) {
            reject(row_line);
        }
    }
    finish_row(label);
    return 0;
}

static size_t left_out;

static void simple_csv(void)
{
    size_t i;
    int header, sparse;
    take_records();
    if (records == 0) return;
    if ((columns = record[0].fields) == 1) reject(record[0].line);
    header = rules->header == HEADER_YES;
    sparse = settle_columns(header);
    for (i = (size_t)header; i < records; i++) left_out += (size_t)simple_record(i, header, sparse);
}

/* The reader looks at what columns hold before it knows where a quote ends wrongly. Of dates the simple one knows
 * nothing. */
static int is_vague(const char *bytes, size_t size)
{
    size_t i, quotes = 0, returns = 0, odd = 0;
    for (i = 0; i < size; i++) {
        quotes += bytes[i] == '"';
        returns += bytes[i] == '\r';
        odd += (size_t)date_ends_at(bytes, bytes + i);
        odd += bytes[i] == '\0' || (bytes[i] == '\r' && i + 1 < size && bytes[i + 1] != '\n') ||
               (bytes[i] == '"' && i > 0 && bytes[i - 1] == '"');
    }
    odd += (size_t)date_ends_at(bytes, bytes + size);
    return odd || (quotes && returns);
}

/* ---- A run ---- */

/* What the simple reader makes of it, into got[1]; 0: it cannot say. */
static int read_simply(const char *bytes, size_t size, const reader_options *o, const row_format *format)
{
    volatile int known = 1;
    rules = o, rest = bytes, last = bytes + size;
    line_number = 0, all_features = 0, names = 0, left_out = 0;
    result = got[1], written = 0;
    if (setjmp(wrong) == 0) {
        check_beginning();
        if (format == &format_csv)
            simple_csv();
        else if (format == &format_text)
            simple_text();
        else
            simple_libsvm();
        put_names(name, names);
        put("\n%lu dropped", (unsigned long)left_out);
    } else if (format == &format_csv && strchr(bytes, '"')) {
        known = 0;
    }
    while (names > 0) free(name[--names]);
    return known && !(format == &format_csv && is_vague(bytes, size));
}

/* Whether there is a header, tests/program/first_line.py asks. Here the reader must have read one of the two ways, or have
 * refused. */
static int reads_otherwise(const char *bytes, size_t size, const reader_options *o, const row_format *format)
{
    static const unsigned headers[] = {HEADER_YES, HEADER_NO};
    const int asked = o->header == HEADER_AUTO && format == &format_csv;
    reader_options as = *o;
    size_t i;
    if (asked && strstr(got[0], "\nerror ")) return 0;
    for (i = 0; i < 2; i++) {
        if (asked) as.header = headers[i];
        if (!read_simply(bytes, size, &as, format) || strcmp(got[0], got[1]) == 0) return 0;
    }
    return 1;
}

static void choose(input *in, reader_options *o)
{
    static const char separators[] = ",,,,,;\t|";
    static const char *const formats[] = {NULL, "libsvm", "csv", NULL};
    static const char *const label[] = {NULL, NULL, "1", "2", "y"};
    uint32_t choice = take_word(in);
    memset(o, 0, sizeof *o);
    o->format = formats[choice % 4];
    o->text = choice % 4 == 3;
    o->separator = separators[choice >> 2 & 7];
    o->separator_text = o->separator == ',' ? NULL : "given";
    o->label = label[(choice >> 8 & 7) % 5];
    o->header = choice >> 11 & 1 || (o->label && *o->label == 'y') ? HEADER_YES
                : choice >> 31                                     ? HEADER_NO
                                                                   : HEADER_AUTO;
    o->zero_based = choice >> 12 & 1, o->sort = choice >> 13 & 1, o->word_labels = choice >> 14 & 1;
    o->binarize = choice >> 15 & 1;
    o->missing = choice >> 16 & 3;
    o->marks = choice >> 5 & 1 ? MARKS_NO : MARKS_YES;
    o->ngrams = choice >> 18 & 3;
    o->hash_bits = choice >> 20 & 1 ? 5 : 0;
    o->max_features = choice >> 21 & 1 ? 3 : 100000000;
    o->number_labels = choice >> 30 & 1;
    block = choice >> 22 & 1 ? 1 + (choice >> 24 & 63) : MOST;
    room_now = choice >> 23 & 1 ? 64 : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    reader_options o;
    const row_format *format, *found;
    char *text;
    input in;
    if (size < CHOICES || size > MOST) return 0;
    in.at = bytes, in.end = bytes + size;
    choose(&in, &o);
    size -= CHOICES;
    text = (char *)room(size + 1);
    memcpy(text, in.at, size);
    text[size] = '\0';
    if (format_told(&o)->has_quotes)
        room_now = size + 2; /* of a table, or what may be one, it looks at all that it holds */
    result = got[0];
    read_all(write_input(text, size), &o, &format);
    if (format != &format_unknown && reads_otherwise(text, size, &o, format)) {
        fprintf(stderr, "format %s\nreader:%s\nsimply:%s\n", format->name, got[0], got[1]);
        abort();
    }
    strcpy(got[1], got[0]);
    result = got[0], block = block == MOST ? 1 : MOST;
    read_pipe((const uint8_t *)text, size, &o, &found);
    MUST(found == format && strcmp(got[0], got[1]) == 0);
    free(text);
    return 0;
}
