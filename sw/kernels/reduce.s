; All-reduce along a column or a group of its rows: south to the group's last row, the total back north.
;
; The last row sends a short vector's total while receiving it, a long vector's after receiving all of it
; (docs/explanation/kernels.md).

; Subroutines that main's kernels call by `jal r14`: R[acc .. acc+entries) becomes the sum (maximum) over the rows first..last,
; or over all.
.reg acc, r8
.reg entries, r9
.reg first, r10
.reg last, r11
.reg link, r14

.macro all_rows
  li    first, 0
  csrr  last, ROWS
  addi  last, last, -1
.endm

.macro reduce psum
  mvp   r1, acc
  mvp   r2, entries
  mvp   r3, first
  mvp   r4, last
  fork  \psum
  join
.endm

column_sum:
  all_rows
group_sum:
  beq   first, last, reduce_done
  reduce sum_psum
reduce_done:
  ret   link

column_max:
  all_rows
group_max:
  beq   first, last, reduce_done
  reduce max_psum
  ret   link

; Words that can be in flight between two tiles, one above the other: see docs/explanation/kernels.md.
.equ UNDER_WAY, 64

; psum's part of a reduction; the first row's is at `top`.
.macro pass op top
  csrw  VL, length
  csrr  row, ROW
  beq   row, north, \top
  beq   row, south, bottom\@
  vs.\op in=RING, own=R[part], out=RING
  vs.mov in=NORTH, out=NORTH, dst=R[part]
  halt
bottom\@:
  shl   words, length, LANE_BITS
  li    most, UNDER_WAY
  blt   most, words, whole\@
  vs.\op in=RING, own=R[part], out=NORTH, dst=R[part]
  halt
whole\@:
  vs.\op in=RING, own=R[part], dst=R[part]
  vs.mov own=R[part], out=NORTH
  halt
.endm

.routine sum_psum part=r1 length=r2 north=r3 south=r4 row=r5 words=r6 most=r7
  pass  add, reduce_top
reduce_top:
  vs.mov own=R[part], out=RING
  vs.mov in=NORTH, dst=R[part]
  halt

.routine max_psum part=r1 length=r2 north=r3 south=r4 row=r5 words=r6 most=r7
  pass  max, reduce_top
