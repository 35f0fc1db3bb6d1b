/// Training speed of the functional model on one thread. For gpt_small and a model of twice its width: the wafer alone,
/// and a whole step against other trainers. For a large model with few tokens: a step.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

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
  std::string blas;  ///< library that multiplies matrices; "reference": the one that no trainer would use
};

/// Runs a step of a model with $PYTHON, or /usr/bin/python3. Returns nullopt if PyTorch is not installed. Throws
/// std::runtime_error if the step fails.
std::optional<PyTorchStep> pytorch_step(const std::string& params, const std::vector<config::Override>& overrides) {
  const char* named = std::getenv("PYTHON");
  const std::string python = named != nullptr && *named != 0 ? named : "/usr/bin/python3";
  std::string command = "'" + python + "' '" WEFT_BENCH "/pytorch/step.py' '" + params + "'";
  for (const config::Override& o : overrides) command += " --" + o.key + " " + o.value;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no process for " + python);
  std::string text;
  for (char part[256]; std::fgets(part, sizeof part, pipe) != nullptr;) text += part;
  const int status = pclose(pipe), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 3 || code == 127) return std::nullopt;  // no PyTorch, or no Python
  if (code != 0) throw std::runtime_error(python + " bench/pytorch/step.py failed");
  const auto step = nlohmann::json::parse(text);
  return PyTorchStep{step.at("seconds"), step.at("version"), step.at("blas")};
}

/// Prints the ratio to PyTorch's time, with a goal if PyTorch multiplies with a fast BLAS.
void against_pytorch(const std::string& model, double seconds, double tokens, const std::vector<PyTorchStep>& steps) {
  if (steps.empty())
    return text(
        "  PyTorch: not there. HINT: scripts/setup parity installs Debian's; PYTHON=... names a Python with another\n");
  std::vector<double> theirs;
  for (const PyTorchStep& step : steps) theirs.push_back(step.seconds);
  const PyTorchStep& any = steps.front();
  const std::string name = "PyTorch " + any.version + ", " + any.blas + " BLAS";
  fact(model + name, median(theirs), "s/step");
  fact(model + name, tokens / median(theirs), "tokens/s");
  const double ratio = seconds / median(theirs);
  if (any.blas != "reference") return limit(model + "model / PyTorch", ratio, "times", any.version[0] == '1' ? 1.2 : 1);
  fact(model + "model / PyTorch with the slow BLAS", ratio, "times");
  text("  The reference BLAS is many times slower than others. HINT: scripts/setup parity installs OpenBLAS\n");
}

/// Steps of the model, of the plain trainer and of PyTorch, alternating. `model`: printed before each line.
void whole_step(const std::string& model, const std::string& params, const std::vector<config::Override>& overrides) {
  const config::Config config = config::load_config(params, overrides);
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
  fact(model + "first loss, model", loss, "nats");
  fact(model + "first loss, plain", other_loss, "nats");
  std::vector<double> ours, theirs;
  std::vector<PyTorchStep> pytorch;
  for (int run = 0; run < 15; ++run) {
    ours.push_back(processor_seconds(step));
    theirs.push_back(processor_seconds(other_step));
    if (run % 5 != 2) continue;
    if (const auto there = pytorch_step(params, overrides)) pytorch.push_back(*there);
  }
  const double tokens = config.train_input.batch_size * config.model.seq;
  fact(model + "model, all threads together", median(ours), "s/step");
  fact(model + "plain", median(theirs), "s/step");
  fact(model + "model", tokens / median(ours), "tokens/s");
  fact(model + "plain", tokens / median(theirs), "tokens/s");
  limit(model + "model / plain", median(ours) / median(theirs), "times", 3);
  against_pytorch(model, median(ours), tokens, pytorch);
}

/// Steps of a large model with few tokens, whose time is mostly that of messages: a weight has 32 products.
void few_tokens() {
  const config::Config config =
      config::load_config(WEFT_CONFIGS "/gpt_small.yaml", {{"model.vocab_size", "18000"},
                                                           {"model.hidden_size", "768"},
                                                           {"model.num_hidden_layers", "12"},
                                                           {"model.num_heads", "12"},
                                                           {"model.filter_size", "3072"},
                                                           {"model.max_sequence_length", "32"},
                                                           {"train_input.batch_size", "1"},
                                                           {"train_input.micro_batch_size", "1"},
                                                           {"wafer.rows", "96"},
                                                           {"wafer.cols", "1"}});
  const compiler::Plan plan = compiler::compile(config.model, config.wafer);
  train::Trainer trainer(config, plan, [&](int) { return make_model_wafer(config.wafer); });
  trainer.step();  // warm-up
  std::vector<double> seconds;
  for (int run = 0; run < 3; ++run) seconds.push_back(processor_seconds([&] { trainer.step(); }));
  count("32 tokens on 96 x 1 tiles", plan.parameters, "parameters");
  limit("32 tokens on 96 x 1 tiles, model", median(seconds), "s/step", 3);
}

}  // namespace

void cpu() {
  heading("cpu: a step on the functional model, against a plain fp32 trainer and PyTorch, one thread");
  const std::string params = WEFT_CONFIGS "/gpt_small.yaml";
  wafer_alone(config::load_config(params));
  whole_step("gpt_small, ", params, {});
  whole_step("256 wide, ", params, {{"model.hidden_size", "256"}, {"model.filter_size", "1024"}, {"wafer.rows", "16"}});
  few_tokens();
}

}  // namespace weft::bench
