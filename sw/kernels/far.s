; GEMM whose arrays one base does not reach   (docs/explanation/stream.md, Indices)
;
; A program has these kernels only if the model is deep, or wide for its rows.

.reg acc, r5                  ; accumulators
.reg sums, r6                 ; three buffers of partial sums
.reg link, r14

; The last base of an output, after the weights of all others.
.macro last_of copied, x
  vaxs  R[acc], \x
  vcr   R[sums], R[acc]
  next_output \copied
  join
  halt
.endm

; y[o] = sum over the stream's weights of w * x[i], as gemm. The stream: for every output weights on arrays above x, CR,
; weights on arrays above x2, CR.
.kernel gemm_2 x=r1 outputs=r2 y=r3 homes=r4 x2=r7
  jal   link, gemm_start
  zero  acc
gemm_2_output:
  vaxs  R[acc], M[x]
  last_of gemm_2_output, M[x2]

; gemm_2 with three bases.
.kernel gemm_3 x=r1 outputs=r2 y=r3 homes=r4 x2=r7 x3=r9
  jal   link, gemm_start
  zero  acc
gemm_3_output:
  vaxs  R[acc], M[x]
  vaxs  R[acc], M[x2]
  last_of gemm_3_output, M[x3]

; gemm_2 with four bases.
.kernel gemm_4 x=r1 outputs=r2 y=r3 homes=r4 x2=r7 x3=r9 x4=r10
  jal   link, gemm_start
  zero  acc
gemm_4_output:
  vaxs  R[acc], M[x]
  vaxs  R[acc], M[x2]
  vaxs  R[acc], M[x3]
  last_of gemm_4_output, M[x4]

; gemm_2 with five bases.
.kernel gemm_5 x=r1 outputs=r2 y=r3 homes=r4 x2=r7 x3=r9 x4=r10 x5=r11
  jal   link, gemm_start
  zero  acc
gemm_5_output:
  vaxs  R[acc], M[x]
  vaxs  R[acc], M[x2]
  vaxs  R[acc], M[x3]
  vaxs  R[acc], M[x4]
  last_of gemm_5_output, M[x5]
