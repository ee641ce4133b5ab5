/* The whole test harness. CHECK counts, and each function with a CHECK is a case, which fails when one of its checks
   does. report() prints both, as tests/run.sh reads them. */
#ifndef TEST_H
#define TEST_H

#include <stdio.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static struct {
    const char *name; /* __func__ */
    int failed;
} test_cases[200], *test_case = test_cases;
static int test_count; /* cases */
static int test_checks, test_skipped;

#define CHECK(condition) test_check((condition) != 0, __func__, __FILE__, __LINE__, #condition)

static void test_check(int passed, const char *name, const char *file, int line, const char *condition)
{
    int i;
    test_checks++;
    if (test_case->name != name) {
        for (i = 0; i < test_count && test_cases[i].name != name; i++) {
        }
        if (i == (int)LENGTH(test_cases)) i--, printf("FAIL %s: more cases than test.h holds\n", file), passed = 0;
        if (i == test_count) test_count++;
        test_case = &test_cases[i];
        test_case->name = name;
    }
    if (passed) return;
    test_case->failed = 1;
    printf("FAIL %s:%d: %s\n", file, line, condition);
}

static int report(void)
{
    int i, failed = 0;
    for (i = 0; i < test_count; i++) failed += test_cases[i].failed;
    printf("(%d checks)\n%d passed, %d failed, %d skipped\n", test_checks, test_count - failed, failed, test_skipped);
    return failed != 0;
}

#endif
