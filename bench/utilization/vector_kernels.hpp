/// Linear algebra on vectors in a tile's memory, as programs of main (sw/asm/README.md): N elements each, contiguous or
/// at the addresses in a list. BEATS = N / LANES, EIGHT = 8 * LANES, RESTS = N / EIGHT - 1.
#pragma once

namespace weft::bench {

inline constexpr const char* kVectorKernels = R"(
.macro set csr number by
  li    \by, \number
  csrw  \csr, \by
.endm

; The next vector: by the list, or the one behind.
.macro listed
  ld    x, at, 0
  addi  at, at, 1
.endm
.macro next
  mov   x, at
  addi  at, at, N
.endm

; y = a * x + y for `vectors` vectors x, y in memory.
.macro axpy_body which
.reg x, r5
  set   VL, BEATS, r6
  set   REP, 1, r6
again\@:
  \which
  vf.fma M[y], M[x], S[a], M[y]
  dbnz  vectors, again\@
  halt
.endm
.kernel axpy at=r1 vectors=r2 y=r3 a=r4
  axpy_body next
.kernel axpy_listed at=r1 vectors=r2 y=r3 a=r4
  axpy_body listed

; x * y for each of `vectors` vectors x: eight accumulators in turn, R[8 * vector + i mod 8] for entry i.
.macro dot_body which
.reg x, r5
.reg once, r6
.reg rest, r7
.reg y_rest, r8
.reg acc, r9
  set   VL, 8, r5
  set   STA, EIGHT, r5
  csrw  STB, r5
  li    once, 1
  li    rest, RESTS
  addi  y_rest, y, EIGHT
  li    acc, 0
again\@:
  csrw  REP, once
  \which
  vf.fma R[acc], M[x], M[y], Z
  csrw  REP, rest
  addi  x, x, EIGHT
  vf.fma R[acc], M[x], M[y_rest], R[acc]
  addi  acc, acc, 8
  dbnz  vectors, again\@
  halt
.endm
.kernel dot at=r1 vectors=r2 y=r3
  dot_body next
.kernel dot_listed at=r1 vectors=r2 y=r3
  dot_body listed

; R[0 ..] += w[j] * x[j], vector after vector: a matrix of columns x times w.
.macro gemv_body which
.reg x, r5
  set   VL, BEATS, r6
  set   REP, 1, r6
again\@:
  \which
  vf.fma R[r0], M[x], MS[w], R[r0]
  addi  w, w, 1
  dbnz  vectors, again\@
  halt
.endm
.kernel gemv at=r1 vectors=r2 w=r3
  gemv_body next
.kernel gemv_listed at=r1 vectors=r2 w=r3
  gemv_body listed

; The same with the weights and the vectors' numbers from W.
.kernel gemv_streamed mask=r1
  set   VL, BEATS, r6
  set   STA, N, r6
  csrw  LMASK, mask
  vaxs  R[r0], M[r0]
  halt

; R[out * BEATS ..] += w[j][out] * x[j] for four outputs: a matrix of columns x times a matrix of rows w.
.macro gemm_body which
.reg x, r5
  set   VL, BEATS, r6
  csrw  STR, r6
  set   STA, 0, r6
  set   STB, 1, r6
  set   REP, 4, r6
again\@:
  \which
  vf.fma R[r0], M[x], MS[w], R[r0]
  addi  w, w, 4
  dbnz  vectors, again\@
  halt
.endm
.kernel gemm at=r1 vectors=r2 w=r3
  gemm_body next
.kernel gemm_listed at=r1 vectors=r2 w=r3
  gemm_body listed
)";

}  // namespace weft::bench
