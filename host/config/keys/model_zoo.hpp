/// Keys and flags of the Model Zoo that Weft names differently or does not have, and former names of keys.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "host/config/error.hpp"

namespace weft::config {

/// The Model Zoo's name of a key, or a former name.
struct OtherName {
  std::string_view name, key;
  bool former = false;
};
std::span<const OtherName> other_names();
/// Translates a Model Zoo name or a former one: "runconfig.checkpoint_steps" for "runconfig.save_checkpoints_steps".
/// Returns other names unchanged.
std::string_view own_key(std::string_view name);
/// True for the name that a key had in earlier versions.
bool is_former_key(std::string_view name);

/// Translates the Model Zoo name of a key in a phase of optimizer.learning_rate: "total_iters" for "decay_steps".
std::string_view own_phase_key(std::string_view name);

/// A name without a counterpart in Weft.
struct Lacking {
  std::string_view name;     ///< "model.dropout_rate", "csconfig", or a flag such as "mount_dirs"
  std::string_view would;    ///< its purpose in the Model Zoo
  std::string_view nearest;  ///< closest alternative in Weft
};
std::span<const Lacking> lacking_keys();
std::span<const Lacking> lacking_phase_keys();  ///< keys of a phase of optimizer.learning_rate
std::span<const Lacking> lacking_flags();
/// Finds a key or section in `lacking_keys`. For eval_input, keys of train_input are found too; for runconfig, also
/// flags, since a command-line flag of the Model Zoo is a key there as well. Returns null if there is none.
const Lacking* find_lacking_key(std::string_view name);
/// Returns null if `table` has no such name.
const Lacking* find_lacking(std::span<const Lacking> table, std::string_view name);

/// Error "only the Model Zoo has it, where it ...", with an alternative. `name` must have an entry in lacking_keys().
Refusal refuse_model_zoo_key(const std::string& name, const Place& place);

}  // namespace weft::config
