; Labels of a vocabulary in one block: an index distinguishes them   (docs/explanation/kernels.md)

.macro first_label
.endm

.macro next_label logit, again
  addi  id, id, 1
  addi  \logit, \logit, T
  dbnz  features, \again
.endm
