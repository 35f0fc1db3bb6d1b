; affine whose arrays one base does not reach   (docs/explanation/stream.md, Indices)

; y = xhat * gamma + beta, as affine. The stream: for every slot gamma on xhat's index, CR, beta on the always-one feature's,
; CR.
.kernel affine_2 xhat=r1 y=r2 slots=r3 ones=r4
.reg sum, r8
.reg one, r15
  whole_columns r8
  li    one, bf16(1)
  li    sum, 0
affine_2_slot:
  zero  sum
  vaxs  R[sum], M[xhat]
  vaxs  R[sum], M[ones]
  vf.fma M[y], S[one], R[sum], Z
  addi  y, y, T
  dbnz  slots, affine_2_slot
  halt
