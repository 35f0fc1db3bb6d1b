include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/verilator_root.cmake)
if("$ENV{VERILATOR_ROOT}" STREQUAL "")
  unset(ENV{VERILATOR_ROOT})  # set to nothing, it would be taken for a folder
endif()
find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT})
weft_check_verilator(${VERILATOR_ROOT} ${VERILATOR_BIN})
find_package(Threads REQUIRED)

# Verilator's runtime, compiled once: verilate() would compile it into every library.
set(dir ${VERILATOR_ROOT}/include)
add_library(weft_verilator STATIC ${dir}/verilated.cpp ${dir}/verilated_threads.cpp ${dir}/verilated_dpi.cpp)
target_include_directories(weft_verilator SYSTEM PUBLIC ${dir} ${dir}/vltstd)
set_target_properties(weft_verilator PROPERTIES UNITY_BUILD OFF)
target_compile_options(weft_verilator PRIVATE -w ${weft_no_collection} $<$<CONFIG:Release>:-O1>)  # its headers have the code of each cycle
target_link_libraries(weft_verilator PUBLIC Threads::Threads)

# Verilator's headers, precompiled once for all libraries; reading them took half of a small module's build time. Libraries
# with other macros or options read the headers themselves, as do the few libraries of a build without tests.
if(precompiled AND WEFT_TESTS)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/gen/weft_verilated_headers.cpp CONTENT "")
  add_library(weft_verilated_headers OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/gen/weft_verilated_headers.cpp)
  target_link_libraries(weft_verilated_headers PRIVATE weft_verilator)
  target_compile_definitions(weft_verilated_headers PRIVATE VM_COVERAGE=0 VM_SC=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0)
  target_compile_options(weft_verilated_headers PRIVATE -O2 $<$<BOOL:${WEFT_NATIVE}>:-march=${WEFT_CPU}>)
  set_target_properties(weft_verilated_headers PROPERTIES PCH_WARN_INVALID OFF)
  target_precompile_headers(weft_verilated_headers PRIVATE <verilated.h> <verilated_dpi.h>)
endif()

# weft_verilator_once(NAME [WHOLE | FAST]): makes library NAME, created by verilate(), use the runtime above.
# The code that runs once per simulation is merged into one file, as in Verilator's own Makefiles, because most of the time
# went into reading the same headers. WHOLE: the code that runs in each cycle is at the head of that file, optimized. FAST:
# that code is in a file of its own, because with precompiled headers GCC 12 generates an eighth more instructions for it if
# unoptimized code is in the same file. Warnings in Verilator's headers are suppressed.
function(weft_verilator_once name)
  cmake_parse_arguments(V "WHOLE;FAST" "" "" ${ARGN})
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/verilated(_threads|_dpi)?\\.cpp$")
  set(fast "")
  set(slow "")
  foreach(source ${sources})
    if(source MATCHES "/V[^/]*\\.cpp$")
      get_source_file_property(flags ${source} COMPILE_FLAGS)
      set(part fast)
      if(source MATCHES "__(Slow|Syms)\\.cpp$")
        set(part slow)
      elseif(NOT V_WHOLE AND NOT V_FAST)
        continue()
      endif()
      string(APPEND ${part} "#include \"${source}\"\n")
      set(${part}_flags "${flags}")
      set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
    endif()
  endforeach()
  if(V_WHOLE)
    string(APPEND fast "#ifdef __clang__\n#pragma clang optimize off\n#else\n#pragma GCC optimize(\"O0\")\n#endif\n${slow}")
    string(APPEND fast_flags " -Wno-attributes")  # redeclarations keep the first declaration's optimization
    set(slow "")
  endif()
  foreach(part fast slow)
    if(${part})
      set(file ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir/${name}_${part}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${${part}}" @ONLY)  # no newer than it was, if it is the same
      set_source_files_properties(${file} PROPERTIES COMPILE_FLAGS "${${part}_flags}")
      list(APPEND sources ${file})
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES SOURCES "${sources}" UNITY_BUILD OFF)
  if(TARGET weft_verilated_headers)
    set_target_properties(${name} PROPERTIES PCH_WARN_INVALID OFF)
    target_precompile_headers(${name} REUSE_FROM weft_verilated_headers)
  endif()
  target_compile_options(${name} PRIVATE ${weft_no_collection} $<$<BOOL:${WEFT_NATIVE}>:-march=${WEFT_CPU}>)
  target_link_libraries(${name} PUBLIC weft_verilator)
  get_target_property(dirs ${name} INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(${name} SYSTEM INTERFACE ${dirs})
endfunction()
