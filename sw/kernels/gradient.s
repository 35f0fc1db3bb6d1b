; Gradient pass   (docs/explanation/kernels.md)
;
; The stream: for every output its indices, then CR. The outlet of a row returns one fp32 per index of that row, in order.

.reg sums, r5                 ; three groups of 16 slots
.reg link, r14

; `group`: indices of a full group.
.macro dot_outputs x, group
output\@:
  vdot  R[sums], \x, M[buffers], \group
  next_output output\@
  join
  halt
.endm

; G[o, i] = sum over tokens of dy[o] * x[i], for the indices streamed. Where indexed deltas are faster (c_attn, c_fc),
; the compiler passes the deltas as x and the layer's input as dy. dy[o] comes from o's home row; homes: the table
; "outputs at home in row h"; buffers: two of dy, in the half of SRAM that x is not in (docs/explanation/memory.md);
; group: indices of a full group, so that groups are even. ones: 0, or an array of ones, each row's own, that is dy of
; one output more, before the others.
.kernel gradient x=r1 outputs=r2 dy=r3 homes=r4 buffers=r6 group=r7 ones=r9
  mvp   r12, ones
  jal   link, gradient_start
gradient_outputs:
  dot_outputs M[x], group

; gradient for one-hot inputs, by their ids.
.kernel gradient_onehot ids=r1 outputs=r2 dy=r3 homes=r4 buffers=r6 group=r7
  mvp   r12, r0
  jal   link, gradient_start
  dot_outputs OH[ids], group

; gradient with the row's own dy for each slot, not broadcast (a norm's scale or shift alone).
.kernel gradient_local x=r1 slots=r2 dy=r3 buffers=r6
  mvp   r1, dy
  mvp   r8, slots
  li    r7, 0                 ; group: 16
  only_outputs
  li    sums, 0
  mvp   r3, buffers
  mvp   r4, sums
  fork  gradient_local_psum
  jal   link, gradient_shape
  jmp   gradient_outputs

; psum has the longer way to the first multiply-add, so it starts first.
.routine gradient_start dy=r3 homes=r4 buffers=r6
  mvp   r1, dy
  mvp   r2, homes
  li    sums, 0
  mvp   r3, buffers
  mvp   r4, sums
  fork  gradient_psum
  first_output homes
gradient_shape:
  set   VL, VLT, r8
  set   STA, T, r8
  ret   link

; Sends the sums of the previous output, if there is one, then continues with the home row's next output.
.macro sums_before again
  beq   begun, r0, first\@
  vr    in=WEST, out=WEST, src=R[slots]
first\@:
  li    begun, 1
  dbnz  left, \again
.endm

; Output o's dy goes round the ring one output ahead of its sums.
.routine gradient_psum dy=r1 homes=r2 buffers=r3 slots=r4 ones=r12
.reg row, r5
.reg rows, r6
.reg home, r7
.reg left, r8                 ; outputs of this home row
.reg next, r9
.reg one, r10
.reg begun, r12               ; 0: no output before this one
  set   VL, VLT, r5
  csrr  row, ROW
  csrr  rows, ROWS
  li    home, 0
  li    one, 1
  beq   ones, r0, dp_home
  vb    src=M[ones], dst=M[buffers]  ; an output before the others, so `begun` holds
dp_home:
  ld    left, homes, 0
  beq   left, r0, dp_next
  beq   rows, one, dp_alone
  beq   row, home, dp_start
  addi  next, row, 1          ; the row before the home row passes nothing on
  bne   next, rows, dp_south
  li    next, 0
dp_south:
  beq   next, home, dp_last
dp_middle:
  vb    in=RING, out=RING, dst=M[buffers]
  sums_before dp_middle
  jmp   dp_next
dp_last:
  vb    in=RING, dst=M[buffers]
  sums_before dp_last
  jmp   dp_next
dp_start:
  vb    src=M[dy], out=RING, dst=M[buffers]
  addi  dy, dy, T
  sums_before dp_start
  jmp   dp_next
dp_alone:
  vb    src=M[dy], dst=M[buffers]
  addi  dy, dy, T
  sums_before dp_alone
dp_next:
  addi  homes, homes, 1
  addi  home, home, 1
  bne   home, rows, dp_home
  vr    in=WEST, out=WEST, src=R[slots]
  halt

.routine gradient_local_psum dy=r1 buffers=r3 slots=r4 left=r8
  set   VL, VLT, r5
  jmp   gl_first
gl_slot:
  vb    src=M[dy], dst=M[buffers]
  addi  dy, dy, T
  vr    in=WEST, out=WEST, src=R[slots]
gl_count:
  dbnz  left, gl_slot
  vr    in=WEST, out=WEST, src=R[slots]
  halt
gl_first:
  vb    src=M[dy], dst=M[buffers]
  addi  dy, dy, T
  jmp   gl_count
