; LayerNorm backwards for an input that nothing else reads   (docs/explanation/kernels.md)

.reg acc, r8                  ; R: operand of column_sum and mean
.reg entries, r9              ; and its number of entries
.reg link, r14
.reg one, r15

.macro replace_dx
  vf.fma M[dx], M[rstd], R[sum], Z
.endm

; As layernorm_back, but dx is replaced, and may be dy's place.
.kernel layernorm_back_in_place dy=r1 dyg=r2 slots=r3 rstd=r4 dx=r5 xhat=r6 upper=r12 lower=r13
  layernorm_back_to replace_dx
