#include "host/config/command_line/flags.hpp"

namespace weft::config {
namespace {

constexpr Flag kFlags[] = {
    {"params", "", "FILE", "parameter file, e.g. configs/gpt_tiny.yaml", 'p'},
    {"num_csx", "runconfig.num_csx", "N", "number of wafers; changes the speed, never the result"},
    {"min_csx", "swarmx.min_csx", "N",
     "minimum number of wafers: with fewer, a run of several processes waits, then saves and stops", 0, true},
    {"model_dir", "runconfig.model_dir", "DIR",
     "folder for checkpoints and metrics.jsonl; a run continues from the checkpoint there", 'o'},
    {"checkpoint_path", "runconfig.checkpoint_path", "PATH",
     "start from these weights, if model_dir has none: a file, or a Hugging Face folder"},
    {"max_steps", "runconfig.max_steps", "N", "total number of training steps", 0, true},
    {"num_steps", "runconfig.num_steps", "N", "total number of training steps; overrides --max_steps", 0, true},
    {"mode", "runconfig.mode", "MODE", "train, eval, train_and_eval, compile_only, validate_only or generate", 'm',
     true},
    {"compile_only", "runconfig.mode", "", "--mode compile_only", 0, true},
    {"validate_only", "runconfig.mode", "", "--mode validate_only", 0, true},
    {"seed", "runconfig.seed train_input.seed", "N", "random seed for initialization, shuffling and sampling"},
    {"prompt", "runconfig.prompt", "TEXT", "prompt of mode generate; may be repeated", 0, true},
    {"prompt_tokens", "runconfig.prompt_tokens", "IDS", "prompt as token ids, e.g. \"1,2,3\"; the output is ids, too",
     0, true},
    {"prompts_file", "runconfig.prompts_file", "FILE", "file with one prompt per line", 0, true},
    {"stop", "runconfig.stop", "TEXT",
     "mode generate: text that ends the output and is left out of it; may be repeated", 0, true},
    {"backend", "wafer.backend", "NAME",
     "model: functional model, rtl: simulated RTL, fpga: a board; all give the same bits. rtl,model: wafers alternate"},
    {"cs_ip", kBoardAddress, "ADDR",
     "address of a board, ADDRESS or ADDRESS:PORT; several separated by commas (docs/howto/fpga.md)"},
    {"check", "wafer.check", "NAME",
     "model or rtl: compare each wafer with a second one; the first difference ends the run", 0, true},
};

}  // namespace

std::span<const Flag> key_flags() { return kFlags; }

}  // namespace weft::config
