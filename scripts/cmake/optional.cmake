# Libraries that one feature needs each. A feature is built if its library is installed (scripts/setup formats) and its option is ON;
# otherwise its code is replaced by *_missing.cpp, which rejects such files.

# weft_optional(NAME FEATURE header LIBS library... [FOLDERS folder...]): sets WEFT_HAS_NAME, WEFT_NAME_INCLUDE and WEFT_NAME_LIBRARY.
function(weft_optional name feature header)
  cmake_parse_arguments(O "" "" "LIBS;FOLDERS" ${ARGN})
  option(WEFT_${name} "Build ${feature}, if the library is installed" ON)
  find_path(WEFT_${name}_INCLUDE ${header} PATH_SUFFIXES ${O_FOLDERS})
  find_library(WEFT_${name}_LIBRARY NAMES ${O_LIBS} PATH_SUFFIXES ${O_FOLDERS})
  if(WEFT_${name} AND WEFT_${name}_INCLUDE AND WEFT_${name}_LIBRARY)
    set(WEFT_HAS_${name} ON PARENT_SCOPE)
  else()
    set(WEFT_HAS_${name} OFF PARENT_SCOPE)
    message(STATUS "weft reads no ${feature}: WEFT_${name} is OFF, or the library is missing (scripts/setup formats)")
  endif()
endfunction()

weft_optional(HDF5 "samples in HDF5" hdf5.h LIBS hdf5_serial hdf5 FOLDERS hdf5/serial)
weft_optional(PCRE2 "tokenizers with patterns other than GPT-2's" pcre2.h LIBS pcre2-8)
weft_optional(UTF8PROC "tokenizers that normalize text" utf8proc.h LIBS utf8proc)
weft_optional(SENTENCEPIECE "SentencePiece models" sentencepiece_processor.h LIBS sentencepiece)
if(WEFT_HAS_SENTENCEPIECE)
  find_library(WEFT_SENTENCEPIECE_TRAIN_LIBRARY sentencepiece_train)  # for tests
endif()
