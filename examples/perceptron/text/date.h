/* Reads dates as numbers: days since 1970-01-01 of the Gregorian calendar, with a fraction for the time of day. */
#ifndef DATE_H
#define DATE_H

#include <stdint.h>

#define DATE_UNIT "days since 1970-01-01"

enum date_order { NO_DATE, DATE_YMD, DATE_DMY, DATE_MDY, DATE_UNCLEAR }; /* UNCLEAR: DMY or MDY */
extern const char *const date_word[DATE_UNCLEAR];                        /* as --dates has it: ymd */
extern const char *const date_words[DATE_UNCLEAR];                       /* year, month, day */

/* Cuts a text of --dates, COLUMN:ORDER. Returns the column, a new string, and sets the order of its dates. Returns
 * NULL if the text does not have that form. */
char *dated_column(const char *text, enum date_order *order);

/* Reads the whole text as a date in that order. Returns 0 if it is not such a date, or the calendar does not have it.
 * A year has four digits, months and days have one or two. Between them stands twice the same character: - or / or a
 * point. Behind the date, and a T or a blank, may stand a time, such as 9:05, 09:05:30.25 or 9:05 PM. Behind the time
 * may stand UTC, Z, or an offset from UTC, such as +01:00, +0100 or +01, which is subtracted. */
int date_days(const char *text, enum date_order order, double *days);

/* Returns the orders in which the text is a date, as bits 1 << order. With points the day is first. */
unsigned date_orders(const char *text);

int date_ends_at(const char *text, const char *end); /* Does a date stand before `end`? */

typedef struct date_count { /* what the texts of a column are */
    uint32_t of[4];         /* dates by their order, but for those that are unclear */
    uint32_t unclear;       /* dates both as DMY and as MDY */
    char *example;          /* the first of the unclear ones, if possible one that is two days; NULL: there is none */
} date_count;

void date_count_add(date_count *c, const char *text);
/* Returns the order in which half of the values of the column, or more, are dates; NO_DATE if there is no such order,
 * and DATE_UNCLEAR if there are two and no value tells them apart. */
enum date_order date_count_order(const date_count *c, uint32_t values);

#endif
