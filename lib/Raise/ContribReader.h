//===- ContribReader.h - Operands of attention of ONNX ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_CONTRIBREADER_H
#define ATTN_LIB_RAISE_CONTRIBREADER_H

#include "ContribAttention.h"

namespace mlir::attn::raise {

/// Reads the operands and options of an attention op of ONNX.
/// Functions that return false set the reason.
class ContribReader {
public:
  ContribReader(Operation *op, ContribCall &call,
                SmallVectorImpl<Value> &replacements, std::string &reason)
      : op(op), call(call), replacements(replacements), reason(reason),
        arrays(op, call) {}

  bool read(StringRef name);
  Operation *make();

private:
  bool readGrouped();
  bool readMultiHead();
  bool readProjected();
  bool readStandard();
  bool checkKnown(ArrayRef<StringRef> known);
  bool checkTypes();
  bool checkResults();
  bool takeHeads(StringRef ofQuery, StringRef ofKeys);
  bool takeColumns(Value array, int64_t heads, int64_t &columns);
  bool takeOptions();
  bool takeBias(unsigned operand, Value keys, int64_t keysDim);
  bool takePast(unsigned operand, Value &pastKey, Value &pastValue);
  /// Normalizes query and key if the op does.
  bool takeNorms();
  /// Rotates query and key if the op does. All options that say where the rows
  /// are in the sequence have been taken.
  bool takeRotation();
  bool takeMask(StringRef name, Value mask, bool mayBeNew);
  bool takeLengths(StringRef name, Value mask, bool mayHaveStarts);
  bool takeHiddenSizes(int64_t columns);
  Value getPresent(unsigned result);
  bool takeArrays();
  bool takePositions();
  bool takeScores();
  bool takePackedParts(Value packed, bool hasQuery);

  bool refuse(const Twine &text) {
    reason = text.str();
    return false;
  }
  /// Returns the type of an operand, for a message.
  static std::string describe(Value operand);
  bool isPresent(unsigned i);
  Value take(unsigned i);
  Attribute getAttr(StringRef name);
  int64_t getInt(StringRef name, int64_t missing);
  double getFloat(StringRef name, double missing);
  static bool fits(int64_t size, int64_t expected) {
    return ShapedType::isDynamic(size) || ShapedType::isDynamic(expected) ||
           size == expected;
  }
  static bool isOfFloats(Value array, size_t rank);
  static bool isOfInts(Value array);

  Operation *op;
  ContribCall &call;
  SmallVectorImpl<Value> &replacements;
  std::string &reason;
  /// Whether the operator is ONNX's own.
  bool isStandard = false;
  /// Whether key and value are one result, and not two.
  bool arePresentTogether = false;
  ContribArrays arrays;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_CONTRIBREADER_H
