#include "host/tokenizer/shards/byte_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "host/checkpoint/file.hpp"
#include "sw/base/descriptor.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/named_text.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::tokenizer {
namespace {

constexpr std::size_t kPiece = 256 << 10;  // bytes

class Plain final : public ByteInput {
 public:
  explicit Plain(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    const int error = errno;
    if (file_.get() < 0)
      throw Refusal(
          path, "cannot be opened: " + std::generic_category().message(error),
          error == EMFILE || error == ENFILE ? checkpoint::kMoreFiles : "check that it exists and that you may read it")
          .caused_by(error);
    struct stat status {};
    const bool known = ::fstat(file_.get(), &status) == 0;
    pipe_ = known && S_ISFIFO(status.st_mode);
    if (!pipe_ && !(known && S_ISREG(status.st_mode)))
      throw Refusal(path, "is neither a file nor a pipe", "name a file, or write to a pipe: <(COMMAND)");
    begun_ = status;
  }
  /// The first bytes of the file, which read() returns again.
  const std::string& start() {
    while (start_.size() < kMagic && read_on(start_)) {
    }
    return start_;
  }
  bool read(std::string& out) override {
    if (start_.empty()) return read_on(out);
    out += std::exchange(start_, {});
    return true;
  }
  std::uint64_t taken() const override { return taken_; }
  /// Rejects a file that was written while it was read, as tar does.
  void check_unchanged() const {
    struct stat now {};
    if (pipe_) return;
    if (::fstat(file_.get(), &now) == 0 && now.st_size == begun_.st_size &&
        now.st_mtim.tv_sec == begun_.st_mtim.tv_sec && now.st_mtim.tv_nsec == begun_.st_mtim.tv_nsec)
      return;
    throw Refusal(path_, "was changed while it was read", "start again when no program writes to the file");
  }

 private:
  static constexpr std::size_t kMagic = 4;  // bytes

  bool read_on(std::string& out) {
    const std::size_t before = out.size();
    out.resize(before + kPiece);
    ssize_t count = 0;
    do {
      if (pipe_) wait_to_read(file_.get(), path_, said_);  // until data arrives or the writer closes the pipe
      count = ::read(file_.get(), out.data() + before, kPiece);
    } while (count < 0 && (errno == EINTR || (pipe_ && errno == EAGAIN)));
    const int error = errno;
    out.resize(before + static_cast<std::size_t>(count > 0 ? count : 0));
    if (count < 0)
      throw Refusal(path_, "cannot be read: " + std::generic_category().message(error), "check the disk it is on")
          .caused_by(error);
    taken_ += static_cast<std::uint64_t>(count);
    if (count == 0) check_unchanged();
    return count > 0;
  }

  std::string path_, start_;
  Descriptor file_;
  struct stat begun_ {};  // state of the file when it was opened
  bool pipe_ = false, said_ = false;
  std::uint64_t taken_ = 0;
};

/// Common base of both decompressors: the compressed bytes, and the position in the text.
class Packed : public ByteInput {
 public:
  Packed(std::string path, std::unique_ptr<Plain> plain) : path_(std::move(path)), plain_(std::move(plain)) {}
  std::uint64_t taken() const override { return plain_->taken(); }

 protected:
  /// Reads more compressed bytes if all have been used; false at the end of the file.
  bool fill() {
    if (used_ < packed_.size()) return true;
    packed_.clear();
    used_ = 0;
    return plain_->read(packed_);
  }
  [[noreturn]] void damaged(std::string_view how) const {
    plain_->check_unchanged();
    throw Refusal(path_, fmt::format("is {} after {} bytes of text", how, done_), "fetch or pack the file again");
  }

  [[noreturn]] void refuse(std::string_view problem, const std::string& hint) const {
    plain_->check_unchanged();
    throw Refusal(path_, problem, hint);
  }
  /// Rejects bytes after the compressed data.
  [[noreturn]] void bytes_behind(const char* command) const {
    refuse(fmt::format("has bytes that are not packed after {} bytes of text", done_),
           fmt::format("leave them out: {} {} > OUT", command, shell_word(path_)));
  }
  /// True if the rest of the file is zeros, which is the padding of tapes.
  bool only_zeros() {
    while (fill()) {
      if (packed_.find_first_not_of('\0', used_) != std::string::npos) return false;
      used_ = packed_.size();
    }
    return true;
  }

  std::string path_;
  std::unique_ptr<Plain> plain_;
  std::string packed_;
  std::size_t used_ = 0;
  std::uint64_t done_ = 0;  // bytes of text
};

class Gzip final : public Packed {
 public:
  using Packed::Packed;
  ~Gzip() override { ::inflateEnd(&stream_); }

  bool read(std::string& out) override {
    while (true) {
      if (!fill()) {
        if (inside_) damaged("cut short");
        return false;
      }
      if (!inside_ && done_ > 0 && packed_[used_] != '\x1f') {
        if (only_zeros()) return false;
        bytes_behind("gzip -dc");
      }
      if (!inside_) begin();
      const std::size_t before = out.size();
      out.resize(before + kPiece);
      stream_.next_in = reinterpret_cast<Bytef*>(packed_.data() + used_);
      stream_.avail_in = static_cast<uInt>(packed_.size() - used_);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream_.avail_out = kPiece;
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      const std::size_t made = kPiece - stream_.avail_out;
      out.resize(before + made);
      used_ = packed_.size() - stream_.avail_in;
      done_ += made;
      if (result == Z_STREAM_END) {
        inside_ = false;
      } else if (result == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        damaged("damaged");
      }
      if (made > 0) return true;
    }
  }

 private:
  void begin() {
    ::inflateEnd(&stream_);
    stream_ = {};
    if (::inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();  // 16: only gzip
    inside_ = true;
  }

  z_stream stream_{};
  bool inside_ = false;  // inside a member
};

class Zstandard final : public Packed {
 public:
  using Packed::Packed;

  bool read(std::string& out) override {
    while (true) {
      if (!fill() && !more_) {
        if (inside_) damaged("cut short");
        return false;
      }
      const std::size_t before = out.size();
      out.resize(before + kPiece);
      ZSTD_inBuffer from{packed_.data(), packed_.size(), used_};
      ZSTD_outBuffer to{out.data() + before, kPiece, 0};
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &to, &from);
      out.resize(before + to.pos);
      if (ZSTD_isError(left) != 0) failed(ZSTD_getErrorCode(left));
      const bool blocked = to.pos == 0 && from.pos == used_;
      used_ = from.pos;
      done_ += to.pos;
      inside_ = left != 0;
      more_ = inside_ && to.pos == kPiece;  // more text may follow without further input
      if (to.pos > 0) return true;
      if (blocked && used_ < packed_.size()) damaged("damaged");
    }
  }

 private:
  /// Throws the exception for an error of the zstd library: one for each known cause, otherwise "damaged".
  [[noreturn]] void failed(ZSTD_ErrorCode error) {
    const std::string file = shell_word(path_);
    if (error == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (error == ZSTD_error_frameParameter_windowTooLarge)
      refuse("is packed with a window of more than 128 MiB (zstd --long or --ultra)",
             fmt::format("unpack it: zstd -dc --long=31 {} > OUT", file));
    if (error == ZSTD_error_dictionary_wrong)
      refuse("is packed with a dictionary", fmt::format("unpack it: zstd -dc -D DICTIONARY {} > OUT", file));
    if (error == ZSTD_error_prefix_unknown && !inside_ && done_ > 0) bytes_behind("zstd -dcf");
    damaged("damaged");
  }

  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_{ZSTD_createDStream(), ZSTD_freeDStream};
  bool inside_ = false;  // inside a frame
  bool more_ = false;
};

/// Checks that the file begins like text.
class Text final : public ByteInput {
 public:
  Text(std::string path, std::unique_ptr<ByteInput> input) : path_(std::move(path)), input_(std::move(input)) {}

  bool read(std::string& out) override {
    const std::size_t before = out.size();
    const bool more = input_->read(out);
    if (!known_) {
      start_.append(out, before, kFormatBytes);
      known_ = !more || start_.size() >= kFormatBytes;
      if (known_) check_format(start_, Expected::Text, path_);
    }
    return more;
  }
  std::uint64_t taken() const override { return input_->taken(); }

 private:
  std::string path_, start_;
  std::unique_ptr<ByteInput> input_;
  bool known_ = false;
};

std::unique_ptr<ByteInput> unpacked(const std::string& path) {
  auto plain = std::make_unique<Plain>(path);
  const std::string_view start = plain->start();  // read once: a pipe cannot be read again
  if (is_gzip(start)) return std::make_unique<Gzip>(path, std::move(plain));
  if (is_zstandard(start)) return std::make_unique<Zstandard>(path, std::move(plain));
  return plain;
}

}  // namespace

bool is_gzip(std::string_view start) { return start.starts_with("\x1f\x8b"); }

bool is_zstandard(std::string_view start) {
  if (start.starts_with("\x28\xb5\x2f\xfd")) return true;
  return start.size() >= 4 && (start[0] & 0xf0) == 0x50 && start.substr(1).starts_with("\x2a\x4d\x18");
}

std::unique_ptr<ByteInput> open_input(const std::string& path) { return std::make_unique<Text>(path, unpacked(path)); }

}  // namespace weft::tokenizer
