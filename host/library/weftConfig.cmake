# find_package(weft): the target weft::weft, the shared library with the headers weft/*.hpp.
include(${CMAKE_CURRENT_LIST_DIR}/weftTargets.cmake)
