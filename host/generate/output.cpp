#include "host/generate/output.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace weft::generate {

PrintedOutput::PrintedOutput(std::ostream& out, std::size_t texts) : out_(out), texts_(texts) {
  for (std::size_t n = 0; texts > 1 && n < texts; ++n) texts_[n].waiting = fmt::format("==> {} <==\n", n + 1);
}

void PrintedOutput::write(std::size_t n, const std::string& more) {
  texts_[n].waiting += more;
  if (n == current_) print();
}

void PrintedOutput::end(std::size_t n) {
  texts_[n].ended = true;
  if (n == current_) print();
}

void PrintedOutput::print() {
  for (; current_ < texts_.size(); ++current_) {
    out_ << std::exchange(texts_[current_].waiting, {}) << std::flush;
    if (!texts_[current_].ended) return;
  }
}

}  // namespace weft::generate
