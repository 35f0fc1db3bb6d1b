# weft_exact_math(VARIABLE...): stops if one of these variables has an option that changes the bits of floating-point results.
# sw/base/exact_math.hpp checks the compiler's macros; clang defines fewer of them.
set(weft_inexact -ffast-math -Ofast -funsafe-math-optimizations -fassociative-math -freciprocal-math -ffinite-math-only -fno-signed-zeros
  -fno-honor-nans -fno-honor-infinities -fsingle-precision-constant -fapprox-func -ffp-model=fast -ffp-model=aggressive -mdaz-ftz -mrecip -mfpmath=387 -mfpmath=both
  -mfpmath=sse,387 -mfpmath=387,sse -mfpmath=sse+387 -mfpmath=387+sse)
function(weft_exact_math)
  foreach(variable ${ARGN})
    separate_arguments(options UNIX_COMMAND "${${variable}}")
    foreach(option ${options})
      if(option IN_LIST weft_inexact OR option MATCHES "^-(mrecip|fdenormal-fp-math)=")
        message(FATAL_ERROR "${variable}: ${option} changes the bits of results. HINT: leave ${option} out of CXX, CXXFLAGS or LDFLAGS, then "
          "`make clean`, since the build folder remembers it")
      endif()
    endforeach()
  endforeach()
endfunction()
