# The folder of the header goes on every include path of the application.
zephyr_include_directories(${CMAKE_CURRENT_LIST_DIR}/../src)
