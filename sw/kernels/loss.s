; Softmax cross-entropy over the vocabulary, which is spread over a column   (docs/kernels.md)
;
; loss: r1 logits, in place exp(logit - max); LOSS_SCALE gets 1/sum (0 for tokens that do not count). Row 0 returns the
; sums, then max - logit of the label, each column by column.
loss:
  li    r9, VLT
  csrw  VL, r9
  li    r2, T
  csrw  STA, r2
  csrw  STD, r2
  li    r12, 1
  csrw  REP, r12
  li    r15, bf16(1)
  li    r8, 0                         ; maxima
  li    r2, bf16(-1e38)
  vf.fma R[r8], S[r15], S[r2], Z
  ld    r3, r0, CNT_VOCAB
  csrw  REP, r3
  vf.max R[r8], M[r1], S[r15], R[r8]
  csrw  REP, r12
  jal   r14, column_max
  li    r4, 2 * VLT                   ; logit of the label
  li    r5, 3 * VLT
  vf.fma R[r4], S[r0], S[r0], Z
  beq   r3, r0, loss_exp
  li    r2, LABELS
  ld    r6, r0, ROW_INDEX
  mov   r7, r1
loss_label:
  csrw  IDX, r6
  vf.fma R[r5], OH[r2], S[r15], Z
  vf.fma R[r4], M[r7], R[r5], R[r4]
  addi  r6, r6, 1
  addi  r7, r7, T
  dbnz  r3, loss_label
loss_exp:
  li    r2, bf16(-1)
  li    r5, 3 * VLT
  vf.fma R[r5], S[r2], R[r8], Z       ; -max
  li    r6, VLT                       ; sums
  vf.fma R[r6], S[r0], S[r0], Z
  ld    r3, r0, CNT_VOCAB
  csrw  REP, r3
  vf.exp M[r1], M[r1], S[r15], R[r5]
  vf.fma R[r6], M[r1], S[r15], R[r6]
  csrw  REP, r12
  mov   r5, r8
  li    r8, VLT
  li    r9, 2 * VLT
  jal   r14, column_sum               ; sums and the label's logits
  vf.fma R[r5], S[r2], R[r4], R[r5]   ; max - logit
  li    r7, 3 * VLT
  vf.recip R[r7], S[r15], R[r6], Z
  li    r3, LOSS_SCALE
  li    r4, VALID
  vf.fma M[r3], M[r4], R[r7], Z
  mvp   r1, r6
  mvp   r2, r5
  fork  loss_psum
  join
  halt

loss_psum:
  csrr  r3, ROW
  bne   r3, r0, loss_psum_done
  li    r3, VLT
  csrw  VL, r3
  vs.mov own=R[r1], out=WEST, gather
  vs.mov own=R[r2], out=WEST, gather
loss_psum_done:
  halt

; d loss / d logits = softmax - one-hot(label), in place. r1 exp(logit - max)
loss_back:
  li    r9, VLT
  csrw  VL, r9
  li    r2, T
  csrw  STA, r2
  csrw  STD, r2
  li    r12, 1
  csrw  REP, r12
  li    r15, bf16(1)
  li    r8, 0
  li    r2, LOSS_SCALE
  vf.fma R[r8], M[r2], S[r15], Z
  ld    r3, r0, CNT_VOCAB
  beq   r3, r0, lo_done
  csrw  REP, r3
  vf.fma M[r1], M[r1], R[r8], Z
  csrw  REP, r12
  ld    r6, r0, ROW_INDEX
  li    r2, LABELS
  li    r4, bf16(-1)
lo_label:
  csrw  IDX, r6
  vf.fma R[r8], OH[r2], S[r4], Z
  vf.fma M[r1], M[r1], S[r15], R[r8]
  addi  r6, r6, 1
  addi  r1, r1, T
  dbnz  r3, lo_label
lo_done:
  halt
