#include "host/look/bisect/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "host/appliance/compile_plan.hpp"
#include "host/appliance/modes/backend.hpp"
#include "host/appliance/train/masks.hpp"
#include "host/look/bisect/describe.hpp"
#include "host/look/bisect/events.hpp"
#include "host/look/bisect/micro_batch.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/compiler/tensors.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::bisect {
namespace {

Config training_only(Config config) {
  config.runconfig.mode = "train";
  config.runconfig.eval_frequency = 0;
  return config;
}

Start given(const Config& config) {
  Start start;
  if (config.runconfig.checkpoint_path.empty()) return start;
  start.file = config.runconfig.checkpoint_path;
  start.checkpoint = load_given(config, gpt2_tensors(config.model));
  return start;
}

template <class Number>
std::string sum(std::span<const Number> numbers) {
  return fmt::format("{:08x}", crc32c({reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()}));
}

std::string hex(std::span<const float> numbers) {
  std::string text;
  for (const float x : numbers) fmt::format_to(std::back_inserter(text), "{:08x}", std::bit_cast<std::uint32_t>(x));
  return text;
}

}  // namespace

Recorder::Recorder(const Config& config, MakeWafer wafers)
    : config_(training_only(config)),
      start_(given(config_)),
      plan_(compile_plan(config_, start_mask(config_, start_))),
      wafers_(std::move(wafers)) {
  if (!wafers_) wafers_ = [this](int id) { return make_wafer(config_, id); };
}

Recorder::Recorder(const Config& config, Plan plan, MakeWafer wafers) : Recorder(config, std::move(wafers)) {
  plan_ = std::move(plan);
}

std::unique_ptr<Trainer> Recorder::trainer() {
  auto trainer = std::make_unique<Trainer>(config_, plan_, wafers_);
  if (start_.checkpoint) {
    restore(*start_.checkpoint, plan_, trainer->memoryx());
    trainer->resume(start_.step());
  }
  return trainer;
}

std::unique_ptr<Trainer> Recorder::trained(std::uint64_t done) {
  if (done < start_.step())
    throw Refusal("--step", fmt::format("{} is before the first of this run", done + 1),
                  fmt::format("name one from {} on", start_.step() + 1));
  auto run = trainer();
  while (run->done() < done) run->step();
  return run;
}

Steps Recorder::steps() {
  auto run = trainer();
  Steps trail{.first = run->done(), .hashes = {fmt::format("{:016x}", run->memoryx().hash())}, .stopped = ""};
  try {
    while (run->done() < static_cast<std::uint64_t>(config_.runconfig.steps()))
      trail.hashes.push_back(fmt::format("{:016x}", run->step().state_hash));
  } catch (const Refusal&) {
    throw;
  } catch (const std::exception& e) {  // a side that cannot go on differs from one that can
    trail.stopped = e.what();
  }
  return trail;
}

State Recorder::state(std::uint64_t step) {
  auto run = trained(step);
  ParameterStore& store = run->memoryx().store();
  State trail;
  for (const TensorInfo& t : plan_.tensors) {
    const auto part = [&](std::span<const float> all) { return hex(all.subspan(t.offset, t.size)); };
    trail.tensors.push_back(
        {t.name, t.dims, part(store.weights()), part(store.first_moments()), part(store.second_moments())});
  }
  return trail;
}

std::vector<Message> Recorder::tokens(const Trainer& trainer, std::uint64_t step, std::uint64_t micro_batch) const {
  if (micro_batch >= static_cast<std::uint64_t>(trainer.data().micro_batches()))
    throw Refusal("--wafer", fmt::format("micro-batch {} is not there", micro_batch),
                  fmt::format("a step has {}", trainer.data().micro_batches()));
  const Batch batch = trainer.data().micro_batch(step - 1, static_cast<int>(micro_batch));
  return plan_.tokens(batch.inputs, batch.labels);
}

Phases Recorder::phases(std::uint64_t step) {
  auto run = trained(step - 1);
  const std::span<const float> parameters = run->memoryx().store().weights();
  const WaferShape& shape = plan_.wafer;
  Phases trail{.rows = shape.rows, .cols = shape.cols, .lanes = shape.lanes, .micro_batches = {}};
  for (int m = 0; m < run->data().micro_batches(); ++m) {
    const auto wafer = wafers_(m);
    const std::vector<Message> tokens = this->tokens(*run, step, static_cast<std::uint64_t>(m));
    Walk walk(plan_, parameters, tokens, *wafer, step, static_cast<std::uint64_t>(m));
    MicroBatch& said = trail.micro_batches.emplace_back();
    for (std::size_t n = 0; n < walk.count() && said.stopped.empty(); ++n) {
      const std::vector<Message> messages = walk.messages(n);
      const StreamSums stream = sums(messages, plan_.program);
      PhaseSums& phase = said.phases.emplace_back(
          PhaseSums{.name = walk.name(n), .data = stream.data, .control = stream.control, .returned = "", .tiles = {}});
      try {
        walk.run(n, messages);
      } catch (const WaferStuck& stuck) {
        said.stopped = stuck.what();
      }
      for (int r = 0; r < shape.rows; ++r) {
        phase.returned += sum(std::span<const std::uint32_t>(wafer->outlet(r)));
        for (int c = 0; c < shape.cols && said.stopped.empty(); ++c)
          phase.tiles.push_back(sum(std::span<const std::uint16_t>(wafer->sram(r, c))));
      }
    }
  }
  return trail;
}

Phase Recorder::phase(const Request& request) {
  const WaferShape& shape = plan_.wafer;
  if (request.row < 0 || request.row >= shape.rows || request.col < 0 || request.col >= shape.cols)
    throw Refusal("--tile", fmt::format("{},{} is not there", request.row, request.col),
                  fmt::format("the wafer has {} rows and {} columns", shape.rows, shape.cols));
  auto run = trained(request.step - 1);
  const std::vector<Message> tokens = this->tokens(*run, request.step, request.micro_batch);
  const auto wafer = wafers_(static_cast<int>(request.micro_batch));
  Walk walk(plan_, run->memoryx().store().weights(), tokens, *wafer, request.step, request.micro_batch);
  const std::size_t at = walk.find(request.phase);
  const std::vector<Message> messages = walk.messages(at);
  Phase trail;
  trail.messages = describe(messages, walk.op(at), plan_);
  trail.arrays = arrays(plan_);
  trail.returned.resize(static_cast<std::size_t>(shape.rows));
  Events events(plan_.program, shape.rows);
  const TilePlace tile[] = {{request.row, request.col}};
  std::unique_ptr<ClockedWafer> again;
  auto* rtl = dynamic_cast<ClockedWafer*>(wafer.get());
  try {
    for (std::size_t n = 0; n < at; ++n) walk.run(n, walk.messages(n));
    if (rtl == nullptr) {  // what a model does is shown by the RTL
      again = make_clocked_wafer(shape);
      if (at > 0) {
        again->feed(plan_.load);
        again->settle();
        for (int r = 0; r < shape.rows; ++r)
          for (int c = 0; c < shape.cols; ++c) again->put(r, c, wafer->state(r, c));
      }
    }
    if (ClockedWafer* seen = rtl != nullptr ? rtl : again.get()) seen->watch(&events, tile);
    walk.run(at, messages);
  } catch (const WaferStuck& stuck) {
    trail.stopped = stuck.what();
  }
  try {
    if (again) {
      again->feed(messages);
      again->settle();
    }
  } catch (const WaferStuck& stuck) {
    if (trail.stopped.empty()) trail.stopped = std::string("the RTL, from the model's state on: ") + stuck.what();
  }
  if (ClockedWafer* seen = rtl != nullptr ? rtl : again.get()) seen->watch(nullptr);
  trail.events = events.take();
  for (int r = 0; r < shape.rows; ++r)
    for (const std::uint32_t word : wafer->outlet(r))
      trail.returned[static_cast<std::size_t>(r)].push_back(fmt::format("{:08x} {}", word, decimal_fp32(word)));
  for (const std::uint16_t element : wafer->sram(request.row, request.col))
    fmt::format_to(std::back_inserter(trail.memory), "{:04x}", element);
  return trail;
}

}  // namespace weft::bisect
