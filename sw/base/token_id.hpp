/// The number of a token in its vocabulary.
#pragma once

#include <cstdint>

namespace weft {

using TokenId = std::uint32_t;

/// The largest number of tokens in a vocabulary (sw/compiler/placement/blocks.hpp).
inline constexpr int kMostTokens = 5 * 65535;

/// A missing label: its token has no loss and no gradient, and does not count in the mean.
inline constexpr TokenId kNoLabel = 0xffffffff;

/// An input: a token, with segments the kind that it belongs to, 0 to 255, and the mark of a document's first token.
constexpr TokenId with_segment(TokenId token, int segment) { return static_cast<TokenId>(segment) << 24 | token; }
inline constexpr TokenId kBeginsDocument = 1U << 23;
constexpr TokenId token_of(TokenId input) { return input & 0x7fffff; }
constexpr bool begins_document(TokenId input) { return (input & kBeginsDocument) != 0; }
constexpr int segment_of(TokenId input) { return static_cast<int>(input >> 24); }

inline constexpr int kMostSegments = 256;

/// A label of a network with two losses: that of the token and that of the class, each of which may be missing.
constexpr TokenId with_class(TokenId token, TokenId label) { return label << 24 | (token & 0xffffff); }
constexpr TokenId token_label(TokenId label) { return (label & 0xffffff) == 0xffffff ? kNoLabel : label & 0xffffff; }
constexpr TokenId class_label(TokenId label) { return label >> 24 == 0xff ? kNoLabel : label >> 24; }

inline constexpr int kMostClasses = 255;

}  // namespace weft
