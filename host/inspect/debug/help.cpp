/// Help text of the debugger's commands.
#include <ostream>

#include "host/inspect/debug/shell.hpp"

namespace weft::inspect::debug {

void print_commands(std::ostream& out) {
  out << "  continue (c)                 to the next stop, or to the end of the micro-batch\n"
         "  step (s) [N]                 until the thread is at its next instruction, N times\n"
         "  beat [N]                     until the thread issues a beat; on the model: all for which words are there\n"
         "  cycle [N]                    N cycles of the RTL\n"
         "  move [N]                     N moves of the model: an instruction of a thread, or a part of one, each\n"
         "  back [N]                     N cycles or moves back; goto N: to this one, past all stops\n"
         "  break (b) WHERE [R,C]        gemm, gemm.s:13 or an instruction's number; of one tile or of any\n"
         "  break message COLOR [R,C]    one of this color goes into a PE or comes out of it\n"
         "  break write WHAT [R,C]       M[0x120:8], x[3], residual[0][2:6]: a write to it\n"
         "  break phase NAME             it begins\n"
         "  break flag                   a sticky flag is set\n"
         "  delete N                     that stop\n"
         "  tile R,C; thread main|psum   what the others are about\n"
         "  where (w) [all]              where the threads are\n"
         "  list (l)                     the instructions around\n"
         "  print (p) WHAT               r3, psum.r3, csr VL, R[8], M[0x120:8], x[3][0:8]; WHAT/x in hexadecimal\n"
         "  info (i) WHAT                registers, routes, credits, streams, handoffs, flags, symbols, breaks\n"
         "  report                       report of a hang: the root cause, and the wait-for graph\n"
         "  quit (q)\n"
         "Of a core dump: tile, thread, where, list, print, info and report.\n";
}

}  // namespace weft::inspect::debug
