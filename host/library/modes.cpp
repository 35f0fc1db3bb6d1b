#include "weft/modes.hpp"

#include <sstream>

#include "host/cli/modes/modes.hpp"
#include "host/config/keys/key_names.hpp"
#include "host/library/config_impl.hpp"
#include "host/library/prepared.hpp"
#include "host/library/translate.hpp"
#include "sw/network/kept_files.hpp"

namespace weft {
inline namespace v0 {
namespace {

/// Runs `work` with the configuration in this mode, ready to run.
template <class Work>
auto in_mode(const Config& config, const char* mode, const Log& log, const Work& work) {
  return library::called([&](const auto&) {
    const network::KeptNetworkFiles networks;
    library::Prepared prepared(config.with({{"mode", mode}}).impl(), log);
    try {
      auto result = work(prepared);
      prepared.pass_on();
      return result;
    } catch (const Refusal& refusal) {
      throw config::placed(prepared.config(), refusal);
    }
  });
}

}  // namespace

std::string evaluate(const Config& config, const Log& log) {
  return in_mode(config, "eval", log, [](library::Prepared& prepared) {
    std::ostringstream result;
    cli::evaluate(prepared.config(), prepared.make_wafer(), result, prepared.out(), prepared.context(),
                  {.json = true, .logits = ""});
    return result.str();
  });
}

std::string compile_only(const Config& config, const Log& log) {
  return in_mode(config, "compile_only", log, [](library::Prepared& prepared) {
    std::ostringstream result;
    cli::CompileOptions options;
    options.json = true;
    cli::compile_only(prepared.config(), result, prepared.context(), options);
    return result.str();
  });
}

std::vector<std::string> continue_prompts(const Config& config, const Log& log) {
  return in_mode(config, "generate", log, [](library::Prepared& prepared) {
    return cli::generate_texts(prepared.config(), prepared.make_wafer(), prepared.out());
  });
}

}  // namespace v0
}  // namespace weft
