; The same of labels that are smoothed: KEPT stays with a label's feature, and REST goes to each   (docs/kernels.md)

; A factor is rounded to bf16, which a sum of many logits is not: R[label] is negative, and the maximum is added.
.macro add_label_logit
  li    r10, MINUS_KEPT
  vf.fma M[beside], OH[labels], S[r10], Z
  vf.fma R[label], M[logit], M[beside], R[label]
  li    r10, MINUS_REST_HI
  vf.fma R[label], M[logit], S[r10], R[label]
  li    r10, MINUS_REST_LO
  vf.fma R[label], M[logit], S[r10], R[label]
.endm

.macro distance
  vf.fma R[label], S[one], R[max], R[label]
  mov   max, label
.endm

.macro minus_label sum        ; of a token that counts: others have no label, and VALID is 0
  li    r10, MINUS_KEPT
  vf.fma R[\sum], OH[labels], S[r10], Z
  li    r11, VALID
  li    r10, MINUS_REST_HI
  vf.fma R[\sum], M[r11], S[r10], R[\sum]
  li    r10, MINUS_REST_LO
  vf.fma R[\sum], M[r11], S[r10], R[\sum]
.endm
