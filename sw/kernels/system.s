; Loading and state.

; Fills `words` words (of LANES elements) of memory with zero.
.kernel clear first=r1 words=r2
  beq   words, r0, clear_done
  set   VL, 1, r3
  csrw  REP, words
  set   STD, LANES, r3
  vf.fma M[first], S[r0], S[r0], Z
clear_done:
  halt

; Fills `words` words of memory with a bf16.
.kernel fill first=r1 words=r2 value=r3
.reg one, r4
  set   VL, 1, r4
  csrw  REP, words
  set   STD, LANES, r4
  li    one, bf16(1)
  vf.fma M[first], S[value], S[one], Z
  halt

; Once after loading: the mask that leaves the local part of an index.
.kernel setup mask=r1
  csrw  LMASK, mask
  halt

; Every row returns one word: the sticky flags of its tiles, or-ed.
.kernel status
  fork  status_psum
  join
  halt

.routine status_psum flags=r1 east=r2
  csrr  flags, FLAGS
  rcv   east, WEST
  or    flags, flags, east
  snd   WEST, flags
  halt
