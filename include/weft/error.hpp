/// The error that all functions of libweft throw.
#pragma once

#include <stdexcept>
#include <string>

#include "weft/export.hpp"

namespace weft {
inline namespace v0 {

/// "configs/mine.yaml:12: model.num_heads: 5 does not divide hidden_size 64. HINT: use 4 or 8."
///
/// what() is the line that `weft` prints, or several lines for several errors of one parameter file. The other members
/// are the parts of the first line. A part that the line lacks is empty.
class WEFT_API Error : public std::runtime_error {
 public:
  struct Parts {
    std::string place;    ///< a file and line, or "arguments" for a setting that was passed to a function
    std::string subject;  ///< a file, key or process, "a: b" for one inside the other
    std::string problem;
    std::string hint;
    int exit_code = 1;  ///< the exit code of `weft`: 2 for errors that the user can fix, otherwise 1
  };
  Error(const std::string& text, Parts parts);
  ~Error() override;

  const std::string& place() const { return parts_.place; }
  const std::string& subject() const { return parts_.subject; }
  const std::string& problem() const { return parts_.problem; }
  const std::string& hint() const { return parts_.hint; }
  int exit_code() const { return parts_.exit_code; }

 private:
  Parts parts_;
};

}  // namespace v0
}  // namespace weft
