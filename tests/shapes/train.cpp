#include "tests/shapes/train.hpp"

#include "host/memoryx/memoryx.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::test {
namespace {

/// Random tokens that depend on the request alone; a label is the next token.
swarmx::MicroBatch tokens(const Job& job, const swarmx::BatchRequest& request) {
  Rng rng(job.seed + request.step * 1000 + request.micro_batch);
  const auto token = [&] { return static_cast<TokenId>(rng.below(static_cast<std::uint32_t>(job.model.vocab))); };
  swarmx::MicroBatch batch;
  for (int s = 0; s < job.model.micro_batch; ++s) {
    TokenId last = token();
    for (int t = 0; t < job.model.seq; ++t) {
      batch.inputs.push_back(last);
      batch.labels.push_back(last = token());
    }
  }
  return batch;
}

}  // namespace

std::vector<TrainedStep> train(const Job& job, const swarmx::MakeWafer& make, int steps) {
  const compiler::Plan plan = compiler::compile(job.model, job.wafer, job_mask(job));
  memoryx::MemoryX memoryx(plan, {.optimizer = {}, .learning_rate = memoryx::LearningRate(0.01), .seed = job.seed});
  swarmx::SwarmOptions options;
  options.num_csx = job.num_csx;
  options.fanout = 2;
  options.micro_batches = static_cast<std::uint32_t>(job.micro_batches);
  options.make_wafer = make;
  options.get = [&job](const swarmx::BatchRequest& request) { return tokens(job, request); };
  swarmx::Swarm swarm(plan, std::move(options));
  std::vector<TrainedStep> result;
  for (int s = 0; s < steps; ++s) {
    const swarmx::StepResult step = swarm.step(static_cast<std::uint64_t>(s), memoryx);
    result.push_back({step.loss, memoryx.finish_update().gradient_norm, memoryx.hash()});
  }
  return result;
}

}  // namespace weft::test
