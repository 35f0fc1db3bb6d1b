#include "verif/trace/fst_file.hpp"

#include <gtkwave/fstapi.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "sw/base/refusal.hpp"

namespace weft {
namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw Refusal(path, "cannot be written", "make room, or name a place on another disk").caused_by(error);
}

/// The library does not look whether its writes succeed. A file is blocks, {type: 1 byte, length: 8, high byte first}
/// and what is in them, the length counted from itself on; the last one is the signals' names, of type 4, 6 or 7.
bool is_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  std::streamoff at = 0;
  char type = 0;
  while (at < size) {
    unsigned char head[9] = {};
    file.seekg(at);
    if (!file.read(reinterpret_cast<char*>(head), sizeof head)) return false;
    type = static_cast<char>(head[0]);
    std::uint64_t length = 0;
    for (int byte = 1; byte < 9; ++byte) length = length << 8 | head[byte];
    if (length < 8 || length > static_cast<std::uint64_t>(size - at - 1)) return false;
    at += 1 + static_cast<std::streamoff>(length);
  }
  return at == size && (type == 4 || type == 6 || type == 7);
}

/// Ends the program with a message on SIGBUS while a file is open. The library maps its temporary files into memory
/// without a look at whether they could grow; a write to a page that a file does not have is a SIGBUS.
class BusError {
 public:
  static void watch(const std::string& path) {
    const std::string line = path +
                             ": cannot be written: its temporary files in /tmp have no room, or a limit on their size. "
                             "HINT: make room in /tmp, or raise the limit (ulimit -f)\n";
    length_ = line.copy(line_.data(), line_.size());
    if (files_++ == 0) std::signal(SIGBUS, end);
  }
  static void leave() {
    if (--files_ == 0) std::signal(SIGBUS, SIG_DFL);
  }

 private:
  static void end(int) {
    [[maybe_unused]] const ssize_t said = ::write(STDERR_FILENO, line_.data(), length_);
    std::_Exit(1);
  }
  static inline std::array<char, 8192> line_{};
  static inline std::size_t length_ = 0;
  static inline int files_ = 0;  // open ones
};

}  // namespace

FstFile::FstFile(const std::string& path, const std::string& called) : path_(path), called_(called) {
  if (!std::ofstream(path)) cannot_write(called, errno);  // the library says less
  writer_ = fstWriterCreate(path.c_str(), 1);
  if (writer_ == nullptr) cannot_write(called, errno);
  BusError::watch(called);
  fstWriterSetPackType(writer_, FST_WR_PT_ZLIB);
  fstWriterSetTimescaleFromString(writer_, "1ns");
  fstWriterSetVersion(writer_, "Weft");
}

FstFile::~FstFile() {
  if (writer_ == nullptr) return;
  fstWriterClose(writer_);
  BusError::leave();
}

void FstFile::open_scope(const std::string& name) {
  fstWriterSetScope(writer_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
}
void FstFile::close_scope() { fstWriterSetUpscope(writer_); }

FstFile::Enum FstFile::enumeration(const std::string& name, const std::vector<std::string>& values, unsigned bits) {
  std::vector<std::string> numbers;
  for (std::size_t v = 0; v < values.size(); ++v) {
    std::string text(bits, '0');
    for (unsigned b = 0; b < bits; ++b) text[bits - 1 - b] = static_cast<char>('0' + (v >> b & 1));
    numbers.push_back(std::move(text));
  }
  std::vector<const char*> names, codes;
  for (const std::string& v : values) names.push_back(v.c_str());
  for (const std::string& v : numbers) codes.push_back(v.c_str());
  return fstWriterCreateEnumTable(writer_, name.c_str(), static_cast<std::uint32_t>(values.size()), bits, names.data(),
                                  codes.data());
}

FstFile::Handle FstFile::vector(const std::string& name, unsigned bits) {
  const std::string full = bits > 1 ? name + " [" + std::to_string(bits - 1) + ":0]" : name;
  return fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, full.c_str(), 0);
}

FstFile::Handle FstFile::enumerated(const std::string& name, unsigned bits, Enum type) {
  fstWriterEmitEnumTableRef(writer_, type);
  return vector(name, bits);
}

FstFile::Handle FstFile::text(const std::string& name) {
  return fstWriterCreateVar(writer_, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name.c_str(), 0);
}

void FstFile::collect(Handle signal, SeenValues& seen) {
  if (signal >= seen_.size()) seen_.resize(signal + 1);
  seen_[signal] = &seen;
}

void FstFile::time(std::uint64_t cycle) { fstWriterEmitTimeChange(writer_, cycle); }

void FstFile::put(Handle signal, std::uint64_t value, unsigned bits) {
  if (SeenValues* seen = seen_of(signal)) seen->add(value, bits);
  fstWriterEmitValueChange64(writer_, signal, bits, value);
}

void FstFile::put(Handle signal, const std::string& bits) {
  if (SeenValues* seen = seen_of(signal)) seen->add(bits);
  fstWriterEmitValueChange(writer_, signal, bits.data());
}

void FstFile::put_text(Handle signal, const std::string& text) {
  fstWriterEmitVariableLengthValueChange(writer_, signal, text.data(), static_cast<std::uint32_t>(text.size()));
}

void FstFile::close() {
  if (writer_ == nullptr) return;
  const bool failed = fstWriterGetFseekFailed(writer_) != 0;
  fstWriterClose(writer_);
  writer_ = nullptr;
  BusError::leave();
  if (failed || !is_whole(path_)) cannot_write(called_, EIO);
}

}  // namespace weft
