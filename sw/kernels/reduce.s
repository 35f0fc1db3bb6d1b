; All-reduce along a column or a group of its rows: south to the group's last row, the total back north.
;
; main: R[r8 .. r8+r9) becomes the sum (maximum) over the rows r10..r11; r14 link.
; The last row takes the whole vector before it sends any of the total: links hold only a few words.

column_sum:
  li    r10, 0
  csrr  r11, ROWS
  addi  r11, r11, -1
group_sum:
  beq   r10, r11, reduce_done
  mvp   r1, r8
  mvp   r2, r9
  mvp   r3, r10
  mvp   r4, r11
  fork  sum_psum
  join
reduce_done:
  ret   r14

column_max:
  li    r10, 0
  csrr  r11, ROWS
  addi  r11, r11, -1
  beq   r10, r11, reduce_done
  mvp   r1, r8
  mvp   r2, r9
  mvp   r3, r10
  mvp   r4, r11
  fork  max_psum
  join
  ret   r14

; psum: R entry r1, r2 entries, rows r3..r4
sum_psum:
  csrw  VL, r2
  csrr  r5, ROW
  beq   r5, r3, sp_first
  beq   r5, r4, sp_last
  vs.add in=RING, own=R[r1], out=RING
  vs.mov in=NORTH, out=NORTH, dst=R[r1]
  halt
sp_last:
  vs.add in=RING, own=R[r1], dst=R[r1]
  vs.mov own=R[r1], out=NORTH
  halt
sp_first:
  vs.mov own=R[r1], out=RING
  vs.mov in=NORTH, dst=R[r1]
  halt

max_psum:
  csrw  VL, r2
  csrr  r5, ROW
  beq   r5, r3, sp_first
  beq   r5, r4, mp_last
  vs.max in=RING, own=R[r1], out=RING
  vs.mov in=NORTH, out=NORTH, dst=R[r1]
  halt
mp_last:
  vs.max in=RING, own=R[r1], dst=R[r1]
  vs.mov own=R[r1], out=NORTH
  halt
