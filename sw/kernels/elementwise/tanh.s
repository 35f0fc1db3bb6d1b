; The hyperbolic tangent.

.reg features, r5
.reg many, r6
.reg one, r7
.reg minus_one, r8
.reg a, r9                    ; R

.macro tanh_next by
  addi  x, x, \by
  addi  y, y, \by
.endm

.macro tanh_body
  vf.tanh M[y], M[x], S[one], Z
.endm

; y = tanh(x).
.kernel tanh x=r1 y=r2 count=r3
  count_features
  li    one, bf16(1)
  for_features tanh_body, tanh_next

.macro tanh_back_next by
  addi  x, x, \by
  addi  dy, dy, \by
.endm

.macro tanh_back_body
  vf.tanh M[scratch], M[x], S[one], Z
  vf.fma R[a], M[scratch], A, S[minus_one]
  vf.fma M[scratch], M[dy], R[a], Z
  vf.fma M[dy], M[scratch], S[minus_one], Z
.endm

; dx = dy * (1 - tanh(x)^2), in dy's place.
.kernel tanh_back x=r1 dy=r2 scratch=r3 count=r4
  count_features
  li    one, bf16(1)
  li    minus_one, bf16(-1)
  li    a, 0
  for_features tanh_back_body, tanh_back_next
