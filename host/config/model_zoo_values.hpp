/// Keys that only the Model Zoo has, of which many a value says what Weft does anyway.
#pragma once

#include <yaml-cpp/node/node.h>

#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/mistakes.hpp"

namespace weft {

/// Collects such keys of a file and of the command line, until all other keys are known.
class ModelZooKeys {
 public:
  /// True for a key that Weft has not and the Model Zoo has.
  static bool has(const std::string& name);
  void add(const std::string& name, const YAML::Node& value, const Place& place);

  /// Takes values that mean what `config` does without them, and adds a mistake for each of the others. Keys that
  /// change nothing here get a place in `config`, for the note.
  void settle(Config& config, Mistakes& mistakes) const;

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

/// One line about keys of the Model Zoo that change nothing here; empty if there are none.
std::string note_idle_keys(const Config& config);

/// "only the Model Zoo has it, where it ...", with what to do instead. `name` has an entry in lacking_keys().
Refusal refuse_model_zoo_key(const std::string& name, const Place& place);

}  // namespace weft
