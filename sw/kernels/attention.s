; Causal attention of one head and one sequence at a time, scores and weights in scratch memory   (docs/kernels.md)
;
; SP tokens of a sequence (padded to whole beats of LANES), SPW beats. Upper layout: row u, vector over the queries
; t >= u. Lower layout: row t, vector over the keys u <= t. Both keep only whole beats on or beside the diagonal.
; Row constants in memory: HEAD_COUNT (heads in this row), HEAD_DIM (features of a head in this row), GROUP_FIRST and
; GROUP_LAST (the rows a head is spread over). head: which of the row's heads; rows with fewer heads rest.

.macro attention_registers
.reg features, r6             ; of the head in this row
.reg group_first, r10         ; two numbers that are the same, if a head has a row of its own
.reg group_last, r11
.reg lanes, r12               ; LANES: rows of a block
.reg beats, r13               ; of a row: VL
.reg link, r14
.reg once, r14                ; 1, but in a call
.reg one, r15
.endm
  attention_registers

; From a beat of the upper layout's diagonal to the next.
.equ DIAGONAL, LANES * SP + LANES

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

; The begin of a kernel with scores: REP = 1, VL = a row's beats.
.macro scores_begin
  jal   link, attention_start
.reg left, r3
.reg x, r8
.reg y, r9
  set   REP, 1, once
  csrw  STB, once
  csrw  VL, beats
  set   STD, SP, x
  mov   group_first, once
  li    group_last, HEAD_ROWS
  beq   group_first, group_last, alone\@
  ld    group_first, r0, GROUP_FIRST
  ld    group_last, r0, GROUP_LAST
alone\@:
.endm

; The LANES rows of a block, one behind the other in R from 0: each is the sum over features f of X[f][t..] * y[f], with
; a y of its own; over the group's rows. Feature by feature, so that no beat waits for the one before. REP = LANES,
; STB = 1. Leaves STR = VL = beats.
.macro block_of_scores vectors, scalars
  csrw  STR, beats
  csrw  VL, beats
  csrw  STA, r0
  mov   x, \vectors
  mov   y, \scalars
  addi  left, features, -1
  vf.fma R[r0], M[x], MS[y], Z
  beq   left, r0, all\@
next\@:
  addi  x, x, T
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

; P[u][t] = softmax over u of scale * q[t] k[u], upper layout.
.kernel probs q=r1 k=r2 head=r7
.reg maxima, r4               ; R: behind a block
.reg p, r5
  scores_begin
.reg mask, r7
.reg behind, r8               ; the diagonal's beat: an address,
.reg others, r9               ; so many beats
  li    maxima, SP
  li    x, bf16(-1e30)
  vf.fma R[maxima], S[one], S[x], Z
  csrw  REP, lanes
  li    p, PROBS
  li    mask, TRIANGLE
pr_block:
  block_of_scores q, k
  csrw  VL, once
  csrw  STA, lanes
  addi  behind, p, LANES
  addi  others, beats, -1
  vf.fma M[p], M[mask], S[one], R[r0]  ; queries before u see nothing of it
  csrw  VL, others
  beq   others, r0, pr_max
  vf.fma M[behind], S[r0], S[r0], R[once]
pr_max:
  csrw  VL, beats
  csrw  STR, r0
  set   STA, SP, x
  vf.max R[maxima], M[p], S[one], R[maxima]
  addi  q, q, LANES
  addi  k, k, LANES
  addi  p, p, DIAGONAL
  addi  maxima, maxima, 1
  dbnz  beats, pr_block
; Maxima times -scale, then weights, their sums and what they are multiplied with.
.reg scale, r1
.reg sums, r2                 ; R
  set   VL, SPW, beats
  csrw  REP, once
  li    maxima, SP
  li    scale, MINUS_SCALE
  vf.fma R[maxima], S[scale], R[maxima], Z
  li    sums, 0
  zero  sums
  li    scale, SCALE
  li    p, PROBS
  csrw  REP, lanes
pr_exp:
  csrw  VL, beats
  vf.exp M[p], M[p], S[scale], R[maxima]
  addi  p, p, DIAGONAL
  addi  maxima, maxima, 1
  dbnz  beats, pr_exp
  li    beats, SPW
  li    p, PROBS
pr_sum:
  csrw  VL, beats
  vf.fma R[sums], M[p], S[one], R[sums]
  addi  p, p, DIAGONAL
  addi  sums, sums, 1
  dbnz  beats, pr_sum
  set   VL, SPW, beats
  csrw  REP, once
  li    sums, 0
  vf.recip R[sums], S[one], R[sums], Z
  li    p, PROBS
  csrw  REP, lanes
pr_scale:
  csrw  VL, beats
  vf.fma M[p], M[p], R[sums], Z
  addi  p, p, DIAGONAL
  addi  sums, sums, 1
  dbnz  beats, pr_scale
  halt
