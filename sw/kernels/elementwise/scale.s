; A value times a constant, which is the sum of two bf16: hi and lo.

.reg features, r6
.reg many, r7
.reg a, r8                    ; R

.macro scale_next by
  addi  x, x, \by
  addi  y, y, \by
.endm

.macro scale_body
  vf.fma R[a], M[x], S[lo], Z
  vf.fma M[y], M[x], S[hi], R[a]
.endm

; y = x * (hi + lo).
.kernel scale x=r1 y=r2 hi=r3 lo=r4 count=r5
  count_features
  li    a, 0
  for_features scale_body, scale_next

.macro scale_back_next by
  addi  dy, dy, \by
.endm

.macro scale_back_body
  vf.fma R[a], M[dy], S[lo], Z
  vf.fma M[dy], M[dy], S[hi], R[a]
.endm

; dx = dy * (hi + lo), in dy's place.
.kernel scale_back dy=r1 hi=r2 lo=r3 count=r4
  count_features
  li    a, 0
  for_features scale_back_body, scale_back_next
