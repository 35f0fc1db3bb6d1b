#include "host/inspect/profile/perfetto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "sw/base/json_parse.hpp"

namespace weft::inspect::profile {
namespace {

/// A thread of a process in the trace; the viewer draws a track for each.
struct Track {
  int process = 0, thread = 0;
};

std::string json_string(std::string_view text) { return dump_json(nlohmann::json(text)); }

/// Microseconds, the unit of the format, with the decimals of a nanosecond.
std::string microseconds(std::uint64_t nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

/// Trace events of Chrome's JSON format, one per line: names and order of tracks (M), then slices (X).
class Trace {
 public:
  int process(std::string_view name) {
    named("process", name, {.process = ++processes_, .thread = 0}, processes_);
    threads_ = 0;
    return processes_;
  }
  /// `process`: the last one that was named.
  Track track(std::string_view name, int process) {
    const Track track{.process = process, .thread = ++threads_};
    named("thread", name, track, threads_);
    return track;
  }

  /// A slice with one argument, or none if `argument` is empty. An empty slice is not written.
  void slice(Track track, std::uint64_t begin, std::uint64_t end, std::string_view name, std::string_view argument = {},
             std::uint64_t value = 0) {
    if (end <= begin) return;
    const std::string args = argument.empty() ? "" : fmt::format(R"(,"args":{{"{}":{}}})", argument, value);
    event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{}{}}})", track.process, track.thread,
                      microseconds(begin), microseconds(end - begin), json_string(name), args));
  }

  std::string text() && { return std::move(text_) + "\n]}\n"; }

 private:
  void named(const char* kind, std::string_view name, Track track, int rank) {
    const std::string where = fmt::format(R"({{"ph":"M","pid":{},"tid":{},)", track.process, track.thread);
    event(fmt::format(R"({}"name":"{}_name","args":{{"name":{}}}}})", where, kind, json_string(name)));
    event(fmt::format(R"({}"name":"{}_sort_index","args":{{"sort_index":{}}}}})", where, kind, rank));
  }
  void event(const std::string& object) {
    text_ += first_ ? "" : ",\n";
    text_ += object;
    first_ = false;
  }

  std::string text_{kPerfettoBegin};
  bool first_ = true;
  int processes_ = 0, threads_ = 0;
};

std::uint64_t nanoseconds(double seconds) { return static_cast<std::uint64_t>(std::llround(seconds * 1e9)); }

/// Begin and end of a piece of the host's work; pieces on one track do not overlap.
struct Placed {
  const HostWork* work;
  std::int64_t begin, end;
};
std::vector<Placed> place(const Profile& profile) {
  std::vector<Placed> list;
  std::map<HostWork::Who, std::int64_t> free;
  for (const HostWork& work : profile.host) {
    const auto takes = static_cast<std::int64_t>(std::max<std::uint64_t>(1, nanoseconds(work.seconds)));
    std::int64_t begin = static_cast<std::int64_t>(work.cycle * kNanosecondsPerCycle);
    if (work.who == HostWork::Who::Stream) begin -= takes;  // ends when the wafer needs it
    if (const auto at = free.find(work.who); at != free.end()) begin = std::max(begin, at->second);
    free[work.who] = begin + takes;
    list.push_back({&work, begin, begin + takes});
  }
  return list;
}

void tile_tracks(Trace& trace, const Profile& profile, std::size_t tile, std::uint64_t origin) {
  const sim::StallRecord& first = profile.phases[0].tiles[tile];
  const int process = trace.process(fmt::format("tile {},{}", first.row, first.col));
  const Track phases = trace.track("phases", process);
  const Track threads[] = {trace.track("main", process), trace.track("psum", process)};
  for (const Phase& phase : profile.phases) {
    const sim::StallRecord& r = phase.tiles[tile];
    const auto time = [&](std::uint64_t cycle) { return origin + cycle * kNanosecondsPerCycle; };
    trace.slice(phases, time(r.begin), time(r.end), phase.name, "cycles", r.cycles());
    for (std::size_t t = 0; t < sim::kThreads; ++t) {
      std::array<std::size_t, sim::kStallReasons> order{};
      for (std::size_t c = 0; c < sim::kStallReasons; ++c) order[c] = c;
      std::ranges::stable_sort(order, std::greater{}, [&](std::size_t c) { return r.counts[t][c]; });
      std::uint64_t at = r.begin;
      for (const std::size_t c : order) {
        trace.slice(threads[t], time(at), time(at + r.counts[t][c]), isa::kStallNames[c], "cycles", r.counts[t][c]);
        at += r.counts[t][c];
      }
    }
  }
}

}  // namespace

std::string to_perfetto(const Profile& profile) {
  const std::vector<Placed> host = place(profile);
  std::int64_t earliest = 0;
  for (const Placed& p : host) earliest = std::min(earliest, p.begin);
  const auto origin = static_cast<std::uint64_t>(-earliest);

  Trace trace;
  const int memoryx = trace.process("MemoryX");
  const Track stream = trace.track("weights to bf16", memoryx), sums = trace.track("sums and AdamW", memoryx);
  const Track tree = trace.track("tree", trace.process("SwarmX"));
  for (const Placed& p : host) {
    const Track track = p.work->who == HostWork::Who::Stream ? stream
                        : p.work->who == HostWork::Who::Sums ? sums
                                                             : tree;
    trace.slice(track, origin + static_cast<std::uint64_t>(p.begin), origin + static_cast<std::uint64_t>(p.end),
                p.work->what);
  }

  const int streams = trace.process("streams");
  const auto traffic = [&](const char* name, const std::vector<Traffic> Phase::*all) {
    for (std::size_t i = 0; i < (profile.phases[0].*all).size(); ++i) {
      const Track track = trace.track(fmt::format("{} {}", name, i), streams);
      for (const Phase& phase : profile.phases) {
        const Traffic& t = (phase.*all)[i];
        trace.slice(track, origin + t.begin * kNanosecondsPerCycle, origin + t.end * kNanosecondsPerCycle, phase.name,
                    "messages", t.messages);
      }
    }
  };
  traffic("valve", &Phase::valves);
  traffic("outlet", &Phase::outlets);

  for (std::size_t tile = 0; tile < profile.tiles(); ++tile) tile_tracks(trace, profile, tile, origin);
  return std::move(trace).text();
}

}  // namespace weft::inspect::profile
