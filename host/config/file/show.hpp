/// Prints a configuration as it was understood, for reading and for running it again.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "host/config/config.hpp"

namespace weft::config {

/// Prints a table of key, value and source (default, file:line or command line). Optional sections are shown only if
/// they were given.
void print_config(const Config& config, std::ostream& out);

/// Prints the keys that were set to other values than their defaults, in lines of at most 120 columns if each fits:
/// "set     optimizer.betas [0.9, 0.95], optimizer.weight_decay 0.1". In training modes, keys whose values the header
/// of the run prints are left out.
void print_changes(const Config& config, std::ostream& out);

/// True if the section is required or the user set one of its keys.
bool in_use(const Config& config, std::string_view section);

/// Parameter file with every key, from which load_config makes the same configuration. Paths (*_dir, *_path,
/// metrics.prometheus) are absolute, so the file may be moved. `set_alone`: only keys that were set, and required ones.
std::string config_yaml(const Config& config, bool set_alone = false);

/// Writes config_yaml atomically to model_dir/mode/params.yaml, with a last line that identifies the run and has a
/// checksum: "# run 0123456789abcdef metrics 1 crc32c 89abcdef". `first` is the first step in metrics.jsonl. If the run
/// continues other runs with changed settings, their ids follow its own: "# run 0123456789abcdef after fedcba9876543210
/// metrics ...". A custom network file is copied next to it as network.yaml, and model.network refers to the copy, so
/// that editing or deleting the original does not affect a repeated run. Throws Refusal.
void save_config(const Config& config, const std::string& model_dir, const std::string& mode, const std::string& run,
                 const std::string& before, std::uint64_t first);

}  // namespace weft::config
