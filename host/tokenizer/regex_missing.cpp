/// In place of regex_splitter.cpp in a program that is built without PCRE2.
#include "host/tokenizer/splitter.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {

std::unique_ptr<Splitter> make_regex_splitter(const Split& split) {
  throw Refusal("", "its pattern " + split.pattern + " needs libpcre2, and this weft was built without it",
                "make build installs libpcre2 and adds it to weft");
}

}  // namespace weft::tokenizer
