; The product of two values, as of a gate and what passes it.

.reg features, r6
.reg many, r7
.reg a, r8                    ; R

.macro product_next by
  addi  x, x, \by
  addi  x2, x2, \by
  addi  y, y, \by
.endm

.macro product_body
  vf.fma M[y], M[x], M[x2], Z
.endm

; y = x * x2.
.kernel product x=r1 x2=r2 y=r3 count=r4
  count_features
  for_features product_body, product_next

.macro product_back_next by
  addi  x, x, \by
  addi  x2, x2, \by
  addi  dy, dy, \by
  addi  dx2, dx2, \by
.endm

.macro product_back_body
  vf.fma M[dx2], M[dy], M[x], Z
  vf.fma M[dy], M[dy], M[x2], Z
.endm

; dx2 = dy * x; dx = dy * x2, in dy's place.
.kernel product_back x=r1 x2=r2 dy=r3 dx2=r4 count=r5
  count_features
  for_features product_back_body, product_back_next
