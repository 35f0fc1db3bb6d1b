/// `weft export` and `weft import`: weights from and to other programs (docs/hugging_face.md).
#pragma once

#include <iosfwd>

#include "host/config/arguments.hpp"

namespace weft {

/// Writes the newest checkpoint of runconfig.model_dir, or runconfig.checkpoint_path, as --to says. Without --params
/// the model is that of model_dir/train/params.yaml. Throws Refusal.
/// How far it is goes to `notes`, as host/appliance/progress.hpp says; `terminal`: whether that is one.
int export_command(const Arguments& arguments, std::ostream& out, std::ostream& notes, bool terminal);

/// Writes the parameter file of a folder of Hugging Face's, or of a checkpoint of llm.c. Throws Refusal.
int import_command(const Arguments& arguments, std::ostream& out);

}  // namespace weft
