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

/// An array of random numbers, as `fillRandom` makes them.
struct RandomArgument {
  uint64_t seed = 0;
  double scale = 1.0;
};

/// An array of random integers, for a test's captures.
struct IntegersArgument {
  uint64_t seed = 0;
  /// Both inclusive.
  int64_t low = 0, high = 0;
  /// Ascending in memory.
  bool isSorted = false;
};

/// Lengths, cumulative lengths or pages for an attention op, and whether some
/// may be out of their range. `RandomArgument` stands for such that are not.
struct SequenceArgument {
  uint64_t seed = 0;
  bool mayBeWrong = false;
};

/// A captured scalar.
struct NumberArgument {
  /// As the user wrote it.
  std::string text;
  double value = 0.0;
  /// Set if the text is a decimal or hexadecimal integer of 64 bits.
  std::optional<int64_t> integer;
};

/// The output or lse that a backward op takes, as attn.attention gives it in
/// fp64 for the op's other arguments, rounded to its type.
struct ForwardArgument {};

using ArgumentSpec =
    std::variant<NpyArgument, RandomArgument, NumberArgument, ForwardArgument,
                 IntegersArgument, SequenceArgument>;

/// Parses an argument: a path that ends in `.npy`, `random[:SEED[:SCALE]]`,
/// `forward` or a number. A seed is an unsigned integer of 64 bits, decimal or
/// (with 0x) hexadecimal, and a scale is finite and not negative. A number is
/// an integer, a decimal fraction with an optional exponent, `inf` or `nan`,
/// all with an optional sign.
llvm::Expected<ArgumentSpec> parseArgument(llvm::StringRef text);

/// A size that only the program's run determines; the same value as
/// `ShapedType::kDynamic`.
inline constexpr int64_t kDynamicSize = std::numeric_limits<int64_t>::min();

/// Parses sizes such as `4x12x1024x64`, and `4x12x?x64` where a dynamic size
/// is allowed. A size of 0 is one.
llvm::Expected<llvm::SmallVector<int64_t>> parseSizes(llvm::StringRef text,
                                                      bool allowDynamic);

/// The sizes of the argument at a position.
struct ShapeSpec {
  uint64_t index = 0;
  llvm::SmallVector<int64_t> sizes;
};

/// Parses a position and sizes, such as `0=4x12x1024x64`.
llvm::Expected<ShapeSpec> parseShape(llvm::StringRef text);

} // namespace mlir::attn

#endif // ATTN_DRIVER_ARGUMENTSPEC_H
