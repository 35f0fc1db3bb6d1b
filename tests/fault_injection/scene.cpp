#include "tests/fault_injection/scene.hpp"

#include <fmt/format.h>
#include <sys/mount.h>

#include <algorithm>

namespace weft::fault_injection {

namespace fs = std::filesystem;

Snapshot snapshot(const std::string& folder) {
  Snapshot result;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = fs::relative(at->path(), folder);
    if (at->is_directory()) {
      result[name + "/"];
    } else if (at->is_regular_file()) {
      result[name] = checkpoint::text_of(at->path());
    } else {
      result[name + "|"];
    }
  }
  return result;
}

void restore(const std::string& folder, const Snapshot& snapshot) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  fs::create_directories(folder);
  for (const auto& [name, text] : snapshot) {
    if (name.ends_with('/')) {
      fs::create_directories(folder + "/" + name);
    } else if (!name.ends_with('|')) {
      checkpoint::write_text(folder + "/" + name, text);
    }
  }
}

Scene::Scene(std::uint64_t seed, const Shape& shape, bool loud)
    : seed(seed),
      rng(test::mix(seed)),
      shape(shape),
      reference(Reference::of(shape)),
      folder_(fmt::format("fault_injection_{}", seed)),
      loud_(loud) {
  inputs = write_inputs(folder_.path(), shape);
}

Scene::~Scene() {
  if (mounted_) umount2(path("disk").c_str(), MNT_DETACH);
}

bool Scene::mount_disk(std::size_t bytes) {
  fs::create_directories(path("disk"));
  mounted_ = mount("weft", path("disk").c_str(), "tmpfs", 0, fmt::format("size={}", bytes).c_str()) == 0;
  if (mounted_) model_dir = "disk/m";
  return mounted_;
}

Start Scene::command(int steps) {
  every = 1 + static_cast<int>(rng.below(3));
  Start start{.program = WEFT_PROGRAM, .folder = folder_.path(), .words = run_words(shape, model_dir, steps)};
  const auto add = [&](const char* key, std::uint32_t value) {
    start.words.insert(start.words.end(), {key, std::to_string(value)});
  };
  add("--num_csx", 1 + rng.below(4));
  add("--swarmx.fanout", 2 + rng.below(3));
  add("--runconfig.checkpoint_steps", static_cast<std::uint32_t>(every));
  if (rng.chance(50)) add("--runconfig.keep_checkpoint_max", 1 + rng.below(3));
  return start;
}

std::vector<int> Scene::checkpoints(const std::string& folder) const {
  std::vector<int> steps;
  for (int step = 0; step <= kReferenceSteps; ++step) {
    const std::string file = folder + "/" + checkpoint_name(step);
    if (!fs::exists(file)) continue;
    const auto at = damaged.find(file);
    if (at == damaged.end() || checkpoint::text_of(file) != at->second) steps.push_back(step);
  }
  return steps;
}

int Scene::newest() const {
  const std::vector<int> steps = checkpoints(model());
  return steps.empty() ? 0 : steps.back();
}

void Scene::complain(const std::string& text) {
  log("WRONG: ", text);
  complaints.push_back(text);
}

}  // namespace weft::fault_injection
