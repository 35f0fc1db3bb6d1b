#include "host/metrics/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <string_view>
#include <utility>

#include "host/config/keys/path_keys.hpp"
#include "host/config/plural.hpp"
#include "host/system/progress.hpp"
#include "sw/base/refusal.hpp"
#include "sw/network/network.hpp"

namespace weft::metrics {
namespace {

constexpr auto kColumns = "{:>6} {:>9} {:>10} {:>10} {:>9} {:>12} {:>6} {:>8} {:>17}{}\n";

}  // namespace

std::string duration(double seconds) {
  const auto s = static_cast<std::int64_t>(std::llround(seconds));
  if (s >= 3600) return fmt::format("{}h{:02}m", s / 3600, s / 60 % 60);
  if (s >= 60) return fmt::format("{}m{:02}s", s / 60, s % 60);
  return fmt::format("{}s", s);
}

Report::Report(const config::Config& config, std::ostream& out, system::Progress* progress)
    : config_(config), out_(out), progress_(progress) {}

namespace {

std::string network_of(const compiler::ModelShape& m) {
  constexpr std::pair<std::string_view, const char*> kNames[] = {
      {"gpt2", "GPT-2"}, {"cerebras_gpt", "Cerebras-GPT"}, {"gptj", "GPT-J"}, {"llama", "LLaMA"}};
  for (const auto& [network, name] : kNames)
    if (m.network == network) return name;
  return m.network;
}

/// Tying of the head, for networks with that choice.
std::string head_of(const compiler::ModelShape& m) {
  if (m.network == "gptj" || !network::is_built_in(m.network)) return "";
  return m.tied ? ", tied head" : ", untied head";
}

std::string data_of(const config::InputConfig& in) {
  if (in.more_data_dirs.empty()) return config::paths_text(in.data_dir);
  std::vector<std::string> sets;
  for (const std::string& set : in.data_dirs()) sets.push_back(config::paths_text(set));
  return fmt::format("{}{}", fmt::join(sets, " + "),
                     in.weights.empty() ? "" : fmt::format(" by {}", fmt::join(in.weights, ":")));
}

}  // namespace

void Report::header(std::uint64_t parameters, std::uint64_t kept, std::uint64_t samples) {
  const compiler::ModelShape& m = config_.model;
  const machine::WaferShape& w = config_.wafer;
  const config::InputConfig& in = config_.train_input;
  out_ << fmt::format("run     {}\n", one_line(config_.file));
  out_ << fmt::format("model   {}, {}, hidden {}, {}, filter {}, vocabulary {}{}: {} parameters\n",
                      one_line(network_of(m)), config::plural(m.layers, "layer"), m.hidden,
                      config::plural(m.heads, "head"), m.filter, m.vocab, head_of(m), parameters);
  if (const config::SparsityConfig& s = config_.sparsity; s.init_method == "checkpoint") {
    out_ << fmt::format("sparse  zeros of the checkpoint, {}: {} parameters are left\n",
                        fmt::join(s.params_filter, ", "), kept);
  } else if (s.sparsity > 0) {
    out_ << fmt::format("sparse  {:.4g}% of {}, {}: {} parameters are left\n", 100 * s.initial(),
                        fmt::join(s.params_filter, ", "),
                        s.init_method == "topk" ? "the smallest weights" : fmt::format("by seed {}", s.seed), kept);
  }
  if (const config::SparsityConfig& s = config_.sparsity; s.is_dynamic()) {
    out_ << fmt::format("masks   {}: updated every {} after step {}, up to step {}\n", s.algorithm,
                        config::plural(s.update_freq, "step"), s.update_start, s.update_stop);
  }
  if (samples == 0)
    out_ << fmt::format("data    {}: samples of {}\n", data_of(in), config::plural(m.seq, "token"));
  else
    out_ << fmt::format("data    {}: {} of {}, {}\n", data_of(in), config::plural(samples, "sample"),
                        config::plural(m.seq, "token"),
                        in.shuffle ? fmt::format("shuffled with seed {}", in.seed) : "in order");
  out_ << fmt::format("wafers  {} x {} ({} x {} tiles, {} lanes, {} KiB, {}{})\n", config_.runconfig.num_csx,
                      config_.backend, w.rows, w.cols, w.lanes, w.sram_kib, config::plural(w.valves, "valve"),
                      config_.row_groups > 1 ? fmt::format(", {} groups of rows", config_.row_groups) : "");
  out_ << fmt::format("steps   {} of {}, {} of {}\n\n", config_.runconfig.steps(),
                      config::plural(in.batch_size, "sequence"), config::plural(config_.micro_batches(), "micro-batch"),
                      m.micro_batch);
  if (in_lines()) return;
  out_ << fmt::format(fmt::runtime(kColumns), "step", "loss", "grad norm", "lr", "tokens/s", "sim cycles", "FPU",
                      "left", "state hash", "");
}

void Report::step(const StepMetrics& m) {
  if (progress_ != nullptr) progress_->clear();
  if (!first_) first_ = m;
  if (first_->skipped && !m.skipped) first_->loss = m.loss, first_->skipped = false;
  if (!m.skipped || !last_) last_ = m;
  ++steps_;
  skipped_ += m.skipped ? 1 : 0;
  seconds_ += m.seconds;
  tokens_ += m.tokens;
  const auto steps = static_cast<std::uint64_t>(config_.runconfig.steps());
  if (in_lines()) return line(m, m.step == steps);
  if (m.kept) out_ << fmt::format("masks   updated in step {}: {} parameters are left\n", m.step, *m.kept);
  if (m.step != first_->step && m.step != steps && m.step % config_.runconfig.log_steps != 0) return;

  const double done = static_cast<double>(m.step - first_->step + 1);
  out_ << fmt::format(fmt::runtime(kColumns), m.step, m.skipped ? "skipped" : fmt::format("{:.5f}", m.loss),
                      m.skipped ? "-" : fmt::format("{:.4g}", m.grad_norm), fmt::format("{:.3g}", m.learning_rate),
                      fmt::format("{:.0f}", static_cast<double>(m.tokens) / m.seconds),
                      m.sim_cycles ? fmt::format("{}", *m.sim_cycles) : "-",
                      m.fpu_utilization ? fmt::format("{:.1f}%", 100 * *m.fpu_utilization) : "-",
                      duration(seconds_ / done * static_cast<double>(steps - m.step)),
                      fmt::format("{:016x}", m.state_hash),
                      m.eval_loss ? fmt::format("  eval loss {:.5f}", *m.eval_loss) : "");
  out_.flush();
}

void Report::line(const StepMetrics& m, bool last) {
  if (m.step % config_.runconfig.log_steps != 0 && !last && !m.eval_loss) return;
  const double rate = static_cast<double>(steps_ - lines_steps_) / (seconds_ - lines_seconds_);
  lines_steps_ = steps_, lines_seconds_ = seconds_;
  out_ << fmt::format("INFO: weft:global_step = {}, loss = {}, rate = {:.4g} steps/sec{}\n", m.step,
                      m.skipped ? "skipped" : fmt::format("{:.8f}", m.loss), rate,
                      m.eval_loss ? fmt::format(", eval_loss = {:.8f}", *m.eval_loss) : "");
  out_.flush();
}

void Report::summary() {
  if (!first_) return;
  out_ << fmt::format("\nloss from {:.4f} to {:.4f} in {}, {}, {} (a uniform guess: ln {} = {:.4f})\n", first_->loss,
                      last_->loss, config::plural(steps_, "step"), config::plural(tokens_, "token"), duration(seconds_),
                      config_.model.vocab, std::log(config_.model.vocab));
  if (skipped_ > 0) out_ << fmt::format("{} diverged and changed nothing\n", config::plural(skipped_, "step"));
  out_ << fmt::format("state {:016x}, metrics in {}/metrics.jsonl\n", last_->state_hash, config_.runconfig.model_dir);
}

}  // namespace weft::metrics
