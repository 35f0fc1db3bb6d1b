#include "host/inspect/bisect/fingerprint.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "host/checkpoint/output_file.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect::bisect {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Steps, first, hashes, stopped)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tensor, name, dims, weights, first_moments, second_moments)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(State, tensors)
// The first commits with fingerprints had neither flags nor routes, and later ones no former names.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PhaseSums, name, former, data, control, returned, tiles, flags, routes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MicroBatch, phases, stopped)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Phases, rows, cols, lanes, micro_batches)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Event, place, value, by)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Phase, messages, returned, memory, arrays, routes, events, stopped)

namespace {

constexpr int kVersion = 1;
constexpr Level kLevels[] = {Level::Steps, Level::State, Level::Phases, Level::Phase};

Level level_of(const Steps* /*fingerprint*/) { return Level::Steps; }
Level level_of(const State* /*fingerprint*/) { return Level::State; }
Level level_of(const Phases* /*fingerprint*/) { return Level::Phases; }
Level level_of(const Phase* /*fingerprint*/) { return Level::Phase; }

std::string checksum(const std::string& text) {
  return fmt::format("{:08x}", crc32c({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

}  // namespace

std::string level_name(Level level) {
  constexpr const char* kNames[] = {"steps", "state", "phases", "phase"};
  return kNames[static_cast<std::size_t>(level)];
}

Level find_level(const std::string& name) {
  for (const Level level : kLevels)
    if (level_name(level) == name) return level;
  throw Refusal("--level", name + " is not a level", "use steps, state, phases or phase");
}

template <class Fingerprint>
void save(const Fingerprint& fingerprint, const std::filesystem::path& file) {
  const std::string name = level_name(level_of(&fingerprint));
  // The message of an error may contain any bytes.
  const std::string body = dump_json(nlohmann::json(fingerprint), {.replace = true}) + "\n";
  checkpoint::OutputFile out(file.string());
  out.stream() << fmt::format("{{\"weft_fingerprint\":{},\"level\":\"{}\",\"crc32c\":\"{}\"}}\n", kVersion, name,
                              checksum(body))
               << body;
  out.commit();
}

template <class Fingerprint>
Fingerprint load(const std::filesystem::path& file) {
  const auto wrong = [&](const std::string& why) { return Refusal(file.string(), why, "record it again"); };
  std::error_code error;
  std::ifstream in;
  if (std::filesystem::is_regular_file(file, error)) in.open(file, std::ios::binary);  // opening a pipe would block
  if (!in.is_open()) throw wrong("cannot be read");
  std::string head;
  std::getline(in, head);
  std::stringstream body;
  body << in.rdbuf();
  try {
    const nlohmann::json said = parse_json_or_discard(head);
    const char* version = said.contains("weft_trail") ? "weft_trail" : "weft_fingerprint";  // the old name, too
    if (said.at(version) != kVersion) throw wrong("has another version of the fingerprint format");
    const std::string name = level_name(level_of(static_cast<Fingerprint*>(nullptr)));
    if (said.at("level") != name) throw wrong("is not a fingerprint of level " + name);
    if (said.at("crc32c") != checksum(body.str())) throw wrong("is damaged");
    return parse_json_or_discard(body.str()).get<Fingerprint>();
  } catch (const nlohmann::json::exception&) {
    throw wrong("is not a fingerprint");
  }
}

template void save(const Steps&, const std::filesystem::path&);
template void save(const State&, const std::filesystem::path&);
template void save(const Phases&, const std::filesystem::path&);
template void save(const Phase&, const std::filesystem::path&);
template Steps load(const std::filesystem::path&);
template State load(const std::filesystem::path&);
template Phases load(const std::filesystem::path&);
template Phase load(const std::filesystem::path&);

}  // namespace weft::inspect::bisect
