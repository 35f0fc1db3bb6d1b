; Softmax cross-entropy over the vocabulary, which is spread over a column   (docs/explanation/kernels.md)

.reg features, r3             ; features of this row
.reg id, r6                   ; id of a feature
.reg acc, r8                  ; R: operand of column_max and column_sum
.reg entries, r9
.reg once, r12
.reg link, r14
.reg one, r15

.macro loss_begin
  set   VL, VLT, entries
  set   STA, T, r2
  csrw  STD, r2
  set   REP, 1, once
  li    one, bf16(1)
  li    acc, 0
.endm

; In place of the logits exp(logit - max); LOSS_SCALE gets 1/sum, or 0 for tokens that do not count. Row 0 returns the
; sums, then max - logit of the label, each column by column. The files of labels/ define labels: one_hot.s or smooth.s;
; one_block.s or blocks.s defines how an index names a label. beside: a vector of memory, in the half that the logits
; are not in.
.kernel loss logits=r1 beside=r13
.reg lowest, r2
.reg label, r4                ; R: logit of the label
.reg temporary, r5            ; R
  loss_begin
  li    lowest, bf16(-1e38)
  vf.fma R[acc], S[one], S[lowest], Z
  ld    features, r0, CNT_VOCAB
  csrw  REP, features
  vf.max R[acc], M[logits], S[one], R[acc]
  csrw  REP, once
  jal   link, column_max
  li    label, 2 * VLT
  zero  label
  beq   features, r0, loss_exp
.reg labels, r2
.reg logit, r7
  li    labels, LABELS
  ld    id, r0, ROW_INDEX
  mov   logit, logits
  first_label
loss_label:
  csrw  IDX, id
  add_label_logit
  next_label logit, loss_label
loss_exp:
.reg minus_one, r2
.reg sums, r6
  li    minus_one, bf16(-1)
  li    temporary, 3 * VLT
  vf.fma R[temporary], S[minus_one], R[acc], Z  ; -max
  li    sums, VLT
  zero  sums
  ld    features, r0, CNT_VOCAB
  csrw  REP, features
  vf.exp M[logits], M[logits], S[one], R[temporary]
  vf.fma R[sums], M[logits], S[one], R[sums]
  csrw  REP, once
.reg max, r5                  ; R; later max - logit
.reg inverse, r7              ; R
.reg factor, r3
.reg valid, r4
  mov   max, acc
  li    acc, VLT
  li    entries, 2 * VLT
  jal   link, column_sum      ; sums and the label's logits
  distance
  mvp   r1, sums
  mvp   r2, max
  fork  loss_psum
  li    inverse, 3 * VLT
  vf.recip R[inverse], S[one], R[sums], Z
  li    factor, LOSS_SCALE
  li    valid, VALID
  vf.fma M[factor], M[valid], R[inverse], Z
  join
  halt

.routine loss_psum sums=r1 distances=r2
  csrr  r3, ROW
  bne   r3, r0, loss_psum_done
  set   VL, VLT, r3
  vs.mov own=R[sums], out=WEST, gather
  vs.mov own=R[distances], out=WEST, gather
loss_psum_done:
  halt

; d loss / d logits = softmax - label, in place of exp(logit - max).
.kernel loss_back logits=r1
.reg factor, r2
.reg minus_one, r4
  loss_begin
  li    factor, LOSS_SCALE
  vf.fma R[acc], M[factor], S[one], Z
  ld    features, r0, CNT_VOCAB
  beq   features, r0, lo_done
  csrw  REP, features
  vf.fma M[logits], M[logits], R[acc], Z
  csrw  REP, once
.reg labels, r2
  ld    id, r0, ROW_INDEX
  li    labels, LABELS
  li    minus_one, bf16(-1)
  first_label
lo_label:
  csrw  IDX, id
  minus_label acc
  vf.fma M[logits], M[logits], S[one], R[acc]
  next_label logits, lo_label
lo_done:
  halt
