#include "date.h"

#include "cli/common.h"
#include "number.h"

const char *const date_word[] = {"", "ymd", "dmy", "mdy"};
const char *const date_words[] = {"", "year, month, day", "day, month, year", "month, day, year"};

char *dated_column(const char *text, enum date_order *order)
{
    const char *colon = strrchr(text, ':');
    char *column;
    *order = NO_DATE;
    if (!colon || colon == text) return NULL;
    for (*order = DATE_MDY; *order != NO_DATE && strcmp(colon + 1, date_word[*order]) != 0;) --*order;
    if (*order == NO_DATE) return NULL;
    column = copy_text(text);
    column[colon - text] = '\0';
    return column;
}

/* ---- One date ---- */

/* Takes a number of `least` to `most` digits at p. Returns its end, or NULL if it has fewer digits. */
static const char *take_digits(const char *p, int least, int most, int *number)
{
    int digits = 0;
    *number = 0;
    for (; digits < most && digit_at(p) <= 9; digits++) *number = 10 * *number + (int)digit_at(p++);
    return digits < least ? NULL : p;
}

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Counts the days from 1970-01-01 to a day. Returns 0 if the calendar does not have that day. */
static int count_days(int year, int month, int day, double *days)
{
    enum { BEFORE_1970 = 719162 }; /* days since 0001-01-01 */
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    const int past = year - 1;
    int leap, length;
    if (year < 1 || month < 1 || month > 12) return 0;
    leap = is_leap(year);
    length = before[month] - before[month - 1] + (month == 2 && leap);
    if (day < 1 || day > length) return 0;
    *days = 365 * past + past / 4 - past / 100 + past / 400 - BEFORE_1970;
    *days += before[month - 1] + (month > 2 && leap) + day - 1;
    return 1;
}

/* Takes the day at p, written in that order. Returns its end, or NULL if there is no day. */
static const char *take_day(const char *p, enum date_order order, double *days)
{
    static const uint8_t place[][3] = {{0}, {0, 1, 2}, {2, 1, 0}, {2, 0, 1}}; /* of year, month and day, by order */
    int part[3], i;
    char separator = '\0';
    for (i = 0; i < 3; i++) {
        const int digits = i == place[order][0] ? 4 : 2;
        if (i > 0 && *p++ != separator) return NULL;
        p = take_digits(p, digits == 4 ? 4 : 1, digits, &part[i]);
        if (!p) return NULL;
        if (i == 0) separator = *p;
        if (separator != '-' && separator != '/' && separator != '.') return NULL;
    }
    return count_days(part[place[order][0]], part[place[order][1]], part[place[order][2]], days) ? p : NULL;
}

/* Takes AM or PM at p, and changes *hour to one of 24 hours, or to -1 if there is no such hour. Returns its end, or p
 * if neither stands there. */
static const char *take_half(const char *p, int *hour)
{
    const char *word = p + (*p == ' ');
    const int late = strncasecmp(word, "PM", 2) == 0;
    if (!late && strncasecmp(word, "AM", 2) != 0) return p;
    *hour = *hour < 1 || *hour > 12 ? -1 : *hour % 12 + 12 * late;
    return word + 2;
}

/* Takes the time at p, in seconds since midnight. Returns its end, or NULL if there is no time. */
static const char *take_time(const char *p, double *seconds)
{
    int hour = 0, minute = 0, second = 0;
    double fraction = 0, unit = 1; /* of up to 15 digits: a double has no more */
    p = take_digits(p, 1, 2, &hour);
    if (!p || *p != ':') return NULL;
    p = take_digits(p + 1, 2, 2, &minute);
    if (p && *p == ':') {
        p = take_digits(p + 1, 2, 2, &second);
        if (p && (*p == '.' || *p == ',') && digit_at(p + 1) <= 9)
            for (p++; digit_at(p) <= 9; p++) {
                if (unit >= 1e15) continue;
                unit *= 10;
                fraction = 10 * fraction + digit_at(p);
            }
    }
    if (!p) return NULL;
    p = take_half(p, &hour);
    *seconds = 3600 * hour + 60 * minute + second + fraction / unit;
    return hour < 0 || hour > 23 || minute > 59 || second > 59 ? NULL : p;
}

/* Takes the offset from UTC at p, in seconds. Returns its end, p if there is no offset, or NULL if it is wrong. */
static const char *take_zone(const char *p, double *seconds)
{
    const int sign = p[*p == ' '] == '-' ? -1 : 1;
    int hour = 0, minute = 0;
    *seconds = 0;
    p += *p == ' ';
    if (*p == 'Z') return p + 1;
    if (strncmp(p, "UTC", 3) == 0) return p + 3;
    if (*p != '-' && *p != '+') return p;
    p = take_digits(p + 1, 2, 2, &hour);
    if (p && *p != '\0') p = take_digits(p + (*p == ':'), 2, 2, &minute);
    *seconds = sign * (3600 * hour + 60 * minute);
    return hour > 23 || minute > 59 ? NULL : p;
}

int date_days(const char *text, enum date_order order, double *days)
{
    double time = 0, ahead = 0;
    const char *p = take_day(text, order, days);
    if (!p || *p == '\0') return p != NULL;
    if (*p != 'T' && *p != ' ') return 0;
    p = take_time(p + 1, &time);
    if (p) p = take_zone(p, &ahead);
    if (!p || *p != '\0') return 0;
    *days += (time - ahead) / 86400;
    return 1;
}

unsigned date_orders(const char *text)
{
    double days;
    unsigned orders = 0;
    enum date_order order = DATE_YMD;
    if (digit_at(text) > 9) return 0;
    for (; order <= DATE_MDY; order++)
        if (order != DATE_MDY || text[strspn(text, "0123456789")] != '.')
            orders |= (unsigned)date_days(text, order, &days) << order;
    return orders;
}

int date_ends_at(const char *text, const char *end)
{
    enum { LONGEST = 10 };
    char date[LONGEST + 1];
    const char *p = end;
    while (p > text && end - p < LONGEST && (digit_at(p - 1) <= 9 || strchr("-./", p[-1]))) p--;
    memcpy(date, p, (size_t)(end - p));
    date[end - p] = '\0';
    return date_orders(date) != 0;
}

/* ---- A column of dates ---- */

void date_count_add(date_count *c, const char *text)
{
    const unsigned orders = date_orders(text), both = 1u << DATE_DMY | 1u << DATE_MDY;
    double one, other;
    enum date_order order = DATE_YMD;
    if (orders != both) {
        for (; order <= DATE_MDY; order++) c->of[order] += orders >> order & 1;
        return;
    }
    c->unclear++;
    if (c->example) {
        if (!date_days(c->example, DATE_DMY, &one) || !date_days(c->example, DATE_MDY, &other) || one != other) return;
        free(c->example);
    }
    c->example = copy_text(text);
}

enum date_order date_count_order(const date_count *c, uint32_t values)
{
    const uint32_t dmy = c->of[DATE_DMY] + c->unclear, mdy = c->of[DATE_MDY] + c->unclear;
    const uint32_t ymd = c->of[DATE_YMD], both = dmy > mdy ? dmy : mdy, most = ymd > both ? ymd : both;
    if (most == 0 || most < values - most) return NO_DATE;
    if (ymd >= both) return DATE_YMD;
    if (most == c->unclear) return DATE_UNCLEAR;
    return dmy >= mdy ? DATE_DMY : DATE_MDY;
}
