#include "host/metrics/events/summaries.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "host/config/file/show.hpp"
#include "host/metrics/events/event.hpp"
#include "sw/base/elementary.hpp"

namespace weft::metrics {
namespace {

std::string train_record(const StepMetrics& m) {
  constexpr std::string_view kTime = "time_";
  Summary summary;
  summary.scalar("train/loss", m.loss);
  summary.scalar("train/grad_norm", m.grad_norm);
  summary.scalar("train/learning_rate", m.learning_rate);
  summary.scalar("train/tokens", static_cast<double>(m.tokens));
  summary.scalar("time/step", m.seconds);
  summary.scalar("time/tokens_per_second", static_cast<double>(m.tokens) / m.seconds);
  summary.scalar("time/steps_per_second", 1 / m.seconds);
  for (const auto& [name, part] : kTimeNames)
    summary.scalar(fmt::format("time/{}", std::string_view(name).substr(kTime.size())), m.times[part]);
  if (m.sim_cycles) summary.scalar("wafer/cycles", static_cast<double>(*m.sim_cycles));
  if (m.fpu_utilization) summary.scalar("wafer/utilization", *m.fpu_utilization);
  if (m.edge_bytes) summary.scalar("wafer/edge_bytes", static_cast<double>(*m.edge_bytes));
  if (m.repeated) summary.scalar("wafer/repeated", *m.repeated);
  if (m.network_stall) summary.scalar("time/network_stall", *m.network_stall);
  if (!m.slow.empty()) {
    summary.scalar("wafer/slow", static_cast<double>(m.slow.size()));
    summary.text("wafer/slow_ranks", fmt::format("{}", fmt::join(m.slow, "\n\n")));
  }
  if (m.kept) summary.scalar("train/kept", static_cast<double>(*m.kept));
  if (m.skipped) summary.scalar("train/skipped", 1);
  if (m.rolled_back_to) summary.scalar("train/rolled_back_to", static_cast<double>(*m.rolled_back_to));
  summary.text("train/state_hash", fmt::format("{:016x}", m.state_hash));
  return event_record(summary.event(m.step));
}

std::string eval_record(const StepMetrics& m) {
  Summary summary;
  summary.scalar("eval/loss", *m.eval_loss);
  summary.scalar("eval/perplexity", rounded_exp(*m.eval_loss));
  return event_record(summary.event(m.step));
}

}  // namespace

bool Summaries::should_write(const StepMetrics& m) const {
  const int every = config_.runconfig.save_summary_steps;
  return every > 0 && m.step % static_cast<std::uint64_t>(every) == 0;
}

std::string Summaries::beginning(const std::optional<std::string>& sample, const char* tag, bool parameters) const {
  // Without its metrics, the step from which the session resumes cannot be rewritten, so the earlier record stays
  // valid.
  const bool again = start_.done == 0 || start_.last;
  Summary summary;
  if (parameters) {
    summary.text("parameters", as_code(config::config_yaml(config_) + "# run " + start_.run));
    summary.plugin("_hparams_/session_start_info", "hparams", hparams_of(config_));
  }
  if (sample) summary.text(tag, as_code(*sample));
  std::string records = event_record(session_event(again ? start_.done : start_.done + 1));
  if (!summary.empty()) records += event_record(summary.event(start_.done));
  return records;
}

void Summaries::add_train(const std::filesystem::path& folder, const std::string& records) {
  if (train_ && train_->is_in(folder)) return train_->add(records);
  std::string first = beginning(start_.sample, "train_input/sample", true);
  if (start_.last && should_write(*start_.last)) first += train_record(*start_.last);
  train_.emplace(folder, first + records);
}

void Summaries::add_eval(const std::filesystem::path& folder, const std::string& records) {
  if (eval_ && eval_->is_in(folder)) return eval_->add(records);
  std::string first = beginning(start_.eval_sample, "eval_input/sample", false);
  if (start_.last && start_.last->eval_loss) first += eval_record(*start_.last);
  eval_.emplace(folder, first + records);
}

void Summaries::add(const StepMetrics& m, const std::filesystem::path& model_dir) {
  if (config_.runconfig.save_summary_steps == 0) return;
  add_train(model_dir / "train", should_write(m) ? train_record(m) : "");
  if (m.eval_loss || start_.eval_sample) add_eval(model_dir / "eval", m.eval_loss ? eval_record(m) : "");
}

void Summaries::add_generated(const std::string& text, const StepMetrics& m, const std::filesystem::path& model_dir) {
  if (config_.runconfig.save_summary_steps == 0) return;
  Summary summary;
  summary.text(m.eval_loss ? "eval/generated" : "train/generated", as_code(text));
  const std::string record = event_record(summary.event(m.step));
  m.eval_loss ? add_eval(model_dir / "eval", record) : add_train(model_dir / "train", record);
}

void Summaries::complete(const std::filesystem::path& model_dir) {
  if (config_.runconfig.save_summary_steps == 0 || !start_.last) return;
  const std::filesystem::path train = model_dir / "train", eval = model_dir / "eval";
  if (should_write(*start_.last) && !has_summary(train, start_.done)) add_train(train, "");
  if (start_.last->eval_loss && !has_summary(eval, start_.done)) add_eval(eval, "");
  sync();
}

void Summaries::sync() {
  if (train_) train_->sync();
  if (eval_) eval_->sync();
}

}  // namespace weft::metrics
