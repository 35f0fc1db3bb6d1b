/// Elementary functions with the same bits on every machine. Computations of a run may use no others.
///
/// The functions of C libraries differ from one another in the last bit (IEEE 754 requires no more than sqrt and fma to
/// be rounded correctly), so a schedule with std::cos would train other weights on another system. The functions here
/// consist of additions, multiplications and divisions of doubles.
#pragma once

namespace weft {

/// Correctly rounded functions, except for about one argument in 2^40, where the last bit may be wrong (in the same way
/// on every machine). Computed in double-double arithmetic, some 100 bits.
///
/// Natural logarithm; minus infinity for 0, NaN for a negative number or NaN.
double rounded_log(double x);
/// Results below 2^-1022 are 0.
double rounded_exp(double x);
/// x^y for x >= 0 and finite y; results below 2^-1022 are 0.
double rounded_pow(double x, double y);
/// Cosine and sine for |x| below 2^40; otherwise NaN.
double rounded_cos(double x);
double rounded_sin(double x);

/// Faster functions, accurate to a few ulp.
///
/// Natural logarithm of a positive normal number.
double portable_log(double x);
/// Exponential of a number of at most 700; 0 below -700.
double portable_exp(double x);

}  // namespace weft
