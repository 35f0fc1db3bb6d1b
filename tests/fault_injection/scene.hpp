/// The environment of one faulty run: its folder, its inputs, the steps asked for, and the faults injected so far.
#pragma once

#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/checkpoint/files.hpp"
#include "tests/fault_injection/process.hpp"
#include "tests/fault_injection/reference.hpp"
#include "tests/random.hpp"

namespace weft::fault_injection {

/// Files below a folder, by relative name; a folder's name ends in '/', that of any other special file (a pipe) in '|'.
using Snapshot = std::map<std::string, std::string>;

Snapshot snapshot(const std::string& folder);
/// Restores a folder's files and folders (not its special files) from a snapshot.
void restore(const std::string& folder, const Snapshot& snapshot);

class Scene {
 public:
  /// `loud`: logs every action.
  Scene(std::uint64_t seed, const Shape& shape, bool loud);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Mounts a file system of `bytes` for the model_dir; false: this process lacks the privilege.
  bool mount_disk(std::size_t bytes);

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string model() const { return path(model_dir); }
  std::string in_model(const std::string& name) const { return model() + "/" + name; }
  bool has(const std::string& name) const { return std::filesystem::exists(in_model(name)); }

  /// The command for `steps` steps in all; the numbers of wafers, the tree and the checkpoint interval are drawn for
  /// each call.
  Start command(int steps);
  /// Steps of the intact checkpoints in a folder, in order.
  std::vector<int> checkpoints(const std::string& folder) const;
  /// The newest checkpoint's step in model_dir; 0: there is none.
  int newest() const;

  void complain(const std::string& text);
  template <class... Words>
  void log(const Words&... words) const {
    if (loud_) ((std::cout << "  ") << ... << words) << std::endl;
  }

  const std::uint64_t seed;
  test::Rng rng;
  const Shape shape;
  const Reference& reference;
  std::string model_dir = "m";
  std::vector<std::string> inputs;             ///< the data's files
  int target = 0;                              ///< steps asked for
  int every = 1;                               ///< steps between checkpoints of the last command
  int metrics_from = 1;                        ///< lines of earlier steps may be missing: the test has removed them
  std::set<int> cut;                           ///< steps whose evaluation may be missing, because a session ended there
  std::map<std::string, std::string> damaged;  ///< files of model_dir that the test has damaged, with their content
  std::vector<std::string> complaints;

 private:
  checkpoint::TestFolder folder_;
  bool loud_, mounted_ = false;
};

}  // namespace weft::fault_injection
