/// Run ids, which show to which run a file belongs.
#pragma once

#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/data/load_data.hpp"
#include "host/metrics/metrics_lines.hpp"
#include "host/train/resume.hpp"
#include "host/train/run_settings.hpp"

namespace weft::train {

/// A run's id (docs/reference/identity.md): 16 hex digits that are a hash of everything that determines the run's bits
/// when it begins, which is the list of settings (run_settings.hpp) and the initial state. The id does not depend on
/// the number of wafers or the machine, and is kept when the run continues in its folder or with the same settings
/// elsewhere. A run that continues with other settings (--allow_other_bits) becomes another run with a new id.
///
/// The id is in checkpoints, vocab.json, params.yaml, each line of metrics.jsonl and .lock, so files of two runs
/// in one folder are detected (`check_folder`).
struct RunId {
  std::string id;
  std::string
      earlier;  ///< the runs that this one continues with other settings, comma-separated, the most recent first
};

/// `changes`: differences between the run's settings and those of the checkpoint. A run that continues from a
/// checkpoint without an id gets a new one.
RunId make_run_id(const checkpoint::Metadata& settings, const SettingChanges& changes, const ResumePoint& start,
                  std::uint64_t position);

/// Throws Refusal if a file in model_dir does not belong to the run of the checkpoint from which training continues, or
/// is damaged. Returns a line about harmless irregularities, or nothing.
std::optional<std::string> check_folder(const config::Config& config, const ResumePoint& start);

/// The required contents of metrics.jsonl for a run with this start.
metrics::MetricsBefore metrics_before(const config::Config& config, const ResumePoint& start);

/// True if the checkpoint records the vocabulary that it was trained with.
bool names_vocabulary(const ResumePoint& start);

/// Throws Refusal if a run would begin with a checkpoint that was trained with a vocabulary other than that of
/// `tokenizer`, so that its token ids would have other meanings. Must be called before the run writes its own
/// vocab.json.
void check_vocabulary(const config::Config& config, const std::optional<tokenizer::Tokenizer>& tokenizer,
                      const ResumePoint& start);

}  // namespace weft::train
