; Weights of attention over several columns, of a sample of several documents   (docs/explanation/kernels.md, Long
; sequences)
;
; Keys' documents travel, too (attention_long_numbers.s).

  attention_registers

; P[turn][u][t] = softmax over all columns' u of scale * q[t] k[u], 0 for queries before the key and of other documents.
; documents: the document of each token.
.kernel probs_long_documents q=r1 k=r2 documents=r4 head=r7
  jal   link, attention_start
  numbers_of_tokens
  li    r5, PROBS
  jal   link, scores_of_turns
  mask_of_turns
  mask_of_documents
  softmax_of_turns
