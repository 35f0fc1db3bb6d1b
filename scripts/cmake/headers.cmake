# Headers that most files read, precompiled once: about a second less for each file that takes them.
#
# A set of headers is for one optimization: g++ 12 restores the options of the headers, and crashes where a file with -O3 takes
# headers with -O1. Libraries in which runs spend their time take none.

set(CMAKE_PCH_WARN_INVALID OFF)  # a file with other macros reads the headers themselves
set(precompiled OFF)
if(WEFT_SHARED_HEADERS AND NOT WEFT_SANITIZE AND NOT WEFT_FUZZ)
  set(precompiled ON)
endif()

# weft_precompiled(NAME OPTIONS option... LIBS library... HEADERS header...): a set of headers, for weft_take_headers.
function(weft_precompiled name)
  cmake_parse_arguments(P "" "" "OPTIONS;LIBS;HEADERS" ${ARGN})
  if(NOT precompiled)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/gen/${name}.cpp CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/gen/${name}.cpp)
  target_link_libraries(${name} PRIVATE weft_flags fmt::fmt ${P_LIBS})
  target_compile_options(${name} PRIVATE ${P_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${P_HEADERS})
endfunction()

# weft_take_headers(TARGET NAME): TARGET takes the set of headers NAME, if there is one.
function(weft_take_headers target name)
  if(NOT TARGET ${name})
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  # fmt's macros are those of the headers.
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()
