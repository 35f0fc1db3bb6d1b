#include "host/config/command_line/flags.hpp"

namespace weft {
namespace {

constexpr Flag kFlags[] = {
    {"params", "", "FILE", "parameter file, e.g. configs/gpt_tiny.yaml (required)", 'p'},
    {"num_csx", "runconfig.num_csx", "N", "wafers; changes the speed, never the result"},
    {"min_csx", "swarmx.min_csx", "N", "wafers without which a run of several processes waits, then saves and stops"},
    {"model_dir", "runconfig.model_dir", "DIR",
     "where checkpoints and metrics.jsonl go; if it has a checkpoint, the run goes on", 'o'},
    {"checkpoint_path", "runconfig.checkpoint_path", "PATH",
     "start from these weights, if model_dir has none: a file, or a folder of Hugging Face's"},
    {"max_steps", "runconfig.max_steps", "N", "steps to train in all"},
    {"num_steps", "runconfig.num_steps", "N", "the same, and counts before it"},
    {"mode", "runconfig.mode", "MODE", "train, eval, train_and_eval, compile_only, validate_only or generate", 'm'},
    {"compile_only", "runconfig.mode", "", "--mode compile_only"},
    {"validate_only", "runconfig.mode", "", "--mode validate_only"},
    {"seed", "runconfig.seed train_input.seed", "N",
     "of the initial parameters, of the order of samples, and of generate's choices"},
    {"prompt", "runconfig.prompt", "TEXT", "what mode generate goes on with; as often as there are texts"},
    {"prompt_tokens", "runconfig.prompt_tokens", "IDS", "or token ids, e.g. \"1,2,3\"; then it prints ids"},
    {"prompts_file", "runconfig.prompts_file", "FILE", "or a file with a prompt a line"},
    {"stop", "runconfig.stop", "TEXT", "of mode generate: what ends a text, before it; as often as there are such"},
    {"backend", "wafer.backend", "NAME",
     "model: functional model, rtl: simulated RTL, fpga: a board; same bits from all. rtl,model: wafers in turn"},
    {"cs_ip", kBoardAddress, "ADDR",
     "a board's address, ADDRESS or ADDRESS:PORT; several with commas (docs/howto/fpga.md)"},
    {"check", "wafer.check", "NAME",
     "model or rtl: each wafer has a second one, and the first difference ends the run"},
};

}  // namespace

std::span<const Flag> key_flags() { return kFlags; }

}  // namespace weft
