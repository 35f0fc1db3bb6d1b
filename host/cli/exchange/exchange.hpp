/// `weft export` and `weft import`: exchange weights with other programs (docs/howto/hugging_face.md).
#pragma once

#include <iosfwd>

#include "host/config/command_line/arguments.hpp"

namespace weft::cli {

/// Both print progress to `notes` (host/system/progress.hpp); `terminal`: `notes` is a terminal. Both throw Refusal.

/// Writes the newest checkpoint of runconfig.model_dir, or runconfig.checkpoint_path, in the format of --to. Without
/// --params, the model is that of model_dir/train/params.yaml.
int export_command(const config::Arguments& arguments, std::ostream& out, std::ostream& notes, bool terminal);

/// Writes a parameter file for a Hugging Face folder or an llm.c checkpoint.
int import_command(const config::Arguments& arguments, std::ostream& out, std::ostream& notes, bool terminal);

}  // namespace weft::cli
