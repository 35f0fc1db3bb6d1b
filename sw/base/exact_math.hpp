/// Rejects compiler options that change the bits of floating-point results. CMake rejects such options by name
/// (sw/base/exact_math.cmake); this header checks the macros by which a compiler reports them, whatever way they came.
#pragma once

#if defined(__FAST_MATH__)
#error "-ffast-math or -Ofast changes the bits of results. HINT: leave it out of CXXFLAGS, and make clean"
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
#error "-ffinite-math-only changes the bits of results. HINT: leave it out of CXXFLAGS, and make clean"
#elif defined(__ASSOCIATIVE_MATH__)
#error \
    "-fassociative-math (of -funsafe-math-optimizations) changes the bits of results. HINT: leave it out of CXXFLAGS, and make clean"
#elif defined(__RECIPROCAL_MATH__)
#error "-freciprocal-math changes the bits of results. HINT: leave it out of CXXFLAGS, and make clean"
#elif defined(__NO_SIGNED_ZEROS__)
#error "-fno-signed-zeros changes the bits of results. HINT: leave it out of CXXFLAGS, and make clean"
#elif defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error \
    "the compiler computes in more bits than a float has (-mfpmath=387). HINT: leave it out of CXXFLAGS, and make clean"
#endif
