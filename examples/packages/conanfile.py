"""perceptron.h @VERSION@ for Conan 2: conan create . in this folder."""
from os.path import join

from conan import ConanFile
from conan.tools.files import copy


class Perceptron(ConanFile):
    name = "perceptron"
    version = "@VERSION@"
    description = "@SUMMARY@"
    license = "MIT OR Unlicense"
    package_type = "header-library"
    exports_sources = "src/*", "LICENSE"
    no_copy_source = True

    def package(self):
        copy(self, "perceptron.h", join(self.source_folder, "src"), join(self.package_folder, "include"))
        copy(self, "LICENSE", self.source_folder, join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
