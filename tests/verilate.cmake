include_guard(GLOBAL)
include(${CMAKE_SOURCE_DIR}/verif/sim/runtime.cmake)
include(${CMAKE_SOURCE_DIR}/verif/sim/rtl.cmake)

# weft_verilated(NAME TOP [file...] [ARGS argument...]): library NAME with class V<TOP> for the module TOP of rtl/ or fpga/; the files
# are cells that have no file of their name. Invariants are checked. Warnings are no errors, since each version of Verilator has
# others: `make lint` and its test check with -Wall. ARGS are passed to Verilator.
function(weft_verilated name top)
  cmake_parse_arguments(V "" "" "ARGS" ${ARGN})
  set(parts rtl)
  file(GLOB_RECURSE file ${CMAKE_SOURCE_DIR}/rtl/${top}.sv)
  if(NOT file)
    set(parts rtl fpga)
    file(GLOB_RECURSE file ${CMAKE_SOURCE_DIR}/fpga/${top}.sv)
  endif()
  weft_rtl(packages folders ${parts})
  add_library(${name} STATIC)
  verilate(${name} SOURCES ${packages} ${V_UNPARSED_ARGUMENTS} ${file} TOP_MODULE ${top} PREFIX V${top} INCLUDE_DIRS ${folders}
    OPT_FAST -O1 OPT_SLOW -O0 VERILATOR_ARGS -Wno-fatal -Werror-USERERROR --assert ${V_ARGS})
  add_dependencies(${name} weft_tables)
  weft_verilator_once(${name} WHOLE)
endfunction()

# weft_registers(NAME PREFIX): for library NAME, verilated with --public-flat-rw: header PREFIX_registers.hpp, for
# tests/registers.hpp.
function(weft_registers name prefix)
  get_target_property(dir ${name} BINARY_DIR)
  set(root ${dir}/CMakeFiles/${name}.dir/${prefix}.dir/${prefix}___024root.h)
  set(header ${dir}/${name}_gen/${prefix}_registers.hpp)
  file(MAKE_DIRECTORY ${dir}/${name}_gen)
  add_custom_command(OUTPUT ${header}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tests/registers.py ${prefix} ${root} ${header}
    DEPENDS ${root} ${CMAKE_SOURCE_DIR}/tests/registers.py)
  add_custom_target(${name}_registers DEPENDS ${header})
  add_dependencies(${name} ${name}_registers)
  target_include_directories(${name} INTERFACE ${dir}/${name}_gen)
endfunction()
