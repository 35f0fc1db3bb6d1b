; Macros of element-wise kernels: loops over this row's features, which are neighbours. No instructions.

; Applies the macro `body` to all features: AT_ONCE at a time, then one by one. The macro `next` adds a number to the
; addresses of all arrays. `features`: a register with the number of features; `many`: one with AT_ONCE. Changes r15.
.macro for_features body next
  blt   features, many, one\@
  set   VL, AT_ONCE * VLT, r15
many\@:
  \body
  \next AT_ONCE * T
  sub   features, features, many
  bge   features, many, many\@
one\@:
  beq   features, r0, done\@
  set   VL, VLT, r15
next\@:
  \body
  \next T
  dbnz  features, next\@
done\@:
  halt
.endm

; Loads `features` from M[count], and sets `many`, and REP to 1. Changes r15.
.macro count_features
  set   REP, 1, r15
  ld    features, count, 0
  li    many, AT_ONCE
.endm
