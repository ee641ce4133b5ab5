// Learns OR, one example at a time, and prints what it has learned.
#define PERCEPTRON_IMPLEMENTATION
#define PERCEPTRON_STATIC
#include <perceptron.h>

static const float x[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
static const int y[4] = {0, 1, 1, 1};
static float memory[PCN_PERCEPTRON_FLOATS(2, 1)];
static pcn_perceptron m;

void setup()
{
    Serial.begin(9600);
    int result = pcn_perceptron_init(&m, 2, 1, memory, sizeof memory);
    if (result < 0) {
        Serial.println(result); // a PCN_E... code
        return;
    }
    for (int i = 0; i < 24; i++) pcn_perceptron_learn(&m, pcn_dense(x[i % 4], 2), y[i % 4]);
    for (int i = 0; i < 4; i++) Serial.println(pcn_perceptron_predict(&m, pcn_dense(x[i], 2)));
}

void loop() {}
