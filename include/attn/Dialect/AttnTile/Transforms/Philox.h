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

/// Emits calls of the random number generator Philox 4x32-10, one for each
/// element of a type, which is a scalar, a vector or a tile. Its elements are
/// i32, or i64 with values below 2^32. i64 is faster on machines without an
/// instruction for the high half of a product.
class PhiloxEmitter {
public:
  PhiloxEmitter(attn::NumberBuilder &builder, Type type)
      : b(builder), type(type) {}

  /// Emits the calls and returns the four words of their results, each with the
  /// type of the emitter. A word of `counter` has that type, or is a scalar of
  /// its element type. The two words of `key` are scalars.
  std::array<Value, 4> emit(std::array<Value, 4> counter,
                            std::array<Value, 2> key);
  /// Broadcasts a scalar to the type of the emitter. A value that already has
  /// the type is returned as it is.
  Value spread(Value value);
  Value constant(int64_t value);

private:
  /// Returns the high and the low 32 bits of the unsigned product of a word and
  /// a constant.
  std::pair<Value, Value> multiply(Value word, uint32_t factor);
  Value truncate(Value word);

  attn::NumberBuilder &b;
  Type type;
};

/// getLowWord() and getHighWord() return the low and the high 32 bits of a
/// scalar i64 or index. The result is an i32 or, with `isWide`, an i64 whose
/// upper 32 bits are 0.
Value getLowWord(attn::NumberBuilder &builder, Value number, bool isWide);
Value getHighWord(attn::NumberBuilder &builder, Value number, bool isWide);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_PHILOX_H
