/// Keys that only the Model Zoo has, accepted if their value describes what Weft does anyway.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/error_list.hpp"

namespace weft::config {

/// Collects such keys of the file and the command line until all other keys are known.
class ModelZooKeys {
 public:
  /// True for a key that the Model Zoo has and Weft has not.
  static bool has(const std::string& name);
  void add(const std::string& name, const YAML::Node& value, const Place& place);

  /// Accepts values equivalent to the behavior of `config` and adds an error for each other value. Keys without any
  /// effect get a place in `config`, so that they are noted.
  void settle(Config& config, ErrorList& errors) const;

 private:
  struct Entry {
    std::string name;
    YAML::Node value;
    Place place;
  };
  const Entry* find(std::string_view name) const;
  bool is_same(const Entry& entry, Config& config) const;
  bool is_same_loss(const Config& config) const;

  std::vector<Entry> entries_;
};

/// Notes, a line each: the Model Zoo keys without effect, and each former name with the key's name.
std::vector<std::string> notes_on_names(const Config& config);

}  // namespace weft::config
