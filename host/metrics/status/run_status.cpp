#include "host/metrics/status/run_status.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "host/checkpoint/seal.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::metrics {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double seconds) { return std::round(seconds * 1000) / 1000; }

Json json_of(const RankLine& line) {
  const swarmx::RankStatus& status = line.status;
  const std::chrono::duration<double> since = status.since.time_since_epoch();
  Json json = {{"rank", line.rank},
               {"role", line.role},
               {"name", status.name},
               {"host", status.host},
               {"node", status.node},
               {"state", name_of(status.state)},
               {"since", rounded(since.count())},
               {"why", one_line(status.why)}};
  if (status.doing) {
    json["at"] = {{"step", status.doing->step},
                  {"micro_batch", status.doing->micro_batch},
                  {"train", status.doing->train},
                  {"seconds", rounded(status.waited)}};
  }
  json["micro_batches"] = status.done;
  json["bytes_to"] = status.bytes_to;
  json["bytes_from"] = status.bytes_from;
  json["frames_to"] = status.frames_to;
  json["frames_from"] = status.frames_from;
  json["waits"] = rounded(status.waits);
  json["losses"] = status.losses;
  return json;
}

/// Returns the trailing number: 7 for "wafer 7".
int number_in(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  int number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return number;
}

struct Seen {
  std::string began = {};  // start time; empty if the process does not exist or has ended
  bool stopped = false;
};

/// Looks up a process of this machine.
Seen seen(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name = text.rfind(')');  // the program's name may contain spaces
  if (name == std::string::npos) return {};  // no such process
  std::istringstream rest(text.substr(name + 1));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
  constexpr std::size_t kState = 0, kStart = 19;
  const bool ended = fields.size() <= kStart || fields[kState] == "Z" || fields[kState] == "X";
  if (ended) return {};
  return {.began = fields[kStart], .stopped = fields[kState] == "T" || fields[kState] == "t"};
}

}  // namespace

Process Process::of(std::int64_t pid) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {};
  return {.host = host.data(), .pid = pid, .began = seen(pid).began};
}

Process Process::self() { return of(::getpid()); }

bool Process::is_running() const { return !began.empty() && seen(pid).began == began; }

bool Process::stopped() const { return is_running() && seen(pid).stopped; }

const char* name_of(swarmx::RankStatus::State state) {
  static constexpr std::array kNames = {"awaited", "here", "late", "lost", "leaves"};
  return kNames.at(static_cast<std::size_t>(state));
}

const char* name_of(swarmx::Part part) {
  static constexpr std::array kNames = {"rest", "stream", "room", "compute", "wait", "reduce", "update"};
  return kNames.at(static_cast<std::size_t>(part));
}

std::vector<RankLine> ranks_of(swarmx::SwarmStatus swarm, bool processes, bool data) {
  std::vector<RankLine> lines;
  if (data)
    lines.push_back({.rank = 1, .role = "data", .status = swarm.data.value_or(swarmx::RankStatus{.name = "data"})});
  int rank = data ? 2 : 1;
  for (swarmx::RankStatus& part : swarm.memory)
    lines.push_back({.rank = rank++, .role = "memory", .status = std::move(part)});
  for (swarmx::RankStatus& node : swarm.nodes)
    lines.push_back({.rank = rank++, .role = "node", .status = std::move(node)});
  for (swarmx::RankStatus& wafer : swarm.wafers) {
    const int own = processes ? rank + number_in(wafer.name) : 0;  // may exceed the initial number
    lines.push_back({.rank = own, .role = "wafer", .status = std::move(wafer)});
  }
  return lines;
}

std::string to_json(const RunStatus& status) {
  Json times;
  for (std::size_t part = 0; part < swarmx::kParts; ++part)
    times[name_of(static_cast<swarmx::Part>(part))] = status.times[static_cast<swarmx::Part>(part)];
  Json json = {{"version", kStatusVersion},
               {"step", status.step},
               {"steps", status.steps},
               {"loss", std::isfinite(status.loss) ? Json(status.loss) : Json()},
               {"times", times},
               {"end", status.end.empty() ? Json() : Json(one_line(status.end))},
               {"host", status.root.host},
               {"pid", status.root.pid},
               {"began", status.root.began},
               {"at", name_of(status.part)},
               {"ranks", Json::array()}};
  for (const RankLine& line : status.ranks) json["ranks"].push_back(json_of(line));
  return dump_json(json, {.replace = true});  // a name may be invalid UTF-8
}

std::string status_file(const std::string& json, double written) {
  const std::string open = json.substr(0, json.size() - 1);
  return checkpoint::sealed(
      fmt::format("{},\"written\":{:.3f},\"crc32c\":\"{}\"}}\n", open, written, checkpoint::kNoChecksum));
}

}  // namespace weft::metrics
