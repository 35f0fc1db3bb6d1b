; Weights of attention over several columns, in which a token also sees later ones   (docs/explanation/kernels.md, Every
; token sees every token)

  attention_registers

; P[turn][u][t] = softmax over all columns' u of scale * q[t] k[u], 0 for keys of other documents. documents: the document of each
; token.
.kernel probs_long_full q=r1 k=r2 documents=r4 head=r7
  jal   link, attention_start
  numbers_of_tokens
  li    r5, PROBS
  jal   link, scores_of_turns
.reg turn, r1
.reg left, r3
.reg p, r5
.reg x, r8
.reg y, r9
.reg minus, r10
  li    minus, bf16(-1e30)
  mask_of_documents
  softmax_of_turns
