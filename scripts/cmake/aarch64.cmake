# Toolchain file: cross-compiles for aarch64 with Debian's cross compiler, with libraries in WEFT_AARCH64_ROOT (scripts/setup aarch64),
# and runs what is built under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WEFT_AARCH64_ROOT)

# The C and C++ libraries are the cross compiler's own, in /usr/aarch64-linux-gnu.
set(CMAKE_FIND_ROOT_PATH ${WEFT_AARCH64_ROOT} /usr/aarch64-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(libraries ${WEFT_AARCH64_ROOT}/usr/lib/aarch64-linux-gnu ${WEFT_AARCH64_ROOT}/lib/aarch64-linux-gnu)
list(JOIN libraries ":" path)
set(CMAKE_CXX_FLAGS_INIT "-isystem \"${WEFT_AARCH64_ROOT}/usr/include/aarch64-linux-gnu\"")
set(CMAKE_EXE_LINKER_FLAGS_INIT "\"-Wl,-rpath-link,${path}\"")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=${path})
