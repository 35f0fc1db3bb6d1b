; One-hot labels for the loss: 1 at the label's feature, 0 elsewhere   (docs/explanation/kernels.md)

.macro add_label_logit        ; adds the logit of the feature of IDX
  vf.fma M[beside], OH[labels], S[one], Z
  vf.fma R[label], M[logit], M[beside], R[label]
.endm

.macro distance               ; R[max] gets max - label
  vf.fma R[max], S[minus_one], R[label], R[max]
.endm

.macro minus_label sum
  vf.fma R[\sum], OH[labels], S[minus_one], Z
.endm
