#include "tests/swarmx/fuzzed.hpp"

#include <malloc.h>

#include <algorithm>
#include <array>

#include "host/swarmx/base/error.hpp"
#include "tests/swarmx/fake.hpp"
#include "tests/swarmx/impostor.hpp"

namespace weft::swarmx {
namespace {

constexpr std::uint32_t kMicroBatches = 4;  // micro-batches of a step

std::size_t in_use() {
  const auto all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

}  // namespace

FuzzedRun::FuzzedRun(const compiler::Plan& plan, Fuzz fuzz, std::uint64_t seed, std::uint64_t frames)
    : plan_(plan),
      fuzz_(fuzz),
      rng_(seed),
      frames_(frames),
      data_(fake_data(plan)),
      memoryx_(plan, {}),
      memory_(plan, memoryx_),
      stream_(plan),
      node_state_(plan),
      root_(plan, {.straggler = 3, .shortest = std::chrono::milliseconds(10)}),
      leaf_(plan, make_fake_wafer(plan, {}), 0),
      returns_(plan, true) {
  good_ = node_state_.join("good", {next_member_id_}, true);
  root_.join(next_member_id_++);
}

void FuzzedRun::join() {
  bad_ = node_state_.join("bad", {next_member_id_}, true);
  root_.join(next_member_id_++);
}

void FuzzedRun::run() {
  join();
  while (sent_ < frames_) {
    step();
    if (least_ == 0) least_ = in_use();
    most_ = std::max(most_, in_use() - std::min(least_, in_use()));
  }
}

void FuzzedRun::run_steps(std::uint64_t steps) {
  while (step_ < steps) step();
}

void FuzzedRun::step() {
  memoryx_.begin_step(kMicroBatches);
  root_.begin(step_, true, kMicroBatches);
  stream_.begin_step(true);
  while (!root_.complete()) {
    while (const auto next = root_.next(now_)) stream(*next);
    if (frames_ > 0) talk();
    now_ += std::chrono::milliseconds(1);
  }
  memoryx_.apply(step_, static_cast<std::uint64_t>(root_.sum().losses.back().tokens));
  memoryx_.finish_update();
  ++step_;
}

void FuzzedRun::stream(const Root::Next& next) {
  if (!next.late.empty()) {
    Frame unmerged{.type = FrameType::Unmerged};
    return down(unmerged.carry(encode_member_ids(next.late)));
  }
  const auto send = [&](Frame frame) {
    frame.step = step_;
    frame.pass = next.pass;
    down(frame);
  };
  Frame begin{.type = FrameType::Begin};
  send(begin.carry(encode_pass({true, next.tasks})));
  for (const Task& task : next.tasks) {
    for (Frame& frame : batch_frames(plan_, data_, {true, step_, task.micro_batch}, task.member_id))
      send(std::move(frame));
  }
  for (std::size_t op = 0; op < plan_.ops.size(); ++op) stream_.op(op, memory_, send);
  send({.type = FrameType::End});
}

void FuzzedRun::down(const Frame& frame) {
  const NodeState::Moves moves = node_state_.down(frame);
  up(moves.up);
  for (const auto& [child, part] : moves.down) {
    if (child == good_) work(part);
    if (child == bad_ && part.type == FrameType::Begin) begun_ = part;
  }
}

void FuzzedRun::work(const Frame& frame) {
  std::vector<Frame> said;
  while (leaf_.handle(frame, said)) {
    while (leaf_.append_more(said)) {
    }
    break;
  }
  for (const Frame& part : said) up(node_state_.up(good_, part));
}

void FuzzedRun::up(const std::vector<Frame>& frames) {
  for (const Frame& frame : frames) {
    const auto used = root_.handle(frame, now_);
    if (used && frame.type == FrameType::Gradient)
      memoryx_.add(frame.op, std::size_t{frame.part} * kPartValues, used->fixed(fixed_));
  }
}

Frame FuzzedRun::frame(const PassReturns::Bucket& bucket) {
  Frame frame = contribution(plan_, bucket, begun_ ? *begun_ : Frame{.type = FrameType::Begin, .step = step_});
  if (fuzz_ == Fuzz::Liar) {
    for (std::uint32_t n = rng_.below(3); n > 0; --n) change(frame);
  }
  return frame;
}

void FuzzedRun::change(Frame& frame) {
  const std::array<std::uint32_t, 6> numbers{0, 1, rng_.below(10), 1U << 31, ~0U, rng_.below(1U << 20)};
  const std::uint32_t number = numbers.at(rng_.below(6));
  const auto bytes = frame.bytes();
  Bytes other(bytes.begin(), bytes.end());
  switch (rng_.below(8)) {
    case 0:
      // Error is excluded: a wafer that reports divergence is believed.
      frame.type = static_cast<FrameType>(rng_.below(static_cast<std::uint32_t>(FrameType::Error)));
      break;
    case 1:
      frame.step = rng_.chance(50) ? number : std::uint64_t{number} << 32;
      break;
    case 2:
      frame.pass = number;
      break;
    case 3:
      frame.op = number;
      break;
    case 4:
      frame.part = number;
      break;
    case 5:
      frame.contains = number;
      break;
    case 6:
      other.resize(rng_.chance(50) ? other.size() & ~std::size_t{15} : rng_.below(4000), 0xA5);
      frame.carry(std::move(other));
      break;
    default:
      for (int n = 0; n < 3 && !other.empty(); ++n)
        other[rng_.below(static_cast<std::uint32_t>(other.size()))] = static_cast<std::uint8_t>(rng_.below(256));
      frame.carry(std::move(other));
  }
}

void FuzzedRun::talk() {
  for (const PassReturns::Bucket& bucket : returns_.buckets()) {
    const Frame said = frame(bucket);
    HeaderBytes header = encode_header(said);
    Bytes payload(said.bytes().begin(), said.bytes().end());
    if (fuzz_ == Fuzz::Wire) {
      const std::uint32_t at = rng_.below(static_cast<std::uint32_t>(header.size() + payload.size()));
      std::uint8_t& byte = at < header.size() ? header.at(at) : payload[at - header.size()];
      byte ^= static_cast<std::uint8_t>(1 + rng_.below(255));
    }
    ++sent_;
    try {
      const Header decoded = decode_header(header, "bad");
      payload.resize(decoded.length);
      const Frame received = with_payload(decoded, std::move(payload), "bad");
      up(node_state_.up(bad_, received));
    } catch (const SwarmError&) {
      ++refused_;
      begun_.reset();
      up(node_state_.remove_child(bad_));
      return join();
    }
  }
  begun_.reset();
}

}  // namespace weft::swarmx
