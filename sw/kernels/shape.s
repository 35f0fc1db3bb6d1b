; Macros for control registers, used by all kernels. No instructions.

; Sets a control register to a number, by way of a register.
.macro set csr number by
  li    \by, \number
  csrw  \csr, \by
.endm

; Sets up vectors of a column's tokens, T elements from feature to feature, one repetition.
.macro whole_columns by
  set   VL, VLT, \by
  set   STA, T, \by
  set   REP, 1, \by
.endm

; Clears REP times VL entries of R, from the entry in a register on.
.macro zero at
  vf.fma R[\at], S[r0], S[r0], Z
.endm
