/// What the user can mend: one type for all that is refused, one line for each.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace weft {

/// `text` on one line: control characters as \x0a; what is beyond `most` bytes is left out.
std::string one_line(std::string_view text, std::size_t most = 4096);

/// "configs/mine.yaml:12: model.num_heads: 5 does not divide hidden_size 64. HINT: use 4 or 8."
///
/// Thrown in parts by whoever finds it: what it is about, what is wrong, what to do. Who knows more adds the outer
/// subject (`within`) and where it was set (`at`). The program prints the line and exits with 2.
class Refusal : public std::exception {
 public:
  /// `subject`: a file, key or peer, "a: b" for one inside the other; empty: the problem names it.
  Refusal(std::string_view subject, std::string_view problem, std::string_view hint);

  const char* what() const noexcept override { return line_.c_str(); }
  const std::string& place() const { return place_; }
  const std::string& subject() const { return subject_; }
  const std::string& problem() const { return problem_; }
  const std::string& hint() const { return hint_; }

  /// The same of what is inside `outer`: "outer: subject: ...". One that has its place is left as it is.
  Refusal within(std::string_view outer) const;
  /// The same at `place`, a file and line or "command line". One that has its place is left as it is.
  Refusal at(std::string_view place) const;

 private:
  void put_together();

  std::string place_, subject_, problem_, hint_, line_;
};

/// A file that is not whole: an older or another copy may serve.
struct DamagedFile : Refusal {
  using Refusal::Refusal;
};

}  // namespace weft
