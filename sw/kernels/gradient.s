; Gradient pass: G[o, i] = sum over tokens of dY[o] * X[i], for the indices the host streams   (docs/kernels.md)
;
; main: r1 x base, r2 outputs, r3 dy base, r4 address of the table "outputs at home in row h".
; The stream: for every output its indices, then CR. The outlet of a row returns one fp32 per index of that row, in order.

gradient:
  mvp   r1, r3
  mvp   r2, r4
  jal   r14, gradient_start
  fork  gradient_psum
gradient_output:
  vdot  R[r5], M[r1], R[r6]
  dbnz  r2, gradient_output
  join
  halt

; The same for one-hot inputs: ids at r1.
gradient_onehot:
  mvp   r1, r3
  mvp   r2, r4
  jal   r14, gradient_start
  fork  gradient_psum
gradient_onehot_output:
  vdot  R[r5], OH[r1], R[r6]
  dbnz  r2, gradient_onehot_output
  join
  halt

; The same with the row's own dy for each slot, not broadcast (LayerNorm's scale and shift). r2 slots.
gradient_local:
  mvp   r1, r3
  mvp   r8, r2
  jal   r14, gradient_start
  fork  gradient_local_psum
  jmp   gradient_output

gradient_start:
  li    r8, VLT
  csrw  VL, r8
  li    r8, T
  csrw  STA, r8
  li    r5, 0                 ; two groups of 16 slots
  li    r6, 32                ; two buffers of dy
  mvp   r4, r5
  mvp   r3, r6
  ret   r14

; psum: r1 dy, r2 table, r3 buffers of dy, r4 slots. Output o's dy goes round the ring one output ahead of its sums.
gradient_psum:
  li    r5, VLT
  csrw  VL, r5
  csrr  r5, ROW
  csrr  r6, ROWS
  li    r7, 0                 ; h
  li    r11, 0                ; no output before this one
  li    r10, 1
dp_home:
  ld    r8, r2, 0
  beq   r8, r0, dp_next
  beq   r6, r10, dp_alone
  beq   r5, r7, dp_start
  addi  r9, r5, 1             ; the row before the home row passes nothing on
  bne   r9, r6, dp_south
  li    r9, 0
dp_south:
  beq   r9, r7, dp_last
dp_middle:
  vb    in=RING, out=RING, dst=R[r3]
  beq   r11, r0, dp_middle_on
  vr    in=WEST, out=WEST, src=R[r4]
dp_middle_on:
  li    r11, 1
  dbnz  r8, dp_middle
  jmp   dp_next
dp_last:
  vb    in=RING, dst=R[r3]
  beq   r11, r0, dp_last_on
  vr    in=WEST, out=WEST, src=R[r4]
dp_last_on:
  li    r11, 1
  dbnz  r8, dp_last
  jmp   dp_next
dp_start:
  vb    src=M[r1], out=RING, dst=R[r3]
  addi  r1, r1, T
  beq   r11, r0, dp_start_on
  vr    in=WEST, out=WEST, src=R[r4]
dp_start_on:
  li    r11, 1
  dbnz  r8, dp_start
  jmp   dp_next
dp_alone:
  vb    src=M[r1], dst=R[r3]
  addi  r1, r1, T
  beq   r11, r0, dp_alone_on
  vr    in=WEST, out=WEST, src=R[r4]
dp_alone_on:
  li    r11, 1
  dbnz  r8, dp_alone
dp_next:
  addi  r2, r2, 1
  addi  r7, r7, 1
  bne   r7, r6, dp_home
  vr    in=WEST, out=WEST, src=R[r4]
  halt

; psum: r1 dy, r8 slots.
gradient_local_psum:
  li    r5, VLT
  csrw  VL, r5
  jmp   gl_first
gl_slot:
  vb    src=M[r1], dst=R[r3]
  addi  r1, r1, T
  vr    in=WEST, out=WEST, src=R[r4]
gl_count:
  dbnz  r8, gl_slot
  vr    in=WEST, out=WEST, src=R[r4]
  halt
gl_first:
  vb    src=M[r1], dst=R[r3]
  addi  r1, r1, T
  jmp   gl_count
