#include "host/config/command_line/flags.hpp"

namespace weft {
namespace {

constexpr Flag kFlags[] = {
    {"params", "", "FILE", "parameter file, e.g. configs/gpt_tiny.yaml (required)", 'p'},
    {"num_csx", "runconfig.num_csx", "N", "number of wafers; changes the speed, never the result"},
    {"min_csx", "swarmx.min_csx", "N",
     "minimum number of wafers: with fewer, a run of several processes waits, then saves and stops"},
    {"model_dir", "runconfig.model_dir", "DIR",
     "folder for checkpoints and metrics.jsonl; a run continues from the checkpoint there", 'o'},
    {"checkpoint_path", "runconfig.checkpoint_path", "PATH",
     "start from these weights, if model_dir has none: a file, or a Hugging Face folder"},
    {"max_steps", "runconfig.max_steps", "N", "total number of training steps"},
    {"num_steps", "runconfig.num_steps", "N", "as --max_steps, which it overrides"},
    {"mode", "runconfig.mode", "MODE", "train, eval, train_and_eval, compile_only, validate_only or generate", 'm'},
    {"compile_only", "runconfig.mode", "", "--mode compile_only"},
    {"validate_only", "runconfig.mode", "", "--mode validate_only"},
    {"seed", "runconfig.seed train_input.seed", "N", "random seed for initialization, shuffling and sampling"},
    {"prompt", "runconfig.prompt", "TEXT", "prompt of mode generate; may be repeated"},
    {"prompt_tokens", "runconfig.prompt_tokens", "IDS", "prompt as token ids, e.g. \"1,2,3\"; the output is ids, too"},
    {"prompts_file", "runconfig.prompts_file", "FILE", "file with one prompt per line"},
    {"stop", "runconfig.stop", "TEXT", "mode generate: text that ends the output, itself left out; may be repeated"},
    {"backend", "wafer.backend", "NAME",
     "model: functional model, rtl: simulated RTL, fpga: a board; all give the same bits. rtl,model: wafers alternate"},
    {"cs_ip", kBoardAddress, "ADDR",
     "address of a board, ADDRESS or ADDRESS:PORT; several separated by commas (docs/howto/fpga.md)"},
    {"check", "wafer.check", "NAME",
     "model or rtl: compare each wafer with a second one; the first difference ends the run"},
};

}  // namespace

std::span<const Flag> key_flags() { return kFlags; }

}  // namespace weft
