; Causal attention of one head and one sequence at a time, scores and weights in scratch memory   (docs/kernels.md)
;
; SP tokens of a sequence (padded to whole beats of LANES), SPW beats. Upper layout: row u, vector over the queries
; t >= u. Lower layout: row t, vector over the keys u <= t. Both keep only whole beats on or beside the diagonal.
; Row constants in memory: HEAD_COUNT (heads in this row), HEAD_DIM (features of a head in this row), GROUP_FIRST and
; GROUP_LAST (the rows a head is spread over). r7: which of the row's heads; rows with fewer heads rest.

; R[r8] = sum over features f of X[f][t..] * y[f], VL beats from r1 on, scalars from r2 on; over the group's rows.
; r6 features, r9 = VL, r10, r11 group; r14 link. Leaves REP = 1.
score_row:
  li    r12, 1
  csrw  REP, r12
  csrw  VL, r9
  vf.fma R[r8], S[r0], S[r0], Z
  csrw  REP, r6
  vf.fma R[r8], M[r1], MS[r2], R[r8]
  csrw  REP, r12
  jmp   group_sum

attention_start:
  ld    r6, r0, HEAD_COUNT
  bge   r7, r6, attention_rest
  ld    r6, r0, HEAD_DIM
  ld    r10, r0, GROUP_FIRST
  ld    r11, r0, GROUP_LAST
  li    r8, T
  csrw  STA, r8
  csrw  STB, r8
  li    r8, 0
  li    r9, SPW
  li    r15, bf16(1)
  ret   r14
attention_rest:
  halt

; P[u][t] = softmax over u of scale * q[t] k[u], upper layout; the maxima and inverse sums of the tokens go to STATS.
; r1 q, r2 k
probs:
  jal   r14, attention_start
  li    r5, PROBS
  li    r12, 1
  csrw  REP, r12
  csrw  VL, r9
  li    r4, SPW                       ; R: maxima
  li    r3, bf16(-1e30)
  vf.fma R[r4], S[r15], S[r3], Z
pr_block:
  li    r3, LANES
  li    r7, TRIANGLE
pr_row:
  jal   r14, score_row
  csrw  VL, r12
  vf.fma R[r8], M[r7], S[r15], R[r8]  ; queries before u see nothing of it
  csrw  VL, r9
  vf.fma M[r5], S[r15], R[r8], Z
  vf.max R[r4], S[r15], R[r8], R[r4]
  addi  r2, r2, 1
  addi  r5, r5, SP
  addi  r7, r7, LANES
  dbnz  r3, pr_row
  addi  r1, r1, LANES
  addi  r5, r5, LANES
  addi  r4, r4, 1
  dbnz  r9, pr_block
  ; maxima to memory and, times -scale, to R
  li    r9, SPW
  csrw  VL, r9
  li    r4, SPW
  li    r2, STATS
  vf.fma M[r2], S[r15], R[r4], Z
  li    r1, MINUS_SCALE
  vf.fma R[r4], S[r1], R[r4], Z
  li    r6, 2 * SPW                   ; sums
  vf.fma R[r6], S[r0], S[r0], Z
  li    r1, SCALE
  li    r5, PROBS
  li    r7, SP
  csrw  STA, r7
  csrw  STD, r7
  li    r3, LANES
  csrw  REP, r3
pr_exp:
  csrw  VL, r9
  vf.exp M[r5], M[r5], S[r1], R[r4]
  vf.fma R[r6], M[r5], S[r15], R[r6]
  addi  r5, r5, LANES * SP + LANES
  addi  r4, r4, 1
  addi  r6, r6, 1
  dbnz  r9, pr_exp
  li    r9, SPW
  csrw  VL, r9
  csrw  REP, r12
  li    r6, 2 * SPW
  addi  r2, r2, SP
  vf.recip M[r2], S[r15], R[r6], Z
  vf.fma R[r6], M[r2], S[r15], Z
  li    r5, PROBS
  csrw  REP, r3
pr_scale:
  csrw  VL, r9
  vf.fma M[r5], M[r5], R[r6], Z
  addi  r5, r5, LANES * SP + LANES
  addi  r6, r6, 1
  dbnz  r9, pr_scale
  halt

; dst[f][t] = r3 * sum over u of A[u][t] * src[f][u], A upper. r1 src, r2 dst, r4 A.
attend:
  jal   r14, attention_start
  mov   r5, r4
  mov   r4, r6                        ; features left
  li    r6, SP
  csrw  STA, r6
  li    r6, 1
  csrw  STB, r6
  li    r7, LANES
at_feature:
  csrw  REP, r6
  csrw  VL, r9
  vf.fma R[r8], S[r0], S[r0], Z
  csrw  REP, r7
  mov   r10, r5
  mov   r11, r1
at_block:
  csrw  VL, r9
  vf.fma R[r8], M[r10], MS[r11], R[r8]
  addi  r10, r10, LANES * SP + LANES
  addi  r11, r11, LANES
  addi  r8, r8, 1
  dbnz  r9, at_block
  li    r8, 0
  li    r9, SPW
  csrw  VL, r9
  csrw  REP, r6
  vf.fma M[r2], S[r3], R[r8], Z
  addi  r1, r1, T
  addi  r2, r2, T
  dbnz  r4, at_feature
  halt

; dst[f][u] = r3 * sum over t of A[t][u] * src[f][t], A lower. r1 src, r2 dst, r4 A.
attend_lower:
  jal   r14, attention_start
  mov   r5, r4
  mov   r4, r6
  li    r6, SP
  csrw  STA, r6
  li    r6, 1
  csrw  STB, r6
  li    r7, LANES
  li    r13, SPW + 1
al_feature:
  csrw  REP, r6
  csrw  VL, r9
  vf.fma R[r8], S[r0], S[r0], Z
  csrw  REP, r7
  mov   r10, r5
  mov   r11, r1
  li    r9, 1
al_block:
  csrw  VL, r9
  vf.fma R[r8], M[r10], MS[r11], R[r8]
  addi  r10, r10, LANES * SP
  addi  r11, r11, LANES
  addi  r9, r9, 1
  bne   r9, r13, al_block
  li    r9, SPW
  csrw  REP, r6
  csrw  VL, r9
  vf.fma M[r2], S[r3], R[r8], Z
  addi  r1, r1, T
  addi  r2, r2, T
  dbnz  r4, al_feature
  halt

; dS[u][t] = P * (dP - D) with dP[u][t] = v[u] do[t], D[t] = sum over u of P * dP; -D goes to STATS. r1 do, r2 v
dprobs:
  jal   r14, attention_start
  li    r5, DPROBS
  li    r7, PROBS
  li    r12, 1
  csrw  REP, r12
  csrw  VL, r9
  li    r4, SPW                       ; R: D
  vf.fma R[r4], S[r0], S[r0], Z
ds_block:
  li    r3, LANES
ds_row:
  jal   r14, score_row
  vf.fma R[r4], M[r7], R[r8], R[r4]
  vf.fma M[r5], S[r15], R[r8], Z
  addi  r2, r2, 1
  addi  r5, r5, SP
  addi  r7, r7, SP
  dbnz  r3, ds_row
  addi  r1, r1, LANES
  addi  r5, r5, LANES
  addi  r7, r7, LANES
  addi  r4, r4, 1
  dbnz  r9, ds_block
  li    r9, SPW
  csrw  VL, r9
  li    r4, SPW
  li    r2, STATS + 2 * SP
  li    r3, bf16(-1)
  vf.fma M[r2], S[r3], R[r4], Z
  vf.fma R[r4], M[r2], S[r15], Z
  li    r5, DPROBS
  li    r7, PROBS
ds_block2:
  li    r3, LANES
  csrw  VL, r9
ds_row2:
  vf.fma R[r8], M[r5], S[r15], R[r4]
  vf.fma M[r5], M[r7], R[r8], Z
  addi  r5, r5, SP
  addi  r7, r7, SP
  dbnz  r3, ds_row2
  addi  r5, r5, LANES
  addi  r7, r7, LANES
  addi  r4, r4, 1
  dbnz  r9, ds_block2
  halt

; P[t][u], lower layout, from the statistics in STATS. r1 k, r2 q
probs_lower:
  jal   r14, attention_start
  li    r5, PROBS
  li    r4, STATS
  li    r9, 1                         ; beats up to the diagonal
pl_block:
  li    r3, LANES
  li    r7, TRIANGLE_LOWER
pl_row:
  jal   r14, score_row
  csrw  VL, r12
  addi  r13, r9, -1
  vf.fma R[r13], M[r7], S[r15], R[r13]
  csrw  VL, r9
  li    r13, 2 * SPW
  li    r14, MINUS_SCALE
  vf.fma R[r13], S[r14], MS[r4], Z
  li    r14, SCALE
  vf.exp R[r8], S[r14], R[r8], R[r13]
  addi  r14, r4, SP
  vf.fma M[r5], S[r15], R[r8], Z
  vf.fma M[r5], M[r5], MS[r14], Z
  addi  r2, r2, 1
  addi  r4, r4, 1
  addi  r5, r5, SP
  addi  r7, r7, LANES
  dbnz  r3, pl_row
  addi  r9, r9, 1
  li    r13, SPW + 1
  bne   r9, r13, pl_block
  halt

; dS[t][u], lower layout, from P there and -D in STATS. r1 v, r2 do
dprobs_lower:
  jal   r14, attention_start
  li    r5, DPROBS
  li    r7, PROBS
  li    r4, STATS + 2 * SP
  li    r9, 1
dl_block:
  li    r3, LANES
dl_row:
  jal   r14, score_row
  vf.fma M[r5], S[r15], R[r8], Z      ; rounded as in the upper layout
  vf.fma R[r8], M[r5], S[r15], Z
  vf.fma R[r8], S[r15], MS[r4], R[r8]
  vf.fma M[r5], M[r7], R[r8], Z
  addi  r2, r2, 1
  addi  r4, r4, 1
  addi  r5, r5, SP
  addi  r7, r7, SP
  dbnz  r3, dl_row
  addi  r9, r9, 1
  li    r13, SPW + 1
  bne   r9, r13, dl_block
  halt
