/// Token shards: *.bin files in the layout of llm.c, in memory and as a file.
#include "host/data/token_shard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "host/data/data.hpp"
#include "host/data/shard_file.hpp"
#include "sw/base/refusal.hpp"
#include "tests/fuzz/folder.hpp"

namespace weft::fuzz::token_shard_target {
namespace {

constexpr int kVocab = 300;

std::string shard(const std::vector<std::uint16_t>& tokens) {
  std::vector<std::int32_t> header(256);
  header[0] = 20240520, header[1] = 1, header[2] = static_cast<std::int32_t>(tokens.size());
  std::string bytes(reinterpret_cast<const char*>(header.data()), 4 * header.size());
  return bytes.append(reinterpret_cast<const char*>(tokens.data()), 2 * tokens.size());
}

std::string wide(const std::vector<std::uint32_t>& tokens) {
  std::vector<std::int32_t> header(256);
  header[0] = 20240801, header[1] = 7, header[2] = static_cast<std::int32_t>(tokens.size());
  std::string bytes(reinterpret_cast<const char*>(header.data()), 4 * header.size());
  return bytes.append(reinterpret_cast<const char*>(tokens.data()), 4 * tokens.size());
}

/// A file in memory, without a name on disk.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::uint8_t> bytes) : fd_(memfd_create("shard", MFD_CLOEXEC)) {
    promise(fd_ >= 0 && write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "a file's room");
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  /// Changes a byte; a run must not use the block as if it were unchanged.
  void turn(off_t offset) const {
    std::uint8_t byte = 0;
    if (pread(fd_, &byte, 1, offset) != 1) return;
    byte ^= 0x80;
    promise(pwrite(fd_, &byte, 1, offset) == 1, "a byte's room");
  }
  void cut(off_t size) const { promise(ftruncate(fd_, size) == 0, "a file that can be cut"); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

/// All tokens of all samples; throws Refusal.
std::vector<TokenId> all_of(const data::TrainingData& data) {
  std::vector<TokenId> all;
  for (std::uint64_t step = 0; 2 * step < data.samples(); ++step) {
    for (const TokenId id : data.micro_batch(step, 1).labels) {
      promise(id < kVocab, "tokens are below vocab_size");
      all.push_back(id);
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::uint16_t> tokens(40);
  for (std::size_t k = 0; k < tokens.size(); ++k) tokens[k] = static_cast<std::uint16_t>(7 * k % kVocab);
  const std::vector<std::uint16_t> blocks(2 * data::ShardFile::kBlockBytes / 2 + 5, 7);
  const std::string plain(reinterpret_cast<const char*>(tokens.data()), 2 * tokens.size());  // the format of nanoGPT
  return {shard({}),     shard({299}),   shard(tokens),    shard({1, 2, 300}),
          shard(blocks), wide({1, 299}), wide({1, 65537}), plain};
}

void read(std::span<const std::uint8_t> bytes) {
  try {
    const auto layout =
        data::parse_shard_header(bytes.first(std::min(bytes.size(), data::kShardHeaderBytes)), bytes.size());
    promise(layout.width * layout.tokens + data::kShardHeaderBytes == bytes.size(), "what is no header is tokens");
  } catch (const Refusal& e) {
    promise_one_line(e.what());
  }
  const MemoryFile file(bytes);
  for (const data::ShardFormat format : {data::ShardFormat::LlmC, data::ShardFormat::Headerless}) {
    loads_or_refuses(file.path(), [&] {
      data::Tokens tokens;
      data::append_token_shards({file.path()}, kVocab, tokens, format);
      std::vector<TokenId> all(tokens.size());
      tokens.copy(0, all);
      for (const TokenId id : all) promise(id < kVocab, "tokens are below vocab_size");
    });
  }
  try {
    data::Tokens tokens;
    data::append_token_shards({file.path(), file.path()}, kVocab, tokens);
    const data::TrainingData data(tokens, {.seq = 3, .batch = 2, .micro_batch = 1, .shuffle = true, .seed = 1});
    const std::vector<TokenId> before = all_of(data);
    promise(all_of(data) == before, "a file that is left alone stays what it was");
    const std::size_t size = bytes.size(), somewhere = bytes[12] % (size - data::kShardHeaderBytes);
    file.turn(static_cast<off_t>(data::kShardHeaderBytes + somewhere));
    try {
      promise(all_of(data) == before, "a changed block is refused");  // or the block contributes to no sample
    } catch (const Refusal& e) {
      promise_one_line(e.what());
    }
    file.cut(static_cast<off_t>(size - 1 - somewhere));
    all_of(data);
  } catch (const Refusal& e) {
    promise_one_line(e.what());
  }
}

const bool kAdded = add({"token_shard", seeds, read});

}  // namespace weft::fuzz::token_shard_target
