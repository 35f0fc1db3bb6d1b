/// In place of sentence_piece.cpp in a program that is built without libsentencepiece.
#include "host/tokenizer/sentence_piece.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {

std::shared_ptr<const SentencePiece> make_sentence_piece(std::string) {
  throw Refusal("", "is a SentencePiece model, which needs libsentencepiece, and this weft was built without it",
                "make build installs libsentencepiece and adds it to weft");
}

}  // namespace weft::tokenizer
