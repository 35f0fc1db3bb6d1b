; Common parts of the attention kernels: one head and one sequence per call   (docs/explanation/kernels.md)
;
; SP tokens of a sequence in a column (padded to whole beats of LANES), SPW beats.
; Row constants in memory: HEAD_COUNT (heads in this row), HEAD_DIM (features of a head in this row), GROUP_FIRST and
; GROUP_LAST (the rows a head is spread over). head: which of the row's heads; rows with fewer heads rest.

.macro attention_registers
.reg features, r6             ; features of the head in this row
.reg group_first, r10
.reg group_last, r11
.reg lanes, r12               ; LANES: rows of a block
.reg beats, r13               ; beats of a row: VL
.reg link, r14
.reg once, r14                ; 1, except in a call
.reg one, r15
.endm
  attention_registers

; Distance from a beat of a diagonal to the next, and from behind the last one back to the first, modulo 2^16.
.equ DIAGONAL, LANES * SP + LANES
.equ FIRST_AGAIN, 0x10000 - SPW * DIAGONAL

.routine attention_start head=r7
  ld    features, r0, HEAD_COUNT
  bge   head, features, attention_rest
  ld    features, r0, HEAD_DIM
  li    beats, SPW
  li    lanes, LANES
  li    one, bf16(1)
  ret   link
attention_rest:
  halt

; Begins a kernel with scores: REP = 1, VL = a row's beats.
.macro scores_begin
  jal   link, attention_start
.reg left, r3
.reg x, r8
.reg y, r9
  set   REP, 1, once
  csrw  STB, once
  csrw  VL, beats
  set   STD, SP, x
  group_rows
.endm

; The rows of a head's group: two equal numbers, if a head has a row of its own.
.macro group_rows
  li    group_first, 1
  li    group_last, HEAD_ROWS
  beq   group_first, group_last, alone\@
  ld    group_first, r0, GROUP_FIRST
  ld    group_last, r0, GROUP_LAST
alone\@:
.endm

; Turns scores into weights, upper layout. p: behind the last beat of their diagonal; `maxima`: behind those of a block in R.
; Ends a kernel: overwrites r1 and r2.
.macro softmax_of_scores
; Maxima times -scale, then weights, their sums and the reciprocals of these.
.reg factor, r1
.reg sums, r2                 ; R
  set   VL, SPW, beats
  csrw  REP, once
  li    maxima, SP
  li    factor, MINUS_SCALE
  vf.fma R[maxima], S[factor], R[maxima], Z
  li    sums, 0
  zero  sums
  li    factor, SCALE
  addi  p, p, FIRST_AGAIN
  csrw  REP, lanes
exp\@:
  csrw  VL, beats
  vf.exp M[p], M[p], S[factor], R[maxima]
  addi  p, p, DIAGONAL
  addi  maxima, maxima, 1
  dbnz  beats, exp\@
  li    beats, SPW
  addi  p, p, FIRST_AGAIN
sum\@:
  csrw  VL, beats
  vf.fma R[sums], M[p], S[one], R[sums]
  addi  p, p, DIAGONAL
  addi  sums, sums, 1
  dbnz  beats, sum\@
  set   VL, SPW, beats
  csrw  REP, once
  li    sums, 0
  vf.recip R[sums], S[one], R[sums], Z
  addi  p, p, FIRST_AGAIN
  csrw  REP, lanes
scale\@:
  csrw  VL, beats
  vf.fma M[p], M[p], R[sums], Z
  addi  p, p, DIAGONAL
  addi  sums, sums, 1
  dbnz  beats, scale\@
.endm

; Turns whole rows of scores into weights: the SP rows of each of PARTS turns. first: a macro that sets p to the first of them.
; minus: -1e30. Ends a kernel.
.macro softmax_of_rows first
; The maxima of every LANES-th row, then those of all; a maximum is one of its numbers, in whichever order.
  set   STA, LANES * SP, x
  li    left, LANES * SPW
  csrw  VL, left
  set   REP, 1, x
  vf.fma R[r0], S[one], S[minus], Z
  set   REP, PARTS * SPW, x
  csrw  STR, r0
  \first
  vf.max R[r0], M[p], S[one], R[r0]
  set   REP, 1, x
  li    y, SPW
fold\@:
  shr   left, left, 1
  csrw  VL, left
  vf.max R[r0], S[one], R[left], R[r0]
  bne   left, y, fold\@
; Maxima times -scale, then weights, their sums and the reciprocals of these.
.reg factor, r4
.reg sums, r9                 ; R: SPW
.reg all, r10
  li    factor, MINUS_SCALE
  vf.fma R[r0], S[factor], R[r0], Z
  zero  sums
  li    factor, SCALE
  set   STA, SP, x
  set   REP, PARTS * SP, all
  vf.exp M[p], M[p], S[factor], R[r0]
  vf.fma R[sums], M[p], S[one], R[sums]
  set   REP, 1, x
  vf.recip R[sums], S[one], R[sums], Z
  csrw  REP, all
  vf.fma M[p], M[p], R[sums], Z
  halt
.endm

; Turns derivatives of weights, at DPROBS, into those of scores: dS = P * (dP - D) with D = the sum of P * dP over all rows, as
; softmax_of_rows has them. Ends a kernel.
.macro derivatives_of_rows
.reg minus_one, r1
.reg p, r3
.reg dp, r4
.reg all, r5
  set   VL, SPW, x
  set   STA, SP, x
  csrw  STB, x
  csrw  STR, r0
  zero  r0                    ; D
  li    p, PROBS
  li    dp, DPROBS
  set   REP, PARTS * SP, all
  vf.fma R[r0], M[p], M[dp], R[r0]
  set   REP, 1, x
  li    minus_one, bf16(-1)
  vf.fma R[r0], S[minus_one], R[r0], Z
  csrw  REP, all
  vf.fma M[dp], M[dp], S[one], R[r0]
  vf.fma M[dp], M[p], M[dp], Z
  halt
.endm

; Computes the LANES rows of a block, one after the other in R from 0: each is the sum over features f of X[f][t..] * y[f],
; with a y of its own, summed over the group's rows. X[0] is at x, `stride` from feature to feature, y[0] at y. Feature by
; feature, so that no beat waits for the previous one. REP = LANES, STB = 1. Leaves STR = VL = beats.
.macro block_of_scores stride
  csrw  STR, beats
  csrw  VL, beats
  csrw  STA, r0
  addi  left, features, -1
  vf.fma R[r0], M[x], MS[y], Z
  beq   left, r0, all\@
next\@:
  addi  x, x, \stride
  addi  y, y, T
  vf.fma R[r0], M[x], MS[y], R[r0]
  dbnz  left, next\@
all\@:
  beq   group_first, group_last, here\@
.reg acc, r8                  ; as reduce.s has them
.reg entries, r9
  li    acc, 0
  shl   entries, beats, LANE_BITS
  jal   link, group_sum
  li    once, 1
here\@:
.endm

; Sums of a head's features, weighted by rows of a matrix of scores. A row is used for up to `most` features at once, which have
; accumulators in R, SPW entries each. Macros: begin of a kernel, begin of a group of features, next row, end of a group.
.macro attend_begin
  jal   link, attention_start
.reg now, r5                  ; features
.reg away, r7                 ; from dst to src
.reg sums, r8                 ; R
.reg row, r9
.reg weight, r10              ; weight of src
.reg rows, r11                ; left in this block
.reg end, r14
  sub   away, src, dst
  csrw  STA, r0
  set   STB, T, row
  set   STR, SPW, row
.endm

.macro attend_features most
  li    now, \most
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
