# `weft-bench-flat`: rtl/weft_wafer.sv of 8 x 8 tiles Verilated as one top, with full optimization. It takes minutes to
# compile, so only `make bench` builds it, and its C++ is generated during the build, not when CMake runs.
include(${CMAKE_SOURCE_DIR}/verif/sim/rtl.cmake)
include(ProcessorCount)
ProcessorCount(cores)
set(WEFT_FLAT_JOBS ${cores} CACHE STRING "Compilers at a time for weft-bench-flat")

set(rtl ${CMAKE_SOURCE_DIR}/rtl)
weft_rtl(packages folders rtl)
file(GLOB_RECURSE modules CONFIGURE_DEPENDS ${rtl}/*.sv)
list(FILTER modules EXCLUDE REGEX "_pkg\\.sv$")
set(assert $<IF:$<BOOL:${WEFT_ASSERT}>,--assert,--no-assert>)
set(dir ${CMAKE_CURRENT_BINARY_DIR}/flat)
add_custom_command(OUTPUT ${dir}/Vweft_wafer__ALL.a
  COMMAND ${VERILATOR_BIN} --cc --build -j ${WEFT_FLAT_JOBS} --top-module weft_wafer --prefix Vweft_wafer --Mdir ${dir}
    -GRows=8 -GCols=8 -GValves=2 -GSramKib=${WEFT_SRAM_KIB} -O3 ${assert} --x-assign fast --x-initial fast -Wno-fatal
    -MAKEFLAGS OPT_FAST=-O3 -MAKEFLAGS OPT_SLOW=-O0 -CFLAGS $<IF:$<BOOL:${WEFT_NATIVE}>,-march=${WEFT_CPU},-O3>
    -I${rtl} -I${CMAKE_BINARY_DIR}/gen ${packages} ${modules}
  DEPENDS ${packages} ${modules} ${rtl}/weft_check.svh weft_tables weft_isa_gen
  COMMENT "The flat wafer of 8 x 8 tiles (minutes)" VERBATIM)
add_custom_target(weft_flat DEPENDS ${dir}/Vweft_wafer__ALL.a)

add_executable(weft-bench-flat EXCLUDE_FROM_ALL speed/flat_speed.cpp common/sparse_gemm.cpp)
add_dependencies(weft-bench-flat weft_flat)
target_include_directories(weft-bench-flat SYSTEM PRIVATE ${dir} ${VERILATOR_ROOT}/include
  ${VERILATOR_ROOT}/include/vltstd)
# Verilator's runtime is part of weft_sim.
target_link_libraries(weft-bench-flat PRIVATE weft_flags weft_compiler ${dir}/Vweft_wafer__ALL.a weft_sim)
set_target_properties(weft-bench-flat PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
