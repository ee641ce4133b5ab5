/* The whole test harness: CHECK counts, report() prints what .ci/run adds up. */
#ifndef TEST_H
#define TEST_H

#include <stdio.h>

static int test_passed, test_failed;

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            test_passed++;                                                                                             \
        } else {                                                                                                       \
            test_failed++;                                                                                             \
            printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition);                                                \
        }                                                                                                              \
    } while (0)

static int report(void)
{
    printf("%d passed, %d failed\n", test_passed, test_failed);
    return test_failed != 0;
}

#endif
