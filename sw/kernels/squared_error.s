; Squared error of one number of each token, which lies on row 0   (docs/explanation/kernels.md)
;
; A label is the sum of two bf16, at NUMBER_HIGH and NUMBER_LOW; NUMBER_VALID is 0 where there is none.

.reg features, r3             ; 1 on row 0, else 0
.reg once, r12
.reg one, r15

.macro squared_error_begin
  set   VL, VLT, r2
  set   STA, T, r2
  csrw  STD, r2
  set   REP, 1, once
  li    one, bf16(1)
  ld    features, r0, NUMBER_COUNT
.endm

; In place of the outputs output - label, 0 for tokens that do not count. Row 0 returns ones, then the squares, each
; column by column. Register `beside`: the address of a vector in the half of memory without the outputs.
.kernel squared_error outputs=r1 beside=r13
.reg minus_one, r4
.reg high, r5
.reg low, r6
.reg valid, r7
.reg ones, r8                 ; R
.reg distance, r9             ; R
.reg square, r10              ; R
.reg rest, r11                ; R
  squared_error_begin
  beq   features, r0, squared_error_return
  li    minus_one, bf16(-1)
  li    high, NUMBER_HIGH
  li    low, NUMBER_LOW
  li    valid, NUMBER_VALID
  li    ones, 0
  li    distance, VLT
  li    square, 2 * VLT
  li    rest, 3 * VLT
  vf.fma R[ones], S[one], S[one], Z
  vf.fma R[distance], M[outputs], S[one], Z
  vf.fma R[distance], M[high], S[minus_one], R[distance]
  vf.fma R[distance], M[low], S[minus_one], R[distance]
  vf.fma R[distance], M[valid], R[distance], Z
  vf.fma M[outputs], S[one], R[distance], Z
  vf.fma R[rest], M[outputs], S[minus_one], R[distance]
  vf.fma M[beside], S[one], R[rest], Z
  vf.fma R[square], M[outputs], R[distance], Z
  vf.fma R[square], M[beside], R[distance], R[square]
squared_error_return:
  mvp   r1, ones
  mvp   r2, square
  fork  squared_error_psum
  join
  halt

.routine squared_error_psum ones=r1 squares=r2
  csrr  r3, ROW
  bne   r3, r0, squared_error_psum_done
  set   VL, VLT, r3
  vs.mov own=R[ones], out=WEST, gather
  vs.mov own=R[squares], out=WEST, gather
squared_error_psum_done:
  halt

; d loss / d outputs = 2 (output - label), in place of output - label.
.kernel squared_error_back outputs=r1 beside=r13
.reg two, r4
  squared_error_begin
  beq   features, r0, squared_error_done
  li    two, bf16(2)
  vf.fma M[outputs], M[outputs], S[two], Z
squared_error_done:
  halt
