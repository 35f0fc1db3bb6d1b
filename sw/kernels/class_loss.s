; Softmax cross-entropy over classes, or over a vocabulary in one block next to classes, which are spread over a column
; (docs/explanation/kernels.md)
;
; As loss.s, with a weight for each token, 0 where there is no label. table: the number of this row's features, then the
; addresses of labels, weights and scales.

.reg features, r3             ; classes of this row
.reg id, r6                   ; id of a class
.reg acc, r8                  ; R: operand of column_max and column_sum
.reg entries, r9
.reg link, r14
.reg one, r15

.macro class_loss_begin
  set   VL, VLT, entries
  set   STA, T, r2
  csrw  STD, r2
  set   REP, 1, r2
  li    one, bf16(1)
  li    acc, 0
.endm

; In place of the scores exp(score - max); scales get weight/sum. Row 0 returns the sums, then max - score of the
; label, each column by column. Register `beside`: the address of a vector in the half of memory without the scores.
.kernel class_loss scores=r1 beside=r13 table=r12
.reg lowest, r2
.reg label, r4                ; R: score of the label
.reg temporary, r5            ; R
  class_loss_begin
  li    lowest, bf16(-1e38)
  vf.fma R[acc], S[one], S[lowest], Z
  ld    features, table, 0
  csrw  REP, features
  vf.max R[acc], M[scores], S[one], R[acc]
  set   REP, 1, lowest
  jal   link, column_max
  li    label, 2 * VLT
  zero  label
  beq   features, r0, class_loss_exp
.reg labels, r2
.reg score, r7
  ld    labels, table, 1
  ld    id, r0, ROW_INDEX
  mov   score, scores
class_loss_label:
  csrw  IDX, id
  vf.fma M[beside], OH[labels], S[one], Z
  vf.fma R[label], M[score], M[beside], R[label]
  addi  id, id, 1
  addi  score, score, T
  dbnz  features, class_loss_label
class_loss_exp:
.reg minus_one, r2
.reg sums, r6
  li    minus_one, bf16(-1)
  li    temporary, 3 * VLT
  vf.fma R[temporary], S[minus_one], R[acc], Z  ; -max
  li    sums, VLT
  zero  sums
  ld    features, table, 0
  csrw  REP, features
  vf.exp M[scores], M[scores], S[one], R[temporary]
  vf.fma R[sums], M[scores], S[one], R[sums]
  set   REP, 1, features
.reg max, r5                  ; R; later max - score
.reg inverse, r7              ; R
.reg factor, r3
.reg weight, r4
  mov   max, acc
  li    acc, VLT
  li    entries, 2 * VLT
  jal   link, column_sum      ; sums and the label's scores
  vf.fma R[max], S[minus_one], R[label], R[max]
  mvp   r1, sums
  mvp   r2, max
  fork  class_loss_psum
  li    inverse, 3 * VLT
  vf.recip R[inverse], S[one], R[sums], Z
  ld    factor, table, 3
  ld    weight, table, 2
  vf.fma M[factor], M[weight], R[inverse], Z
  join
  halt

.routine class_loss_psum sums=r1 distances=r2
  csrr  r3, ROW
  bne   r3, r0, class_loss_psum_done
  set   VL, VLT, r3
  vs.mov own=R[sums], out=WEST, gather
  vs.mov own=R[distances], out=WEST, gather
class_loss_psum_done:
  halt

; d loss / d scores = weight * (softmax - label), in place of exp(score - max).
.kernel class_loss_back scores=r1 beside=r13 table=r12
.reg factor, r2
.reg minus_one, r4
.reg weight, r5
  class_loss_begin
  ld    factor, table, 3
  vf.fma R[acc], M[factor], S[one], Z
  ld    features, table, 0
  beq   features, r0, class_loss_done
  csrw  REP, features
  vf.fma M[scores], M[scores], R[acc], Z
  set   REP, 1, factor
.reg labels, r2
  ld    id, r0, ROW_INDEX
  ld    labels, table, 1
  ld    weight, table, 2
  li    minus_one, bf16(-1)
class_loss_minus:
  csrw  IDX, id
  vf.fma M[beside], OH[labels], S[minus_one], Z
  vf.fma R[acc], M[weight], M[beside], Z
  vf.fma M[scores], M[scores], S[one], R[acc]
  addi  id, id, 1
  addi  scores, scores, T
  dbnz  features, class_loss_minus
class_loss_done:
  halt
