/// Names that parameter files and commands of the Model Zoo have, and Weft has otherwise or not at all.
#pragma once

#include <span>
#include <string_view>

namespace weft {

/// A name of the Model Zoo for what a key here does.
struct OtherName {
  std::string_view name, key;
};
std::span<const OtherName> other_names();
/// "runconfig.checkpoint_steps" of "runconfig.save_checkpoints_steps"; what is no other name stays as it is.
std::string_view own_key(std::string_view name);

/// Name here of a key of a phase of optimizer.learning_rate: "total_iters" of "decay_steps".
std::string_view own_phase_key(std::string_view name);

/// A name that means nothing here.
struct Lacking {
  std::string_view name;     ///< "model.dropout_rate", "csconfig", or of a flag "mount_dirs"
  std::string_view would;    ///< what it does there
  std::string_view nearest;  ///< what to do here
};
std::span<const Lacking> lacking_keys();
std::span<const Lacking> lacking_phase_keys();  ///< of a phase of optimizer.learning_rate
std::span<const Lacking> lacking_flags();
/// Of a key or a section: one of `lacking_keys`; of eval_input what train_input has; of runconfig also a flag's, since
/// there a flag of the command line is a key as well. Null if there is none.
const Lacking* find_lacking_key(std::string_view name);
/// Null if there is none of this name.
const Lacking* find_lacking(std::span<const Lacking> table, std::string_view name);

}  // namespace weft
