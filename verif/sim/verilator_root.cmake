# weft_check_verilator(ROOT BIN): fails if the program BIN, which generates C++ from the RTL, and the headers in ROOT, which that
# C++ is compiled with, belong to different installations; prints a line if the `verilator` on the PATH belongs to another one.
function(weft_verilator_version of program)
  execute_process(COMMAND ${program} --version OUTPUT_VARIABLE version ERROR_QUIET)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" version "${version}")  # none: some packages do not tell
  set(${of} "${version}" PARENT_SCOPE)
endfunction()

function(weft_check_verilator root bin)
  set(from "the package that CMake found")
  if(DEFINED ENV{VERILATOR_ROOT})
    set(from "VERILATOR_ROOT")
    if(NOT EXISTS $ENV{VERILATOR_ROOT}/include/verilated.h)
      message(FATAL_ERROR "VERILATOR_ROOT: no include/verilated.h in $ENV{VERILATOR_ROOT}. HINT: unset VERILATOR_ROOT, or name the folder "
        "that `verilator --getenv VERILATOR_ROOT` prints")
    endif()
    get_filename_component(named $ENV{VERILATOR_ROOT} REALPATH)
    get_filename_component(real ${root} REALPATH)
    if(NOT named STREQUAL real)
      message(FATAL_ERROR "VERILATOR_ROOT: it is $ENV{VERILATOR_ROOT}, but this build folder was configured with ${root}. HINT: make clean, "
        "or unset VERILATOR_ROOT")
    endif()
  endif()
  get_filename_component(home ${root} REALPATH)
  get_filename_component(program ${bin} REALPATH)
  weft_verilator_version(of_bin ${bin})
  set(of_root "")
  if(EXISTS ${root}/include/verilated_config.h)
    file(STRINGS ${root}/include/verilated_config.h of_root REGEX "define VERILATOR_VERSION ")
    string(REGEX MATCH "[0-9]+\\.[0-9]+" of_root "${of_root}")
  endif()
  string(FIND "${program}" "${home}/" inside)
  if(NOT inside EQUAL 0 AND NOT of_bin STREQUAL of_root)
    message(FATAL_ERROR "VERILATOR_ROOT: ${bin} is Verilator ${of_bin}, and the headers in ${root} (from ${from}) are of Verilator ${of_root}: "
      "two installations. HINT: unset VERILATOR_ROOT, or put that installation's bin first into PATH, then make clean")
  endif()
  find_program(WEFT_VERILATOR_ON_PATH verilator NO_CACHE)
  if(WEFT_VERILATOR_ON_PATH AND DEFINED ENV{VERILATOR_ROOT})
    set(kept $ENV{VERILATOR_ROOT})
    unset(ENV{VERILATOR_ROOT})  # it would rule what that one tells
    execute_process(COMMAND ${WEFT_VERILATOR_ON_PATH} --getenv VERILATOR_ROOT OUTPUT_VARIABLE other ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(ENV{VERILATOR_ROOT} ${kept})
    get_filename_component(other "${other}" REALPATH)
    if(other AND NOT other STREQUAL home)
      message(STATUS "VERILATOR_ROOT: Verilator ${of_root} of ${root} is used, not the one on the PATH, ${WEFT_VERILATOR_ON_PATH} of ${other}")
    endif()
  endif()
endfunction()
