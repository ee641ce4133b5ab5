/* A model that the program has learned and written as C: nothing else is needed to predict, not even perceptron.h.
 *
 *     make build/exported
 *
 * does the first three of these steps:
 *
 *     perceptron train --text examples/data/languages.tsv build/languages.model
 *     perceptron export --as arrays --predict --name language build/languages.model build/language.h
 *     cc -std=c99 -Ibuild examples/exported.c -o build/exported -lm
 *     build/exported "Wo ist der Hund?" "Where is the dog?" "Où est le chien ?" "¿Dónde está el perro?"
 *
 * It prints:
 *
 *     German	Wo ist der Hund?
 *     English	Where is the dog?
 *     French	Où est le chien ?
 *     Spanish	¿Dónde está el perro?
 */
#include "language.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++) printf("%s\t%s\n", language_label[language_predict_text(argv[i])], argv[i]);
    return 0;
}
