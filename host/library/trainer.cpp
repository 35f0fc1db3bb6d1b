#include "weft/trainer.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "host/cli/modes/modes.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/data/given_samples.hpp"
#include "host/library/config_impl.hpp"
#include "host/library/convert.hpp"
#include "host/library/given.hpp"
#include "host/library/only_call.hpp"
#include "host/library/prepared.hpp"
#include "host/library/translate.hpp"
#include "host/system/signals.hpp"
#include "host/train/session.hpp"
#include "host/train/steps.hpp"
#include "sw/network/kept_files.hpp"

namespace weft {
inline namespace v0 {
namespace {

/// The configuration in a training mode.
library::ReadConfig for_training(const Config& config) {
  const library::ReadConfig& read = config.impl();
  if (read.config.runconfig.mode.starts_with("train")) return read;
  return config.with({{"mode", "train"}}).impl();
}

}  // namespace

class Trainer::Impl {
 public:
  Impl(const Config& config, Log log, Data data);
  ~Impl() { end("interrupted"); }

  std::string step(const Batch* batch);
  std::optional<std::string> evaluate(const library::SignalsHeld& signals, const Batch* batch,
                                      const Interrupted& interrupted);
  std::vector<std::string> continue_prompts(const Config& config);
  Checkpoint state() {
    return library::public_checkpoint(open().saver.state(session_->trainer()), session_->trainer().plan().tensors);
  }
  std::string save();
  void close();
  bool is_open() const { return session_ != nullptr; }
  std::uint64_t done() const { return session_ ? session_->trainer().history().done() : done_; }
  std::uint64_t max_steps() const { return static_cast<std::uint64_t>(prepared_.config().runconfig.steps()); }
  const Config& config() const { return config_; }

  /// Runs `work` as the only call at this time, and passes on the lines that were printed.
  template <class Work>
  auto alone(const Work& work) {
    return library::called([&](const library::SignalsHeld& signals) {
      const library::OnlyCall only(prepared_, busy_, "weft.Trainer", "use a trainer in one thread at a time");
      return work(signals);
    });
  }

 private:
  const train::Run& open() const {
    if (!session_)
      throw Refusal("weft.Trainer", "is closed", "create another one, which continues from the checkpoint");
    return session_->run();
  }
  void check_origin(const Batch* batch) const;
  void end(const std::string& outcome);
  template <class Work>
  void placed(const Work& work);
  template <class Work>
  auto or_end(const Work& work);

  const network::KeptNetworkFiles networks_;
  library::Prepared prepared_;
  Config config_;
  const std::shared_ptr<data::GivenSamples> given_;  // null: the run reads files
  std::unique_ptr<train::Session> session_;          // null: closed
  std::uint64_t done_ = 0;                           // when it was closed
  std::atomic<bool> busy_ = false;
};

/// Runs `work`, whose errors are placed at their keys.
template <class Work>
void Trainer::Impl::placed(const Work& work) {
  try {
    work();
  } catch (const Refusal& refusal) {
    throw train::Session::placed(prepared_.config(), prepared_.context(), refusal);
  }
}

/// Runs `work`. A failure ends the run after the state before it is saved, as `weft run` does.
template <class Work>
auto Trainer::Impl::or_end(const Work& work) {
  try {
    return work();
  } catch (...) {
    train::save_after_failure(session_->run(), session_->first(), prepared_.out());
    try {
      throw;
    } catch (const Refusal& refusal) {
      end(std::string("failed: ") + refusal.what());
      throw train::Session::placed(prepared_.config(), prepared_.context(), refusal);
    } catch (const std::exception& failure) {
      end(std::string("failed: ") + failure.what());
      throw;
    }
  }
}

Trainer::Impl::Impl(const Config& config, Log log, Data data)
    : prepared_(for_training(config), std::move(log)),
      config_(std::make_shared<const Config::Impl>(library::ReadConfig(prepared_.read()))),
      given_(data == Data::Given ? std::make_shared<data::GivenSamples>(prepared_.config().model.seq) : nullptr) {
  placed([&] {
    if (given_) library::check_given(prepared_.config());
    session_ = std::make_unique<train::Session>(prepared_.config(), prepared_.out(), prepared_.context(),
                                                train::TrainOptions{.samples = given_});
    session_->prepare(prepared_.make_wafer());
    try {
      session_->begin();
    } catch (const std::exception& failure) {
      session_->end_status(std::string("failed: ") + failure.what());
      throw;
    }
    session_->print_header();
  });
  prepared_.pass_on();
}

void Trainer::Impl::check_origin(const Batch* batch) const {
  if ((batch != nullptr) == (given_ != nullptr)) return;
  throw given_ ? Refusal("weft.Trainer", "its samples come from the program", "give a batch")
               : Refusal("weft.Trainer", "its samples come from files", "leave the batch out");
}

std::string Trainer::Impl::step(const Batch* batch) {
  const train::Run& run = open();
  check_origin(batch);
  if (batch != nullptr) {
    const auto size = static_cast<std::size_t>(prepared_.config().train_input.batch_size);
    data::Batch samples = library::given_batch(prepared_.config(), *batch, size);
    given_->give(run.trainer.data().position(run.trainer.history().done()), std::move(samples));
  }
  return or_end([&] {
    train::train_step(run, prepared_.out());
    train::settle_step(run, prepared_.out());
    return run.metrics.added();
  });
}

std::optional<std::string> Trainer::Impl::evaluate(const library::SignalsHeld& signals, const Batch* batch,
                                                   const Interrupted& interrupted) {
  const train::Run& run = open();
  check_origin(batch);
  const system::InterruptCheck check([&] { return interrupted && signals.deliver(interrupted); });
  if (batch != nullptr)
    run.trainer.set_evaluation(library::given_evaluation(prepared_.config(), *batch));
  else
    placed([&] { run.trainer.load_evaluation(); });
  const auto result = or_end([&] { return run.trainer.evaluate_now(); });
  if (!result) return std::nullopt;
  const compiler::ModelShape& model = prepared_.config().model;
  const bool of_tokens = compiler::losses_of(model).back() == compiler::Labels::Tokens;
  return cli::result_json(*result, done(), model.smoothing(), of_tokens);
}

/// Mirrors the weights for the time of the call, as MemoryX may be that of several processes.
std::vector<std::string> Trainer::Impl::continue_prompts(const Config& config) {
  train::Trainer& trainer = open().trainer;
  std::vector<float> weights(trainer.plan().parameters);
  const auto take = [&](int vector, std::uint64_t first, std::span<const float> values) {
    if (vector == 0) std::ranges::copy(values, weights.begin() + static_cast<std::ptrdiff_t>(first));
  };
  trainer.memory().snapshot(take, [] {})->wait();
  library::Prepared prepared(config.with({{"mode", "generate"}}).impl(), {});
  try {
    return cli::generate_texts(prepared.config(), trainer.plan().mask, weights, prepared.make_wafer(), prepared_.out());
  } catch (const Refusal& refusal) {
    throw config::placed(prepared.config(), refusal);
  }
}

std::string Trainer::Impl::save() {
  const train::Run& run = open();
  placed([&] { train::save_now(run); });
  return run.saver.last_checkpoint();
}

void Trainer::Impl::close() {
  if (!session_) return;
  const train::Run& run = session_->run();
  placed([&] {
    if (done() > session_->first()) train::save_at_end(run);
  });
  end(done() >= max_steps() ? "done" : "interrupted");
}

/// Releases everything but the configuration.
void Trainer::Impl::end(const std::string& outcome) {
  if (!session_) return;
  done_ = done();
  session_->end_status(outcome);
  session_.reset();
}

Trainer::Trainer(const Config& config, Log log, Data data)
    : impl_(library::called([&](const auto&) { return std::make_unique<Impl>(config, std::move(log), data); })) {}

Trainer::~Trainer() = default;

std::string Trainer::step() {
  return impl_->alone([&](const auto&) { return impl_->step(nullptr); });
}

std::string Trainer::step(const Batch& batch) {
  return impl_->alone([&](const auto&) { return impl_->step(&batch); });
}

std::uint64_t Trainer::steps_done() const { return impl_->done(); }
std::uint64_t Trainer::max_steps() const { return impl_->max_steps(); }

std::optional<std::string> Trainer::evaluate(const Interrupted& interrupted) {
  return impl_->alone(
      [&](const library::SignalsHeld& signals) { return impl_->evaluate(signals, nullptr, interrupted); });
}

std::optional<std::string> Trainer::evaluate(const Batch& batch, const Interrupted& interrupted) {
  return impl_->alone(
      [&](const library::SignalsHeld& signals) { return impl_->evaluate(signals, &batch, interrupted); });
}

std::vector<std::string> Trainer::continue_prompts(const Config& config) {
  return impl_->alone([&](const auto&) { return impl_->continue_prompts(config); });
}

Checkpoint Trainer::state() const {
  return impl_->alone([&](const auto&) { return impl_->state(); });
}

std::string Trainer::save() {
  return impl_->alone([&](const auto&) { return impl_->save(); });
}

void Trainer::close() {
  impl_->alone([&](const auto&) { return impl_->close(); });
}

bool Trainer::is_open() const { return impl_->is_open(); }

const Config& Trainer::config() const { return impl_->config(); }

}  // namespace v0
}  // namespace weft
