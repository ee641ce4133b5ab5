// Learns to tell two situations apart by what an analogue pin shows: a motor that runs well or badly, light or shade, a
// hand near or far. Connect a sensor to A0 and open the serial monitor. Each line is the answer to a window of samples,
// 0 or 1. Send 0 or 1 to say what is right now: the Uno learns that, and its answers follow.
#define PERCEPTRON_STATIC
#define PERCEPTRON_SMALLEST       // dense rows and the fixed rule: less flash
#define PCN_TEXT(text) PSTR(text) // texts of errors stay in flash
#define PERCEPTRON_IMPLEMENTATION
#include <perceptron.h>

enum { SAMPLES = 32, FEATURES = 4 };

static int32_t memory[PCN_IPERCEPTRON_NUMBERS(FEATURES, 2)];
static pcn_iperceptron learner;

// A row of whole numbers of about the same size: how high, how far from that, how rough, how often across the mean.
static void measure(int16_t row[FEATURES])
{
    int16_t sample[SAMPLES];
    int16_t mean = 0, away = 0, rough = 0, crossings = 0; // 32 samples below 1,024 add up to less than 2^15
    for (int i = 0; i < SAMPLES; i++) {
        sample[i] = analogRead(A0);
        mean += sample[i];
        delay(2);
    }
    mean /= SAMPLES;
    for (int i = 0; i < SAMPLES; i++) {
        const int16_t last = sample[i > 0 ? i - 1 : 0];
        away += abs(sample[i] - mean);
        rough += abs(sample[i] - last);
        crossings += (sample[i] > mean) != (last > mean);
    }
    row[0] = mean - 512;
    row[1] = away / 8;
    row[2] = rough / 8;
    row[3] = crossings * 16;
}

static void complain(int result)
{
    Serial.println(reinterpret_cast<const __FlashStringHelper *>(pcn_error_text(result)));
}

void setup()
{
    Serial.begin(9600);
    int result = pcn_iperceptron_init(&learner, FEATURES, 2, memory, sizeof memory);
    if (result < 0) complain(result);
}

void loop()
{
    int16_t row[FEATURES];
    measure(row);
    Serial.println(pcn_iperceptron_predict(&learner, pcn_idense(row, FEATURES)));
    while (Serial.available() > 0) {
        const int told = Serial.read();
        if (told != '0' && told != '1') continue; // the end of a line
        int result = pcn_iperceptron_learn(&learner, pcn_idense(row, FEATURES), told - '0');
        if (result < 0) complain(result);
    }
}
