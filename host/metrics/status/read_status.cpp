#include "host/metrics/status/read_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <system_error>
#include <vector>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/checkpoint/seal.hpp"
#include "host/metrics/status/run_status.hpp"
#include "sw/base/json_parse.hpp"

namespace weft::metrics {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostBytes = 64U << 20;

Refusal damaged(const std::string& file) { return no_status(file, "is damaged: its checksum does not match"); }

Process root_of(const Json& status) {
  return {.host = status.at("host"), .pid = status.at("pid"), .began = status.at("began")};
}

/// True, false, or null if only another machine can tell.
Json lives(const Json& status) {
  if (!status.at("end").is_null()) return false;
  const Process root = root_of(status);
  return root.host == Process::self().host ? Json(root.is_running()) : Json();
}

double age(const Json& status) {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  const double seconds = now.count() - status.at("written").get<double>();
  return std::max(0.0, std::round(seconds * 1000) / 1000);  // clocks of two hosts may differ
}

/// Step of the folder's newest checkpoint, or null if it has none.
Json newest_checkpoint(const std::filesystem::path& folder) {
  const auto files = checkpoint::ModelFolder::checkpoints_in(folder);
  return files.empty() ? Json() : Json(files.front().step);
}

void check_there(const std::filesystem::path& folder, const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw no_run(folder.string(), error && error != std::errc::no_such_file_or_directory
                                      ? "cannot be accessed: " + error.message()
                                      : "is not a folder");
  if (!std::filesystem::exists(file, error)) throw no_run(file, "does not exist: no run has trained in this folder");
}

}  // namespace

Refusal no_run(const std::string& subject, const std::string& problem) {
  return Refusal(subject, problem, "name the runconfig.model_dir of a run: weft status --model_dir DIR");
}

Refusal no_status(const std::string& file, const std::string& problem) {
  return Refusal(
      file, problem,
      "a running run writes a new one within about a second; otherwise delete the file, and read metrics.jsonl");
}

Json read_status(const std::filesystem::path& folder) {
  const std::string file = (folder / kStatusFile).string();
  check_there(folder, file);
  const std::vector<std::uint8_t> bytes = checkpoint::read_file(file, kMostBytes);
  const std::string text(bytes.begin(), bytes.end());
  if (checkpoint::check_seal(text) != checkpoint::Checksum::Right) throw damaged(file);
  try {
    Json status = parse_ordered_json_or_discard(text);
    if (const int version = status.at("version"); version != kStatusVersion)
      throw Refusal(file, fmt::format("has version {} of the format, not {}", version, kStatusVersion),
                    "use the program of the run");
    status.erase("crc32c");
    status["age"] = age(status);
    status["lives"] = lives(status);
    status["stopped"] = status.at("lives") == true && root_of(status).stopped();
    status["checkpoint"] = newest_checkpoint(folder);
    return status;
  } catch (const Json::exception&) {
    throw damaged(file);
  }
}

}  // namespace weft::metrics
