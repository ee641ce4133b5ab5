/* With PERCEPTRON_BIAS_STEP, integer trainers begin with that bias_step, look at no row for it, and load images of
 * those that do. */
#define PERCEPTRON_BIAS_STEP 4096
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include "bytes.h"
#include "integer.h"

static const int16_t row[2][2] = {{20000, -3000}, {-25000, 1}};

/* Each bias moves by the step, whatever the rows; a step set by hand counts, and that of rows is none here. */
static void check_step(uint32_t classes)
{
    trainer t;
    uint32_t i;
    int32_t before;
    trainer_init(&t, 2, classes, classes == 2 ? PLAIN : AVERAGED);
    CHECK(t.m.bias_step == 4096);
    t.m.margin = INT64_MAX;
    for (i = 0; i < 40; i++) {
        if (i == 20) t.m.bias_step = 5;
        before = t.m.live.bias[PCN_SCORES(classes) - 1];
        CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(row[i % 2], 2), (int)classes - 1) == 1);
        CHECK(t.m.live.bias[PCN_SCORES(classes) - 1] - before == (i < 20 ? 4096 : 5));
    }
    t.m.bias_step = PCN_BIAS_OF_ROWS;
    CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(row[0], 2), 1) == PCN_EOPTION && t.m.refused == 1);
    CHECK(t.m.bias_rows == 0 && t.m.bias_doubled == 0 && t.m.rows == 40);
}

/* An image with the B of another trainer is for its weights; what is saved from them has none. */
static void check_image(void)
{
    uint8_t image[200];
    trainer t;
    pcn_image info;
    size_t size;
    trainer_init(&t, 2, 2, PLAIN);
    CHECK(pcn_iperceptron_learn(&t.m, pcn_idense(row[0], 2), 0) == 1);
    size = pcn_iperceptron_save(&t.m, image, sizeof image);
    CHECK(size != 0 && get_word(image, AT_ENTRIES) == 0);
    put_word(image, AT_ENTRIES, 7 + 256 * 5);
    put_checksum(image, size);
    CHECK(pcn_image_read(&info, image, size) == PCN_OK);
    trainer_init(&t, 2, 2, PLAIN);
    CHECK(pcn_iperceptron_load(&t.m, image, size) == PCN_OK && t.memory[0] == -20000 && t.memory[2] == -4096);
    CHECK(t.m.bias_step == 4096 && t.m.bias_rows == 0 && t.m.bias_doubled == 0);
    CHECK(pcn_iperceptron_save(&t.m, image, sizeof image) == size && get_word(image, AT_ENTRIES) == 0);
}

int main(void)
{
    check_step(2);
    check_step(3);
    check_image();
    return report();
}
