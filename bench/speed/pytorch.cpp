#include "bench/speed/pytorch.hpp"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace weft::bench {

std::optional<PyTorchStep> pytorch_step(const std::string& params) {
  const char* named = std::getenv("PYTHON");
  const std::string python = named != nullptr && *named != 0 ? named : "/usr/bin/python3";
  std::FILE* pipe = popen(("'" + python + "' '" WEFT_BENCH "/pytorch/step.py' '" + params + "'").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no process for " + python);
  std::string text;
  for (char part[256]; std::fgets(part, sizeof part, pipe) != nullptr;) text += part;
  const int status = pclose(pipe), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 3 || code == 127) return std::nullopt;  // no PyTorch, or no Python
  if (code != 0) throw std::runtime_error(python + " bench/pytorch/step.py failed");
  const auto step = nlohmann::json::parse(text);
  return PyTorchStep{step.at("seconds"), step.at("version")};
}

}  // namespace weft::bench
