#include "host/swarmx/root/pass_stream.hpp"

#include <utility>

#include "host/swarmx/protocol/times.hpp"

namespace weft::swarmx {

PassStream::PassStream(const compiler::Plan& plan, const SwarmOptions& options, GetBatch get, Send send)
    : plan_(plan),
      options_(options),
      get_(std::move(get)),
      send_(std::move(send)),
      stream_(plan, options.clock.get()) {}

void PassStream::begin_step(bool repeats, std::function<void()> meanwhile) {
  meanwhile_ = std::move(meanwhile);
  stream_.begin_step(repeats);
}

void PassStream::send(const Pass& pass, Place place, bool last, MemoryXClient& memory) {
  const auto send = [&](Frame frame) {
    frame.step = place.step;
    frame.pass = place.pass;
    bytes_ += frame.bytes().size();
    send_(std::move(frame));
  };
  bytes_ = 0;
  Frame begin{.type = FrameType::Begin};
  send(begin.carry(encode_pass(pass)));
  for (const Task& task : pass.tasks) {
    for (Frame& frame : batch_frames(plan_, get_, {pass.train, place.step, task.micro_batch}, task.member_id))
      send(std::move(frame));
  }
  const std::size_t ops = pass.train ? plan_.ops.size() : plan_.forward_ops;
  for (std::size_t op = 0; op < ops; ++op) {
    if (meanwhile_ && (op == plan_.forward_ops || memory.update_finished())) call_meanwhile();
    const auto begin = options_.streamed ? std::chrono::steady_clock::now() : SwarmOptions::Time{};
    stream_.op(op, memory, send);
    if (options_.streamed) options_.streamed(op, begin, std::chrono::steady_clock::now());
    if (last && pass.train) memory.streamed(op);
  }
  call_meanwhile();
  send({.type = FrameType::End});
}

void PassStream::call_meanwhile() {
  const StepClock::In rests(options_.clock.get(), Part::Rest);
  if (const auto meanwhile = std::exchange(meanwhile_, nullptr)) meanwhile();
}

}  // namespace weft::swarmx
