; Sums of a head's features, weighted by rows of a matrix of scores   (attention.s)

  attention_registers

; What attend and attend_lower share: the begin, a feature's begin, and its end.
.macro attend_begin
  jal   link, attention_start
.reg left, r4                 ; features
.reg matrix_begin, r5
.reg once, r6
.reg lanes, r7
.reg row, r10
.reg weight, r11              ; of src
  mov   matrix_begin, matrix
  mov   left, features
  set   STA, SP, r6
  set   STB, 1, once
  li    lanes, LANES
.endm

.macro attend_feature
  csrw  REP, once
  csrw  VL, beats
  zero  scores
  csrw  REP, lanes
  mov   row, matrix_begin
  mov   weight, src
.endm

.macro attend_store again
  set   VL, SPW, beats
  csrw  REP, once
  vf.fma M[dst], S[factor], R[scores], Z
  addi  src, src, T
  addi  dst, dst, T
  dbnz  left, \again
  halt
.endm

; dst[f][t] = factor * sum over u of matrix[u][t] * src[f][u], matrix upper.
.kernel attend src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
at_feature:
  attend_feature
at_block:
  csrw  VL, beats
  vf.fma R[scores], M[row], MS[weight], R[scores]
  addi  row, row, DIAGONAL
  addi  weight, weight, LANES
  addi  scores, scores, 1
  dbnz  beats, at_block
  li    scores, 0
  attend_store at_feature

; dst[f][u] = factor * sum over t of matrix[t][u] * src[f][t], matrix lower.
.kernel attend_lower src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
.reg end, r13
  li    end, SPW + 1
al_feature:
  attend_feature
  li    beats, 1
al_block:
  csrw  VL, beats
  vf.fma R[scores], M[row], MS[weight], R[scores]
  addi  row, row, LANES * SP
  addi  weight, weight, LANES
  addi  beats, beats, 1
  bne   beats, end, al_block
  attend_store al_feature
