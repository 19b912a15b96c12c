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

/// The elements of a tile that one warp holds. Register r of lane l is at index
/// kLanes * r + l of `floats` or `ints`, depending on the element type. A
/// scalar that differs between lanes has one register.
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
  /// For each element, whether it was written; empty if that is not checked.
  /// For outputs it is checked at the end of the run, for memory that the
  /// simulator has allocated at each read.
  std::vector<bool> written;
  /// The memory of the array, if the simulator has allocated it.
  std::vector<char> own;
};

/// A memref: a view of global memory or, if `array` is null, of a CTA's shared
/// memory, in which case `base` is an offset in bytes.
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
  /// The number of elements by which the tensor map begins before its array;
  /// see attn_nv.encode_tensor_map.
  int64_t inFront = 0;
  /// For a tensor map of boxes without elements: the dimension in which the
  /// boxes lie past the end of the array; else 0.
  int64_t emptyDim = 0;
};

struct Ring;
struct Mma;

/// A tile in shared memory, perhaps in a ring's slot. If passes have not chosen
/// an offset for it yet, the simulator has its elements, in row-major order.
struct SharedTile {
  int64_t offset = 0;
  Ring *ring = nullptr;
  int64_t slot = 0;
  uint32_t number = 0;
  std::shared_ptr<const std::vector<float>> contents;
};

/// The running maximum and sum of each row of a tile; each warp updates those
/// of its rows.
struct Softmax {
  std::vector<float> max, sum;
};

/// The blocks of columns that the rows of a tile need: for each block its first
/// column, and whether it is partial.
struct Domain {
  std::vector<std::pair<int64_t, bool>> blocks;
};

/// The content of an SSA value at run time. Integers are sign-extended. An i1
/// is 0 or 1; in tiles, a true one may also be -1. Addresses are integers.
using RuntimeValue =
    std::variant<std::monostate, int64_t, float, Tile, ViewRef,
                 std::shared_ptr<const TensorMap>, SharedTile, Ring *,
                 std::shared_ptr<Mma>, std::shared_ptr<const Softmax>,
                 std::shared_ptr<const Domain>>;

/// Wraps `value` to the integer type: sign-extended, or 0 or 1 for an i1.
int64_t wrapInteger(Type type, int64_t value);

/// Rounds `value` to a float type.
float roundFloat(Type type, float value);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_VALUES_H
