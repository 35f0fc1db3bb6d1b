; What every kernel does with control registers. Only macros.

; A control register gets a number, by way of a register.
.macro set csr number by
  li    \by, \number
  csrw  \csr, \by
.endm

; Vectors of a column's tokens, T elements from feature to feature, each once.
.macro whole_columns by
  set   VL, VLT, \by
  set   STA, T, \by
  set   REP, 1, \by
.endm

; Entries of R at a register become zero, REP times VL of them.
.macro zero at
  vf.fma R[\at], S[r0], S[r0], Z
.endm
