#include "host/appliance/config/commands.hpp"

namespace weft {

const std::vector<CommandInfo>& commands() {
  static const std::vector<CommandInfo> table = {
      {.name = "run",
       .help = "train, evaluate, generate: whatever --mode says",
       .flags = {{"json", "", "mode compile_only: the phases, an object a line"},
                 {"measure", "", "mode compile_only: steps/s of this machine, too, which runs some"},
                 {"clock", "MHZ", "mode compile_only: cycles a second of the bandwidths; 50 if nothing is said"},
                 {"save", "FILE", "mode compile_only: keep the plan in this file"},
                 {"plan", "FILE",
                  "run this plan instead of compiling: it must have been compiled of the same settings"},
                 {"logits", "FILE",
                  "mode eval: also the logits of every position, as safetensors; takes a pass for each"},
                 {"trace.phase", "NAME", "trace this phase of the run, on RTL wafers, for GTKWave (docs/waves.md)"},
                 {"trace.step", "N", "of this step, the first one is 1"},
                 {"trace.tiles", "R,C", "these tiles: 2,1 or 0-3,1 or all"},
                 {"trace.wafer", "N", "of this wafer"},
                 {"trace.out", "FILE", "where to; out/waves/run.fst if nothing is said"}}},
      {.name = "export",
       .help = "a run's weights for other programs: weft export --to hf DIR --model_dir D (docs/hugging_face.md)",
       .flags = {{"to", "FORM", "hf: a folder for transformers; llmc: a checkpoint of llm.c (required)"},
                 {"out", "PATH", "where to; weft export --to hf PATH means the same (required)"},
                 {"dtype", "NAME", "fp32, bf16, or fp16, which llm.c has not; fp32 if nothing is said"}},
       .config = false,
       .words = {"out"}},
      {.name = "import",
       .help = "the parameter file for another program's weights: weft import DIR --out FILE (docs/hugging_face.md)",
       .flags = {{"from", "PATH",
                  "a folder that save_pretrained wrote, or llm.c's .bin; weft import PATH means the same (required)"},
                 {"out", "FILE", "the parameter file (required)"}},
       .config = false,
       .words = {"from"}},
      {.name = "waves",
       .help = "what tiles do in one phase of a step, as a trace for GTKWave (docs/waves.md)",
       .looks = true,
       .flags = {{"phase", "NAME", "the phase, e.g. h.0.attn.c_attn.q; list prints all (required)"},
                 {"step", "N", "the training step, the first one is 1"},
                 {"tile", "R,C", "tiles: 2,1 or 0-3,1 or all; 0,0 if nothing is said"},
                 {"cycles", "A-B", "only these cycles, counted from the phase's first"},
                 {"wafer", "N", "the wafer whose micro-batch it is"},
                 {"out", "DIR", "where the trace goes; out/waves if nothing is said"}}},
      {.name = "profile",
       .help = "where the cycles of a micro-batch go, phase by phase (docs/stalls.md)",
       .looks = true,
       .flags = {{"json", "FILE", "all counts, of each tile and phase"},
                 {"perfetto", "FILE", "a trace for ui.perfetto.dev"},
                 {"png", "DIR", "a heat map of the mesh for each phase, and the roofline"},
                 {"layers", "yes", "a phase for each layer, instead of one for all"},
                 {"color", "yes|no", "in the terminal; as it can, if nothing is said"}}},
      {.name = "check",
       .help = "whether the program can come to a standstill: certifies it, or draws the circle (docs/hangs.md)",
       .flags = {{"check.out", "FILE", "the order of events that shows it"},
                 {"check.dot", "FILE", "who hands words to whom, phase by phase, for Graphviz"}}},
      {.name = "trail",
       .help = "what one run says of itself, for weft bisect (docs/bisect.md)",
       .looks = true,
       .flags = {{"level", "NAME", "steps, state, phases or phase; steps if nothing is said"},
                 {"step", "N", "the training step, the first one is 1"},
                 {"wafer", "N", "phase: the wafer whose micro-batch it is"},
                 {"phase", "NAME", "phase: load, tokens or an op, e.g. h.0.attn.c_attn.q"},
                 {"tile", "R,C", "phase: the tile; 0,0 if nothing is said"},
                 {"out", "FILE", "where the trail goes (required)"}}},
      {.name = "bisect",
       .help = "two runs that should agree: the first step, phase, tile, instruction and value that differ "
               "(docs/bisect.md)",
       .looks = true,
       .flags = {{"a", "SIDE",
                  "a commit; model, rtl; FILE.yaml; =\"--key value ...\"; PROGRAM ...: weft bisect A B means the same"},
                 {"b", "SIDE", "the other; what is not said is this program with --params FILE"},
                 {"out", "DIR", "where the trails go; out/bisect if nothing is said"}},
       .config = false,
       .words = {"a", "b"}},
      {.name = "debug",
       .help = "a wafer from a phase on, on the RTL or --backend model, instruction by instruction, forwards and "
               "backwards; "
               "or a core dump: weft debug FILE.weftcore (docs/debugging.md)",
       .flags = {{"phase", "NAME", "where to begin, e.g. h.0.attn.c_attn.q; list prints all"},
                 {"step", "N", "the training step, the first one is 1"},
                 {"wafer", "N", "the wafer whose micro-batch it is"},
                 {"script", "FILE", "commands, a line each, instead of what is typed; of a core dump, too"},
                 {"core", "FILE", "the core dump that a run has written, instead of all these"},
                 {"tile", "R,C", "of a core dump: prints the state of that tile, and that is all"}},
       .config = false,
       .words = {"core"}},
  };
  return table;
}

const CommandInfo* find_command(std::string_view name) {
  for (const CommandInfo& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

}  // namespace weft
