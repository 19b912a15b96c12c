//===- Philox.h - Random numbers of counters --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_TRANSFORMS_PHILOX_H
#define ATTN_DIALECT_ATTNTILE_TRANSFORMS_PHILOX_H

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "attn/Support/NumberBuilder.h"

namespace mlir::attn_tile {

/// Emits calls of Philox 4x32-10, one for each element of a type: a scalar, a
/// vector or a tile. Words are i32, or i64 that are less than 2^32, which
/// machines without the high half of a product prefer.
class PhiloxEmitter {
public:
  PhiloxEmitter(attn::NumberBuilder &builder, Type type)
      : b(builder), type(type) {}

  /// The four words of each call. Counters have the type, or are scalars of its
  /// elements'; the two words of the key are scalars.
  std::array<Value, 4> emit(std::array<Value, 4> counter,
                            std::array<Value, 2> key);
  /// A scalar for each element; others as they are.
  Value spread(Value value);
  Value constant(int64_t value);

private:
  /// The high and low word of products with a constant.
  std::pair<Value, Value> multiply(Value word, uint32_t factor);
  Value truncate(Value word);

  attn::NumberBuilder &b;
  Type type;
};

/// The words of a counter's and key's numbers, the least significant first: an
/// i64 or index as scalars of i32, or of i64 if `isWide`.
Value getLowWord(attn::NumberBuilder &builder, Value number, bool isWide);
Value getHighWord(attn::NumberBuilder &builder, Value number, bool isWide);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_PHILOX_H
