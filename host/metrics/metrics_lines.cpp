#include "host/metrics/metrics_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "host/checkpoint/error.hpp"
#include "host/checkpoint/seal.hpp"
#include "sw/base/json_parse.hpp"

namespace weft::metrics {
namespace {

constexpr auto kRestoreLines = "restore the file, or move it away to begin another one";
constexpr auto kRunKey = R"("run": ")";

/// Step of a complete line; nullopt for any other.
std::optional<std::uint64_t> step_of(std::string_view line) {
  const checkpoint::Checksum seal = checkpoint::check_seal(line);
  const auto object = parse_json_or_discard(line);
  const bool sealed = object.is_object() && object.contains("run");
  if (seal == checkpoint::Checksum::Wrong || (sealed && seal == checkpoint::Checksum::None)) return std::nullopt;
  const auto step = object.is_object() ? object.find("step") : object.end();
  if (step == object.end() || !step->is_number_unsigned()) return std::nullopt;
  return step->get<std::uint64_t>();
}

bool is_of(std::string_view line, const std::string& run) {
  const std::string own = checkpoint::run_in(line, kRunKey);
  return own.empty() || run.empty() || own == run;
}

/// Removes the first line from `text`. `whole`: the line has a newline.
std::string_view take_line(std::string_view& text, bool& whole) {
  const std::size_t end = text.find('\n');
  whole = end != std::string_view::npos;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(whole ? end + 1 : text.size());
  return line;
}

}  // namespace

std::string lines_up_to(const std::string& file, std::string_view text, const std::string& run,
                        const MetricsBefore& before) {
  std::string kept;
  std::optional<std::uint64_t> done;
  int number = 0;
  bool sealed_before = false;
  const auto fail = [&](const std::string& problem) {
    throw checkpoint::file_error(fmt::format("{}:{}", file, number), "", problem, kRestoreLines);
  };
  while (done != before.keep) {
    bool whole = false;
    ++number;
    const bool all_but_last = done ? *done + 1 == before.keep : text.empty();
    const bool cut = text.find('\n') == std::string_view::npos;  // empty, or a line without a newline
    if (cut && all_but_last && step_of(before.last) == before.keep) return kept.append(before.last).append("\n");
    if (text.empty()) fail(fmt::format("ends before step {}, which the checkpoint has", before.keep));
    const std::string_view line = take_line(text, whole);
    const auto step = step_of(line);
    const bool is_sealed = checkpoint::check_seal(line) == checkpoint::Checksum::Right;
    if (!step || !whole || (sealed_before && !is_sealed && before.named)) fail("is damaged");
    if (before.named && !is_of(line, run) && before.runs.find(checkpoint::run_in(line, kRunKey)) == std::string::npos) {
      fail(fmt::format("belongs to run {}, but the checkpoint belongs to run {}", checkpoint::run_in(line, kRunKey),
                       run));
    }
    const std::uint64_t expected = done ? *done + 1 : before.first > 0 ? before.first : *step;
    if (*step > before.keep || *step != expected) fail(fmt::format("has step {} in place of step {}", *step, expected));
    if (*step == before.keep && !before.state_hash.empty() &&
        line.find(fmt::format(R"("state_hash": "{}")", before.state_hash)) == std::string_view::npos) {
      fail(fmt::format("has another state hash than the checkpoint, {}", before.state_hash));
    }
    sealed_before |= is_sealed;
    done = step;
    kept.append(line).append("\n");
  }
  return kept;
}

std::uint64_t first_step(std::string_view lines) {
  bool whole = false;
  return step_of(take_line(lines, whole)).value_or(1);
}

std::string_view last_line(std::string_view lines) {
  lines.remove_suffix(lines.empty() ? 0 : 1);
  return lines.substr(lines.rfind('\n') + 1);
}

bool is_of_run(std::string_view text, const std::string& run) {
  while (!text.empty()) {
    bool whole = false;
    const std::string_view line = take_line(text, whole);
    if (whole && (!step_of(line) || !is_of(line, run))) return false;
    if (!whole && !line.starts_with(R"({"step": )")) return false;
  }
  return true;
}

}  // namespace weft::metrics
