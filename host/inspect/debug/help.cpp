/// Help text of the debugger's commands.
#include <ostream>

#include "host/inspect/debug/shell.hpp"

namespace weft::inspect::debug {

void print_commands(std::ostream& out) {
  out << "  continue (c)                 run to the next breakpoint, or to the end of the micro-batch or run\n"
         "  step (s) [N]                 run until the thread is at its next instruction, N times\n"
         "  beat [N]                     run until the thread issues a beat; on the model: all beats that are ready\n"
         "  cycle [N]                    run N cycles of the RTL\n"
         "  move [N]                     run N moves of the model: an instruction of a thread each, or a part of one\n"
         "  back [N]                     go back N cycles or moves; goto N: go to cycle or move N, past breakpoints\n"
         "  break (b) WHERE [R,C]        stop at gemm, gemm.s:13 or an instruction's number, in one tile or in any\n"
         "  break message COLOR [R,C]    stop when a message of this color enters or leaves a PE\n"
         "  break write WHAT [R,C]       stop at a write to M[0x120:8], x[3], residual[0][2:6]\n"
         "  break phase NAME             stop when the phase begins\n"
         "  break flag                   stop when a sticky flag is set\n"
         "  delete N                     delete breakpoint N\n"
         "  tile R,C; thread main|psum   choose the tile and the thread for the other commands\n"
         "  where (w) [all]              print where the threads are\n"
         "  list (l)                     print the instructions around the thread\n"
         "  print (p) WHAT               print r3, psum.r3, csr VL, R[8], M[0x120:8], x[3][0:8]; WHAT/x: hexadecimal\n"
         "  info (i) WHAT                print registers, routes, credits, streams, handoffs, flags, symbols, breaks\n"
         "  report                       print the report of a hang: the root cause, and the wait-for graph\n"
         "  quit (q)\n"
         "Arrays of a program of your own: u, u[3], u[0:8]; its streams are names of colors.\n"
         "Commands for a core dump: tile, thread, where, list, print, info and report.\n";
}

}  // namespace weft::inspect::debug
