/// Elementary functions whose bits are the same on every machine: the only ones that what a run computes may use.
///
/// The functions of C libraries differ from one another in the last bit (IEEE 754 requires no more than sqrt and fma to
/// be rounded correctly), so a schedule with std::cos would train other weights on another system. The functions here
/// consist of additions, multiplications and divisions of doubles.
#pragma once

namespace weft {

/// Rounded correctly, for all but about one argument in 2^40, where the last bit may be the other one (the same on
/// every machine, too). Computed in double-double arithmetic, some 100 bits.
///
/// Natural logarithm: of 0 minus infinity, of a negative number or NaN a NaN.
double rounded_log(double x);
/// Results below 2^-1022 are 0.
double rounded_exp(double x);
/// x^y for x >= 0 and finite y; results below 2^-1022 are 0.
double rounded_pow(double x, double y);
/// For |x| below 2^40.
double rounded_cos(double x);
double rounded_sin(double x);

/// Faster, and within a few ulp.
///
/// Natural logarithm of a positive normal number.
double portable_log(double x);
/// Exponential of a number of at most 700; 0 below -700.
double portable_exp(double x);

}  // namespace weft
