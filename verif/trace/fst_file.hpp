/// Writer of FST files: scopes, signals, values. The format is GTKWave's; Surfer also reads it.
///
/// Distributions do not package the format's own library, and newer Verilators do not include it. So this file
/// implements the format, in blocks of {type: 1 byte, length: 8 bytes, big-endian, counted from itself on, content}.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "verif/trace/fst_chain.hpp"
#include "verif/trace/seen_values.hpp"

namespace weft::trace {

class FstFile {
 public:
  using Handle = std::uint32_t;
  using Enum = std::uint32_t;

  /// Overwrites an existing file. Throws Refusal, which names `called`, if it cannot be written. A time unit is a clock
  /// cycle, displayed as a nanosecond. About `block_bytes` of changes are buffered in memory.
  FstFile(const std::string& path, const std::string& called, std::size_t block_bytes = std::size_t{1} << 26);
  explicit FstFile(const std::string& path) : FstFile(path, path) {}
  ~FstFile();  ///< closes the file and ignores errors, which close() reports
  FstFile(const FstFile&) = delete;
  FstFile& operator=(const FstFile&) = delete;

  /// Declarations; must precede the first value.
  void open_scope(const std::string& name);
  void close_scope();
  /// Names of the values 0, 1, ... of an enumeration.
  Enum enumeration(const std::string& name, const std::vector<std::string>& values, unsigned bits);
  Handle vector(const std::string& name, unsigned bits);
  Handle enumerated(const std::string& name, unsigned bits, Enum type);
  Handle text(const std::string& name);
  /// Adds each value of `signal` to `seen`, which must outlive the file's last value.
  void collect(Handle signal, SeenValues& seen);

  /// Sets the time, which must not decrease.
  void time(std::uint64_t cycle);
  /// Sets a value at the time set last.
  void emit(Handle signal, std::uint64_t value, unsigned bits);
  /// Sets a value with a character per bit, the highest first: 0, 1, x, z.
  void emit(Handle signal, const std::string& bits);
  void put_text(Handle signal, const std::string& text);

  /// Throws Refusal if something could not be written (for example, because the disk is full).
  void close();

 private:
  SeenValues* seen_of(Handle signal) const { return signal < seen_.size() ? seen_[signal] : nullptr; }
  Handle declare(char kind, const std::string& name, unsigned bits);
  fst::Chain& changed(Handle signal, std::size_t bytes);
  void end_block();
  void write(std::string_view bytes);
  void write_block(char type, const std::vector<std::string_view>& parts);
  std::string header() const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string called_;
  std::unique_ptr<std::FILE, Close> file_;
  std::size_t block_bytes_;
  int error_ = 0;  // error of the first failed write

  std::string hierarchy_, geometry_;  // contents of the blocks of these names
  std::uint64_t scopes_ = 0, enums_ = 0, blocks_ = 0;
  std::uint64_t begin_ = 0, end_ = 0;  // time range of the file

  std::vector<fst::Chain> chains_;  // [signal - 1]
  std::string frame_;               // values of all signals at the beginning of the block, a character per bit
  std::string times_;               // time steps of the block
  std::uint64_t block_begin_ = 0;   // time at the beginning of the block
  std::uint32_t steps_ = 0;         // number of time steps in the block
  std::size_t pending_ = 0;         // approximate bytes of changes in chains_
  std::vector<SeenValues*> seen_;   // [signal]; null: values are not collected
};

/// A signal that caches its last value, so that only changes are written.
class FstSignal {
 public:
  FstSignal() = default;
  FstSignal(FstFile& file, FstFile::Handle handle, unsigned bits) : file_(&file), handle_(handle), bits_(bits) {}

  void set(std::uint64_t value) {
    if (state_ == State::Known && value == value_) return;
    state_ = State::Known;
    value_ = value;
    file_->emit(handle_, value, bits_);
  }
  /// Sets no value: z.
  void none() {
    if (state_ == State::None) return;
    state_ = State::None;
    file_->emit(handle_, std::string(bits_, 'z'));
  }
  /// The signal has had a value.
  bool used() const { return state_ == State::Known || value_ != 0; }

 private:
  enum class State : std::uint8_t { Fresh, None, Known };
  FstFile* file_ = nullptr;
  FstFile::Handle handle_ = 0;
  unsigned bits_ = 0;
  State state_ = State::Fresh;
  std::uint64_t value_ = 0;
};

/// A text signal that caches its last value.
class FstText {
 public:
  FstText() = default;
  FstText(FstFile& file, FstFile::Handle handle) : file_(&file), handle_(handle) {}

  void set(const std::string& text) {
    if (written_ && text == text_) return;
    written_ = true;
    file_->put_text(handle_, text_ = text);
  }

 private:
  FstFile* file_ = nullptr;
  FstFile::Handle handle_ = 0;
  std::string text_;
  bool written_ = false;
};

/// A vector of lanes that caches its last value.
class FstLanes {
 public:
  FstLanes() = default;
  /// `lanes` numbers of `width` bits, the first one lowest.
  FstLanes(FstFile& file, FstFile::Handle handle, unsigned lanes, unsigned width)
      : file_(&file), handle_(handle), width_(width), bits_(static_cast<std::size_t>(lanes) * width, 'z') {}

  /// Sets lane l to `value(l)` if bit l of `there` is set, else to z.
  template <class Value>
  void set(unsigned there, const Value& value) {
    std::string bits(bits_.size(), 'z');
    const std::size_t lanes = bits_.size() / width_;
    for (std::size_t l = 0; l < lanes; ++l) {
      if (!(there >> l & 1)) continue;
      const auto number = static_cast<std::uint32_t>(value(l));
      char* low = bits.data() + bits.size() - 1 - l * width_;
      for (unsigned b = 0; b < width_; ++b)
        low[-static_cast<std::ptrdiff_t>(b)] = static_cast<char>('0' + (number >> b & 1));
    }
    if (bits == bits_ && written_) return;
    written_ = true;
    bits_ = std::move(bits);
    file_->emit(handle_, bits_);
  }

 private:
  FstFile* file_ = nullptr;
  FstFile::Handle handle_ = 0;
  unsigned width_ = 1;
  std::string bits_;
  bool written_ = false;
};

}  // namespace weft::trace
