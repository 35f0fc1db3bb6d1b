#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "host/config/check/sections.hpp"

namespace weft::config {

void check_generate(const Config& c) {
  const RunConfig& run = c.runconfig;
  if (run.mode != "generate") return;
  struct Given {
    const char* key;
    bool given;
  };
  const Given all[] = {{"runconfig.prompt", !run.prompt.empty()},
                       {"runconfig.prompt_tokens", !run.prompt_tokens.empty()},
                       {"runconfig.prompts_file", !run.prompts_file.empty()}};
  const Given* known = nullptr;
  for (const Given& one : all) {
    if (one.given && known != nullptr)
      throw c.error(one.key, fmt::format("cannot be combined with {}", known->key), "leave one of them out");
    if (one.given) known = &one;
  }
  if (known == nullptr || (run.prompt.size() == 1 && run.prompt[0].empty()))
    throw c.error("runconfig.prompt", "missing: generate continues a text",
                  "give it one, e.g. --prompt \"The \", or token ids, e.g. --prompt_tokens \"1,2,3\"");
  for (const auto& [key, texts, what] :
       {std::tuple("runconfig.prompt", &run.prompt, "prompt"), {"runconfig.stop", &run.stop, "stop word"}}) {
    const auto empty = std::ranges::find(*texts, "");
    if (empty != texts->end())
      throw c.error(key, fmt::format("{} {} of {} is empty", what, empty - texts->begin() + 1, texts->size()),
                    "give it a character at least");
  }
}

}  // namespace weft::config
