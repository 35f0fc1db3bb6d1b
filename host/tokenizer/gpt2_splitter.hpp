/// Hand-written implementation of kGpt2Pattern.
#pragma once

#include "host/tokenizer/splitter.hpp"

namespace weft::tokenizer {

class Gpt2Splitter final : public Splitter {
 public:
  void split(std::string_view text, std::vector<std::uint32_t>& ends) const override;
  bool parts_at_spaces() const override { return true; }
};

}  // namespace weft::tokenizer
