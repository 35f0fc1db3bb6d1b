#include "host/data/hdf5_tokens.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

#include "host/data/hdf5_handle.hpp"
#include "host/data/hdf5_open.hpp"
#include "host/data/hdf5_sources.hpp"
#include "host/data/subprocess_parser.hpp"
#include "sw/base/archive.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

constexpr auto kFetchAgain = "write or fetch the file again";
constexpr std::size_t kBlock = 1024;                  // tokens of a checksum
constexpr std::size_t kTokensAtOnce = 1024 * kBlock;  // tokens read at once in the first pass

/// Checksum of the block of `tokens` that begins at `at`.
std::uint32_t block_checksum(std::span<const std::int32_t> tokens, std::size_t at) {
  const auto block = tokens.subspan(at, std::min(kBlock, tokens.size() - at));
  return crc32c({reinterpret_cast<const std::uint8_t*>(block.data()), block.size_bytes()});
}

/// An open file. All members except `path` and `size` are used under hdf5_mutex().
class File {
 public:
  explicit File(std::string name)
      : path(std::move(name)), file_(open_hdf5(path), H5Fclose), data_(open_hdf5_data(file_.get(), path), H5Dclose) {
    if (!data_.is_open()) return;
    const Hdf5Handle space(H5Dget_space(data_.get()), H5Sclose);
    dimensions_ = H5Sget_simple_extent_ndims(space.get());
    hsize_t count = 0;
    if (dimensions_ == 1 && H5Sget_simple_extent_dims(space.get(), &count, nullptr) == 1) size = count;
  }

  bool is_corpus() const { return dimensions_ == 1; }

  void check() const {
    if (!is_corpus())
      throw Refusal(path, "has no tokens in one dimension, unlike the first file of the folder",
                    "keep samples and corpora in folders of their own");
    check_hdf5_storage(data_.get(), path);
    const Hdf5Handle type(H5Dget_type(data_.get()), H5Tclose);
    if (H5Tget_class(type.get()) != H5T_INTEGER) throw Refusal(path, "\"data\" does not contain integers", kFetchAgain);
  }

  void read(std::uint64_t first, std::span<std::int32_t> out) const {
    const Hdf5Handle space(H5Dget_space(data_.get()), H5Sclose);
    const hsize_t start = first, count = out.size();
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    const Hdf5Handle there(H5Screate_simple(1, &count, nullptr), H5Sclose);
    if (H5Dread(data_.get(), H5T_NATIVE_INT32, there.get(), space.get(), H5P_DEFAULT, out.data()) >= 0) return;
    const std::string why = hdf5_cause();
    check_filters(path, data_.get());
    check_hdf5_version(path, why);
    throw Refusal(path, fmt::format("cannot be read at token {} of {}: {}", first, size, why), kFetchAgain);
  }

  const std::string path;
  std::uint64_t size = 0;  ///< tokens

 private:
  Hdf5Handle file_, data_;
  int dimensions_ = -1;
};

/// The results of the first pass.
struct Kept {
  std::vector<std::uint32_t> checks;  ///< [block]
  std::uint32_t checksum = 0;         ///< as Tokens::checksum
};

Kept first_pass(const File& file, int vocab, std::uint32_t checksum) {
  file.check();
  Kept kept{.checks = {}, .checksum = checksum};
  std::vector<std::int32_t> some(std::min<std::uint64_t>(kTokensAtOnce, file.size));
  for (std::uint64_t first = 0; first < file.size; first += some.size()) {
    some.resize(std::min<std::uint64_t>(some.size(), file.size - first));
    file.read(first, some);
    const auto bad = std::ranges::find_if(some, [&](std::int32_t id) { return id < 0 || id >= vocab; });
    if (bad != some.end()) {
      throw Refusal(file.path,
                    fmt::format("token {}{} at position {} is not below model.vocab_size {}", *bad,
                                *bad == INT32_MAX ? " or more" : "", first + (bad - some.begin()), vocab),
                    *bad < 0 || *bad >= static_cast<std::int64_t>(kMostTokens)
                        ? std::string(kFetchAgain)
                        : fmt::format("use model.vocab_size {} or more", *bad + 1));
    }
    const std::span<const std::int32_t> all = some;
    for (std::size_t at = 0; at < all.size(); at += kBlock) kept.checks.push_back(block_checksum(all, at));
    kept.checksum = token_checksum(std::vector<TokenId>(some.begin(), some.end()), kept.checksum);
  }
  return kept;
}

class Hdf5Tokens final : public TokenPiece {
 public:
  /// `checksum` is continued over the tokens.
  Hdf5Tokens(const std::string& path, int vocab, std::uint32_t& checksum) {
    const std::lock_guard lock(hdf5_mutex());
    const auto said = in_subprocess(path, kFetchAgain, [&] {
      const Kept kept = first_pass(File(path), vocab, checksum);
      ArchiveWriter bytes;
      bytes(kept.checks, kept.checksum);
      return bytes.bytes;
    });
    ArchiveReader reader(said);
    reader(checks_, checksum);
    file_ = std::make_unique<File>(path);
  }
  ~Hdf5Tokens() override {
    const std::lock_guard lock(hdf5_mutex());
    file_.reset();
  }

  std::uint64_t size() const override { return file_->size; }

  void copy(std::uint64_t first, std::span<TokenId> out) const override {
    if (out.empty()) return;
    const std::uint64_t begin = first / kBlock * kBlock;
    const std::uint64_t end = std::min((first + out.size() + kBlock - 1) / kBlock * kBlock, size());
    std::vector<std::int32_t> some(end - begin);
    {
      const std::lock_guard lock(hdf5_mutex());
      file_->read(begin, some);
    }
    const std::span<const std::int32_t> all = some;
    for (std::size_t at = 0; at < all.size(); at += kBlock) {
      if (block_checksum(all, at) == checks_.at((begin + at) / kBlock)) continue;
      throw Refusal(
          file_->path,
          fmt::format("was changed while it is read: token {} or a later one differs from the first time", begin + at),
          "leave the files of data_dir as they are while a run reads them, and start it again");
    }
    std::ranges::copy(all.subspan(first - begin, out.size()), out.begin());
  }

 private:
  std::unique_ptr<File> file_;
  std::vector<std::uint32_t> checks_;
};

}  // namespace

bool is_hdf5_corpus(const std::string& path) {
  const std::lock_guard lock(hdf5_mutex());
  return in_subprocess(path, kFetchAgain, [&] {
           return std::vector<std::uint8_t>{static_cast<std::uint8_t>(File(path).is_corpus())};
         }).at(0) != 0;
}

void append_hdf5_tokens(const std::vector<std::string>& paths, int vocab, Tokens& tokens) {
  for (const std::string& path : paths) {
    std::uint32_t checksum = tokens.checksum();
    auto piece = std::make_shared<const Hdf5Tokens>(path, vocab, checksum);
    tokens.append(std::move(piece), checksum);
  }
}

}  // namespace weft::data
