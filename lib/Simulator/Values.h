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
/// 32 r + l of `floats` or `ints`, depending on the element type; the other
/// vector is empty. A scalar that differs between lanes is a tile with one
/// register.
struct Registers {
  std::vector<float> floats;
  std::vector<int64_t> ints;

  size_t size() const { return floats.empty() ? ints.size() : floats.size(); }
  double get(int64_t i) const {
    return floats.empty() ? double(ints[i]) : double(floats[i]);
  }
};
using Tile = std::shared_ptr<const Registers>;

/// An array in global memory: the bytes from its first element to its last.
struct Array {
  std::string name;
  char *first = nullptr;
  int64_t bytes = 0, elementBytes = 1;
  /// For each element of the array, whether it was written; empty if the
  /// simulator does not check that. Elements of outputs are checked at the end
  /// of the run. Elements of memory that the simulator has allocated are
  /// checked at each read.
  std::vector<bool> written;
  /// The memory of the array if the simulator has allocated it; else empty.
  std::vector<char> own;
};

/// A memref at run time: a view of the array `array` in global memory or, if
/// `array` is null, of a CTA's shared memory. `base` is an address or, in
/// shared memory, an offset in bytes.
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
  /// The number of elements by which a tensor map of a slice begins before its
  /// array; see attn_nv.encode_tensor_map.
  int64_t inFront = 0;
  /// For a tensor map with which only boxes without elements may be copied: the
  /// dimension in which these boxes lie past the end of the array. 0 for other
  /// maps.
  int64_t emptyDim = 0;
};

struct Ring;
struct Mma;

/// A tile in shared memory: its byte offset and, if it lies in a ring's slot,
/// the ring, the slot and the tile's number. If no pass has chosen an offset
/// for it yet, `contents` has its elements in row-major order.
struct SharedTile {
  int64_t offset = 0;
  Ring *ring = nullptr;
  int64_t slot = 0;
  uint32_t number = 0;
  std::shared_ptr<const std::vector<float>> contents;
};

/// The state of an online softmax: the running maximum and sum of each row of a
/// tile. Each warp updates those of the rows that it holds.
struct Softmax {
  std::vector<float> max, sum;
};

/// The blocks of columns (keys) that a program visits: for each block its first
/// column, and whether it is partial, that is, some of its pairs are masked.
struct Domain {
  std::vector<std::pair<int64_t, bool>> blocks;
};

/// The content of an SSA value at run time. Integers are sign-extended, except
/// that an i1 is 0 or 1; in tiles, an i1 that is true may also be -1. Addresses
/// are integers.
using RuntimeValue =
    std::variant<std::monostate, int64_t, float, Tile, ViewRef,
                 std::shared_ptr<const TensorMap>, SharedTile, Ring *,
                 std::shared_ptr<Mma>, std::shared_ptr<const Softmax>,
                 std::shared_ptr<const Domain>>;

/// Wraps `value` to the width of the integer type. The result is sign-extended,
/// except that an i1 becomes 0 or 1.
int64_t wrapInteger(Type type, int64_t value);

/// Rounds `value` to the float type `type`, and returns it as a float again.
float roundFloat(Type type, float value);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_VALUES_H
