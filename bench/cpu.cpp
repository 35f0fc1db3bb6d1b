#include "bench/benches.hpp"
#include "bench/plain/gpt.hpp"
#include "bench/print.hpp"
#include "bench/train.hpp"
#include "bench/work.hpp"
#include "host/appliance/train/trainer.hpp"

namespace weft::bench {

void cpu() {
  heading("cpu: a step of gpt_small, the functional model's beside a plain fp32 trainer's, in C++, one thread");
  const Config config = load_config(WEFT_CONFIGS "/gpt_small.yaml");
  const Plan plan = compile(config.model, config.wafer);
  Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
  const auto start = trainer.memoryx().store().weights();
  plain::Gpt other(config.model, config.train_input.batch_size, {start.begin(), start.end()});
  const TrainingData& data = trainer.data();

  double loss = 0, other_loss = 0;
  const auto step = [&] { loss = trainer.step().loss; };
  const auto other_step = [&] {
    const Batch batch = data.micro_batch(trainer.done() - 1, 0);  // the one the model had
    other_loss = other.gradient(batch.inputs, batch.labels);
    other.update({.learning_rate = 1e-3F});
  };
  step(), other_step();  // touches the memory
  fact("first loss, model", loss, "nats");
  fact("first loss, plain", other_loss, "nats");
  std::vector<double> ours, theirs;
  for (int run = 0; run < 15; ++run) {  // taking turns
    ours.push_back(processor_seconds(step));
    theirs.push_back(processor_seconds(other_step));
  }
  const double tokens = config.train_input.batch_size * config.model.seq;
  fact("model, all threads together", median(ours), "s/step");
  fact("plain", median(theirs), "s/step");
  fact("model", tokens / median(ours), "tokens/s");
  fact("plain", tokens / median(theirs), "tokens/s");
  limit("model / plain", median(ours) / median(theirs), "times", 3);
}

}  // namespace weft::bench
