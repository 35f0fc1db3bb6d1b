; Gradients of a norm's scale and shift   (docs/explanation/kernels.md, Gradient pass)
;
; A program has this kernel if it is faster, and if there is room.

.reg sums, r5                 ; three groups of 16 slots

; gradient_local for a norm's scale and shift, NORM_SLOTS slots at a time side by side, so that no sum waits for itself.
; The stream: for each such group, the index of xhat and that of the always-one feature of each slot, then CR.
.kernel gradient_norm xhat=r1 slots=r2 dy=r3 buffers=r6
.reg now, r4                  ; slots of this group
.reg scales, r7               ; R: a slot's scale, followed by
.reg shifts, r8               ; its shift
.reg x, r9                    ; xhat,
.reg delta, r10               ; and dy, beat by beat
.reg left, r11
.reg at, r12                  ; xhat of the group
.reg turns, r13               ; until the first group's slots of R come again
.reg one, r15
  li    sums, 0
  mvp   r3, buffers
  mvp   r4, sums
  fork  gradient_norm_psum
  set   VL, 1, left
  set   STA, T, left
  csrw  STB, left
  set   STR, 2, left
  li    one, bf16(1)
  mov   at, xhat
norm_turns:
  li    scales, 0
  li    shifts, 1
  li    turns, 3
norm_group:
  li    now, NORM_SLOTS
  bge   slots, now, norm_full
  mov   now, slots
norm_full:
  csrw  REP, now
  vdot  R[sums], M[xhat], M[buffers], r0  ; only passes the number of sums to psum;
  mov   x, at
  mov   delta, dy
  li    left, VLT
  vf.fma R[scales], M[x], M[delta], Z     ; the sums are computed here
  vf.fma R[shifts], M[delta], S[one], Z
  jmp   norm_next
norm_beat:
  vf.fma R[scales], M[x], M[delta], R[scales]
  vf.fma R[shifts], M[delta], S[one], R[shifts]
norm_next:
  addi  x, x, LANES
  addi  delta, delta, LANES
  dbnz  left, norm_beat
  fork  gradient_norm_sums
  addi  at, at, NORM_SLOTS * T
  addi  dy, dy, NORM_SLOTS * T
  addi  scales, scales, 2 * NORM_SLOTS
  addi  shifts, shifts, 2 * NORM_SLOTS
  sub   slots, slots, now
  beq   slots, r0, norm_done
  dbnz  turns, norm_group
  jmp   norm_turns
norm_done:
  join
  halt

; Sends a group's sums. Then, as before the first group, provides the vector that vdot waits for: one beat, whose value is unused.
.routine gradient_norm_sums buffers=r3 slots=r4
  vr    in=WEST, out=WEST, src=R[slots]
.routine gradient_norm_psum buffers=r3 slots=r4
  set   VL, 1, r5
  vb    src=M[buffers], dst=M[buffers]
  halt
