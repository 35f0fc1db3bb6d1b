; Smoothed labels for the loss: KEPT at the label's feature, plus REST at every feature   (docs/explanation/kernels.md)

; A factor is rounded to bf16, a sum of many logits must not be: R[label] is negated, and the maximum is added to it.
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

.macro minus_label sum        ; for tokens that count: others have no label, and VALID is 0
  li    r10, MINUS_KEPT
  vf.fma R[\sum], OH[labels], S[r10], Z
  li    r11, VALID
  li    r10, MINUS_REST_HI
  vf.fma R[\sum], M[r11], S[r10], R[\sum]
  li    r10, MINUS_REST_LO
  vf.fma R[\sum], M[r11], S[r10], R[\sum]
.endm
