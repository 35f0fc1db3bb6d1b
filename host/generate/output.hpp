/// Several texts that grow at the same time, printed one after the other.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace weft {

/// The first text that has not ended is printed as it comes; what comes of later ones waits for its turn. Of several,
/// each has a line before it: "==> 2 <==".
class Output {
 public:
  Output(std::ostream& out, std::size_t texts);

  void put(std::size_t n, const std::string& more);
  void end(std::size_t n);

 private:
  struct Text {
    std::string waiting;
    bool ended = false;
  };
  void print();

  std::ostream& out_;
  std::vector<Text> texts_;
  std::size_t turn_ = 0;
};

}  // namespace weft
