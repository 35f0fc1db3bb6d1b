#include "host/checkpoint/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <functional>
#include <streambuf>
#include <string_view>
#include <system_error>

namespace weft::checkpoint {
namespace {

bool takes_text_as_it_comes(const std::string& path) {
  struct stat there {};
  return ::stat(path.c_str(), &there) == 0 && (S_ISFIFO(there.st_mode) || S_ISCHR(there.st_mode));
}

}  // namespace

/// Buffers small pieces of text.
class OutputFile::Buffer final : public std::streambuf {
 public:
  explicit Buffer(std::function<void(std::string_view)> write) : write_(std::move(write)) { reset(); }

 protected:
  int overflow(int c) override {
    sync();
    if (c != traits_type::eof()) sputc(static_cast<char>(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    const std::string_view text(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    reset();
    write_(text);
    return 0;
  }

 private:
  void reset() { setp(text_.data(), text_.data() + text_.size()); }

  const std::function<void(std::string_view)> write_;
  std::array<char, 64 << 10> text_{};
};

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (takes_text_as_it_comes(path)) {
    device_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device_.get() < 0)
      throw file_error(path, "", "cannot be written: " + std::generic_category().message(errno),
                       "name a place where you may write")
          .caused_by(errno);
  } else {
    file_.emplace(path);
  }
  buffer_ = std::make_unique<Buffer>([this](std::string_view text) {
    if (file_) return file_->write(text);
    write_all(device_.get(), {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, path_);
  });
  stream_ = std::make_unique<std::ostream>(buffer_.get());
  stream_->exceptions(std::ios::badbit);  // rethrows exceptions of the buffer
}

OutputFile::~OutputFile() = default;

void OutputFile::commit() {
  stream_->flush();
  if (file_) file_->commit();
}

}  // namespace weft::checkpoint
