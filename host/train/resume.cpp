#include "host/train/resume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/checkpoint/unusable.hpp"
#include "host/config/keys/params_filter.hpp"
#include "host/config/plural.hpp"
#include "host/swarmx/memory/local.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/masks.hpp"

namespace weft::train {
namespace {

std::shared_ptr<const checkpoint::CheckpointReader> load_own(const config::Config& config,
                                                             const checkpoint::CheckpointFile& entry,
                                                             std::span<const compiler::TensorInfo> tensors) {
  auto checkpoint = load_of_model(config, entry.file, tensors);
  if (checkpoint->weights_only) {
    throw checkpoint::file_error(entry.file, "", "has weights only",
                                 "start from it with --checkpoint_path in another runconfig.model_dir");
  }
  if (checkpoint->step != entry.step) {
    throw checkpoint::file_error(entry.file, "", fmt::format("has the state of step {}", checkpoint->step),
                                 "give the file its original name again");
  }
  return checkpoint;
}

/// The mask of a run with dynamic sparsity; the number of weights it keeps was set by the last mask update.
compiler::Mask updated_mask(const config::Config& config, const checkpoint::CheckpointReader& checkpoint) {
  const std::vector<compiler::TensorInfo> wanted = config::sparse_tensors(config);
  for (const auto& [name, kept] : checkpoint.mask)
    if (std::ranges::find(wanted, name, &compiler::TensorInfo::name) == wanted.end())
      throw config.error("sparsity.params_filter", fmt::format("the checkpoint has a mask of {} as well", name),
                         "choose the tensors that it was trained with");
  if (checkpoint.mask.size() == wanted.size() || config.sparsity.init_method == "checkpoint") return checkpoint.mask;
  const auto none =
      std::ranges::find_if(wanted, [&](const compiler::TensorInfo& t) { return !checkpoint.mask.contains(t.name); });
  throw config.error("sparsity.params_filter", fmt::format("the checkpoint has no mask of {}", none->name),
                     "choose the tensors that it was trained with");
}

}  // namespace

std::shared_ptr<const checkpoint::CheckpointReader> load_checkpoint_path(
    const config::Config& config, std::span<const compiler::TensorInfo> tensors) {
  try {
    return load_of_model(config, config.runconfig.checkpoint_path, tensors);
  } catch (const Refusal& e) {
    throw config.error("runconfig.checkpoint_path", e);
  }
}

ResumePoint find_resume_point(const config::Config& config, const checkpoint::ModelFolder& folder,
                              std::span<const compiler::TensorInfo> tensors) {
  ResumePoint start;
  const std::vector<checkpoint::CheckpointFile> files = folder.checkpoints();
  std::optional<DamagedFile> newest;
  for (const checkpoint::CheckpointFile& entry : files) {
    try {
      start.checkpoint = load_own(config, entry, tensors);
    } catch (const DamagedFile& e) {
      start.lines.push_back(fmt::format("skipped {}", e.what()));
      if (!newest) newest = e;
      continue;
    }
    start.resumed = true;
    start.file = entry.file;
    start.lines.push_back(fmt::format("resume  {}: {} done", entry.file, config::plural(entry.step, "step")));
    return start;
  }
  if (newest) {
    throw checkpoint::none_can_be_used(*newest, files.size(),
                                       "put an undamaged checkpoint there, or set another runconfig.model_dir");
  }
  const std::string& path = config.runconfig.checkpoint_path;
  if (path.empty()) return start;
  start.checkpoint = load_checkpoint_path(config, tensors);
  start.file = path;
  start.lines.push_back(start.checkpoint->weights_only
                            ? fmt::format("start   {}: weights only", path)
                            : fmt::format("start   {}: {} done", path, config::plural(start.step(), "step")));
  return start;
}

compiler::Mask initial_mask(const config::Config& config, const ResumePoint& start) {
  if (!start.checkpoint) return make_mask(config);
  // Existing masks are taken from the checkpoint: a weight that is trained to zero is not pruned.
  if (config.sparsity.is_dynamic() && !start.checkpoint->mask.empty()) return updated_mask(config, *start.checkpoint);
  if (config.sparsity.init_method == "checkpoint" && (start.resumed || !start.checkpoint->mask.empty()))
    return start.checkpoint->mask;
  compiler::Mask wanted = make_mask(config, start.checkpoint.get());
  const compiler::Mask& own = start.checkpoint->mask;
  if (own.empty() && start.resumed && !wanted.empty()) {
    throw config.error("sparsity.sparsity", "the checkpoint in runconfig.model_dir is from a dense run",
                       "start from it with --checkpoint_path in another runconfig.model_dir");
  }
  if (own.empty()) return wanted;
  if (wanted.empty()) return own;  // a sparse run stays sparse even without a sparsity section
  const auto alike = [](const auto& a, const auto& b) {
    return a.first == b.first && std::ranges::count(a.second, true) == std::ranges::count(b.second, true);
  };
  if (std::ranges::equal(own, wanted, alike)) return own;
  const auto [mine, other] = std::ranges::mismatch(own, wanted, alike);
  throw config.error("sparsity.sparsity",
                     fmt::format("the checkpoint's masks differ, first the mask of {}",
                                 mine != own.end() ? mine->first : other->first),
                     "leave the sparsity section out, or restore the settings that the checkpoint was trained with");
}

std::optional<std::string> note_pruned(const ResumePoint& start, const compiler::Plan& plan) {
  if (!start.checkpoint || !start.checkpoint->mask.empty() || plan.mask.empty()) return std::nullopt;
  const std::uint64_t kept = compiler::count_kept(plan.tensors, plan.mask);
  return fmt::format("note    sparsity: {} is dense; here {} of its {} parameters are left out", start.file,
                     plan.parameters - kept, plan.parameters);
}

void restore(const checkpoint::CheckpointReader& checkpoint, swarmx::MemoryXClient& memory) {
  memory.load([&](int vector, std::uint64_t first, std::span<float> to) {
    checkpoint.read(static_cast<checkpoint::CheckpointReader::Vector>(vector), first, to);
  });
  checkpoint.check();
}

void restore(const checkpoint::CheckpointReader& checkpoint, const compiler::Plan& plan, memoryx::MemoryX& memoryx) {
  swarmx::LocalMemoryXClient memory(plan, memoryx);
  restore(checkpoint, memory);
}

std::unique_ptr<memoryx::MemoryX> weights_of(const config::Config& config, const compiler::Plan& plan,
                                             const checkpoint::CheckpointReader& checkpoint) {
  memoryx::MemoryXOptions options{.optimizer = {.rule = "SGD"}};  // SGD without momentum has no state
  options.threads = static_cast<unsigned>(config.memoryx_threads);
  auto memoryx = memoryx::MemoryX::of_state(plan, std::move(options), nullptr);
  restore(checkpoint, plan, *memoryx);
  return memoryx;
}

}  // namespace weft::train
