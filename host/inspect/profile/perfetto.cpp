#include "host/inspect/profile/perfetto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "host/inspect/profile/proto.hpp"

namespace weft::profile {
namespace {

// Field numbers of Perfetto's protos/perfetto/trace.
constexpr unsigned kTracePacket = 1;
constexpr unsigned kPacketTimestamp = 8, kPacketSequence = 10, kPacketTrackEvent = 11, kPacketFlags = 13;
constexpr unsigned kPacketDescriptor = 60, kPacketTimestampClock = 58;
constexpr unsigned kTrackUuid = 1, kTrackName = 2, kTrackParent = 5, kTrackOrder = 11, kTrackRank = 12;
constexpr unsigned kEventAnnotations = 4, kEventType = 9, kEventTrack = 11, kEventName = 23;
constexpr unsigned kAnnotationNumber = 3, kAnnotationName = 10;
constexpr std::uint64_t kSliceBegin = 1, kSliceEnd = 2, kStateCleared = 1, kOrderExplicit = 3, kSequence = 1;
constexpr std::uint64_t kBootTime = 6;

struct Note {
  std::string_view name;
  std::uint64_t number;
};

class Trace {
 public:
  std::uint64_t track(const std::string& name, std::uint64_t parent = 0) {
    const std::uint64_t uuid = ++tracks_;
    Proto descriptor;
    descriptor.number(kTrackUuid, uuid).text(kTrackName, name);
    if (parent) descriptor.number(kTrackParent, parent);
    descriptor.number(kTrackOrder, kOrderExplicit).number(kTrackRank, uuid);
    Proto packet;
    packet.number(kPacketSequence, kSequence).message(kPacketDescriptor, descriptor);
    if (uuid == 1) packet.number(kPacketFlags, kStateCleared);
    append(packet);
    return uuid;
  }

  void slice(std::uint64_t track, std::uint64_t begin, std::uint64_t end, std::string_view name,
             std::initializer_list<Note> notes = {}) {
    if (end <= begin) return;
    Proto event;
    for (const Note& note : notes)
      event.message(kEventAnnotations, Proto().number(kAnnotationNumber, note.number).text(kAnnotationName, note.name));
    event.number(kEventType, kSliceBegin).number(kEventTrack, track).text(kEventName, name);
    events_[begin].second.push_back(packet(begin, event));
    const Proto last = Proto().number(kEventType, kSliceEnd).number(kEventTrack, track);
    events_[end].first.push_back(packet(end, last));
  }

  /// Packets sorted by time; at equal times, slice ends come first.
  std::string bytes() && {
    for (auto& [time, packets] : events_) {
      for (const std::string& packet : packets.first) trace_ += packet;
      for (const std::string& packet : packets.second) trace_ += packet;
    }
    return std::move(trace_);
  }

 private:
  static std::string packed(const Proto& packet) { return Proto().message(kTracePacket, packet).bytes(); }
  void append(const Proto& packet) { trace_ += packed(packet); }
  static std::string packet(std::uint64_t time, const Proto& event) {
    Proto packet;
    packet.number(kPacketTimestamp, time).number(kPacketTimestampClock, kBootTime);
    packet.number(kPacketSequence, kSequence).message(kPacketTrackEvent, event);
    return packed(packet);
  }

  std::uint64_t tracks_ = 0;
  std::string trace_;
  std::map<std::uint64_t, std::pair<std::vector<std::string>, std::vector<std::string>>>
      events_;  // by time: ends, begins
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

void tile_tracks(Trace& trace, const Profile& profile, std::size_t tile, std::uint64_t wafer, std::uint64_t origin) {
  const TallyRecord& first = profile.phases[0].tiles[tile];
  const std::uint64_t own = trace.track(fmt::format("tile {},{}", first.row, first.col), wafer);
  const std::uint64_t threads[] = {trace.track("main", own), trace.track("psum", own)};
  for (const Phase& phase : profile.phases) {
    const TallyRecord& r = phase.tiles[tile];
    const auto time = [&](std::uint64_t cycle) { return origin + cycle * kNanosecondsPerCycle; };
    trace.slice(own, time(r.begin), time(r.end), phase.name, {{"cycles", r.cycles()}});
    for (std::size_t t = 0; t < kThreads; ++t) {
      std::array<std::size_t, kStallReasons> order{};
      for (std::size_t c = 0; c < kStallReasons; ++c) order[c] = c;
      std::ranges::stable_sort(order, std::greater{}, [&](std::size_t c) { return r.counts[t][c]; });
      std::uint64_t at = r.begin;
      for (const std::size_t c : order) {
        trace.slice(threads[t], time(at), time(at + r.counts[t][c]), isa::kStallNames[c], {{"cycles", r.counts[t][c]}});
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
  const std::uint64_t memoryx = trace.track("MemoryX"), stream = trace.track("weights to bf16", memoryx),
                      sums = trace.track("sums and AdamW", memoryx), swarmx = trace.track("SwarmX"),
                      tree = trace.track("tree", swarmx);
  for (const Placed& p : host) {
    const std::uint64_t track = p.work->who == HostWork::Who::Stream ? stream
                                : p.work->who == HostWork::Who::Sums ? sums
                                                                     : tree;
    trace.slice(track, origin + static_cast<std::uint64_t>(p.begin), origin + static_cast<std::uint64_t>(p.end),
                p.work->what);
  }

  const std::uint64_t streams = trace.track("streams");
  const auto traffic = [&](const char* name, const std::vector<Traffic> Phase::*all) {
    for (std::size_t i = 0; i < (profile.phases[0].*all).size(); ++i) {
      const std::uint64_t own = trace.track(fmt::format("{} {}", name, i), streams);
      for (const Phase& phase : profile.phases) {
        const Traffic& t = (phase.*all)[i];
        trace.slice(own, origin + t.begin * kNanosecondsPerCycle, origin + t.end * kNanosecondsPerCycle, phase.name,
                    {{"messages", t.messages}});
      }
    }
  };
  traffic("valve", &Phase::valves);
  traffic("outlet", &Phase::outlets);

  const std::uint64_t wafer = trace.track("wafer");
  for (std::size_t tile = 0; tile < profile.tiles(); ++tile) tile_tracks(trace, profile, tile, wafer, origin);
  return std::move(trace).bytes();
}

}  // namespace weft::profile
