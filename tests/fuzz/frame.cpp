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

namespace weft::fuzz::frame_target {
namespace {

constexpr std::size_t kLength = 32, kPayloadCrc = 36, kHeaderCrc = 44;  // bytes of a header

std::string frame(swarmx::Frame frame, swarmx::Bytes payload) {
  frame.carry(std::move(payload));
  const swarmx::HeaderBytes header = swarmx::encode_header(frame);
  std::string bytes(header.begin(), header.end());
  return bytes.append(frame.bytes().begin(), frame.bytes().end());
}

/// Two outputs of two weights each, and an op without weights that has the same number of messages.
const compiler::Plan& plan_of_weights() {
  static const compiler::Plan the_plan = [] {
    compiler::Plan plan;
    plan.parameters = 4;
    plan.ops.resize(2);
    for (compiler::Op& op : plan.ops) {
      const auto space = std::make_shared<const compiler::Space>(compiler::Space::on_rows({0, 1}, 2));
      op.descriptor.outputs = space;
      op.descriptor.lines = {{{.space = space, .in_stride = 1, .out_stride = 2}}};
    }
    plan.ops[0].descriptor.values = compiler::StreamDescriptor::Values::Weights;
    plan.ops[1].descriptor.values = compiler::StreamDescriptor::Values::Indices;
    return plan;
  }();
  return the_plan;
}

std::string op_frames() {
  std::string bytes;
  const std::vector<float> parameters = {1, 2, 3, 4};
  for (std::size_t op = 0; op < 2; ++op)
    swarmx::OpFrames(plan_of_weights()).make(op, parameters, [&](const swarmx::Frame& one) {
      bytes += frame({.type = swarmx::FrameType::Op, .step = 3, .op = one.op}, *one.payload);
    });
  return bytes;
}

void decode(const swarmx::Frame& frame) {
  std::vector<machine::Message> messages;
  const swarmx::Bytes bytes(frame.bytes().begin(), frame.bytes().end());
  switch (frame.type) {
    case swarmx::FrameType::Begin:
      promise(swarmx::encode_pass(swarmx::decode_pass(bytes)) == bytes, "a pass comes back");
      break;
    case swarmx::FrameType::Op: {
      swarmx::OpMessages op(plan_of_weights());
      op.add(frame);
      while (const machine::StreamPiece* const piece = op.next()) {
        piece->make(messages);
        promise(messages.size() == 6, "an op's messages are as many as it has");
      }
      break;
    }
    case swarmx::FrameType::Batch:
      promise(swarmx::encode_batch(swarmx::decode_batch(bytes)) == bytes, "a micro-batch comes back");
      break;
    case swarmx::FrameType::Left:
    case swarmx::FrameType::Came:
    case swarmx::FrameType::Unmerged:
      promise(swarmx::encode_member_ids(swarmx::decode_member_ids(bytes)) == bytes, "member ids come back");
      break;
    case swarmx::FrameType::Traffic:
      promise(std::ranges::equal(swarmx::traffic_frame(swarmx::decode_traffic(bytes)).bytes(), bytes),
              "the traffic record is decoded unchanged");
      break;
    case swarmx::FrameType::Gradient:
    case swarmx::FrameType::Loss:
    case swarmx::FrameType::Stats: {
      const swarmx::Contribution back = swarmx::decode_contribution(frame);
      swarmx::Frame again = frame;
      if (back.words.empty()) {
        swarmx::carry(again, back.micro_batches, back.values);
      } else {
        swarmx::carry_words(again, back.micro_batches[0], back.words.size(),
                            [&](std::span<std::uint32_t> to) { std::ranges::copy(back.words, to.begin()); });
      }
      promise(*again.payload == bytes, "a contribution comes back");
      break;
    }
    case swarmx::FrameType::Error:
      swarmx::throw_error(bytes, "a peer");
    case swarmx::FrameType::Plan:
      swarmx::PlanReader().add(frame, "a peer");
      break;
    case swarmx::FrameType::Redirect:
      promise(swarmx::encode_text(swarmx::decode_text(bytes)) == bytes, "a text comes back");
      break;
    case swarmx::FrameType::Deal:
      promise(swarmx::encode_part(swarmx::decode_part(bytes)) == bytes, "a part comes back");
      break;
    case swarmx::FrameType::State:
      promise(swarmx::encode_numbers(swarmx::decode_numbers<float>(bytes)) == bytes, "a piece of the state comes back");
      break;
    case swarmx::FrameType::Norm:
    case swarmx::FrameType::Apply:
      promise(swarmx::encode_numbers(swarmx::decode_numbers<std::uint64_t>(bytes)) == bytes, "numbers come back");
      break;
    case swarmx::FrameType::Done: {
      static const std::vector<swarmx::ShardAssignment> assignments = {{0, 1, {0, 2}}, {1, 2, {1, 3}}};
      swarmx::Parts parts(assignments, 3 * memoryx::kShard);
      parts.begin_update();
      parts.take_done(frame.part % 2, frame);
      parts.take_done((frame.part + 1) % 2, frame);
      break;
    }
    case swarmx::FrameType::Leaves: {
      const std::string why = swarmx::decode_leave_request(frame, "a peer");
      promise(std::ranges::equal(swarmx::leave_request_frame(why).bytes(), bytes), "why a rank leaves comes back");
      break;
    }
    case swarmx::FrameType::End:
    case swarmx::FrameType::Stop:
    case swarmx::FrameType::Listens:
    case swarmx::FrameType::Alive:
    case swarmx::FrameType::Step:
    case swarmx::FrameType::Taken:
      break;  // the payload is ignored
  }
}

/// Corrects the checksums of the first header and of its payload.
void put_right(std::span<std::uint8_t> bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + kLength, 4);
  const auto put = [&](std::size_t at, std::uint32_t crc) { std::memcpy(bytes.data() + at, &crc, 4); };
  if (length <= bytes.size() - swarmx::kHeaderBytes)
    put(kPayloadCrc, crc32c(bytes.subspan(swarmx::kHeaderBytes, length)));
  put(kHeaderCrc, crc32c(bytes.first(kHeaderCrc)));
}

/// A plan with a loss and a gradient of three words.
compiler::Plan plan() {
  compiler::Plan plan;
  plan.model = {.seq = 2, .micro_batch = 2};
  plan.ops.resize(2);
  plan.ops[0].returns = compiler::Returns::Loss;
  plan.ops[1].returns = compiler::Returns::Gradient;
  plan.ops[1].returned = {3};
  plan.forward_ops = 1;
  return plan;
}

/// A wafer and a node with three micro-batches in step 1, pass 0; the input decides about later passes.
swarmx::Reducer two_children() {
  static const compiler::Plan the_plan = plan();
  swarmx::Reducer reducer(the_plan);
  reducer.join("a", {0}, true);
  reducer.join("b", {1, 2}, false);
  swarmx::Frame begin{.type = swarmx::FrameType::Begin, .step = 1};
  reducer.begin(begin.carry(swarmx::encode_pass({true, {{0, 3, false}, {1, 5, false}, {2, 7, true}}})));
  return reducer;
}

void read_all(swarmx::Bytes bytes, bool right) {
  swarmx::Reducer reducer = two_children();
  std::span<std::uint8_t> left(bytes);
  for (std::size_t n = 0; left.size() >= swarmx::kHeaderBytes; ++n) {
    try {
      if (right) put_right(left);
      swarmx::HeaderBytes head{};
      std::memcpy(head.data(), left.data(), swarmx::kHeaderBytes);
      const swarmx::Header header = swarmx::decode_header(head, "a peer");
      promise(header.length <= swarmx::kMaxPayload, "a payload is at most 1 MiB");
      left = left.subspan(swarmx::kHeaderBytes);
      if (header.length > left.size()) return;
      const swarmx::Frame frame = swarmx::with_payload(header, {left.begin(), left.begin() + header.length}, "a peer");
      left = left.subspan(header.length);
      promise(right || swarmx::encode_header(frame) == head, "a header comes back");
      decode(frame);
      if (frame.type == swarmx::FrameType::Begin) {
        reducer.begin(frame);
      } else if (frame.type == swarmx::FrameType::Unmerged) {
        reducer.set_unmerged(swarmx::decode_member_ids(frame.bytes()));
      } else {
        for (const swarmx::Frame& up : reducer.add(n % 2, frame)) {
          decode(up);
          promise(up.contains <= 3, "a sum is of the micro-batches there are");
        }
      }
    } catch (const swarmx::CorruptFrame&) {
      if (!right) return;  // the connection ends
      if (left.size() < swarmx::kHeaderBytes) return;
      left = left.subspan(1);
    } catch (const swarmx::SwarmError&) {
    } catch (const memoryx::Diverged&) {
    } catch (const WaferHang&) {
    }
  }
}

}  // namespace

std::vector<std::string> seeds() {
  const std::vector<std::int64_t> some = {1, -2, std::int64_t{1} << 50}, loss = {1 << 30, 4}, stats = {9, 8, 7, 6};
  const std::string down =
      frame({.type = swarmx::FrameType::Begin}, swarmx::encode_pass({true, {{0, 4, false}, {1, 9, true}}})) +
      frame({.type = swarmx::FrameType::Batch, .op = 1}, swarmx::encode_batch({{1, 2}, {2, 3}})) + op_frames() +
      frame({.type = swarmx::FrameType::End, .step = 3, .pass = 1}, {}) +
      frame({.type = swarmx::FrameType::Unmerged}, swarmx::encode_member_ids(std::vector<std::uint32_t>{1, 2}));
  std::string up;
  const auto add = [&](swarmx::FrameType type, std::uint32_t op, const std::vector<std::int64_t>& values) {
    for (const std::uint32_t micro_batch : {3U, 5U, 7U}) {
      swarmx::Frame part{.type = type, .step = 1, .op = op};
      swarmx::carry(part, {&micro_batch, 1}, values);
      up += frame(part, *part.payload);
    }
  };
  add(swarmx::FrameType::Gradient, 1, some);
  swarmx::Frame words{.type = swarmx::FrameType::Gradient, .step = 1, .op = 1};
  swarmx::carry_words(words, 5, 3,
                      [](std::span<std::uint32_t> to) { to[0] = 0x3f800000, to[1] = 0xbf000000, to[2] = 1; });
  up += frame(words, *words.payload);
  add(swarmx::FrameType::Loss, 0, loss);
  add(swarmx::FrameType::Stats, 0, stats);
  up += frame({.type = swarmx::FrameType::Left}, swarmx::encode_member_ids(std::vector<std::uint32_t>{2}));
  up += frame({.type = swarmx::FrameType::Came}, swarmx::encode_member_ids(std::vector<std::uint32_t>{3, 4}));
  swarmx::Bytes error = swarmx::encode_text(" a wafer hangs");
  error[0] = static_cast<std::uint8_t>(swarmx::ErrorKind::WaferHang);
  return {
      down,
      up,
      frame({.type = swarmx::FrameType::Plan, .contains = 1}, swarmx::encode_text("WEFTPLAN")),
      frame({.type = swarmx::FrameType::Error}, error),
      frame({.type = swarmx::FrameType::Deal},
            swarmx::encode_part({.shards = {0, 2}, .optimizer = {}, .no_decay = {"a"}, .frozen = {"b", "c"}})),
      frame({.type = swarmx::FrameType::State, .step = 7}, swarmx::encode_numbers<float>(std::vector<float>{1, -2})),
      frame({.type = swarmx::FrameType::Done, .contains = 2}, swarmx::Bytes(83)),
      frame({.type = swarmx::FrameType::Stop}, {}),
      frame({.type = swarmx::FrameType::Alive}, {})};
}

void read(std::span<const std::uint8_t> bytes) {
  read_all({bytes.begin(), bytes.end()}, false);
  read_all({bytes.begin(), bytes.end()}, true);
}

const bool kAdded = add({"frame", seeds, read});

}  // namespace weft::fuzz::frame_target
