"""perceptron.h for numpy, over the shared object that `make build/libperceptron.so` makes: the averaged perceptron, with
the bytes of `perceptron train --textbook -a averaged`. PERCEPTRON_SO names the object if it lies elsewhere."""
import ctypes
import os
import numpy

lib = ctypes.CDLL(os.environ.get("PERCEPTRON_SO", "build/libperceptron.so"))
lib.pcn_error_text.restype, lib.pcn_perceptron_save_part.restype = ctypes.c_char_p, ctypes.c_size_t


class Vec(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("index", ctypes.c_void_p), ("count", ctypes.c_uint32)]


class Linear(ctypes.Structure):
    _fields_ = [("weight", ctypes.c_void_p), ("bias", ctypes.c_void_p), ("features", ctypes.c_uint32),
                ("scores", ctypes.c_uint32), ("by_feature", ctypes.c_uint8), ("zero_negative", ctypes.c_uint8),
                ("folded", ctypes.c_uint8)]


def check(result):
    if result < 0:
        raise ValueError(lib.pcn_error_text(result).decode())
    return result


def sized(array):
    return ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes)


def rows(x):  # x must live as long
    return [Vec(row.ctypes.data, None, len(row)) for row in x]


class Perceptron:
    def __init__(self, features, classes):
        scores = 1 if classes == 2 else classes  # two classes share one score
        self.m = ctypes.create_string_buffer(ctypes.c_uint.in_dll(lib, "pcn_perceptron_size").value)
        self.memory = numpy.zeros(scores * (features + 3), numpy.float32)
        self.sum, self.mean = (numpy.zeros(n * scores * (features + 1), numpy.float32) for n in (2, 1))
        begin, more = (lib.pcn_perceptron_init_one, ()) if scores == 1 else (lib.pcn_perceptron_init_several, (classes,))
        check(begin(self.m, features, *more, *sized(self.memory)))
        check(lib.pcn_perceptron_use_averaging(self.m, *sized(self.sum)))

    def learn(self, x, y):  # y: classes from 0 on
        x = numpy.ascontiguousarray(x, numpy.float32)
        for row, label in zip(rows(x), y):
            check(lib.pcn_perceptron_learn_at(self.m, ctypes.byref(row), int(label)))

    def predict(self, x):
        x, model = numpy.ascontiguousarray(x, numpy.float32), Linear()
        check(lib.pcn_perceptron_final(self.m, ctypes.byref(model), *sized(self.mean)))
        return numpy.array([lib.pcn_linear_predict_at(ctypes.byref(model), ctypes.byref(row)) for row in rows(x)])

    def save(self):
        length = lib.pcn_perceptron_save_part(self.m, ctypes.c_size_t(0), None, ctypes.c_size_t(0))
        if length == 0:
            raise ValueError("a number that no image can hold")
        image = ctypes.create_string_buffer(length)
        lib.pcn_perceptron_save_part(self.m, ctypes.c_size_t(0), image, ctypes.c_size_t(length))
        return image.raw

    def load(self, image):
        check(lib.pcn_perceptron_load(self.m, image, ctypes.c_size_t(len(image))))
