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
/// vector or a tile. Its 32-bit words are i32, or i64 below 2^32, which are
/// faster on machines without an instruction for the high half of a product.
class PhiloxEmitter {
public:
  PhiloxEmitter(attn::NumberBuilder &builder, Type type)
      : b(builder), type(type) {}

  /// Returns the four words of each call. Counters have the type, or are
  /// scalars of its element type; the key's two words are scalars.
  std::array<Value, 4> emit(std::array<Value, 4> counter,
                            std::array<Value, 2> key);
  /// Broadcasts a scalar to the type; returns a value of the type as it is.
  Value spread(Value value);
  Value constant(int64_t value);

private:
  /// The high and the low word of a product with a constant.
  std::pair<Value, Value> multiply(Value word, uint32_t factor);
  Value truncate(Value word);

  attn::NumberBuilder &b;
  Type type;
};

/// The low and the high 32 bits of a scalar i64 or index, as an i32, or as an
/// i64 if `isWide`.
Value getLowWord(attn::NumberBuilder &builder, Value number, bool isWide);
Value getHighWord(attn::NumberBuilder &builder, Value number, bool isWide);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_PHILOX_H
