/* Five jobs of a device: with the library (library.c), by hand with the same checks and the same bits (hand.c), by the
 * plainest loops without checks (plain.c), and the first as generators write it (generated.c). main.c counts what they
 * take. JOB says which. */
#ifndef BY_HAND_JOB_H
#define BY_HAND_JOB_H

#include <stdint.h>

#define PREDICT 1   /* by a frozen model of four classes */
#define PREDICT_8 2 /* the same, 8 bits a weight */
#define LEARN_TWO 3
#define LEARN_FOUR 4
#define LEARN_INTEGERS 5 /* two classes */

enum { FEATURES = 16, CLASSES = JOB == LEARN_TWO || JOB == LEARN_INTEGERS ? 2 : 4 };

#if JOB == PREDICT_8 || JOB == LEARN_INTEGERS
typedef int16_t job_value;
#else
typedef float job_value;
#endif

void job_init(void);
int job_learn(const job_value *x, int y); /* y: 0 .. CLASSES - 1; as pcn_perceptron_learn */
int job_predict(const job_value *x);
const void *job_state(uint32_t *bytes); /* the weights and biases */

#endif
