//===- ExecutionSequences.cpp - Lengths and pages of one run --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sequences.h"

#include "attn/Driver/Execution.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;
using Role = EntryParameter::Role;

SmallVector<const ArgumentSpec *>
mlir::attn::getSpecs(const EntryPoint &entry, const ExecutionOptions &options) {
  SmallVector<const ArgumentSpec *> specs;
  const ArgumentSpec *next = options.arguments.begin();
  for (const EntryParameter &parameter : entry.parameters) {
    bool isGiven =
        parameter.role == Role::Input || parameter.role == Role::Scalar;
    specs.push_back(isGiven ? next++ : nullptr);
  }
  return specs;
}

static std::optional<Sequences> findSequences(const Execution &execution,
                                              const AttentionBinding &binding) {
  return Sequences::find(binding, [&](unsigned i) -> const ArrayView & {
    return execution.getArray(i);
  });
}

/// Fills those arrays of lengths, cumulative lengths and pages for which the
/// user gave random arguments.
void Execution::drawSequences(const EntryPoint &entry,
                              const ExecutionOptions &options) {
  SmallVector<const ArgumentSpec *> specs = getSpecs(entry, options);
  for (const AttentionBinding &binding : entry.attentions) {
    auto sequences = findSequences(*this, binding);
    if (!sequences)
      continue;
    for (auto [which, position] : llvm::enumerate(binding.sequences)) {
      if (position < 0 || !specs[position])
        continue;
      auto array = static_cast<SequenceArray>(which);
      if (const auto *random = std::get_if<RandomArgument>(specs[position]))
        sequences->draw(array, {random->seed});
      if (const auto *given = std::get_if<SequenceArgument>(specs[position]))
        sequences->draw(array, *given);
    }
  }
}

llvm::Error Execution::checkSequences(const EntryPoint &entry) const {
  for (const AttentionBinding &binding : entry.attentions)
    if (auto sequences = findSequences(*this, binding))
      if (llvm::Error error = sequences->check())
        return error;
  return llvm::Error::success();
}

/// Whether `reader` is the only op that reads elements of the parameter number
/// `position`, and reads them through one operand only.
static bool isReadOnce(const EntryPoint &entry, int position,
                       Operation *reader) {
  unsigned numUses = 0;
  for (Operation *user :
       func::FuncOp(entry.func).getArgument(position).getUsers()) {
    if (isa<memref::DimOp, tensor::DimOp>(user))
      continue;
    if (user != reader)
      return false;
    ++numUses;
  }
  return numUses == 1;
}

/// Sets the elements of those rows of an array to NaN that are not marked in
/// `used`. The array has sizes B x H x rows, and may have a fourth dimension;
/// `used` has an entry for each batch entry and row. Does nothing if the array
/// has other sizes, which the program reports when it is launched.
static void poisonRows(const ArrayView &array, const std::vector<bool> &used) {
  ArrayRef<int64_t> sizes = array.sizes;
  if (sizes[0] * sizes[2] != static_cast<int64_t>(used.size()))
    return;
  IndexWalk walk(array.sizes, array.strides);
  int64_t width = sizes.size() == 4 ? sizes[3] : 1;
  for (int64_t b = 0; b < sizes[0]; ++b)
    for (int64_t n = 0; n < sizes[1] * sizes[2]; ++n)
      for (int64_t d = 0; d < width; ++d, walk.advance())
        if (!used[b * sizes[2] + n % sizes[2]])
          storeElement(array.data, array.dtype, walk.getOffset(),
                       std::numeric_limits<double>::quiet_NaN());
}

void Execution::poisonUnused(const EntryPoint &entry,
                             const ExecutionOptions &options) {
  SmallVector<const ArgumentSpec *> specs = getSpecs(entry, options);
  for (const AttentionBinding &binding : entry.attentions) {
    auto sequences = findSequences(*this, binding);
    if (!sequences)
      continue;
    Sequences::UsedRows used = sequences->findUsed();
    AttentionInterface op = binding.op;
    for (const NamedArray &named : op.getArrays()) {
      int position = binding.getPosition(named.name);
      std::optional<Extra> extra = findExtra(named.name);
      // Extra operands with an element for each row or key, such as scales, get
      // NaN in unused rows, as arrays with rows do.
      ExtraOperand operand = extra ? op.getExtra(*extra) : ExtraOperand();
      bool isOfRows = operand && operand.form == "bhs" && operand.block == 1 &&
                      operand.findDim('b') && operand.findDim('s');
      bool hasRows = named.hasLength() || named.hasFurtherColumns() || isOfRows;
      if (named.isOut || !hasRows || position < 0 || !specs[position] ||
          !(std::holds_alternative<RandomArgument>(*specs[position]) ||
            std::holds_alternative<ForwardArgument>(*specs[position])) ||
          !isReadOnce(entry, position, binding.op))
        continue;
      // The lse of a backward op with a sink and packed sequences gets no NaN
      // in unused rows. The sink's gradient reads the lse of all rows, and
      // recognises by it the rows outside of all sequences.
      auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
      if (backward && op.getSink() && !op.getPacked().empty() &&
          named.value == backward.getLse())
        continue;
      // In an array with query rows, other rows than the used ones become NaN.
      // Used rows are those that exist and whose batch entry or sequence also
      // has keys (`used.query`). In two cases they are all rows that exist
      // (`used.row`): the array is the lse of an attention_backward op, which
      // recognises rows without keys by it; or the op has a sink, with which
      // rows without keys have results, and the array is not query or
      // query_rope.
      bool isQuery = named.kind == ArrayKind::Query ||
                     named.kind == ArrayKind::QueryColumns;
      bool hasRow = (op.getSink() && !isQuery) ||
                    (backward && named.value == backward.getLse());
      bool isOfKeys =
          extra ? getDeclaration(*extra).of != "query" : named.isOfKeys();
      poisonRows(getArray(position), isOfKeys ? used.key
                                     : hasRow ? used.row
                                              : used.query);
    }
  }
}
