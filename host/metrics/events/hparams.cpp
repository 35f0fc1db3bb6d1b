#include <string>

#include "host/config/file/show.hpp"
#include "host/config/keys/keys.hpp"
#include "host/config/overloaded.hpp"
#include "host/metrics/events/fields.hpp"
#include "host/metrics/events/summaries.hpp"

namespace weft::metrics {
namespace {

/// A google.protobuf.Value: {2: number; 3: text; 4: bool}.
Fields value_of(const config::Slot& slot) {
  return std::visit(
      config::Overloaded{[](const bool* value) { return Fields().integer(4, *value ? 1 : 0); },
                         [](const int* value) { return Fields().float64(2, *value); },
                         [&](const float*) { return Fields().float64(2, std::stod(config::value_text(slot))); },
                         [](const double* value) { return Fields().float64(2, *value); },
                         [](const std::string* value) { return Fields().bytes(3, *value); },
                         [&](const auto*) { return Fields().bytes(3, config::value_text(slot)); }},
      slot);
}

}  // namespace

std::string hparams_of(const config::Config& config) {
  config::Config copy = config;  // slots need a mutable object
  Fields session;                // SessionStartInfo: {1: a map, whose entries are {1: key, 2: value}}
  for (const auto& key : config::config_keys()) {
    if (!config::in_use(config, config::section_of(key.name))) continue;
    session.message(1, Fields().bytes(1, key.name).message(2, value_of(key.slot(copy))));
  }
  return Fields().message(3, session).text();  // HParamsPluginData: {1: version, which is 0; 3: session start info}
}

}  // namespace weft::metrics
