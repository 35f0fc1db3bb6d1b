; SiLU (swish): x times the logistic function of x.

.reg features, r5
.reg many, r6
.reg one, r7
.reg minus_one, r8
.reg least, r9
.reg second, r10              ; the second half of scratch
.reg a, r11                   ; R: a half each
.reg b, r12

.macro silu_next by
  addi  x, x, \by
  addi  y, y, \by
.endm

.macro silu_body
  vf.exp R[a], M[x], S[minus_one], Z
  vf.recip R[a], S[one], R[a], S[one]
  vf.fma M[y], M[x], R[a], Z
.endm

; y = x / (1 + exp(-x)).
.kernel silu x=r1 y=r2 count=r3
  count_features
  li    one, bf16(1)
  li    minus_one, bf16(-1)
  li    a, 0
  for_features silu_body, silu_next

.macro silu_back_next by
  addi  x, x, \by
  addi  dy, dy, \by
.endm

.macro silu_back_body
  vf.max M[second], M[x], S[one], S[least]      ; exp(-x) stays finite
  vf.exp M[scratch], M[second], S[minus_one], Z
  vf.recip R[a], M[scratch], S[one], S[one]     ; s
  vf.fma R[b], M[scratch], R[a], Z              ; 1 - s, which has no cancellation this way
  vf.fma R[b], M[second], R[b], S[one]
  vf.fma M[dy], M[dy], R[a], Z
  vf.fma M[dy], M[dy], R[b], Z
.endm

; dx = dy * s * (1 + x * (1 - s)), s = 1 / (1 + exp(-x)), in dy's place.
.kernel silu_back x=r1 dy=r2 scratch=r3 count=r4
  count_features
  li    one, bf16(1)
  li    minus_one, bf16(-1)
  li    least, bf16(-80)
  li    a, 0
  li    b, AT_ONCE * VLT
  addi  second, scratch, AT_ONCE * T
  for_features silu_back_body, silu_back_next
