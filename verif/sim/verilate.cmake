include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/runtime.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/rtl.cmake)
option(WEFT_ASSERT "Check the RTL's invariants in programs too, not only in tests; they then take a sixth longer" OFF)

# verilate() reads sources at configure time.
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/sw/isa/generate.py --gen ${CMAKE_BINARY_DIR}/gen
  COMMAND_ERROR_IS_FATAL ANY)

# Warnings do not stop the build here, since lint is a separate test; errors reported by a module's parameter check do.
#
# weft_verilate(NAME TOP [ASSERT] [PREFIX prefix] [FPGA] [OPT option...] [ARGS argument...]): library NAME with class V<TOP>, or PREFIX, for the module TOP
# of rtl/. Its invariants are checked with ASSERT or WEFT_ASSERT. OPT: optimization flags of the compiler; the default was the fastest of many
# (rtl/numbers/weft_fma_lanes.sv is written for it). FPGA: the module TOP is in fpga/. ARGS: arguments of Verilator.
function(weft_verilate name top)
  cmake_parse_arguments(V "ASSERT;FPGA" "PREFIX" "OPT;ARGS" ${ARGN})
  if(NOT V_PREFIX)
    set(V_PREFIX V${top})
  endif()
  if(NOT V_OPT)
    set(V_OPT -O2)
  endif()
  if(WEFT_SANITIZE)
    set(V_OPT -O1)
  endif()
  # Verilator finds the modules in the folders itself: a list of files would become stale when a file is added.
  if(V_FPGA)
    weft_rtl(packages folders rtl fpga)
    file(GLOB_RECURSE file ${CMAKE_SOURCE_DIR}/fpga/${top}.sv)
  else()
    weft_rtl(packages folders rtl)
    file(GLOB_RECURSE file ${CMAKE_SOURCE_DIR}/rtl/${top}.sv)
  endif()
  set(whole FAST)
  if(top STREQUAL weft_emulated_board)
    set(whole "")  # large enough for both processors to share
  endif()
  set(assert --no-assert)
  if(WEFT_ASSERT OR V_ASSERT)
    set(assert --assert)
  endif()
  add_library(${name} STATIC)
  verilate(${name} SOURCES ${packages} ${file} TOP_MODULE ${top} PREFIX ${V_PREFIX}
    INCLUDE_DIRS ${folders} OPT_FAST ${V_OPT} OPT_SLOW -O0
    VERILATOR_ARGS -O3 ${assert} --x-assign fast --x-initial fast -Wno-fatal -Werror-USERERROR ${V_ARGS})
  add_dependencies(${name} weft_tables weft_isa_gen)
  weft_verilator_once(${name} ${whole})

  # clock_edge.hpp calls two functions of the model directly, if this Verilator has generated them and they need one trigger
  # each.
  get_target_property(dir ${name} BINARY_DIR)
  set(root ${dir}/CMakeFiles/${name}.dir/${V_PREFIX}.dir/${V_PREFIX}___024root)
  file(STRINGS ${root}.h found REGEX " __V(ico|nba)Triggered;")
  file(GLOB sources ${root}__*.cpp)
  list(FILTER sources EXCLUDE REGEX "Slow\\.cpp$")
  foreach(source ${sources})
    file(STRINGS ${source} lines REGEX "^void ${V_PREFIX}___024root___eval_(ico|nba)\\([^;]*{$")
    list(APPEND found ${lines})
    file(STRINGS ${source} others REGEX "if \\(.*__V(ico|nba)Triggered(\\.at\\(|\\.word\\(|\\[)")
    list(FILTER others EXCLUDE REGEX "if \\((vlSelf->__V...Triggered\\.at\\(0U\\)|\\(1ULL & [A-Za-z]+(->|\\.)__V...Triggered(\\.word\\(0U\\)|\\[0U\\])\\))\\) {$")
    list(APPEND found ${others})
  endforeach()
  list(LENGTH found count)
  if(count EQUAL 4)
    target_compile_definitions(${name} INTERFACE WEFT_DIRECT_EDGE)
  else()
    message(STATUS "${name}: clocked by eval(), which is slower")
  endif()
endfunction()
