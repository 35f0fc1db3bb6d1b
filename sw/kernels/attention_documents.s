; Causal attention of one head and one sequence at a time, of a sample of several documents
; (docs/explanation/kernels.md)

  attention_registers

; P[u][t] = softmax over u of scale * q[t] k[u], upper layout, at p, over keys of the query's document. documents: each
; token's.
.kernel probs_documents q=r1 k=r2 documents=r4 p=r5 head=r7
.reg maxima, r4               ; R: behind a block
  scores_begin
.reg document, r7             ; document of the block's first token
.reg mask, r8
.reg key, r8                  ; address of its document's number,
.reg number, r9               ; and the number
.reg score, r14               ; R: a row
.reg closed, r15
  mov   document, r4
  li    maxima, SP
  li    x, bf16(-1e30)
  vf.fma R[maxima], S[one], S[x], Z
  csrw  REP, lanes
pd_block:
  mov   x, q
  mov   y, k
  block_of_scores T
  csrw  VL, once
  csrw  STA, lanes
  li    mask, TRIANGLE
  vf.fma R[r0], M[mask], S[one], R[r0]  ; masked for queries before u
  csrw  VL, beats
  csrw  REP, once
  mov   key, document
  mov   left, lanes
  li    score, 0
  li    closed, bf16(-1e30)
pd_row:
  ld    number, key, 0
  csrw  IDX, number
  vf.sel M[p], OH[document], R[score], S[closed]  ; and for queries of other documents
  addi  key, key, 1
  add   score, score, beats
  addi  p, p, SP
  dbnz  left, pd_row
  addi  p, p, 0 - LANES * SP
  li    once, 1
  li    one, bf16(1)
  csrw  REP, lanes
  csrw  STR, r0
  set   STA, SP, x
  vf.max R[maxima], M[p], S[one], R[maxima]
  addi  q, q, LANES
  addi  k, k, LANES
  addi  p, p, DIAGONAL
  addi  document, document, LANES
  addi  maxima, maxima, 1
  dbnz  beats, pd_block
  softmax_of_scores
  halt
