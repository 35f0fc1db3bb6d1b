include_guard(GLOBAL)
find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT})

# weft_verilated(NAME TOP file...): library NAME with class V<TOP> made from rtl/ files. Lint warnings are errors,
# invariants are checked, the state can be saved (tests compare it).
function(weft_verilated name top)
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/rtl/)
  add_library(${name} STATIC)
  verilate(${name} SOURCES ${CMAKE_BINARY_DIR}/gen/isa_pkg.sv ${CMAKE_SOURCE_DIR}/rtl/weft_pkg.sv ${ARGN} TOP_MODULE ${top} PREFIX V${top}
    INCLUDE_DIRS ${CMAKE_SOURCE_DIR}/rtl OPT_FAST -O3 OPT_SLOW -O0 VERILATOR_ARGS -Wall --assert --savable)
  # Verilator's own headers are not ours to warn about.
  get_target_property(dirs ${name} INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(${name} SYSTEM INTERFACE ${dirs})
endfunction()
