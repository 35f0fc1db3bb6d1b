; Sums over all tiles for bicgstab.s, behind whose text this one is assembled, with its names.

; Sets what psum's routines keep: this tile's place on the wafer.
.routine place
        csrr  row, ROW
        csrr  last_row, ROWS
        shr   middle_row, last_row, 1
        addi  last_row, last_row, -1
        csrr  col, COL
        csrr  last_col, COLS
        shr   middle_col, last_col, 1
        addi  last_col, last_col, -1
        add   parity, row, col
        li    single, 1
        and   parity, parity, single
        halt

; Adds `dots` dot products over entries, lanes and tiles: along each row to the middle column, along
; this column to the two tiles in its middle, which fold each other's sums, and back to all tiles.
.macro  fold there, back
        li    from, sums
        li    to, totals
        mov   left, dots
dot\@:  li    chunks, W
        shr   chunks, chunks, 2
chunk\@: csrw VL, four                  ; 16 words, which the buffers between two tiles hold
        vs.mov own=R[from], out=\there
        csrw  VL, single
        vs.add in=\back, own=R[to], dst=R[to]
        vs.add in=\back, own=R[to], dst=R[to]
        vs.add in=\back, own=R[to], dst=R[to]
        vs.add in=\back, own=R[to], dst=R[to]
        add   from, from, four
        dbnz  chunks, chunk\@
        addi  to, to, 1
        dbnz  left, dot\@
        li    to, totals
        mov   left, dots
lane\@: vs.mov own=R[to], out=\there
        vs.add in=\back, own=R[to], dst=R[to]
        vs.mov own=R[to], out=\there    ; lanes in a circle, twice: the neighbour takes 4 words of 8
        vs.mov own=R[to], out=\there
        rcv   chunks, \back
        rcv   chunks, \back
        vs.add in=\back, own=R[to], dst=R[to]
        rcv   chunks, \back
        rcv   chunks, \back
        vs.mov own=R[to], out=\there
        vs.mov own=R[to], out=\there
        rcv   chunks, \back
        vs.add in=\back, own=R[to], dst=R[to]
        rcv   chunks, \back
        rcv   chunks, \back
        rcv   chunks, \back
        addi  to, to, 1
        dbnz  left, lane\@
        li    to, totals
        csrw  VL, dots
.endm
.macro  pass color, index, end          ; takes the totals, and passes them on except at the end
        li    to, totals
        csrw  VL, dots
        beq   \index, \end, last\@
        vs.mov in=\color, out=\color, dst=R[to]
        jmp   passed\@
last\@: vs.mov in=\color, dst=R[to]
passed\@:
.endm
.macro  toward color, index, end        ; adds the sums of this tile, the first of its line at the end
        beq   \index, \end, first\@
        vs.add in=\color, own=R[from], out=\color
        jmp   gone\@
first\@: vs.mov own=R[from], out=\color
gone\@:
.endm
.routine total dots=r1 from=r2 to=r3 left=r4 chunks=r5 four=r6
        li    four, 4
        li    from, sums
        li    to, W
        beq   dots, single, sized
        add   to, to, to
sized:  csrw  VL, to
        beq   col, middle_col, in_middle
        blt   col, middle_col, in_west
        toward to_west, col, last_col
        pass  to_east, col, last_col
        halt
in_west: toward to_east, col, r0
        pass  to_west, col, r0
        halt
in_middle: beq col, r0, no_west
        vs.add in=to_east, own=R[from], dst=R[from]
no_west: beq  col, last_col, no_east
        vs.add in=to_west, own=R[from], dst=R[from]
no_east: blt  row, middle_row, in_north
        beq   row, middle_row, south_middle
        toward to_north, row, last_row
        pass  to_south, row, last_row
        jmp   spread
south_middle: beq row, last_row, alone
        vs.add in=to_north, own=R[from], dst=R[from]
alone:  fold  to_north, to_south
        beq   row, last_row, spread
        vs.mov own=R[to], out=to_south
        jmp   spread
in_north: addi left, middle_row, -1
        beq   row, left, north_middle
        toward to_south, row, r0
        pass  to_north, row, r0
        jmp   spread
north_middle: beq row, r0, first
        vs.add in=to_south, own=R[from], dst=R[from]
first:  fold  to_south, to_north
        beq   row, r0, spread
        vs.mov own=R[to], out=to_north
spread: beq   col, last_col, to_the_west
        vs.mov own=R[to], out=to_east
to_the_west: beq col, r0, done
        vs.mov own=R[to], out=to_west
done:   halt
