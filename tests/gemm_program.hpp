/// A sparse GEMM around the rings of a mesh, for the tests of the model and of the tiles.
#pragma once

#include <string_view>

namespace weft::test {

/// r1: outputs, r2: x, r3: y of this row's home outputs. The home of output o is o mod ROWS; sums start south of it.
///
/// Constants: TOKENS of a column and their BEATS; LMASK_ selects the local part of an index.
inline constexpr std::string_view kGemm = R"(
        .equ ACC, 0
        .equ PART, 128
gemm:   li   r4, BEATS
        csrw VL, r4
        li   r4, TOKENS
        csrw STA, r4
        li   r4, LMASK_
        csrw LMASK, r4
        li   r5, ACC
        li   r6, PART
        mvp  r1, r1
        mvp  r2, r3
        mvp  r6, r6
        fork ring
next:   vaxs R[r5], M[r2]
        vcr  R[r6], R[r5]
        dbnz r1, next
        join
        halt

ring:   li   r4, BEATS
        csrw VL, r4
        csrr r7, ROW
        csrr r8, ROWS
        li   r9, 0              ; home of the next output
again:  beq  r9, r7, home
        addi r10, r9, 1         ; the first row of the sum
        bne  r10, r8, nowrap
        li   r10, 0
nowrap: beq  r10, r7, first
        vs.add in=RING, own=Q[r6], out=RING
        jmp  step
first:  vs.mov own=Q[r6], out=RING
        jmp  step
home:   vs.add in=RING, own=Q[r6], dst=M[r2]
        addi r2, r2, TOKENS
step:   addi r9, r9, 1
        bne  r9, r8, more
        li   r9, 0
more:   dbnz r1, again
        halt
)";

}  // namespace weft::test
