/// SwarmX frames in sequence, as on a connection: headers, payloads, and a node's sums of them. Unchanged, and with
/// corrected checksums.
#include "host/swarmx/protocol/frame.hpp"

#include <cstring>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/memory/leave_request.hpp"
#include "host/swarmx/memory/parts.hpp"
#include "host/swarmx/memory/shard_assignment.hpp"
#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/member_traffic.hpp"
#include "host/swarmx/protocol/op_frames.hpp"
#include "host/swarmx/protocol/op_messages.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/protocol/plan_frames.hpp"
#include "host/swarmx/tree/reducer.hpp"
#include "sw/base/crc32c.hpp"
#include "tests/fuzz/target.hpp"
#include "verif/wafer.hpp"

namespace weft::fuzz {
namespace {

constexpr std::size_t kLength = 32, kPayloadCrc = 36, kHeaderCrc = 44;  // bytes of a header

std::string frame(Frame frame, Bytes payload) {
  frame.carry(std::move(payload));
  const HeaderBytes header = encode_header(frame);
  std::string bytes(header.begin(), header.end());
  return bytes.append(frame.bytes().begin(), frame.bytes().end());
}

/// Two outputs of two weights each, and an op without weights that has the same number of messages.
const Plan& plan_of_weights() {
  static const Plan the_plan = [] {
    Plan plan;
    plan.parameters = 4;
    plan.ops.resize(2);
    for (Op& op : plan.ops) {
      const auto space = std::make_shared<const Space>(Space::on_rows({0, 1}, 2));
      op.descriptor.outputs = space;
      op.descriptor.lines = {{{.space = space, .in_stride = 1, .out_stride = 2}}};
    }
    plan.ops[0].descriptor.values = StreamDescriptor::Values::Weights;
    plan.ops[1].descriptor.values = StreamDescriptor::Values::Indices;
    return plan;
  }();
  return the_plan;
}

std::string op_frames() {
  std::string bytes;
  const std::vector<float> parameters = {1, 2, 3, 4};
  for (std::size_t op = 0; op < 2; ++op)
    OpFrames(plan_of_weights()).make(op, parameters, [&](const Frame& one) {
      bytes += frame({.type = FrameType::Op, .step = 3, .op = one.op}, *one.payload);
    });
  return bytes;
}

void decode(const Frame& frame) {
  std::vector<Message> messages;
  const Bytes bytes(frame.bytes().begin(), frame.bytes().end());
  switch (frame.type) {
    case FrameType::Begin:
      promise(encode_pass(decode_pass(bytes)) == bytes, "a round comes back");
      break;
    case FrameType::Op: {
      OpMessages op(plan_of_weights());
      op.take(frame);
      while (const StreamPiece* const piece = op.next()) {
        piece->make(messages);
        promise(messages.size() == 6, "an op's messages are as many as it has");
      }
      break;
    }
    case FrameType::Batch:
      promise(encode_batch(decode_batch(bytes)) == bytes, "a micro-batch comes back");
      break;
    case FrameType::Left:
    case FrameType::Came:
    case FrameType::Unmerged:
      promise(encode_member_ids(decode_member_ids(bytes)) == bytes, "member ids come back");
      break;
    case FrameType::Traffic:
      promise(std::ranges::equal(traffic_frame(decode_traffic(bytes)).bytes(), bytes),
              "the traffic record is decoded unchanged");
      break;
    case FrameType::Gradient:
    case FrameType::Loss:
    case FrameType::Stats: {
      const Contribution back = decode_contribution(frame);
      Frame again = frame;
      if (back.words.empty()) {
        carry(again, back.micro_batches, back.values);
      } else {
        carry_words(again, back.micro_batches[0], back.words.size(),
                    [&](std::span<std::uint32_t> to) { std::ranges::copy(back.words, to.begin()); });
      }
      promise(*again.payload == bytes, "a contribution comes back");
      break;
    }
    case FrameType::Error:
      throw_error(bytes, "a peer");
    case FrameType::Plan:
      PlanReader().take(frame, "a peer");
      break;
    case FrameType::Redirect:
      promise(encode_text(decode_text(bytes)) == bytes, "a text comes back");
      break;
    case FrameType::Deal:
      promise(encode_part(decode_part(bytes)) == bytes, "a part comes back");
      break;
    case FrameType::State:
      promise(encode_numbers(decode_numbers<float>(bytes)) == bytes, "a piece of the state comes back");
      break;
    case FrameType::Norm:
    case FrameType::Apply:
      promise(encode_numbers(decode_numbers<std::uint64_t>(bytes)) == bytes, "numbers come back");
      break;
    case FrameType::Done: {
      static const std::vector<ShardAssignment> assignments = {{0, 1, {0, 2}}, {1, 2, {1, 3}}};
      Parts parts(assignments, 3 * kShard);
      parts.begin_update();
      parts.take_done(frame.part % 2, frame);
      parts.take_done((frame.part + 1) % 2, frame);
      break;
    }
    case FrameType::Leaves: {
      const std::string why = decode_leave_request(frame, "a peer");
      promise(std::ranges::equal(leave_request_frame(why).bytes(), bytes), "why a rank leaves comes back");
      break;
    }
    case FrameType::End:
    case FrameType::Stop:
    case FrameType::Listens:
    case FrameType::Alive:
    case FrameType::Step:
    case FrameType::Taken:
      break;  // the payload is ignored
  }
}

/// Corrects the checksums of the first header and of its payload.
void put_right(std::span<std::uint8_t> bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + kLength, 4);
  const auto put = [&](std::size_t at, std::uint32_t crc) { std::memcpy(bytes.data() + at, &crc, 4); };
  if (length <= bytes.size() - kHeaderBytes) put(kPayloadCrc, crc32c(bytes.subspan(kHeaderBytes, length)));
  put(kHeaderCrc, crc32c(bytes.first(kHeaderCrc)));
}

/// A plan with a loss and a gradient of three words.
Plan plan() {
  Plan plan;
  plan.model = {.seq = 2, .micro_batch = 2};
  plan.ops.resize(2);
  plan.ops[0].returns = Returns::Loss;
  plan.ops[1].returns = Returns::Gradient;
  plan.ops[1].returned = {3};
  plan.forward_ops = 1;
  return plan;
}

/// A wafer and a node with three micro-batches in step 1, round 0; the input decides about later rounds.
Reducer two_children() {
  static const Plan the_plan = plan();
  Reducer reducer(the_plan);
  reducer.join("a", {0}, true);
  reducer.join("b", {1, 2}, false);
  Frame begin{.type = FrameType::Begin, .step = 1};
  reducer.begin(begin.carry(encode_pass({true, {{0, 3, false}, {1, 5, false}, {2, 7, true}}})));
  return reducer;
}

void read_all(Bytes bytes, bool right) {
  Reducer reducer = two_children();
  std::span<std::uint8_t> left(bytes);
  for (std::size_t n = 0; left.size() >= kHeaderBytes; ++n) {
    try {
      if (right) put_right(left);
      HeaderBytes head{};
      std::memcpy(head.data(), left.data(), kHeaderBytes);
      const Header header = decode_header(head, "a peer");
      promise(header.length <= kMaxPayload, "a payload is at most 1 MiB");
      left = left.subspan(kHeaderBytes);
      if (header.length > left.size()) return;
      const Frame frame = with_payload(header, {left.begin(), left.begin() + header.length}, "a peer");
      left = left.subspan(header.length);
      promise(right || encode_header(frame) == head, "a header comes back");
      decode(frame);
      if (frame.type == FrameType::Begin) {
        reducer.begin(frame);
      } else if (frame.type == FrameType::Unmerged) {
        reducer.set_unmerged(decode_member_ids(frame.bytes()));
      } else {
        for (const Frame& up : reducer.add(n % 2, frame)) {
          decode(up);
          promise(up.contains <= 3, "a sum is of the micro-batches there are");
        }
      }
    } catch (const CorruptFrame&) {
      if (!right) return;  // the connection ends
      if (left.size() < kHeaderBytes) return;
      left = left.subspan(1);
    } catch (const SwarmError&) {
    } catch (const Diverged&) {
    } catch (const WaferHang&) {
    }
  }
}

}  // namespace

std::vector<std::string> seeds() {
  const std::vector<std::int64_t> some = {1, -2, std::int64_t{1} << 50}, loss = {1 << 30, 4}, stats = {9, 8, 7, 6};
  const std::string down = frame({.type = FrameType::Begin}, encode_pass({true, {{0, 4, false}, {1, 9, true}}})) +
                           frame({.type = FrameType::Batch, .op = 1}, encode_batch({{1, 2}, {2, 3}})) + op_frames() +
                           frame({.type = FrameType::End, .step = 3, .pass = 1}, {}) +
                           frame({.type = FrameType::Unmerged}, encode_member_ids(std::vector<std::uint32_t>{1, 2}));
  std::string up;
  const auto add = [&](FrameType type, std::uint32_t op, const std::vector<std::int64_t>& values) {
    for (const std::uint32_t micro_batch : {3U, 5U, 7U}) {
      Frame part{.type = type, .step = 1, .op = op};
      carry(part, {&micro_batch, 1}, values);
      up += frame(part, *part.payload);
    }
  };
  add(FrameType::Gradient, 1, some);
  Frame words{.type = FrameType::Gradient, .step = 1, .op = 1};
  carry_words(words, 5, 3, [](std::span<std::uint32_t> to) { to[0] = 0x3f800000, to[1] = 0xbf000000, to[2] = 1; });
  up += frame(words, *words.payload);
  add(FrameType::Loss, 0, loss);
  add(FrameType::Stats, 0, stats);
  up += frame({.type = FrameType::Left}, encode_member_ids(std::vector<std::uint32_t>{2}));
  up += frame({.type = FrameType::Came}, encode_member_ids(std::vector<std::uint32_t>{3, 4}));
  Bytes error = encode_text(" a wafer hangs");
  error[0] = static_cast<std::uint8_t>(ErrorKind::WaferHang);
  return {down,
          up,
          frame({.type = FrameType::Plan, .contains = 1}, encode_text("WEFTPLAN")),
          frame({.type = FrameType::Error}, error),
          frame({.type = FrameType::Deal},
                encode_part({.shards = {0, 2}, .optimizer = {}, .no_decay = {"a"}, .frozen = {"b", "c"}})),
          frame({.type = FrameType::State, .step = 7}, encode_numbers<float>(std::vector<float>{1, -2})),
          frame({.type = FrameType::Done, .contains = 2}, Bytes(83)),
          frame({.type = FrameType::Stop}, {}),
          frame({.type = FrameType::Alive}, {})};
}

void read(std::span<const std::uint8_t> bytes) {
  read_all({bytes.begin(), bytes.end()}, false);
  read_all({bytes.begin(), bytes.end()}, true);
}

}  // namespace weft::fuzz
