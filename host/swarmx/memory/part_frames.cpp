#include "host/swarmx/memory/part_frames.hpp"

#include <algorithm>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/protocol/payload.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kSome = 16384;  // maximum shards in a frame

/// Element of Done, for one shard; a text may follow the last.
struct Said {
  double square;
  std::uint64_t weights, first, second, within;
};

/// Calls `make(frame, first, count)` for a rank's shards, several at a time.
template <class Make>
std::vector<Frame> in_frames(FrameType type, const memoryx::ShardRange& own, const Make& make) {
  std::vector<Frame> frames;
  for (std::size_t first = own.first, count = 0; first < own.last; first += count) {
    count = std::min(kSome, own.last - first);
    Frame frame{.type = type, .op = static_cast<std::uint32_t>(first), .contains = static_cast<std::uint32_t>(count)};
    frames.push_back(make(frame, first, count));
  }
  return frames;
}

}  // namespace

std::vector<Frame> norm_frames(std::span<const double> squares, const memoryx::ShardRange& own) {
  return in_frames(FrameType::Norm, own, [&](Frame frame, std::size_t first, std::size_t count) {
    return frame.carry(encode_numbers(squares.subspan(first, count)));
  });
}

std::vector<Frame> done_frames(std::span<const memoryx::ShardDone> shards, const memoryx::ShardRange& own,
                               const std::optional<std::string>& diverged) {
  return in_frames(FrameType::Done, own, [&](Frame frame, std::size_t first, std::size_t count) {
    std::vector<Said> said;
    for (const memoryx::ShardDone& shard : shards.subspan(first, count))
      said.push_back({shard.square, shard.hash.weights, shard.hash.first, shard.hash.second, shard.within ? 1U : 0U});
    Bytes bytes = encode_numbers(std::span<const Said>(said));
    if (diverged && first + count == own.last) bytes.insert(bytes.end(), diverged->begin(), diverged->end());
    return frame.carry(std::move(bytes));
  });
}

SaidDone decode_done(const Frame& frame) {
  const auto bytes = frame.bytes();
  if (frame.contains > bytes.size() / sizeof(Said))
    throw CorruptFrame("a Done frame lists more shards than it has room for");
  const std::size_t size = frame.contains * sizeof(Said);
  SaidDone done;
  for (const Said& said : decode_numbers<Said>(bytes.first(size)))
    done.shards.push_back({said.square, {said.weights, said.first, said.second}, said.within == 1});
  if (size < bytes.size()) done.diverged = decode_text(bytes.subspan(size));
  return done;
}

}  // namespace weft::swarmx
