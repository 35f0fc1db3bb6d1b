/// In place of normal_form.cpp in a program that is built without utf8proc.
#include "host/tokenizer/unicode/normal_form.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {

std::string normalized(std::string_view /*text*/, NormalForm form) {
  throw Refusal(
      "", "its normalizer " + std::string(name_of(form)) + " needs libutf8proc, and this weft was built without it",
      "make build installs libutf8proc and adds it to weft");
}

}  // namespace weft::tokenizer
