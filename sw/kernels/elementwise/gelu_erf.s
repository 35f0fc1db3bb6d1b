; GELU by the error function: x times the normal distribution's function P of x, as 1 / (1 + exp(-x * q(x^2))).
;
; q is a polynomial of degree 2 whose bf16 constants were fitted to the logarithm of P(x) / P(-x), divided by x. It leaves
; y within 1.1e-4 of the exact value (docs/explanation/kernels.md, Element-wise functions). Beyond |x| = 4, q(16) is used.

.reg features, r5
.reg many, r6
.reg one, r7
.reg minus_one, r8
.reg minus_c0, r9
.reg c1, r10
.reg c2, r11
.reg least, r12               ; -16
.reg b, r14                   ; R: the second half; the first begins with entry r0

; R[0..] = P(x), from x^2 there. Uses memory at `by`.
.macro normal_distribution by
  vf.max M[\by], S[minus_one], R[r0], S[least]
  vf.fma R[r0], M[\by], S[c2], S[c1]
  vf.fma R[r0], M[\by], R[r0], S[minus_c0]
  vf.exp R[r0], M[x], R[r0], Z
  vf.recip R[r0], S[one], R[r0], S[one]
.endm

.macro gelu_erf_constants
  li    one, bf16(1)
  li    minus_one, bf16(-1)
  li    minus_c0, bf16(-1.59375)
  li    c1, bf16(0.07470703125)
  li    c2, bf16(0.000713348388671875)
  li    least, bf16(-16)
.endm

.macro gelu_erf_next by
  addi  x, x, \by
  addi  y, y, \by
.endm

.macro gelu_erf_body
  vf.fma R[r0], M[x], A, Z
  normal_distribution y
  vf.fma M[y], M[x], R[r0], Z
.endm

; y = x * P(x).
.kernel gelu_erf x=r1 y=r2 count=r3
  count_features
  gelu_erf_constants
  for_features gelu_erf_body, gelu_erf_next

.macro gelu_erf_back_next by
  addi  x, x, \by
  addi  dy, dy, \by
.endm

.macro gelu_erf_back_body
  vf.fma R[r0], M[x], A, Z
  vf.exp R[b], S[minus_half], R[r0], S[log_peak]
  normal_distribution scratch
  vf.fma R[b], M[x], R[b], R[r0]
  vf.fma M[dy], M[dy], R[b], Z
.endm

; dx = dy * (P(x) + x * exp(-x^2 / 2) / sqrt(2 pi)), in dy's place.
.kernel gelu_erf_back x=r1 dy=r2 scratch=r3 count=r4
.reg log_peak, r4             ; -log(2 pi) / 2
.reg minus_half, r13
  count_features
  gelu_erf_constants
  li    log_peak, bf16(-0.9189385332)
  li    minus_half, bf16(-0.5)
  li    b, AT_ONCE * VLT
  for_features gelu_erf_back_body, gelu_erf_back_next
