; Rotary positions (Su et al. 2021) of one head and one sequence, in place: pairs of neighbouring features are rotated by
; an angle that grows with the position. Each row has its pairs' cosines, sines and negated sines, [pairs][SP].

.reg features, r6
.reg a, r8                    ; R: a vector each
.reg b, r9
.reg y, r10                   ; the second feature of a pair
.reg left, r11
.reg beats, r13
.reg link, r14
.reg one, r15

; x[2p], x[2p+1] = x[2p] * cos + x[2p+1] * minus, x[2p+1] * cos + x[2p] * sin, for the row's pairs: M[count]. Backward
; exchanges sin and minus.
.kernel rotary x=r1 cos=r2 sin=r3 minus=r4 count=r5 head=r7
  jal   link, attention_start
  ld    left, count, 0
  beq   left, r0, rotary_done
  csrw  VL, beats
  set   REP, 1, a
  li    a, 0
  li    b, SPW
rotary_pair:
  addi  y, x, T
  vf.fma R[a], M[x], M[cos], Z
  vf.fma R[b], M[y], M[cos], Z
  vf.fma R[a], M[y], M[minus], R[a]
  vf.fma R[b], M[x], M[sin], R[b]
  vf.fma M[x], S[one], R[a], Z
  vf.fma M[y], S[one], R[b], Z
  addi  x, y, T
  addi  cos, cos, SP
  addi  sin, sin, SP
  addi  minus, minus, SP
  dbnz  left, rotary_pair
rotary_done:
  halt
