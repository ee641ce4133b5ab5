/* Small sets that the literature learns, for floats and integers. Before: #define VALUE, the type of a feature. */

enum { ROWS = 4, FEATURES = 3, W = FEATURES + 1 };

/* Rows in cyclic order. y: a class; of two 1 is positive, 0 negative. */
typedef struct set {
    uint32_t rows, features, classes;
    VALUE x[ROWS][FEATURES];
    int y[ROWS];
} set;

/* clang-format off */
#define SQUARE {{0, 0}, {0, 1}, {1, 0}, {1, 1}}
static const set or_set = {4, 2, 2, SQUARE, {0, 1, 1, 1}};
static const set and_set = {4, 2, 2, SQUARE, {0, 0, 0, 1}};
static const set xor_set = {4, 2, 2, SQUARE, {0, 1, 1, 0}};
static const set count_set = {4, 2, 3, SQUARE, {0, 1, 1, 2}}; /* how many are 1 */
static const set xor_product = {4, 3, 2, {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}}, {0, 1, 1, 0}};
static const set no_features = {2, 0, 2, {{0}}, {1, 0}};
static const set set_a = {3, 3, 3, {{1, 1, 0}, {1, 0, 1}, {1, 0, 0}}, {0, 1, 2}};
static const set set_b = {4, 3, 3, {{1, 0, -1}, {1, -1, 0}, {1, 0, 0}, {1, 1, -1}}, {0, 1, 2, 1}};
/* clang-format on */
