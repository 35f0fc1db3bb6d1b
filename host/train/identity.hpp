/// Whose a file is.
#pragma once

#include <optional>
#include <string>

#include "host/appliance/metrics_lines.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/data/load_data.hpp"
#include "host/train/start.hpp"

namespace weft {

/// A run's identity: 16 hex digits of all that its bits come from as it begins, which is the list of settings
/// (run_settings.hpp) and the state it starts with. The same run has the same one at any number of wafers, on any
/// machine, and keeps it when it continues in its folder or with the same settings elsewhere. A run that continues with
/// other settings (--allow_other_bits) is another run from there on, and gets a new one.
///
/// Checkpoints, vocab.json, params.yaml, each line of metrics.jsonl and .lock have it: files of two runs in one folder
/// are noticed (`check_folder`).
struct RunIdentity {
  std::string run;
  std::string before;  ///< the runs that it continues with other settings, with commas between; the last one first
};

/// `changes`: how the settings differ from those of the checkpoint. A checkpoint that names no run gets a new one.
RunIdentity run_identity(const Metadata& settings, const SettingChanges& changes, const Start& start,
                         std::uint64_t position);

/// Throws Refusal if a file of model_dir is not of the run of the checkpoint that it goes on from, or is damaged.
/// Returns a line of what is odd and does no harm; else nothing.
std::optional<std::string> check_folder(const Config& config, const Start& start);

/// What metrics.jsonl must have for a run with this start.
MetricsBefore metrics_before(const Config& config, const Start& start);

/// Whether the checkpoint says which vocabulary it was trained with.
bool names_vocabulary(const Start& start);

/// Throws Refusal if a run would begin with a checkpoint that was trained with other characters than `tokenizer` has:
/// its ids would mean others. To be asked before the run writes its own vocab.json.
void check_vocabulary(const Config& config, const std::optional<Tokenizer>& tokenizer, const Start& start);

}  // namespace weft
