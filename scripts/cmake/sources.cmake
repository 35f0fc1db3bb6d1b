# weft_sources(VARIABLE [file or pattern...] [EXCEPT file or pattern...]): the files of this folder that a pattern matches, sorted;
# default *.cpp without main.cpp. A file that is added later is found by the next build.
function(weft_sources variable)
  cmake_parse_arguments(S "" "" "EXCEPT" ${ARGN})
  if(NOT S_UNPARSED_ARGUMENTS)
    set(S_UNPARSED_ARGUMENTS *.cpp)
    list(APPEND S_EXCEPT main.cpp)
  endif()
  set(kept "")
  set(left_out "")
  foreach(kind UNPARSED_ARGUMENTS EXCEPT)
    foreach(word ${S_${kind}})
      set(found ${word})
      if(word MATCHES "[*]")
        file(GLOB found RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${word})
      endif()
      if(kind STREQUAL EXCEPT)
        list(APPEND left_out ${found})
      else()
        list(APPEND kept ${found})
      endif()
    endforeach()
  endforeach()
  if(left_out)
    list(REMOVE_ITEM kept ${left_out})
  endif()
  list(REMOVE_DUPLICATES kept)
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()

# weft_library(NAME [COLD] [file or pattern...] [EXCEPT file or pattern...] [LIBS library...] [PRIVATE library...]): a static library
# of those files. LIBS: libraries that its headers use; PRIVATE: those that only its .cpp files use. COLD: as in weft_cold.
function(weft_library name)
  cmake_parse_arguments(L "COLD" "" "EXCEPT;LIBS;PRIVATE" ${ARGN})
  weft_sources(sources ${L_UNPARSED_ARGUMENTS} EXCEPT ${L_EXCEPT})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC weft_flags ${L_LIBS} PRIVATE ${L_PRIVATE})
  if(L_COLD)
    weft_cold(${name})
  endif()
endfunction()

# weft_program(NAME [COLD] [file or pattern...] [EXCEPT file or pattern...] [LIBS library...]): a program in the build folder; default
# source main.cpp.
function(weft_program name)
  cmake_parse_arguments(P "COLD" "" "EXCEPT;LIBS" ${ARGN})
  if(NOT P_UNPARSED_ARGUMENTS)
    set(P_UNPARSED_ARGUMENTS main.cpp)
  endif()
  weft_sources(sources ${P_UNPARSED_ARGUMENTS} EXCEPT ${P_EXCEPT})
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE weft_flags ${P_LIBS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  if(P_COLD)
    weft_cold(${name})
  endif()
endfunction()

# Optimization of code in which no run spends its time, and the headers that it takes. -Og takes a fifth less to compile
# than -O1.
set(weft_cold_options $<$<CONFIG:Release>:-Og>)
set(weft_cold_libraries Boost::headers nlohmann_json::nlohmann_json)
weft_precompiled(weft_cold_headers OPTIONS ${weft_cold_options} LIBS ${weft_cold_libraries} HEADERS <algorithm> <array> <atomic> <bit>
  <charconv> <chrono> <cmath> <condition_variable> <cstdint> <cstring> <deque> <filesystem> <fstream> <functional> <iostream> <map>
  <memory> <mutex> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <thread> <unordered_map> <utility> <variant>
  <vector> <boost/asio/any_io_executor.hpp> <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/asio/io_context.hpp>
  <boost/asio/ip/tcp.hpp> <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp> <fmt/format.h> <fmt/ranges.h>
  <nlohmann/json.hpp>)

# weft_cold(target...): no run spends its time in these libraries or programs; their loops are not worth what -O3 takes to compile.
# They take precompiled headers, and up to 64 of their files are one unit, since a second unit would instantiate the same templates.
# (GCC reports a mismatch of Asio's coroutine operators if it inlines only one of the two, as with -Og.)
function(weft_cold)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${weft_cold_options} $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>)
    target_link_libraries(${target} PRIVATE ${weft_cold_libraries})  # for the precompiled headers
    if(NOT target STREQUAL weft_asio)
      target_link_libraries(${target} PRIVATE $<LINK_ONLY:weft_asio>)  # headers refer to its error categories
    endif()
    weft_take_headers(${target} weft_cold_headers)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 64)
  endforeach()
endfunction()

# weft_apart(file...): excludes files from the unity build, because their local names clash with others in the target. Each costs a
# second to compile; a test whose local names clash has a namespace of its name inside its folder's.
function(weft_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
