/* Dates as numbers: days since 1970-01-01 of the Gregorian calendar, with a fraction for the time of day. */
#ifndef DATE_H
#define DATE_H

#include <stdint.h>

#define DATE_UNIT "days since 1970-01-01"

enum date_order { NO_DATE, DATE_YMD, DATE_DMY, DATE_MDY, DATE_UNCLEAR }; /* UNCLEAR: DMY or MDY */
extern const char *const date_word[DATE_UNCLEAR];                        /* as --dates has it: ymd */
extern const char *const date_words[DATE_UNCLEAR];                       /* year, month, day */

/* The column that one of --dates, COLUMN:ORDER, names, a new string, and the order of its dates; NULL: it is not
 * that. */
char *dated_column(const char *text, enum date_order *order);

/* The whole text as a date in that order. A year has four digits, months and days have one or two; between them stands
 * twice the same of - / and a point. Behind it, and a T or a blank, may stand a time, 9:05, 09:05:30.25 or 9:05 PM, and
 * behind that UTC, Z or an offset from it, +01:00, +0100 or +01, which is subtracted. 0: it is no such date, or not in
 * the calendar. */
int date_days(const char *text, enum date_order order, double *days);

/* The orders in which the text is a date, as a set of bits 1 << order. With points the day is first. */
unsigned date_orders(const char *text);

int date_ends_at(const char *text, const char *end); /* does a date stand before `end`? */

typedef struct date_count { /* of the texts of a column */
    uint32_t of[4];         /* by order; of UNCLEAR: not of the two */
    uint32_t unclear;
    char *example; /* the first of these, of those that are two days the first; NULL: there is none */
} date_count;

void date_count_add(date_count *c, const char *text);
/* In which order half of the column's values or more are dates; DATE_UNCLEAR: in two, and no value tells them apart. */
enum date_order date_count_order(const date_count *c, uint32_t values);

#endif
