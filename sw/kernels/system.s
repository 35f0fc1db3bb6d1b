; Loading and state.

; Fills memory with zero: r1 first element, r2 words of LANES.
clear:
  beq   r2, r0, clear_done
  li    r3, 1
  csrw  VL, r3
  csrw  REP, r2
  li    r3, LANES
  csrw  STD, r3
  vf.fma M[r1], S[r0], S[r0], Z
clear_done:
  halt

; Fills r2 words of memory at r1 with the bf16 r3.
fill:
  li    r4, 1
  csrw  VL, r4
  csrw  REP, r2
  li    r4, LANES
  csrw  STD, r4
  li    r4, bf16(1)
  vf.fma M[r1], S[r3], S[r4], Z
  halt

; Once after loading: r1 the mask that leaves the local part of an index.
setup:
  csrw  LMASK, r1
  halt

; Every row returns one word: the sticky flags of its tiles, or-ed.
status:
  fork  status_psum
  join
  halt
status_psum:
  csrr  r1, FLAGS
  rcv   r2, WEST
  or    r1, r1, r2
  snd   WEST, r1
  halt
