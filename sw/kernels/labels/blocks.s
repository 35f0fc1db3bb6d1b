; Labels of a vocabulary in blocks, each with indices and an array of labels of its own   (docs/explanation/stream.md,
; Large vocabularies)

.macro first_label
  addi  r14, id, BLOCK_SLOTS  ; behind the last of the block
.endm

.macro next_label logit, again
  addi  id, id, 1
  addi  \logit, \logit, T
  bne   id, r14, same\@
  ld    id, r0, ROW_INDEX
  addi  labels, labels, T
same\@:
  dbnz  features, \again
.endm
