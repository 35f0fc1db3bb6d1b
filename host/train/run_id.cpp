#include "host/train/run_id.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

#include "host/checkpoint/seal.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "host/tokenizer/vocabulary.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::train {
namespace {

namespace fs = std::filesystem;

/// FNV-1a (Fowler, Noll, Vo).
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return h;
}

std::string text_of(const std::string& file) {
  const std::vector<std::uint8_t> bytes = checkpoint::read_file(file);
  return {bytes.begin(), bytes.end()};
}

/// The header of a checkpoint, at most kMost bytes of it, which is more than any header of Weft has; empty if there is
/// none.
std::string header_of(const std::string& file) {
  constexpr std::size_t kMost = std::size_t{16} << 20;
  const Descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // O_NONBLOCK: a pipe must not block
  struct stat status {};
  std::uint64_t length = 0;
  if (fd.get() < 0 || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      ::pread(fd.get(), &length, sizeof length, 0) != sizeof length) {
    return {};
  }
  std::string text(std::min<std::uint64_t>(length, kMost), '\0');
  const ssize_t count = ::pread(fd.get(), text.data(), text.size(), sizeof length);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

constexpr const char *kRunInHeader = R"("weft.run":")", *kRunsInHeader = R"("weft.run_before":")";

/// The rest of the line, or of the quoted text, that follows the last `key`; empty: the key is missing.
std::string_view runs_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.rfind(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  return text.substr(0, text.find_first_of("\"\n"));
}

/// The value of an entry; empty: there is none.
std::string entry(const checkpoint::Metadata& about, const char* key) {
  const auto at = about.find(key);
  return at == about.end() ? std::string() : at->second;
}

std::uint32_t checksum_of(const checkpoint::CheckpointReader& checkpoint, checkpoint::CheckpointReader::Vector vector) {
  std::uint32_t crc = 0;
  checkpoint.for_each(vector, 0, checkpoint.size(), [&](std::span<const float> values) {
    crc = crc32c({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()}, crc);
  });
  return crc;
}

bool is_whole(const std::string& file) {
  return checkpoint::verify_checksum(checkpoint::FileSource(file, std::numeric_limits<std::uint64_t>::max())) ==
         checkpoint::Checksum::Right;
}

Refusal of_two_runs(const std::string& file, const std::string& own, const ResumePoint& start, const std::string& run) {
  return checkpoint::file_error(file, "",
                                fmt::format("belongs to run {}, but {} belongs to run {}", own, start.file, run),
                                "keep the files of one run in runconfig.model_dir, move the others away");
}

}  // namespace

RunId make_run_id(const checkpoint::Metadata& settings, const SettingChanges& changes, const ResumePoint& start,
                  std::uint64_t position) {
  const auto of_checkpoint = [&](const char* key) {
    return start.checkpoint ? entry(start.checkpoint->about, key) : std::string();
  };
  const std::string own = of_checkpoint("run");
  if (!own.empty() && changes.changed.empty()) return {own, of_checkpoint(kRunsBefore)};
  std::string text;
  for (const auto& [key, value] : settings)
    if (key != "train_input.data_dir" && key != "network_text") text += fmt::format("{}={};", key, value);
  text += fmt::format("{}={};", kPosition, position);
  if (start.checkpoint) {
    text += fmt::format("{} {} {:08x} {:08x}", own, start.step(),
                        checksum_of(*start.checkpoint, checkpoint::CheckpointReader::kWeights),
                        checksum_of(*start.checkpoint, checkpoint::CheckpointReader::kSecondMoments));
  }
  RunId run{.id = fmt::format("{:016x}", hash(text)), .earlier = {}};
  if (!start.resumed || own.empty()) return run;
  const std::string earlier = of_checkpoint(kRunsBefore);
  run.earlier = earlier.empty() ? own : own + "," + earlier;
  return run;
}

std::optional<std::string> check_folder(const config::Config& config, const ResumePoint& start) {
  if (!start.resumed || !start.checkpoint->about.contains("run")) return std::nullopt;
  const std::string& run = start.checkpoint->about.at("run");
  const fs::path folder = config.runconfig.model_dir;
  const std::string params = (folder / "train/params.yaml").string();
  std::error_code ignored;
  const bool has_params = fs::is_regular_file(params, ignored);
  const std::string text = has_params ? text_of(params) : "";
  const bool whole = has_params && checkpoint::check_seal(text) == checkpoint::Checksum::Right;
  // Files in the folder may also belong to runs that continue this one, or that this one continues.
  std::string known = run + "," + entry(start.checkpoint->about, kRunsBefore);
  if (whole && runs_after(text, "# run ").find(run) != std::string::npos)
    known += "," + checkpoint::run_in(text, "# run ");
  const auto check = [&](const std::string& file, const std::string& own) {
    if (!own.empty() && known.find(own) == std::string::npos) throw of_two_runs(file, own, start, run);
  };
  for (const checkpoint::CheckpointFile& other : checkpoint::ModelFolder::checkpoints_in(folder)) {
    const std::string header = header_of(other.file), own = checkpoint::run_in(header, kRunInHeader);
    if (runs_after(header, kRunsInHeader).find(run) != std::string::npos || known.find(own) != std::string::npos ||
        !is_whole(other.file))
      continue;
    check(other.file, own);
  }
  if (tokenizer::has_vocabulary(folder.string())) {
    const std::string file = tokenizer::vocabulary_file(folder.string());
    check(file, checkpoint::run_in(text_of(file), R"("run":")"));
  }
  if (!has_params) return std::nullopt;
  if (whole) {
    check(params, checkpoint::run_in(text, "# run "));
    return std::nullopt;
  }
  return fmt::format("note    {} was changed since the run and is written again", params);
}

metrics::MetricsBefore metrics_before(const config::Config& config, const ResumePoint& start) {
  metrics::MetricsBefore before;
  if (!start.resumed) {
    before.first = start.step() + 1;
    return before;
  }
  const checkpoint::Metadata& about = start.checkpoint->about;
  before.keep = start.step();
  before.named = about.contains("run");
  if (!about.contains(kLastMaskUpdate))
    before.state_hash = entry(about, "state_hash");  // after a mask update, the metrics line
                                                     // has the hash from before it
  before.last = entry(about, "metrics");
  before.runs = entry(about, "run") + "," + entry(about, kRunsBefore);
  const std::string params = (fs::path(config.runconfig.model_dir) / "train/params.yaml").string();
  std::error_code ignored;
  if (!before.named || !fs::is_regular_file(params, ignored)) return before;
  const std::string text = text_of(params);
  constexpr std::string_view kKey = " metrics ";
  const std::size_t at = text.rfind(kKey);
  if (checkpoint::check_seal(text) == checkpoint::Checksum::Right && at != std::string::npos) {
    std::from_chars(text.data() + at + kKey.size(), text.data() + text.size(), before.first);
  }
  return before;
}

bool names_vocabulary(const ResumePoint& start) {
  return start.checkpoint && start.checkpoint->about.contains("vocabulary");
}

void check_vocabulary(const config::Config& config, const std::optional<tokenizer::Tokenizer>& tokenizer,
                      const ResumePoint& start) {
  if (!start.checkpoint) return;
  const auto name = start.checkpoint->about.find("vocabulary");
  const std::string now = tokenizer::vocabulary_name(tokenizer);
  if (name == start.checkpoint->about.end() || name->second == now || now == "none" || name->second == "none") return;
  const auto saved = tokenizer::saved_vocabulary(config);
  const std::string& source = saved ? *saved : config::paths_text(config.train_input.data_dir);
  throw checkpoint::file_error(
      source, "",
      fmt::format("does not have the {} that {} was trained with", now.starts_with("char") ? "characters" : "tokens",
                  start.file),
      fmt::format("put that run's vocab.json next to it{}", saved ? "" : ", or give the text it was trained on"));
}

}  // namespace weft::train
