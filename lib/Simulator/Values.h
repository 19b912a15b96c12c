//===- Values.h - Values at run time ----------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_VALUES_H
#define ATTN_LIB_SIMULATOR_VALUES_H

#include "attn/Support/ElementDType.h"

#include "mlir/IR/BuiltinTypes.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mlir::attn::sim {

inline constexpr int64_t kLanes = 32;

/// What a warp holds of a tile: register r of lane l at kLanes * r + l, in the
/// vector that the element type asks for. A scalar that differs between lanes
/// is one register.
struct Registers {
  std::vector<float> floats;
  std::vector<int64_t> ints;

  size_t size() const { return floats.empty() ? ints.size() : floats.size(); }
};
using Tile = std::shared_ptr<const Registers>;

/// An array in global memory, from its first element to its last.
struct Array {
  std::string name;
  char *first = nullptr;
  int64_t bytes = 0, elementBytes = 1;
  /// Of elements that have to be written, by the end or, of the simulator's own
  /// memory, before they are read: which were.
  std::vector<bool> written;
  /// Memory that the simulator itself has allocated.
  std::vector<char> own;
};

/// A memref, in global memory or, without an array, in a CTA's shared memory,
/// where `base` is a number of bytes.
struct View {
  std::shared_ptr<Array> array;
  int64_t base = 0, offset = 0;
  DType dtype = DType::F32;
  SmallVector<int64_t, 4> sizes, strides;

  int64_t getAddress(ArrayRef<int64_t> indices) const;
};
using ViewRef = std::shared_ptr<const View>;

struct TensorMap {
  ViewRef view;
  SmallVector<int64_t, 4> box;
  /// So many elements in front of the array it begins; see
  /// attn_nv.encode_tensor_map.
  int64_t inFront = 0;
  /// If it is for boxes without an element: the dimension along which they lie
  /// behind the array, else 0.
  int64_t emptyDim = 0;
};

struct Ring;
struct Mma;

/// A tile in shared memory, which may be that of a ring's slot. Where the
/// program gives tiles no place yet, it is known by its elements alone, row by
/// row.
struct SharedTile {
  int64_t offset = 0;
  Ring *ring = nullptr;
  int64_t slot = 0;
  uint32_t number = 0;
  std::shared_ptr<const std::vector<float>> contents;
};

/// Running max and sum of each row of a tile; a warp keeps those that it has.
struct Softmax {
  std::vector<float> max, sum;
};

/// Blocks of columns that rows of a tile need: the first column of each, and
/// whether it is partial.
struct Domain {
  std::vector<std::pair<int64_t, bool>> blocks;
};

/// What an SSA value is at run time. Integers are sign-extended, an i1 is 0 or
/// 1; addresses are integers.
using RuntimeValue =
    std::variant<std::monostate, int64_t, float, Tile, ViewRef,
                 std::shared_ptr<const TensorMap>, SharedTile, Ring *,
                 std::shared_ptr<Mma>, std::shared_ptr<const Softmax>,
                 std::shared_ptr<const Domain>>;

/// `value` as an integer of the type is: sign-extended, and 0 or 1 of an i1.
int64_t wrapInteger(Type type, int64_t value);

/// `value` rounded to a float type.
float roundFloat(Type type, float value);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_VALUES_H
