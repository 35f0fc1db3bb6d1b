; Attention of one head and one sequence at a time, in which a token also sees later ones   (docs/explanation/kernels.md,
; Every token sees every token)
;
; P and dS are whole: [keys][queries], later [queries][keys]. A token sees the tokens of its own document.

  attention_registers

.equ BLOCK, SP * SP

.macro first_of_scores
  addi  p, p, 0x10000 - BLOCK
.endm

; P[u][t] = softmax over u of scale * q[t] k[u], at p, over keys of the query's document. documents: each token's.
.kernel probs_full q=r1 k=r2 documents=r4 p=r5 head=r7
  scores_begin
.reg key, r7                  ; address of the number of a key's document,
.reg number, r9               ; and the number
.reg score, r14               ; R: a row
.reg closed, r15
  mov   key, documents
pf_block:
  csrw  REP, lanes
  mov   x, q
  mov   y, k
  block_of_scores T
  csrw  REP, once
  mov   left, lanes
  li    score, 0
  li    closed, bf16(-1e30)
pf_row:
  ld    number, key, 0
  csrw  IDX, number
  vf.sel M[p], OH[documents], R[score], S[closed]
  addi  key, key, 1
  add   score, score, beats
  addi  p, p, SP
  dbnz  left, pf_row
  li    once, 1
  li    one, bf16(1)
  addi  k, k, LANES
  addi  y, documents, SP
  bne   key, y, pf_block
.reg minus, r10
  li    minus, bf16(-1e30)
  softmax_of_rows first_of_scores

; dS[u][t] = P * (dP - D) with dP[u][t] = v[u] dout[t], D[t] = sum over u of P * dP.
.kernel dprobs_full dout=r1 v=r2 head=r7
  scores_begin
.reg row, r4
.reg blocks, r5
  li    row, DPROBS
  li    blocks, SPW
  csrw  REP, lanes
df_block:
  mov   x, dout
  mov   y, v
  block_of_scores T
  vf.fma M[row], S[r0], S[r0], R[r0]
  addi  v, v, LANES
  addi  row, row, LANES * SP
  dbnz  blocks, df_block
  derivatives_of_rows

; dst[f][t] = factor * sum over u of matrix[u][t] * src[f][u].
.kernel attend_full src=r1 dst=r2 factor=r3 matrix=r4 head=r7
  attend_begin
af_features:
  attend_features HEAD_AT_ONCE
  zero  sums
  li    rows, SP
af_row:
  vf.fma R[sums], M[row], MS[weight], R[sums]
  attend_next_row af_row
  attend_store af_features
