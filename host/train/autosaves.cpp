#include "host/train/autosaves.hpp"

#include <filesystem>
#include <limits>
#include <string>
#include <system_error>

#include "host/checkpoint/byte_source.hpp"
#include "host/checkpoint/error.hpp"
#include "host/checkpoint/safetensors.hpp"

namespace weft::train {

std::set<std::uint64_t> find_autosaves(const checkpoint::ModelFolder& folder) {
  std::set<std::uint64_t> steps;
  for (const checkpoint::CheckpointFile& entry : folder.checkpoints()) {
    try {
      const checkpoint::FileSource source(entry.file, std::numeric_limits<std::uint64_t>::max());
      const checkpoint::Metadata about = checkpoint::parse_safetensors(source, entry.file).metadata;
      if (about.contains(std::string("weft.") + kAutosave)) steps.insert(entry.step);
    } catch (const Refusal&) {
    }
  }
  return steps;
}

void drop_autosaves(const checkpoint::ModelFolder& folder, std::set<std::uint64_t>& steps,
                    std::optional<std::uint64_t> kept) {
  if (!kept) return;
  std::erase_if(steps, [&](std::uint64_t step) {
    if (step == kept) return false;
    std::error_code error;  // the next good checkpoint retries
    std::filesystem::remove(folder.checkpoint_file(step), error);
    return !error;
  });
}

}  // namespace weft::train
