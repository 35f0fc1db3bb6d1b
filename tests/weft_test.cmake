# Headers that most tests read; and a set for tests of libraries whose headers read Asio, a second less for each of those tests and
# a quarter more for each other one.
if(WEFT_TESTS)
  set(headers <gtest/gtest.h> <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <deque> <filesystem> <fstream> <functional> <map>
    <memory> <mutex> <optional> <random> <set> <span> <sstream> <string> <thread> <utility> <vector> <fmt/format.h>)
  weft_precompiled(weft_test_headers OPTIONS -Og LIBS GTest::gtest Threads::Threads HEADERS ${headers})
  weft_precompiled(weft_test_headers_asio OPTIONS -Og LIBS GTest::gtest Threads::Threads ${weft_cold_libraries} HEADERS ${headers}
    <boost/asio/any_io_executor.hpp> <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/asio/io_context.hpp>
    <boost/asio/ip/tcp.hpp> <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp> <nlohmann/json.hpp>)
endif()

# gold links a test in a third of the time.
set(linker "")
if(WEFT_TESTS AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT WEFT_SANITIZE)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold WEFT_GOLD)
  if(WEFT_GOLD)
    set(linker -fuse-ld=gold)
  endif()
endif()

# weft_test(NAME [REST] file or pattern... [EXCEPT file or pattern...] LIBS lib... [PREFIX prefix] [LABEL label] [LONG] [TIMEOUT seconds] [PROCESSORS n] [COST n]):
# one GoogleTest program, each case a separate ctest. REST: also the *_test.cpp of the folder that no program before it has. LONG: suites whose names end so belong to `make test-long` only. Label
# memory_limit: the test limits its address space, so scripts/sanitize skips it. COST: cases with a higher one start earlier where
# no earlier run has measured them; long cases that start last leave a processor idle. Names have numbers for parameters without a
# name: their printed values would be hundreds of characters long, and ctest pads all names to the longest one.
set(minutes 10)
if(WEFT_SANITIZE)
  set(minutes 20)
endif()
math(EXPR WEFT_TEST_TIMEOUT "${minutes} * 60")
function(weft_test name)
  cmake_parse_arguments(T "REST;LONG" "PREFIX;LABEL;TIMEOUT;PROCESSORS;COST" "EXCEPT;LIBS" ${ARGN})
  if(NOT T_TIMEOUT OR T_TIMEOUT LESS WEFT_TEST_TIMEOUT)
    set(T_TIMEOUT ${WEFT_TEST_TIMEOUT})
  endif()
  set(all DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES)
  if(T_PREFIX)
    list(APPEND all TEST_PREFIX "${T_PREFIX}")
  endif()
  list(APPEND all PROPERTIES)
  if(T_PROCESSORS)
    list(APPEND all PROCESSORS ${T_PROCESSORS})
  endif()
  if(T_COST)
    list(APPEND all COST ${T_COST})
  endif()
  set(most TIMEOUT ${T_TIMEOUT})
  if(T_LABEL)
    list(APPEND most LABELS ${T_LABEL})
  endif()
  weft_apart(${CMAKE_SOURCE_DIR}/tests/faults.cpp)  # operator new of its own: what it is made of, no other is to see
  if(T_REST)
    get_property(taken DIRECTORY PROPERTY WEFT_TESTED)
    list(APPEND T_UNPARSED_ARGUMENTS *_test.cpp)
    list(APPEND T_EXCEPT ${taken})
  endif()
  weft_sources(sources ${T_UNPARSED_ARGUMENTS} EXCEPT ${T_EXCEPT})
  set_property(DIRECTORY APPEND PROPERTY WEFT_TESTED ${sources})
  add_executable(${name} ${sources})
  if(TARGET weft_trace AND "${T_LIBS}" MATCHES "weft_(sim|cosim)")  # its wafers can be traced
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/trace_on_request.cpp)
    target_link_libraries(${name} PRIVATE weft_trace)
  endif()
  target_link_libraries(${name} PRIVATE weft_flags ${T_LIBS} GTest::gtest GTest::gtest_main Threads::Threads)
  target_compile_options(${name} PRIVATE -Og)  # for a test's own lines, not for the tested code: a fifth less to compile than with -O1
  target_link_options(${name} PRIVATE ${linker})
  set(headers weft_test_headers)
  if("${T_LIBS}" MATCHES "swarmx|weft_(modes|ranks|train)")
    target_link_libraries(${name} PRIVATE ${weft_cold_libraries} $<LINK_ONLY:weft_asio>)  # headers refer to its error categories
    string(APPEND headers _asio)
  endif()
  weft_take_headers(${name} ${headers})
  if(NOT T_LONG)
    gtest_discover_tests(${name} ${all} ${most})
    return()
  endif()
  gtest_discover_tests(${name} TEST_FILTER -*Long.* ${all} ${most})
  gtest_discover_tests(${name} TEST_FILTER *Long.* TEST_LIST ${name}_long ${all} TIMEOUT 7200 LABELS long)
endfunction()

# weft_skipped(GROUP NAME...): a test GROUP.NAME that is skipped for each library of scripts/cmake/optional.cmake that is missing.
function(weft_skipped group)
  foreach(name ${ARGN})
    if(NOT WEFT_HAS_${name})
      string(TOLOWER ${name} test)
      add_test(NAME ${group}.${test} COMMAND ${CMAKE_COMMAND} -E echo "skipped: weft is built without ${name}. HINT: make build")
      set_tests_properties(${group}.${test} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: ")
    endif()
  endforeach()
endfunction()
