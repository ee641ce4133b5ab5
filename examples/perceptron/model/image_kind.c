/* What kinds of images there are: one list for all that the program asks. */
#include "model.h"

const image_kind *image_kind_of(const pcn_image *info)
{
    static const image_kind kinds[] = {
        [PCN_KIND_LINEAR] = {"pcn_linear", .is_frozen = 1},
        [PCN_KIND_PERCEPTRON] = {"pcn_perceptron"},
        [PCN_KIND_KERNEL] = {"pcn_kmodel", .is_frozen = 1},
        [PCN_KIND_ILINEAR] = {"pcn_ilinear", .is_frozen = 1, .has_integers = 1},
        [PCN_KIND_IPERCEPTRON] = {"pcn_iperceptron", .has_integers = 1},
        [PCN_KIND_CALIBRATION] = {"pcn_calibration"},
        [PCN_KIND_SCALER] = {"pcn_scaler"},
    };
    return &kinds[info->kind];
}
