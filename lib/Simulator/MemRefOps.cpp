//===- MemRefOps.cpp - Views, memory and host queries ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "GlobalMemory.h"

#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/Buffer.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

const View *getView(Agent &agent, Operation *op, Value value) {
  const ViewRef *view = agent.get<ViewRef>(op, value);
  return view ? view->get() : nullptr;
}

void setView(Agent &agent, Value result, View view) {
  agent.set(result, ViewRef(std::make_shared<View>(std::move(view))));
}

FailureOr<SmallVector<int64_t>> getMixed(Agent &agent, Operation *op,
                                         ArrayRef<OpFoldResult> mixed) {
  SmallVector<int64_t> numbers;
  for (OpFoldResult entry : mixed) {
    if (auto attr = dyn_cast<Attribute>(entry)) {
      numbers.push_back(cast<IntegerAttr>(attr).getInt());
      continue;
    }
    FailureOr<int64_t> number = agent.getInt(op, cast<Value>(entry));
    if (failed(number))
      return failure();
    numbers.push_back(*number);
  }
  return numbers;
}

LogicalResult runDim(Agent &agent, memref::DimOp op) {
  const View *view = getView(agent, op, op.getSource());
  FailureOr<int64_t> index = agent.getInt(op, op.getIndex());
  if (!view || failed(index))
    return failure();
  if (*index < 0 || *index >= static_cast<int64_t>(view->sizes.size()))
    return agent.fail(op, "expected a dimension of the array, found number " +
                              Twine(*index));
  agent.set(op.getResult(), view->sizes[*index]);
  return success();
}

LogicalResult runMetadata(Agent &agent, memref::ExtractStridedMetadataOp op) {
  const View *view = getView(agent, op, op.getSource());
  if (!view)
    return failure();
  View buffer = *view;
  buffer.offset = 0;
  buffer.sizes.clear();
  buffer.strides.clear();
  agent.set(op.getOffset(), view->offset);
  for (auto [result, size] : llvm::zip(op.getSizes(), view->sizes))
    agent.set(result, size);
  for (auto [result, stride] : llvm::zip(op.getStrides(), view->strides))
    agent.set(result, stride);
  setView(agent, op.getBaseBuffer(), std::move(buffer));
  return success();
}

LogicalResult runAddress(Agent &agent,
                         memref::ExtractAlignedPointerAsIndexOp op) {
  const View *view = getView(agent, op, op.getSource());
  if (!view)
    return failure();
  agent.set(op.getResult(), view->base);
  return success();
}

/// Registers how the simulator runs an op whose result is a view of the memory
/// of its first operand: `change` turns the operand's view into the result's.
template <typename Op>
void addView(Handlers &handlers, LogicalResult (*change)(Agent &, Op, View &)) {
  handlers.add<Op>([change](Agent &agent, Op op) -> LogicalResult {
    const View *source = getView(agent, op, op->getOperand(0));
    if (!source)
      return failure();
    View view = *source;
    if (failed(change(agent, op, view)))
      return failure();
    setView(agent, op->getResult(0), std::move(view));
    return success();
  });
}

/// Runs memref.expand_shape: the result views the same memory with dimensions
/// split as the op's reassociation indices say. If the operand has rank 0, all
/// dimensions of the result have size and stride 1.
LogicalResult expandShape(Agent &agent, memref::ExpandShapeOp op, View &view) {
  auto sizes = getMixed(agent, op, op.getMixedOutputShape());
  if (failed(sizes))
    return failure();
  View before = view;
  view.sizes.assign(sizes->begin(), sizes->end());
  view.strides.assign(sizes->size(), 1);
  for (auto [group, stride] :
       llvm::zip(op.getReassociationIndices(), before.strides)) {
    int64_t next = stride;
    for (int64_t dim : llvm::reverse(group)) {
      view.strides[dim] = next;
      next *= view.sizes[dim];
    }
  }
  return success();
}

LogicalResult takePart(Agent &agent, memref::SubViewOp op, View &view) {
  auto offsets = getMixed(agent, op, op.getMixedOffsets());
  auto sizes = getMixed(agent, op, op.getMixedSizes());
  auto steps = getMixed(agent, op, op.getMixedStrides());
  if (failed(offsets) || failed(sizes) || failed(steps))
    return failure();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  View before = view;
  view.sizes.clear();
  view.strides.clear();
  for (auto [i, stride] : llvm::enumerate(before.strides)) {
    view.offset += (*offsets)[i] * stride;
    if (dropped[i])
      continue;
    view.sizes.push_back((*sizes)[i]);
    view.strides.push_back((*steps)[i] * stride);
  }
  return success();
}

/// Runs memref.reinterpret_cast: the result views the operand's memory with the
/// offset, sizes and strides of the op.
LogicalResult reinterpret(Agent &agent, memref::ReinterpretCastOp op,
                          View &view) {
  auto offsets = getMixed(agent, op, op.getMixedOffsets());
  auto sizes = getMixed(agent, op, op.getMixedSizes());
  auto strides = getMixed(agent, op, op.getMixedStrides());
  if (failed(offsets) || failed(sizes) || failed(strides))
    return failure();
  view.offset = offsets->front();
  view.sizes.assign(sizes->begin(), sizes->end());
  view.strides.assign(strides->begin(), strides->end());
  return success();
}

/// Runs memref.collapse_shape: each group of dimensions, which must be
/// contiguous in memory, becomes one dimension.
LogicalResult collapseShape(Agent &, memref::CollapseShapeOp op, View &view) {
  View before = view;
  view.sizes.clear();
  view.strides.clear();
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1;
    for (int64_t dim : group)
      size *= before.sizes[dim];
    view.sizes.push_back(size);
    view.strides.push_back(before.strides[group.back()]);
  }
  return success();
}

/// Sets the sizes of `view` to those of `type`, in which the numbers in
/// `dynamic` replace dynamic sizes, and its strides to those of a contiguous
/// array. Returns the view's number of elements.
int64_t setContiguous(View &view, MemRefType type, ArrayRef<int64_t> dynamic) {
  const int64_t *next = dynamic.begin();
  view.sizes.clear();
  for (int64_t size : type.getShape())
    view.sizes.push_back(ShapedType::isDynamic(size) ? *next++ : size);
  view.strides.assign(getContiguousStrides(view.sizes));
  return ShapedType::getNumElements(view.sizes);
}

/// Runs memref.view: the result views an array of bytes, from the op's shift
/// on, as a contiguous array of another type.
LogicalResult viewBytes(Agent &agent, memref::ViewOp op, View &view) {
  FailureOr<int64_t> shift = agent.getInt(op, op.getByteShift());
  SmallVector<int64_t> dynamic;
  std::optional<DType> dtype = attn::getDType(op.getType().getElementType());
  if (failed(shift) || failed(agent.getInts(op, op.getSizes(), dynamic)))
    return failure();
  if (!dtype)
    return agent.refuse(op, "expected elements that arrays have");
  view.base = view.getAddress({0}) + *shift;
  view.offset = 0;
  view.dtype = *dtype;
  setContiguous(view, op.getType(), dynamic);
  return success();
}

LogicalResult runSharedMemory(Agent &agent, gpu::DynamicSharedMemoryOp op) {
  if (!agent.cta)
    return agent.fail(op, "expected a launch around it");
  View view;
  view.dtype = DType::I8;
  view.sizes = {agent.cta->memory.getSize()};
  view.strides = {1};
  setView(agent, op.getResult(), std::move(view));
  return success();
}

/// Returns the byte offset in shared memory of the element of a view at
/// `indices`. Fails with an error if the element is outside of the view.
FailureOr<int64_t> getSharedPlace(Agent &agent, Operation *op, const View &view,
                                  ArrayRef<int64_t> indices) {
  if (!agent.cta || !isInside(view, indices))
    return agent.fail(op, "expected a place in shared memory");
  return view.getAddress(indices);
}

FailureOr<double> loadShared(Agent &agent, Operation *op, const View &view,
                             ArrayRef<int64_t> indices) {
  FailureOr<int64_t> place = getSharedPlace(agent, op, view, indices);
  if (failed(place) ||
      failed(agent.noteRead(op, *place, getByteSize(view.dtype))))
    return failure();
  return loadElement(agent.cta->memory.at(*place), view.dtype, 0);
}

/// Runs memref.store: stores an element to an array in global memory or to
/// shared memory.
LogicalResult runMemRefStore(Agent &agent, memref::StoreOp op) {
  const View *view = getView(agent, op, op.getMemRef());
  SmallVector<int64_t> indices;
  if (!view || failed(agent.getInts(op, op.getIndices(), indices)))
    return failure();
  double element = 0;
  if (isa<FloatType>(op.getValueToStore().getType())) {
    const float *number = agent.get<float>(op, op.getValueToStore());
    if (!number)
      return failure();
    element = *number;
  } else {
    FailureOr<int64_t> number = agent.getInt(op, op.getValueToStore());
    if (failed(number))
      return failure();
    element = static_cast<double>(*number);
  }
  if (view->array)
    return storeGlobal(agent, op, *view, indices, element);
  FailureOr<int64_t> place = getSharedPlace(agent, op, *view, indices);
  if (failed(place) ||
      failed(agent.noteWrite(op, *place, getByteSize(view->dtype))))
    return failure();
  storeElement(agent.cta->memory.at(*place), view->dtype, 0, element);
  return success();
}

LogicalResult runMemRefLoad(Agent &agent, memref::LoadOp op) {
  const View *view = getView(agent, op, op.getMemRef());
  SmallVector<int64_t> indices;
  if (!view || failed(agent.getInts(op, op.getIndices(), indices)))
    return failure();
  FailureOr<double> element = view->array
                                  ? loadGlobal(agent, op, *view, indices)
                                  : loadShared(agent, op, *view, indices);
  if (failed(element))
    return failure();
  if (isa<FloatType>(op.getType()))
    agent.set(op.getResult(), static_cast<float>(*element));
  else
    agent.set(op.getResult(), static_cast<int64_t>(*element));
  return success();
}

LogicalResult takeBytes(Agent &, attn_tile::BytesOp, View &view) {
  view.dtype = DType::I8;
  view.offset /= 2;
  view.sizes.back() /= 2;
  for (int64_t &stride : llvm::drop_end(view.strides))
    stride /= 2;
  return success();
}

/// Runs an op whose result is new memory, with the given sizes of its dynamic
/// dimensions.
LogicalResult allocate(Agent &agent, Operation *op, ValueRange sizes) {
  SmallVector<int64_t> dynamic;
  auto type = cast<MemRefType>(op->getResult(0).getType());
  std::optional<DType> dtype = attn::getDType(type.getElementType());
  if (failed(agent.getInts(op, sizes, dynamic)))
    return failure();
  if (!dtype || !type.getLayout().isIdentity())
    return agent.refuse(op, "expected memory without gaps, of elements that "
                            "arrays have");
  View view;
  view.dtype = *dtype;
  int64_t count = setContiguous(view, type, dynamic);
  auto array = std::make_shared<Array>();
  array->name = "memory of the function";
  array->elementBytes = getByteSize(*dtype);
  array->bytes = count * array->elementBytes;
  array->written.resize(count);
  // The allocated array begins at a multiple of 16 bytes. Its bytes are
  // initially 0xff, which are NaN in each float type.
  constexpr int64_t kAlignment = 16;
  array->own.assign(array->bytes + kAlignment, static_cast<char>(0xff));
  auto begin = reinterpret_cast<uintptr_t>(array->own.data());
  array->first = array->own.data() + (-begin & (kAlignment - 1));
  view.base = reinterpret_cast<int64_t>(array->first);
  view.array = array;
  agent.simulation.arrays.push_back(array);
  setView(agent, op->getResult(0), std::move(view));
  return success();
}

LogicalResult transposeView(Agent &, memref::TransposeOp op, View &view) {
  AffineMap permutation = op.getPermutation();
  view.sizes.assign(applyPermutationMap<int64_t>(permutation, view.sizes));
  view.strides.assign(applyPermutationMap<int64_t>(permutation, view.strides));
  return success();
}

/// Creates a tensor map of an array. Fails with an error where the CUDA driver
/// would refuse the array: its address is not a multiple of 16 bytes, or a
/// dimension with several elements has the wrong stride. That is a stride other
/// than 1 in the last dimension, and one that is not a multiple of 16 bytes in
/// others.
LogicalResult runEncodeMap(Agent &agent, attn_nv::EncodeTensorMapOp op) {
  const ViewRef *view = agent.get<ViewRef>(op, op.getArray());
  if (!view)
    return failure();
  const View &array = **view;
  SmallVector<int64_t> zeros(array.sizes.size());
  int64_t bytes = getByteSize(array.dtype);
  if (array.getAddress(zeros) % 16)
    return agent.fail(op, "expected an array at a multiple of 16 bytes");
  for (size_t i = 0; i < array.sizes.size(); ++i) {
    if (array.sizes[i] <= 1)
      continue;
    bool isLast = i + 1 == array.sizes.size();
    if (isLast ? array.strides[i] != 1 : array.strides[i] * bytes % 16 != 0)
      return agent.fail(op, "expected strides of a multiple of 16 bytes, and "
                            "1 element in the last dimension, found " +
                                Twine(array.strides[i]) + " elements");
  }
  auto map = std::make_shared<TensorMap>();
  View described = array;
  // A tensor map has at least one element in each dimension, since the CUDA
  // driver refuses sizes of 0.
  for (int64_t &size : described.sizes)
    size = std::max<int64_t>(size, 1);
  if (std::optional<uint64_t> dim = op.getSliced()) {
    int64_t size = op.getEmpty() ? 0 : array.sizes[*dim];
    map->emptyDim = op.getEmpty() ? *dim + 1 : 0;
    int64_t stride = array.strides[*dim];
    map->inFront = size * stride;
    described.offset -= map->inFront;
    described.sizes.insert(described.sizes.begin(), size + 1);
    described.strides.insert(described.strides.begin(), stride);
  }
  map->view = std::make_shared<View>(std::move(described));
  map->box.assign(op.getBox().begin(), op.getBox().end());
  agent.set(op.getMap(), std::shared_ptr<const TensorMap>(std::move(map)));
  return success();
}

LogicalResult runCounters(Agent &agent, attn_nv::WorkCountersOp op) {
  auto words = std::make_unique<std::array<int32_t, 2>>();
  words->fill(0);
  agent.set(op.getCounters(), reinterpret_cast<int64_t>(words->data()));
  agent.simulation.counters.push_back({op, std::move(words)});
  return success();
}

} // namespace

void sim::addMemRefOps(Handlers &handlers) {
  handlers.add<memref::DimOp>(runDim);
  handlers.add<memref::ExtractStridedMetadataOp>(runMetadata);
  handlers.add<memref::ExtractAlignedPointerAsIndexOp>(runAddress);
  addView<memref::ExpandShapeOp>(handlers, expandShape);
  addView<memref::SubViewOp>(handlers, takePart);
  addView<memref::ReinterpretCastOp>(handlers, reinterpret);
  addView<memref::TransposeOp>(handlers, transposeView);
  addView<memref::ViewOp>(handlers, viewBytes);
  addView<memref::CollapseShapeOp>(handlers, collapseShape);
  handlers.add<memref::LoadOp>(runMemRefLoad);
  handlers.add<memref::StoreOp>(runMemRefStore);
  addView<attn_tile::BytesOp>(handlers, takeBytes);
  handlers.add<memref::AllocOp>([](Agent &agent, memref::AllocOp op) {
    return allocate(agent, op, op.getDynamicSizes());
  });
  handlers.add<attn_tile::WorkspaceOp>(
      [](Agent &agent, attn_tile::WorkspaceOp op) {
        return allocate(agent, op, op.getSizes());
      });
  handlers.add<memref::DeallocOp>(
      [](Agent &, memref::DeallocOp) { return success(); });
  handlers.add<memref::CastOp>([](Agent &agent, memref::CastOp op) {
    agent.set(op.getResult(), agent.get(op.getSource()));
    return success();
  });
  handlers.add<gpu::DynamicSharedMemoryOp>(runSharedMemory);
  handlers.add<attn_nv::EncodeTensorMapOp>(runEncodeMap);
  handlers.add<attn_nv::WorkCountersOp>(runCounters);
  handlers.add<attn_nv::SmCountOp>([](Agent &agent, attn_nv::SmCountOp op) {
    agent.set(op.getCount(), agent.simulation.options.numSms);
    return success();
  });
}
