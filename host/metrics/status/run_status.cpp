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
#include "host/metrics/metrics.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::metrics {
namespace {

/// JSON is written as text, because nlohmann's values allocate memory in their destructors: a run whose memory is used
/// up would end there. Bytes that are not UTF-8, which a name may have, are replaced.
std::string quoted(const std::string& text) { return dump_json(nlohmann::json(text), {.replace = true}); }

std::string rounded(double seconds) { return json_number(std::round(seconds * 1000) / 1000); }

std::string json_of(const RankLine& line) {
  const swarmx::RankStatus& status = line.status;
  const std::chrono::duration<double> since = status.since.time_since_epoch();
  std::string json =
      fmt::format(R"({{"rank":{},"role":{},"name":{},"host":{},"node":{},"state":"{}","since":{},"why":{})", line.rank,
                  quoted(line.role), quoted(status.name), quoted(status.host), quoted(status.node),
                  name_of(status.state), rounded(since.count()), quoted(one_line(status.why)));
  if (status.doing)
    json += fmt::format(R"(,"at":{{"step":{},"micro_batch":{},"train":{},"seconds":{}}})", status.doing->step,
                        status.doing->micro_batch, status.doing->train, rounded(status.waited));
  return json +
         fmt::format(R"(,"micro_batches":{},"bytes_to":{},"bytes_from":{},"frames_to":{},"frames_from":{},"waits":{},)"
                     R"("losses":{}}})",
                     status.done, status.bytes_to, status.bytes_from, status.frames_to, status.frames_from,
                     rounded(status.waits), status.losses);
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
  static constexpr std::array kNames = {"awaited", "here", "slow", "lost", "leaves"};
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
  std::string times, ranks;
  for (std::size_t n = 0; n < swarmx::kParts; ++n) {
    const auto part = static_cast<swarmx::Part>(n);
    times += fmt::format(R"({}"{}":{})", n == 0 ? "" : ",", name_of(part), json_number(status.times[part]));
  }
  for (const RankLine& line : status.ranks) ranks += (ranks.empty() ? "" : ",") + json_of(line);
  std::string stalls;
  if (status.stall)
    stalls = fmt::format(R"("stall":{},"longest_stall":{},)", rounded(*status.stall),
                         rounded(status.longest_stall.value_or(*status.stall)));
  return fmt::format(
      R"({{"version":{},"step":{},"steps":{},"loss":{},"times":{{{}}},{}"end":{},"host":{},"pid":{},)"
      R"("began":{},"at":"{}","ranks":[{}]}})",
      kStatusVersion, status.step, status.steps, json_number(status.loss), times, stalls,
      status.end.empty() ? "null" : quoted(one_line(status.end)), quoted(status.root.host), status.root.pid,
      quoted(status.root.began), name_of(status.part), ranks);
}

std::string status_file(const std::string& json, double written) {
  const std::string open = json.substr(0, json.size() - 1);
  return checkpoint::sealed(
      fmt::format("{},\"written\":{:.3f},\"crc32c\":\"{}\"}}\n", open, written, checkpoint::kNoChecksum));
}

}  // namespace weft::metrics
