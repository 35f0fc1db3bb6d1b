; The rectifier.

.reg features, r5
.reg many, r6
.reg one, r7

.macro relu_next by
  addi  x, x, \by
  addi  y, y, \by
.endm

.macro relu_body
  vf.max M[y], M[x], S[one], Z
.endm

; y = max(x, 0).
.kernel relu x=r1 y=r2 count=r3
  count_features
  li    one, bf16(1)
  for_features relu_body, relu_next

.macro relu_back_next by
  addi  x, x, \by
  addi  dy, dy, \by
.endm

.macro relu_back_body
  vf.max M[scratch], M[x], S[one], Z
  vf.sel M[dy], M[scratch], M[dy], Z
.endm

; dx = dy where x > 0, and 0 elsewhere, in dy's place.
.kernel relu_back x=r1 dy=r2 scratch=r3 count=r4
  count_features
  li    one, bf16(1)
  for_features relu_back_body, relu_back_next
