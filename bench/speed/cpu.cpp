/// Training speed of the functional model for gpt_small on one thread: its wafer alone, and a whole step against other
/// trainers.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "bench/benches.hpp"
#include "bench/common/gpt.hpp"
#include "bench/common/train.hpp"
#include "bench/common/work.hpp"
#include "bench/plain/gpt.hpp"
#include "bench/print.hpp"
#include "host/config/file/load.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {
namespace {

/// Runs micro-batches on one wafer.
void wafer_alone(const config::Config& config) {
  const Gpt gpt(config);
  const auto wafer = make_model_wafer(gpt.config.wafer);
  wafer->feed(gpt.plan.load);
  wafer->settle();
  std::vector<double> seconds;
  double multiply_adds = 0;
  for (int run = 0; run < 16; ++run) {
    const Work work = measure(*wafer, [&] {
      wafer->feed(gpt.micro_batch);
      wafer->settle();
    });
    for (int row = 0; row < gpt.config.wafer.rows; ++row) wafer->outlet(row).clear();
    multiply_adds = static_cast<double>(work.done.fma_lanes);
    if (run > 0) seconds.push_back(work.seconds);  // the first run is a warm-up
  }
  const double tokens = gpt.config.model.micro_batch * gpt.config.model.seq;
  fact("wafer alone", 1e3 * median(seconds), "ms/micro-batch");
  fact("wafer alone", tokens / median(seconds), "tokens/s");
  fact("wafer alone", 1e-9 * multiply_adds / median(seconds), "G multiply-adds/s");
}

/// A training step in PyTorch (bench/pytorch/step.py).
struct PyTorchStep {
  double seconds;  ///< processor time, one thread
  std::string version;
};

/// Runs a step of the model in a parameter file with $PYTHON, or /usr/bin/python3. Returns nullopt if PyTorch is not
/// installed. Throws std::runtime_error if the step fails.
std::optional<PyTorchStep> pytorch_step(const std::string& params) {
  const char* named = std::getenv("PYTHON");
  const std::string python = named != nullptr && *named != 0 ? named : "/usr/bin/python3";
  std::FILE* pipe = popen(("'" + python + "' '" WEFT_BENCH "/pytorch/step.py' '" + params + "'").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no process for " + python);
  std::string text;
  for (char part[256]; std::fgets(part, sizeof part, pipe) != nullptr;) text += part;
  const int status = pclose(pipe), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 3 || code == 127) return std::nullopt;  // no PyTorch, or no Python
  if (code != 0) throw std::runtime_error(python + " bench/pytorch/step.py failed");
  const auto step = nlohmann::json::parse(text);
  return PyTorchStep{step.at("seconds"), step.at("version")};
}

}  // namespace

void cpu() {
  heading("cpu: a step of gpt_small, the functional model's beside a plain fp32 trainer's and PyTorch's, one thread");
  const std::string params = WEFT_CONFIGS "/gpt_small.yaml";
  const config::Config config = config::load_config(params);
  wafer_alone(config);

  const compiler::Plan plan = compiler::compile(config.model, config.wafer);
  train::Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
  const auto start = trainer.memoryx().store().weights();
  plain::Gpt other(config.model, config.train_input.batch_size, {start.begin(), start.end()});
  const data::TrainingData& data = trainer.data();

  double loss = 0, other_loss = 0;
  const auto step = [&] { loss = trainer.step().loss; };
  const auto other_step = [&] {
    const data::Batch batch = data.micro_batch(trainer.history().done() - 1, 0);  // batch that the model also uses
    other_loss = other.gradient(batch.inputs, batch.labels);
    other.update({.learning_rate = 1e-3F});
  };
  step(), other_step();  // warm-up
  fact("first loss, model", loss, "nats");
  fact("first loss, plain", other_loss, "nats");
  std::vector<double> ours, theirs, pytorch;
  std::string version;
  for (int run = 0; run < 15; ++run) {  // alternating
    ours.push_back(processor_seconds(step));
    theirs.push_back(processor_seconds(other_step));
    if (run % 5 == 2)
      if (const auto there = pytorch_step(params)) pytorch.push_back(there->seconds), version = there->version;
  }
  const double tokens = config.train_input.batch_size * config.model.seq;
  fact("model, all threads together", median(ours), "s/step");
  fact("plain", median(theirs), "s/step");
  fact("model", tokens / median(ours), "tokens/s");
  fact("plain", tokens / median(theirs), "tokens/s");
  limit("model / plain", median(ours) / median(theirs), "times", 3);
  if (pytorch.empty())
    return text(
        "  PyTorch: not there. HINT: scripts/setup parity installs Debian's; PYTHON=... names a Python with another\n");
  fact("PyTorch " + version, median(pytorch), "s/step");
  fact("PyTorch " + version, tokens / median(pytorch), "tokens/s");
  const double ratio = median(ours) / median(pytorch);
  version[0] == '1' ? fact("model / PyTorch, not the one to compare with: that is 2", ratio, "times")
                    : limit("model / PyTorch", ratio, "times", 1);
}

}  // namespace weft::bench
