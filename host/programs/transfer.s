; Answers the host's requests for arrays; loaded behind each program (docs/reference/programs.md). Names of the program
; are visible here, so all names here begin with weft_.

; Sends the memory from `weft_from` to the host, two elements a word; `weft_scratch` receives a copy.
.kernel weft_read weft_from=r1 weft_beats=r2 weft_scratch=r3
        mvp   r1, weft_from
        mvp   r2, weft_beats
        mvp   r3, weft_scratch
        fork  weft_read_psum
        halt
.routine weft_read_psum weft_from=r1 weft_beats=r2 weft_scratch=r3
        csrw  VL, weft_beats
        vb    src=M[weft_from], out=WEST, dst=M[weft_scratch]
        halt

; Sends entries of the accumulator file from `weft_from` to the host, an element a word.
.kernel weft_read_sums weft_from=r1 weft_beats=r2
        mvp   r1, weft_from
        mvp   r2, weft_beats
        fork  weft_read_sums_psum
        halt
.routine weft_read_sums_psum weft_from=r1 weft_beats=r2
        csrw  VL, weft_beats
        vs.mov own=R[weft_from], out=WEST
        halt

; Sets entries from `weft_to` to the sums of three vectors in memory, `weft_size` elements apart.
.kernel weft_write_sums weft_to=r1 weft_beats=r2 weft_parts=r3 weft_size=r4
.reg    weft_one, r5
        csrw  VL, weft_beats
        li    weft_one, 1
        csrw  REP, weft_one
        li    weft_one, bf16(1)
        vf.fma R[weft_to], M[weft_parts], S[weft_one], Z
        add   weft_parts, weft_parts, weft_size
        vf.fma R[weft_to], M[weft_parts], S[weft_one], R[weft_to]
        add   weft_parts, weft_parts, weft_size
        vf.fma R[weft_to], M[weft_parts], S[weft_one], R[weft_to]
        halt
