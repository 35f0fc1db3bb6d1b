; Vectors that travel between the columns of a sequence   (docs/explanation/kernels.md, Long sequences)

; Starts psum, which brings `turns` visitors to M[at], `slice` elements from one to the next: the first from the column
; behind, the others from those behind it. Each is `count` neighbouring beats of M, and this column's first are at
; `from`. R from `part` on is used, until psum has halted. REP = 1. Leaves VL = count.
.macro begin_gather from at count turns slice part unit
  csrw  VL, \count
  vf.fma R[\part], M[\from], S[\unit], Z
  mvp   r1, \part
  mvp   r2, \at
  mvp   r3, \count
  mvp   r4, \turns
  mvp   r5, \slice
  fork  gather_psum
.endm

; Begins a gather and waits for the visitors.
.macro gather from at count turns slice part unit
  begin_gather \from, \at, \count, \turns, \slice, \part, \unit
  join
.endm

; LINK_BEATS out, as many in for each turn: there is room for them between two columns, so columns cannot wait for each
; other in a cycle.
.routine gather_psum part=r1 at=r2 count=r3 turns=r4 slice=r5
.reg now, r6
.reg to, r7
.reg left, r8
gather_some:
  li    now, LINK_BEATS
  bge   count, now, gather_full
  mov   now, count
gather_full:
  csrw  VL, now
  vs.mov own=R[part], out=EAST
  mov   to, at
  addi  left, turns, -1
  beq   left, r0, gather_last
gather_turn:
  vs.mov in=EAST, out=EAST, dst=M[to]
  add   to, to, slice
  dbnz  left, gather_turn
gather_last:
  vs.mov in=EAST, dst=M[to]
  add   part, part, now
  sub   count, count, now
  shl   now, now, LANE_BITS
  add   at, at, now
  bne   count, r0, gather_some
  halt
