/// MemoryX in this process.
#pragma once

#include "host/swarmx/protocol/memoryx_client.hpp"
#include "host/swarmx/protocol/op_frames.hpp"

namespace weft::swarmx {

/// `plan` and `memoryx`, which must be of that plan, must outlive this.
class LocalMemoryXClient : public MemoryXClient {
 public:
  LocalMemoryXClient(const compiler::Plan& plan, memoryx::MemoryX& memoryx)
      : plan_(plan), memoryx_(memoryx), frames_(plan) {}

  void begin_step(const memoryx::UpcomingStep& upcoming) override { memoryx_.begin_step(upcoming); }
  void streamed(std::size_t op) override { memoryx_.streamed(op); }
  void abandon_step() override { memoryx_.abandon_step(); }
  void add(std::size_t op, std::size_t first, std::span<const std::int64_t> values) override {
    memoryx_.add(op, first, values);
  }
  memoryx::Applied apply(std::uint64_t step, std::uint64_t tokens) override { return memoryx_.apply(step, tokens); }
  double learning_rate(std::uint64_t step) const override { return memoryx_.learning_rate(step); }
  int moments() const override { return memoryx_.moments(); }
  bool update_finished() const noexcept override { return memoryx_.update_finished(); }
  memoryx::UpdateResult finish_update() override { return memoryx_.finish_update(); }
  bool is_consistent() const override { return memoryx_.is_consistent(); }
  std::uint64_t hash() override { return memoryx_.hash(); }
  std::shared_ptr<memoryx::Snapshot> snapshot(memoryx::MemoryX::Take take, std::function<void()> end) override {
    return memoryx_.snapshot(std::move(take), std::move(end));
  }
  void frames(std::size_t op, std::optional<std::size_t> next, StepClock* clock, const Send& send) override;
  void load(const Read& read) override;
  void start() override {}
  void report_failures_to(FirstFailure* /*run*/) noexcept override {}

 private:
  const compiler::Plan& plan_;
  memoryx::MemoryX& memoryx_;
  OpFrames frames_;
};

}  // namespace weft::swarmx
