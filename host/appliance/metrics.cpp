#include "host/appliance/metrics.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace weft {
namespace {

std::string number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

/// What killed runs wrote beyond, or in part, is left out.
std::string lines_up_to(const std::string& file, std::uint64_t last) {
  std::ifstream in(file);
  std::string kept;
  for (std::string line; std::getline(in, line);) {
    const auto object = nlohmann::json::parse(line, nullptr, false);
    const auto step = object.is_object() ? object.find("step") : object.end();
    if (step == object.end() || !step->is_number_unsigned() || step->get<std::uint64_t>() > last) continue;
    kept += line + "\n";
  }
  return kept;
}

}  // namespace

std::string to_json(const StepMetrics& m) {
  std::string json =
      fmt::format(R"({{"step": {}, "loss": {}, "grad_norm": {}, "lr": {}, "tokens": {}, "seconds": {}, )", m.step,
                  number(m.loss), number(m.grad_norm), number(m.learning_rate), m.tokens, number(m.seconds));
  json += fmt::format(R"("sim_cycles": {}, "fpu_utilization": {}, "state_hash": "{:016x}")",
                      m.sim_cycles ? fmt::format("{}", *m.sim_cycles) : "null",
                      m.fpu_utilization ? number(*m.fpu_utilization) : "null", m.state_hash);
  if (m.eval_loss) json += fmt::format(R"(, "eval_loss": {})", number(*m.eval_loss));
  return json + "}";
}

MetricsFile::MetricsFile(const std::string& model_dir, std::uint64_t keep)
    : path_((std::filesystem::path(model_dir) / "metrics.jsonl").string()) {
  std::error_code ignored;  // if the folder cannot be made, the file cannot be opened
  std::filesystem::create_directories(model_dir, ignored);
  AtomicFile file(path_);
  if (keep > 0) file.write(lines_up_to(path_, keep));
  file.commit();
  fd_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (fd_.get() < 0) throw file_error(path_, "", "cannot be opened", "set runconfig.model_dir to another folder");
}

void MetricsFile::add(const StepMetrics& metrics) {
  const std::string line = to_json(metrics) + "\n";
  const off_t end = ::lseek(fd_.get(), 0, SEEK_END);
  try {
    write_all(fd_.get(), {reinterpret_cast<const std::uint8_t*>(line.data()), line.size()}, path_);
  } catch (const Refusal&) {
    [[maybe_unused]] const int cut = ::ftruncate(fd_.get(), end);  // else the next start leaves the rest out
    throw;
  }
}

void MetricsFile::sync() {
  if (::fsync(fd_.get()) != 0) throw file_error(path_, "", "cannot be written any more", "check the disk");
}

}  // namespace weft
