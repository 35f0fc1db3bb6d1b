#include <fmt/format.h>

#include <boost/locale/utf.hpp>

#include "host/checkpoint/error.hpp"
#include "host/config/check/sections.hpp"

namespace weft {
namespace {

bool is_utf8(const std::string& text) {
  namespace utf = boost::locale::utf;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const utf::code_point character = utf::utf_traits<char>::decode(at, end);
    if (character == utf::illegal || character == utf::incomplete) return false;
  }
  return true;
}

}  // namespace

void check_paths(const Config& c) {
  const auto check = [&](const char* key, const std::string& path) {
    if (path.find('\0') != std::string::npos) {  // the system would take what is before it for the path
      throw c.error(key, fmt::format("{} has a NUL character, which no path can have", printable(path)), "remove it");
    }
    if (is_utf8(path)) return;
    throw c.error(key, fmt::format("{} is not valid UTF-8", printable(path)),
                  "rename it, or give a link to it whose whole path is UTF-8");
  };
  check("train_input.data_dir", c.train_input.data_dir);
  for (const std::string& path : c.train_input.more_data_dirs) check("train_input.more_data_dirs", path);
  check("train_input.vocab_file", c.train_input.vocab_file);
  check("train_input.merges_file", c.train_input.merges_file);
  check("eval_input.data_dir", c.eval_input.data_dir);
  check("model.network", c.model.network);
  check("runconfig.model_dir", c.runconfig.model_dir);
  check("runconfig.checkpoint_path", c.runconfig.checkpoint_path);
  check("runconfig.prompts_file", c.runconfig.prompts_file);
  check("memoryx.flash_dir", c.memoryx_flash_dir);
  check("metrics.prometheus", c.metrics_prometheus);
}

}  // namespace weft
