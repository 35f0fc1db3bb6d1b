#include "weft/gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>

#include "host/config/keys/key_names.hpp"
#include "host/data/given_samples.hpp"
#include "host/data/load_data.hpp"
#include "host/library/config_impl.hpp"
#include "host/library/given.hpp"
#include "host/library/only_call.hpp"
#include "host/library/prepared.hpp"
#include "host/library/translate.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/train/resume.hpp"
#include "host/train/trainer.hpp"
#include "sw/network/kept_files.hpp"

namespace weft {
inline namespace v0 {
namespace {

/// The configuration of training, whose wafers run forward and backward.
library::ReadConfig for_gradients(const Config& config) { return config.with({{"mode", "train"}}).impl(); }

}  // namespace

class Gradients::Impl {
 public:
  Impl(const Config& config, Log log);

  LossAndGradient compute(std::span<const float> weights, const Batch& batch);
  LossAndGradient loss(std::span<const float> weights, const Batch& batch);
  std::uint64_t parameters() const { return plan_->parameters; }
  const Config& config() const { return config_; }

  /// Runs `work` as a call of the library, and passes on the lines that were printed.
  template <class Work>
  auto call(const Work& work) {
    return library::called([&](const auto&) {
      const library::OnlyCall only(prepared_, busy_, "weft.Gradients", "use an object in one thread at a time");
      try {
        return work();
      } catch (const Refusal& refusal) {
        throw config::placed(prepared_.config(), refusal);
      }
    });
  }

 private:
  void set(std::span<const float> weights);
  std::vector<float> gradient(std::uint64_t tokens);

  const network::KeptNetworkFiles networks_;
  library::Prepared prepared_;
  Config config_;
  const std::shared_ptr<data::GivenSamples> samples_;
  std::optional<compiler::Plan> plan_;
  std::optional<train::Trainer> trainer_;  // never trains: its cluster streams
  std::uint64_t passes_ = 0;               // gradients so far, the number of the next step
  std::atomic<bool> busy_ = false;
};

Gradients::Impl::Impl(const Config& config, Log log)
    : prepared_(for_gradients(config), std::move(log)),
      config_(std::make_shared<const Config::Impl>(library::ReadConfig(prepared_.read()))),
      samples_(std::make_shared<data::GivenSamples>(prepared_.config().model.seq)) {
  const config::Config& settings = prepared_.config();
  library::check_given(settings);
  plan_ = planning::compile_plan(settings, train::initial_mask(settings, {}), prepared_.context().plan.get());
  trainer_.emplace(settings, *plan_,
                   train::TrainerOptions{.make_wafer = prepared_.make_wafer(),
                                         .data = data::given_training_data(settings, samples_),
                                         .context = prepared_.context()});
}

void Gradients::Impl::set(std::span<const float> weights) {
  if (weights.size() != parameters())
    throw Refusal("weights", fmt::format("has {} elements, but the network has {}", weights.size(), parameters()),
                  "give the flat parameter vector");
  std::ranges::copy(weights, trainer_->memoryx().store().weights().begin());
}

/// The sums of MemoryX as a mean.
std::vector<float> Gradients::Impl::gradient(std::uint64_t tokens) {
  std::vector<float> mean(parameters());
  std::array<std::int64_t, 4096> sums{};
  static_assert(memoryx::kGradientBits == 40);
  const double scale = 0x1p-40 / static_cast<double>(tokens);
  for (std::size_t first = 0; first < mean.size(); first += sums.size()) {
    const std::size_t count = std::min(sums.size(), mean.size() - first);
    trainer_->memoryx().gradient(first, std::span(sums).first(count));
    std::ranges::transform(std::span(sums).first(count), mean.begin() + static_cast<std::ptrdiff_t>(first),
                           [&](std::int64_t sum) { return static_cast<float>(static_cast<double>(sum) * scale); });
  }
  return mean;
}

LossAndGradient Gradients::Impl::compute(std::span<const float> weights, const Batch& batch) {
  const config::Config& settings = prepared_.config();
  const auto size = static_cast<std::size_t>(settings.train_input.batch_size);
  samples_->give(passes_ * size, library::given_batch(settings, batch, size));
  set(weights);
  try {
    const swarmx::StepResult result = trainer_->cluster().swarm().gradient(passes_++, trainer_->memoryx());
    return {.loss = result.loss, .tokens = result.tokens, .gradient = gradient(result.tokens)};
  } catch (...) {
    trainer_->cluster().start_swarm();  // wafers of a failed pass cannot be reused
    throw;
  }
}

LossAndGradient Gradients::Impl::loss(std::span<const float> weights, const Batch& batch) {
  trainer_->set_evaluation(library::given_evaluation(prepared_.config(), batch));
  set(weights);
  try {
    const std::optional<train::EvalResult> result = trainer_->evaluate_now();
    if (!result) throw Refusal("weft.Gradients", "was interrupted", "call it again");
    return {.loss = result->loss, .tokens = result->tokens, .gradient = {}};
  } catch (const Refusal&) {
    throw;
  } catch (...) {
    trainer_->cluster().start_swarm();
    throw;
  }
}

Gradients::Gradients(const Config& config, Log log)
    : impl_(library::called([&](const auto&) { return std::make_unique<Impl>(config, std::move(log)); })) {}

Gradients::~Gradients() = default;

LossAndGradient Gradients::compute(std::span<const float> weights, const Batch& batch) {
  return impl_->call([&] { return impl_->compute(weights, batch); });
}

LossAndGradient Gradients::loss(std::span<const float> weights, const Batch& batch) {
  return impl_->call([&] { return impl_->loss(weights, batch); });
}

std::uint64_t Gradients::parameters() const { return impl_->parameters(); }
const Config& Gradients::config() const { return impl_->config(); }

}  // namespace v0
}  // namespace weft
