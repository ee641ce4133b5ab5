/* The section behind the image of a model file: what writes it reads it. model_file.c says what is in it. */
#ifndef SECTION_H
#define SECTION_H

#include "model.h"

/* Writing: bytes are appended to `out`. Reading: they come from p, and the functions return what stands there. */
typedef struct codec {
    uint8_t *out; /* stb_ds array */
    const uint8_t *p, *end;
    uint32_t features; /* reading: of the image, so that no more are believed */
    int reading, bad;  /* bad: something was read beyond the end, or is impossible */
} codec;

uint32_t code_word(codec *c, uint32_t word); /* writes it, or returns what stands there */
void code_section(codec *c, model *m);

#endif
