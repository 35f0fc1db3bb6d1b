#include "host/appliance/status/status_command.hpp"

#include <ostream>

#include "host/appliance/status/read_status.hpp"
#include "sw/base/refusal.hpp"

namespace weft {

int status_command(const Options& options, std::ostream& out) {
  const std::string folder = option(options, "model_dir", "");
  if (folder.empty()) throw Refusal("--model_dir", "missing", "name the run's folder: weft status --model_dir DIR");
  const nlohmann::ordered_json status = read_status(folder);
  if (options.contains("json")) {
    out << status.dump(2) << '\n';
  } else {
    out << status_table(status);
  }
  return 0;
}

}  // namespace weft
