; Weights of attention of one head and one sequence that lies over PARTS columns   (docs/explanation/kernels.md, Long
; sequences)

  attention_registers

; P[turn][u][t] = softmax over all columns' u of scale * q[t] k[u], 0 for queries before the key.
.kernel probs_long q=r1 k=r2 head=r7
  jal   link, attention_start
  li    r5, PROBS
  jal   link, scores_of_turns
  mask_of_turns
  softmax_of_turns
