# Flags of every library and test of this project. Warnings are errors, and a multiply and an add are never fused implicitly.
# Not errors, but shown, are the warnings of compilers newer than those this was written with, and the warnings of g++'s
# optimizer, which depend on -march. (GCC 12's warnings about "literal" + std::string are turned off: GCC bug 105651. With
# sanitizers, which cause many more, all warnings are off.)
set(newest_gcc 13)
foreach(name array-bounds dangling-pointer format-overflow format-truncation free-nonheap-object maybe-uninitialized nonnull
    null-dereference stringop-overflow stringop-overread stringop-truncation uninitialized use-after-free)
  list(APPEND optimizer_warnings -Wno-error=${name})
endforeach()
# g++ collects no garbage below 1 GB: a collection visits all headers, a tenth of the time to compile.
set(weft_no_collection $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
add_library(weft_flags INTERFACE)
target_compile_options(weft_flags INTERFACE -Wall -Wextra ${weft_no_collection} -ffp-contract=off
  -fsigned-char  # on every CPU, as on x86
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS_EQUAL:$<CXX_COMPILER_VERSION>,${newest_gcc}.99>>:-Werror>
  "$<$<CXX_COMPILER_ID:GNU>:${optimizer_warnings}>"
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${sanitized}>:-w>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${WEFT_UNITY}>>:-Wno-subobject-linkage>
  $<$<BOOL:${WEFT_NATIVE}>:-march=${WEFT_CPU}>
  # clang 16 crashes with SIGSEGV on bf16 in shifts of integers; nothing here uses that unit.
  $<$<AND:$<BOOL:${WEFT_NATIVE}>,$<CXX_COMPILER_ID:Clang>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,19>>:-mno-avx512bf16>)
target_compile_definitions(weft_flags INTERFACE BOOST_ASIO_SEPARATE_COMPILATION)  # whose code is in weft_asio
target_include_directories(weft_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/gen)

if(WEFT_FUZZ)
  target_compile_options(weft_flags INTERFACE -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
    -fsanitize=fuzzer-no-link,address,undefined)
endif()
