/// A configuration as it was understood: to be read, and to be run again.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "host/config/config.hpp"

namespace weft {

/// A table of key, value and where it is from (default, file:line or command line). A section that may be left out is
/// shown only if it was not.
void print_config(const Config& config, std::ostream& out);

/// Whether a section is required, or the user wrote one of its keys.
bool in_use(const Config& config, std::string_view section);

/// A parameter file with every key, of which load_config makes the same configuration. Paths (*_dir, *_path,
/// metrics.prometheus) are absolute: they hold wherever the file is kept.
std::string config_yaml(const Config& config);

/// Keeps config_yaml as model_dir/mode/params.yaml, complete or not at all, with a last line that says whose it is and
/// has a checksum: "# run 0123456789abcdef metrics 1 crc32c 89abcdef", `first` being the step that metrics.jsonl begins
/// with; the runs that it continues with other settings follow its own, "# run 0123456789abcdef after fedcba9876543210
/// metrics ...". A network of a file of its own is kept beside it as network.yaml, and is what model.network says
/// there, so that whoever edits or deletes the file changes nothing of a run that is repeated. Throws Refusal.
void save_config(const Config& config, const std::string& model_dir, const std::string& mode, const std::string& run,
                 const std::string& before, std::uint64_t first);

}  // namespace weft
