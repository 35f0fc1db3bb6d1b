; Causal attention of one head and one sequence at a time, scores and weights in scratch memory   (docs/kernels.md)
;
; SP tokens of a sequence (padded to whole beats of LANES), SPW beats. Upper layout: row u, vector over the queries
; t >= u. Lower layout: row t, vector over the keys u <= t. Both keep only whole beats on or beside the diagonal.
; Row constants in memory: HEAD_COUNT (heads in this row), HEAD_DIM (features of a head in this row), GROUP_FIRST and
; GROUP_LAST (the rows a head is spread over). head: which of the row's heads; rows with fewer heads rest.

.macro attention_registers
.reg features, r6             ; of the head in this row
.reg scores, r8               ; R: a row of them
.reg beats, r9                ; of a row: VL
.reg group_first, r10
.reg group_last, r11
.reg link, r14
.reg one, r15
.endm
  attention_registers

; From a beat of the upper layout's diagonal to the next.
.equ DIAGONAL, LANES * SP + LANES

; R[scores] = sum over features f of X[f][t..] * y[f], from `vectors` and `scalars` on; over the group's rows. Leaves
; REP = 1.
.routine score_row vectors=r1 scalars=r2 once=r12
  li    once, 1
  csrw  REP, once
  csrw  VL, beats
  zero  scores
  csrw  REP, features
  vf.fma R[scores], M[vectors], MS[scalars], R[scores]
  csrw  REP, once
  jmp   group_sum

.routine attention_start head=r7
  ld    features, r0, HEAD_COUNT
  bge   head, features, attention_rest
  ld    features, r0, HEAD_DIM
  ld    group_first, r0, GROUP_FIRST
  ld    group_last, r0, GROUP_LAST
  set   STA, T, r8
  csrw  STB, r8
  li    scores, 0
  li    beats, SPW
  li    one, bf16(1)
  ret   link
attention_rest:
  halt

; P[u][t] = softmax over u of scale * q[t] k[u], upper layout; the maxima and inverse sums of the tokens go to STATS.
.kernel probs q=r1 k=r2 head=r7
.reg left, r3                 ; rows of this block
.reg maxima, r4               ; R
.reg p, r5
.reg once, r12
  jal   link, attention_start
.reg mask, r7
  li    p, PROBS
  set   REP, 1, once
  csrw  VL, beats
  li    maxima, SPW
  li    r3, bf16(-1e30)
  vf.fma R[maxima], S[one], S[r3], Z
pr_block:
  li    left, LANES
  li    mask, TRIANGLE
pr_row:
  jal   link, score_row
  csrw  VL, once
  vf.fma R[scores], M[mask], S[one], R[scores]  ; queries before u see nothing of it
  csrw  VL, beats
  vf.fma M[p], S[one], R[scores], Z
  vf.max R[maxima], S[one], R[scores], R[maxima]
  addi  k, k, 1
  addi  p, p, SP
  addi  mask, mask, LANES
  dbnz  left, pr_row
  addi  q, q, LANES
  addi  p, p, LANES
  addi  maxima, maxima, 1
  dbnz  beats, pr_block
; Maxima to memory and, times -scale, to R.
.reg scale, r1
.reg stats, r2
.reg lanes, r3
.reg sums, r6                 ; R
  set   VL, SPW, beats
  li    maxima, SPW
  li    stats, STATS
  vf.fma M[stats], S[one], R[maxima], Z
  li    scale, MINUS_SCALE
  vf.fma R[maxima], S[scale], R[maxima], Z
  li    sums, 2 * SPW
  zero  sums
  li    scale, SCALE
  li    p, PROBS
  set   STA, SP, r7
  csrw  STD, r7
  set   REP, LANES, lanes
pr_exp:
  csrw  VL, beats
  vf.exp M[p], M[p], S[scale], R[maxima]
  vf.fma R[sums], M[p], S[one], R[sums]
  addi  p, p, DIAGONAL
  addi  maxima, maxima, 1
  addi  sums, sums, 1
  dbnz  beats, pr_exp
  set   VL, SPW, beats
  csrw  REP, once
  li    sums, 2 * SPW
  addi  stats, stats, SP
  vf.recip M[stats], S[one], R[sums], Z
  vf.fma R[sums], M[stats], S[one], Z
  li    p, PROBS
  csrw  REP, lanes
pr_scale:
  csrw  VL, beats
  vf.fma M[p], M[p], R[sums], Z
  addi  p, p, DIAGONAL
  addi  sums, sums, 1
  dbnz  beats, pr_scale
  halt
