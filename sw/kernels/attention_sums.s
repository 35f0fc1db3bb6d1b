; Sums of a head's features, weighted by rows of a matrix of scores   (attention.s)
;
; A row of the matrix meets all features at once, HEAD_AT_ONCE at most. Each has accumulators in R, SPW entries.

  attention_registers

; What attend and attend_lower share: the begin; the begin of some features, zero or not; the next row; their end.
.macro attend_begin
  jal   link, attention_start
.reg now, r5                  ; features
.reg away, r7                 ; from dst to src
.reg sums, r8                 ; R
.reg row, r9
.reg weight, r10              ; of src
.reg rows, r11                ; left in this block
.reg end, r14
  sub   away, src, dst
  csrw  STA, r0
  set   STB, T, row
  set   STR, SPW, row
.endm

.macro attend_features
  li    now, HEAD_AT_ONCE
  bge   features, now, fits\@
  mov   now, features
fits\@:
  sub   features, features, now
  csrw  REP, now
  mov   row, matrix
  add   weight, dst, away
  li    sums, 0
  set   VL, SPW, beats
.endm

.macro attend_next_row again
  addi  row, row, SP
  addi  weight, weight, 1
  dbnz  rows, \again
.endm

.macro attend_store again
  set   VL, SPW, beats
  set   REP, 1, sums
  li    sums, 0
store\@:
  vf.fma M[dst], S[factor], R[sums], Z
  addi  sums, sums, SPW
  addi  dst, dst, T
  dbnz  now, store\@
  bne   features, r0, \again
  halt
.endm

; dst[f][t] = factor * sum over u of matrix[u][t] * src[f][u], matrix upper.
.kernel attend src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
at_features:
  attend_features
  mov   rows, lanes
  vf.fma R[sums], M[row], MS[weight], Z
  jmp   at_next
at_block:
  mov   rows, lanes
  csrw  VL, beats
at_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
at_next:
  attend_next_row at_row
  addi  row, row, LANES
  addi  sums, sums, 1
  dbnz  beats, at_block
  attend_store at_features

; dst[f][u] = factor * sum over t of matrix[t][u] * src[f][t], matrix lower.
.kernel attend_lower src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
al_features:
  attend_features
  zero  sums
  li    end, SPW + 1
  li    beats, 1
al_block:
  mov   rows, lanes
  csrw  VL, beats
al_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row al_row
  addi  beats, beats, 1
  bne   beats, end, al_block
  attend_store al_features
