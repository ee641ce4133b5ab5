# This port lies in vcpkg/perceptron of the package that it installs, so nothing is downloaded.
set(VCPKG_BUILD_TYPE release) # one header: there is nothing to debug in the package itself
set(SOURCE_PATH "${CURRENT_PORT_DIR}/../..")
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/perceptron)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
