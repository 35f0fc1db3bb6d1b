; Answers the host's requests for arrays; loaded behind each program (docs/reference/programs.md).

; Sends the memory from `from` to the host, two elements a word; `scratch` receives a copy.
.kernel weft_read from=r1 beats=r2 scratch=r3
        mvp   r1, from
        mvp   r2, beats
        mvp   r3, scratch
        fork  weft_read_psum
        halt
.routine weft_read_psum from=r1 beats=r2 scratch=r3
        csrw  VL, beats
        vb    src=M[from], out=WEST, dst=M[scratch]
        halt

; Sends entries of the accumulator file from `from` to the host, an element a word.
.kernel weft_read_sums from=r1 beats=r2
        mvp   r1, from
        mvp   r2, beats
        fork  weft_read_sums_psum
        halt
.routine weft_read_sums_psum from=r1 beats=r2
        csrw  VL, beats
        vs.mov own=R[from], out=WEST
        halt

; Sets entries from `to` to the sums of three vectors in memory, `size` elements apart.
.kernel weft_write_sums to=r1 beats=r2 parts=r3 size=r4
.reg    one, r5
        csrw  VL, beats
        li    one, 1
        csrw  REP, one
        li    one, bf16(1)
        vf.fma R[to], M[parts], S[one], Z
        add   parts, parts, size
        vf.fma R[to], M[parts], S[one], R[to]
        add   parts, parts, size
        vf.fma R[to], M[parts], S[one], R[to]
        halt
