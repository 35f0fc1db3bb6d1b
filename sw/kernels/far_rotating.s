; far.s in two cycles a partial sum, not four   (docs/explanation/psum.md)

.reg sums, r6                 ; three buffers of partial sums
.reg link, r14

; The last base of an output, after the weights of all others.
.macro last_rotating_of turn, x
  vaxs  Q[sums], \x, put
  next_output \turn
  join
  halt
.endm

; gemm_2 in two cycles a partial sum.
.kernel gemm_2_rotating x=r1 outputs=r2 y=r3 homes=r4 x2=r7
  jal   link, rotating_start
gemm_2_rotating_output:
  vaxs  Q[sums], M[x]
  last_rotating_of gemm_2_rotating_output, M[x2]

; gemm_3 in two cycles a partial sum.
.kernel gemm_3_rotating x=r1 outputs=r2 y=r3 homes=r4 x2=r7 x3=r9
  jal   link, rotating_start
gemm_3_rotating_output:
  vaxs  Q[sums], M[x]
  vaxs  Q[sums], M[x2]
  last_rotating_of gemm_3_rotating_output, M[x3]

; gemm_4 in two cycles a partial sum.
.kernel gemm_4_rotating x=r1 outputs=r2 y=r3 homes=r4 x2=r7 x3=r9 x4=r10
  jal   link, rotating_start
gemm_4_rotating_output:
  vaxs  Q[sums], M[x]
  vaxs  Q[sums], M[x2]
  vaxs  Q[sums], M[x3]
  last_rotating_of gemm_4_rotating_output, M[x4]

; gemm_5 in two cycles a partial sum.
.kernel gemm_5_rotating x=r1 outputs=r2 y=r3 homes=r4 x2=r7 x3=r9 x4=r10 x5=r11
  jal   link, rotating_start
gemm_5_rotating_output:
  vaxs  Q[sums], M[x]
  vaxs  Q[sums], M[x2]
  vaxs  Q[sums], M[x3]
  vaxs  Q[sums], M[x4]
  last_rotating_of gemm_5_rotating_output, M[x5]
