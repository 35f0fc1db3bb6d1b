#include "host/inspect/profile/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "host/backends/backend.hpp"
#include "host/checkpoint/output_file.hpp"
#include "host/checkpoint/unusable.hpp"
#include "host/data/load_data.hpp"
#include "host/inspect/profile/json.hpp"
#include "host/inspect/profile/measure.hpp"
#include "host/inspect/profile/perfetto.hpp"
#include "host/inspect/profile/png.hpp"
#include "host/inspect/profile/print.hpp"
#include "host/inspect/profile/roofline.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/planning/phases.hpp"
#include "host/system/overwrite_guard.hpp"
#include "host/system/progress.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/masks.hpp"
#include "host/train/resume.hpp"
#include "host/train/trainer.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::inspect {
namespace {

/// Like `find_resume_point`, but for a folder in which a run may be active.
train::ResumePoint newest(const config::Config& config) {
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(config.model);
  train::ResumePoint start;
  const auto take = [&](std::shared_ptr<const checkpoint::CheckpointReader> checkpoint, const std::string& file) {
    start.checkpoint = std::move(checkpoint);
    start.file = file;
    start.lines.push_back(fmt::format("start   {}", file));
    return start;
  };
  const std::string& given = config.runconfig.checkpoint_path;
  if (!given.empty()) return take(train::load_checkpoint_path(config, tensors), given);
  for (const checkpoint::CheckpointFile& entry : checkpoint::ModelFolder::checkpoints_in(config.runconfig.model_dir)) {
    try {
      return take(train::load_of_model(config, entry.file, tensors), entry.file);
    } catch (const DamagedFile& e) {
      start.lines.push_back(fmt::format("skipped {}", e.what()));
    }
  }
  start.lines.push_back(fmt::format("start   seed {}", config.runconfig.seed));
  return start;
}

std::uint64_t expected_cycles(const compiler::Plan& plan) {
  std::uint64_t cycles = 0;
  for (const planning::Phase& phase : planning::estimate_phases(plan)) cycles += phase.cycles;
  return cycles;
}

/// Output file of an option, opened before the long computation.
class Output {
 public:
  /// `guard(path)` throws Refusal if the existing file is not an earlier output of the same kind.
  Output(const config::Options& options, const std::string& name, void (*guard)(const std::string& path))
      : name_(name) {
    const auto at = options.find(name);
    if (at == options.end()) return;
    path_ = at->second;
    guard(path_);
    file_.emplace(path_);
  }
  void write(const auto& text, std::ostream& out) {
    if (!file_) return;
    file_->stream() << text();
    file_->commit();
    out << fmt::format("{:<8} {}\n", name_, path_);
  }

 private:
  std::string name_, path_;
  std::optional<checkpoint::OutputFile> file_;
};

void guard_json(const std::string& path) { system::guard_overwrite(path, "{\n \"config\": "); }

/// Traces of versions before the JSON format are replaced, too.
void guard_traces(const std::string& path) {
  try {
    system::guard_overwrite(path, profile::kPerfettoBegin);
  } catch (const Refusal&) {
    system::guard_overwrite(path, profile::kOldPerfettoName, profile::kOldPerfettoOffset);
  }
}

}  // namespace

int profile_command(const config::Config& given, const config::Options& options, bool terminal, std::ostream& out,
                    system::Progress* progress) {
  config::Config config = given;
  config.runconfig.mode = "train";
  config.check = "none";  // a single wafer is measured
  Output json(options, "json", guard_json);
  Output perfetto(options, "perfetto", guard_traces);
  if (const auto folder = options.find("png"); folder != options.end()) {
    profile::check_cairo();
    std::error_code error;
    std::filesystem::create_directories(folder->second, error);
    if (error || ::access(folder->second.c_str(), W_OK) != 0)
      throw Refusal("--png", folder->second + " cannot be written", "name a folder that can be written");
  }
  for (const char* name : {"color", "layers"}) {
    const auto at = options.find(name);
    if (at != options.end() && at->second != "yes" && at->second != "no")
      throw Refusal(std::string("--") + name, at->second + " is neither yes nor no", "write yes or no");
  }
  const train::ResumePoint start = newest(config);
  for (const std::string& line : start.lines) out << line << '\n';
  const compiler::Plan plan = planning::compile_plan(config, train::initial_mask(config, start));
  data::TrainingData data = data::load_training_data(config);
  memoryx::MemoryX memoryx(plan, train::memoryx_options(config));
  if (start.checkpoint) {
    train::restore(*start.checkpoint, plan, memoryx);
    data.set_position(start.step(), train::data_position(*start.checkpoint, config.train_input.batch_size));
    if (const auto note = train::note_continuation(config, start, plan, data)) out << *note << '\n';
  }
  std::unique_ptr<Wafer> board;
  std::unique_ptr<sim::ClockedWafer> rtl;
  std::unique_ptr<profile::CountingWafer> wafer;
  const bool fpga = config.kind_of(0).board;
  if (fpga) {
    board = backends::make_wafer(config);
    wafer = profile::on_board(plan, *board);
  } else {
    rtl = sim::make_clocked_wafer(plan.wafer);
    wafer = profile::simulated(plan, *rtl);
  }
  out << fmt::format("{}    step {}, micro-batch 0, {} x {} tiles\n\n", fpga ? "fpga" : "rtl ", start.step() + 1,
                     plan.wafer.rows, plan.wafer.cols)
      << std::flush;
  if (progress != nullptr) progress->begin("profile", expected_cycles(plan));
  profile::Profile measured = profile::measure(plan, memoryx, data.micro_batch(start.step(), 0), start.step(), *wafer,
                                               [&](std::uint64_t cycles) {
                                                 if (progress != nullptr) progress->show(cycles);
                                               });
  if (progress != nullptr) progress->clear();
  measured.config = config.file;

  const auto says_yes = [&](const char* name, bool otherwise) {
    const auto at = options.find(name);
    return at == options.end() ? otherwise : at->second == "yes";
  };
  measured.each_layer = says_yes("layers", false);
  profile::print_table(measured, out);
  out << '\n';
  profile::print_heat(measured, says_yes("color", terminal), out);
  out << profile::draw(profile::roofline(measured)) << '\n';
  profile::print_losses(measured, out);
  json.write([&] { return profile::to_json(measured); }, out);
  perfetto.write([&] { return profile::to_perfetto(measured); }, out);
  if (const auto folder = options.find("png"); folder != options.end()) {
    profile::write_pictures(measured, folder->second);
    out << fmt::format("png      {0}/heat.png, {0}/roofline.png\n", folder->second);
  }
  return 0;
}

}  // namespace weft::inspect
