/// The world of one abused run: its folder, its inputs, what has been asked of it and what was done to it.
#pragma once

#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/abuse/process.hpp"
#include "tests/abuse/reference.hpp"
#include "tests/checkpoint/files.hpp"
#include "tests/random.hpp"

namespace weft::abuse {

/// Files below a folder, by their relative names; a folder ends in '/', what is neither (a pipe) in '|'.
using Snapshot = std::map<std::string, std::string>;

Snapshot snapshot(const std::string& folder);
/// Makes the folder what it was.
void restore(const std::string& folder, const Snapshot& snapshot);

class Scene {
 public:
  /// `loud`: tells what happens.
  Scene(std::uint64_t seed, const Shape& shape, bool loud);
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// A file system of `bytes` for the model_dir, which is then on it; false: this process may mount none.
  bool mount_disk(std::size_t bytes);

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string model() const { return path(model_dir); }
  std::string in_model(const std::string& name) const { return model() + "/" + name; }
  bool has(const std::string& name) const { return std::filesystem::exists(in_model(name)); }

  /// The command for `steps` steps in all, with wafers, a tree and checkpoints that are drawn anew each time.
  Start command(int steps);
  /// Steps of the checkpoints in a folder, in order, but for damaged ones.
  std::vector<int> checkpoints(const std::string& folder) const;
  /// The newest of those in model_dir; 0: there is none.
  int newest() const;

  void complain(const std::string& text);
  template <class... Words>
  void log(const Words&... words) const {
    if (loud_) ((std::cout << "  ") << ... << words) << std::endl;
  }

  const std::uint64_t seed;
  test::Dice dice;
  const Shape shape;
  const Reference& reference;
  std::string model_dir = "m";
  std::vector<std::string> inputs;             ///< the data's files
  int target = 0;                              ///< steps that were asked for
  int every = 1;                               ///< steps between checkpoints of the last command
  int metrics_from = 1;                        ///< lines before it may be missing: we have taken them away
  std::set<int> cut;                           ///< steps whose evaluation may be missing: something ended there
  std::map<std::string, std::string> damaged;  ///< files of model_dir that we have damaged, as they are now
  std::vector<std::string> complaints;

 private:
  TestFolder folder_;
  bool loud_, mounted_ = false;
};

}  // namespace weft::abuse
