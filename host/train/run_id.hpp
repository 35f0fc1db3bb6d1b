/// Run identities, which tell to which run a file belongs.
#pragma once

#include <optional>
#include <string>

#include "host/metrics/metrics_lines.hpp"
#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/data/load_data.hpp"
#include "host/train/resume.hpp"

namespace weft {

/// A run's identity: 16 hex digits that are a hash of everything that determines the run's bits when it begins, which
/// is the list of settings (run_settings.hpp) and the initial state. The identity does not depend on the number of
/// wafers or the machine, and is kept when the run continues in its folder or with the same settings elsewhere. A run
/// that continues with other settings (--allow_other_bits) becomes another run with a new identity.
///
/// The identity is in checkpoints, vocab.json, params.yaml, each line of metrics.jsonl and .lock, so files of two runs
/// in one folder are detected (`check_folder`).
struct RunIdentity {
  std::string run;
  std::string before;  ///< the runs that this one continues with other settings, comma-separated, the most recent first
};

/// `changes`: differences between the run's settings and those of the checkpoint. A run that continues from a
/// checkpoint without an identity gets a new one.
RunIdentity run_identity(const Metadata& settings, const SettingChanges& changes, const Start& start,
                         std::uint64_t position);

/// Throws Refusal if a file in model_dir does not belong to the run of the checkpoint from which training continues, or
/// is damaged. Returns a line about harmless irregularities, or nothing.
std::optional<std::string> check_folder(const Config& config, const Start& start);

/// The required contents of metrics.jsonl for a run with this start.
MetricsBefore metrics_before(const Config& config, const Start& start);

/// True if the checkpoint records the vocabulary that it was trained with.
bool names_vocabulary(const Start& start);

/// Throws Refusal if a run would begin with a checkpoint that was trained with a vocabulary other than that of
/// `tokenizer`, so that its token ids would have other meanings. Must be called before the run writes its own
/// vocab.json.
void check_vocabulary(const Config& config, const std::optional<Tokenizer>& tokenizer, const Start& start);

}  // namespace weft
