; Causal attention of one head and one sequence at a time, scores and weights in scratch memory
; (docs/explanation/kernels.md)
;
; Upper layout: row u, vector over the queries t >= u. Lower layout: row t, vector over the keys u <= t. Both keep only
; whole beats on the diagonal or on that side of it.

  attention_registers

; P[u][t] = softmax over u of scale * q[t] k[u], upper layout, at p.
.kernel probs q=r1 k=r2 p=r5 head=r7
.reg maxima, r4               ; R: behind a block
  scores_begin
.reg mask, r7
.reg behind, r8               ; the diagonal's beat: an address,
.reg others, r9               ; number of beats behind it
  li    maxima, SP
  li    x, bf16(-1e30)
  vf.fma R[maxima], S[one], S[x], Z
  csrw  REP, lanes
  li    mask, TRIANGLE
pr_block:
  mov   x, q
  mov   y, k
  block_of_scores T
  csrw  VL, once
  csrw  STA, lanes
  addi  behind, p, LANES
  addi  others, beats, -1
  vf.fma M[p], M[mask], S[one], R[r0]  ; masked for queries before u
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
  softmax_of_scores
  halt
