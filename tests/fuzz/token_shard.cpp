/// Token shards: *.bin in the layout of llm.c, as bytes and as a file.
#include "host/appliance/data/token_shard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "host/appliance/data/data.hpp"
#include "sw/base/refusal.hpp"
#include "tests/fuzz/target.hpp"

namespace weft::fuzz {
namespace {

constexpr int kVocab = 300;

std::string shard(const std::vector<std::uint16_t>& tokens) {
  std::vector<std::int32_t> header(256);
  header[0] = 20240520, header[1] = 1, header[2] = static_cast<std::int32_t>(tokens.size());
  std::string bytes(reinterpret_cast<const char*>(header.data()), 4 * header.size());
  return bytes.append(reinterpret_cast<const char*>(tokens.data()), 2 * tokens.size());
}

/// A file without a name on a disk.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::uint8_t> bytes) : fd_(memfd_create("shard", MFD_CLOEXEC)) {
    promise(fd_ >= 0 && write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "a file's room");
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::uint16_t> tokens(40);
  for (std::size_t k = 0; k < tokens.size(); ++k) tokens[k] = static_cast<std::uint16_t>(7 * k % kVocab);
  return {shard({}), shard({299}), shard(tokens), shard({1, 2, 300})};
}

void read(std::span<const std::uint8_t> bytes) {
  try {
    const auto tokens = parse_shard_header(bytes.first(std::min(bytes.size(), kShardHeaderBytes)), bytes.size());
    promise(2 * tokens + kShardHeaderBytes == bytes.size(), "what is no header is tokens");
  } catch (const Refusal& e) {
    promise_one_line(e.what());
  }
  const MemoryFile file(bytes);
  try {
    Tokens tokens;
    append_token_shards({file.path(), file.path()}, kVocab, tokens);
    const TrainingData data(tokens, {.seq = 3, .batch = 2, .micro_batch = 1, .shuffle = true, .seed = 1});
    for (const std::uint16_t id : data.micro_batch(5, 1).labels) promise(id < kVocab, "tokens are below vocab_size");
  } catch (const Refusal& e) {
    promise_one_line(e.what());
  } catch (const std::invalid_argument&) {  // too few for a sample
  }
}

}  // namespace weft::fuzz
