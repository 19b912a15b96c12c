//===- ArgumentSpec.h - Arguments of attnc run ---------------- -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_ARGUMENTSPEC_H
#define ATTN_DRIVER_ARGUMENTSPEC_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>

namespace mlir::attn {

/// An array in a .npy file.
struct NpyArgument {
  std::string path;
};

/// An argument that is an array of random numbers, which `fillRandom` makes.
struct RandomArgument {
  uint64_t seed = 0;
  double scale = 1.0;
  double mean = 0.0;
};

/// An argument that is an array of random integers, for regions that capture
/// integers.
struct IntegersArgument {
  uint64_t seed = 0;
  /// The bounds, both inclusive.
  int64_t low = 0, high = 0;
  /// Whether the integers ascend in the array's order.
  bool isSorted = false;
};

/// An argument of random lengths, cumulative lengths or page numbers for an
/// attention op. With `mayBeWrong`, some are out of range; a `RandomArgument`
/// for such an array makes only valid ones.
struct SequenceArgument {
  uint64_t seed = 0;
  bool mayBeWrong = false;
};

/// A captured scalar.
struct NumberArgument {
  /// The text as the user wrote it.
  std::string text;
  double value = 0.0;
  /// The integer, if the text is a decimal or hexadecimal 64-bit one.
  std::optional<int64_t> integer;
};

/// An argument that is the output or lse which a backward op takes: the result
/// of attn.attention for the op's other arguments, computed in fp64 and rounded
/// to the array's type.
struct ForwardArgument {};

using ArgumentSpec =
    std::variant<NpyArgument, RandomArgument, NumberArgument, ForwardArgument,
                 IntegersArgument, SequenceArgument>;

/// Parses an argument: a path that ends in `.npy`,
/// `random[:SEED[:SCALE[:MEAN]]]`, `forward` or a number. A seed is an unsigned
/// integer of 64 bits, decimal or (with 0x) hexadecimal, and a scale is finite
/// and not negative. A number is an integer, a decimal fraction with an
/// optional exponent, `inf` or `nan`, all with an optional sign.
llvm::Expected<ArgumentSpec> parseArgument(llvm::StringRef text);

/// A size that is known only when the program runs; the same value as
/// `ShapedType::kDynamic`.
inline constexpr int64_t kDynamicSize = std::numeric_limits<int64_t>::min();

/// Parses sizes such as `4x12x1024x64`, or `4x12x?x64` if dynamic sizes are
/// allowed. A size may be 0.
llvm::Expected<llvm::SmallVector<int64_t>> parseSizes(llvm::StringRef text,
                                                      bool allowDynamic);

/// The sizes of the argument at position `index`.
struct ShapeSpec {
  uint64_t index = 0;
  llvm::SmallVector<int64_t> sizes;
};

/// Parses a position and sizes, such as `0=4x12x1024x64`.
llvm::Expected<ShapeSpec> parseShape(llvm::StringRef text);

} // namespace mlir::attn

#endif // ATTN_DRIVER_ARGUMENTSPEC_H
