//===- Elements.h - Elements of tensors as expressions ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Represents an element of a tensor as an expression of its indices. Ops that
// move elements change indices; other ops become scalar ops on elements of
// their operands. A sum, or another reduction, is a node with variables of its
// own; the element that it reduces is only expanded when it is needed. An
// element that no rule explains is an element of memory.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_ELEMENTS_H
#define ATTN_LIB_RAISE_ELEMENTS_H

#include "Indexing.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::attn::raise {

/// An element of an array, at indices.
struct Access {
  Value array;
  SmallVector<AffineExpr> indices;
};

/// The sizes of a tensor's dimensions.
inline ArrayRef<int64_t> getShape(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getShape();
}

enum class NodeKind {
  /// An element whose defining op has not been read yet.
  Lazy,
  Constant,
  /// An index expression, of type index.
  Index,
  /// An element of memory, at `access`.
  Load,
  /// An element of the array `access.array`, whose indices are the values of
  /// the operands.
  Gather,
  /// A scalar op of arith or math.
  Apply,
  /// A reduction of operand 0, by the op that `name` says, over all values of
  /// `variables`.
  Reduce
};

struct Node {
  NodeKind kind;
  Type type;
  Access access;
  TypedAttr constant;
  AffineExpr index;
  /// The name of the scalar op or, for a reduction, of the scalar op that
  /// combines elements.
  StringRef name;
  NamedAttrList attributes;
  SmallVector<Node *, 3> operands;
  SmallVector<unsigned, 1> variables;
  /// Elements of tensors that equal the node, because only ops that move
  /// elements are between them and the node. The one nearest to the node's own
  /// op comes first.
  SmallVector<Access, 1> sources;

  bool isApply(StringRef op) const {
    return kind == NodeKind::Apply && name == op;
  }
};

class Elements {
public:
  explicit Elements(MLIRContext *context)
      : builder(context), indexing(context) {}

  Indexing &getIndexing() { return indexing; }
  Sizes &getSizes() { return indexing.getSymbolicSizes(); }
  /// Adds a variable that takes all indices of dimension `dim` of a tensor.
  /// Returns it as an expression, or the constant 0 if the size is 1.
  AffineExpr addVariable(Value array, int64_t dim);
  Builder &getBuilder() { return builder; }

  /// Returns the node for the element of `array` at `indices`, expanded up to
  /// the operands of reductions, which stay lazy.
  Node *get(Value array, ArrayRef<AffineExpr> indices);
  /// Returns a lazy node for the element. The op that computes it is only read
  /// when look() is called with the node.
  Node *getLazy(Value array, ArrayRef<AffineExpr> indices);
  /// Returns the node itself or, for a lazy node, the node of the expanded
  /// element.
  Node *look(Node *node);

  Node *getConstant(TypedAttr value);
  Node *getFloat(Type type, double value);
  Node *getIndex(AffineExpr expr);
  /// Returns an index expression as an integer or float of the given type.
  Node *getPosition(AffineExpr expr, Type type);
  Node *getLoad(const Access &access);
  Node *getGather(Value array, ArrayRef<Node *> indices);
  /// Returns a node for the scalar op `name` on `operands`, or what that folds
  /// to, such as a constant or one of the operands.
  Node *getApply(StringRef name, Type type, ArrayRef<Node *> operands,
                 NamedAttrList attributes = {});
  Node *getReduce(StringRef combiner, Type type, ArrayRef<unsigned> variables,
                  Node *body);
  /// Returns the reduction of `body` over `variables`, combined with the
  /// initial value `init` unless that is neutral.
  Node *getReduceFrom(StringRef combiner, Type type,
                      ArrayRef<unsigned> variables, Node *body, Node *init);
  /// Converts a node to another scalar type.
  Node *getCast(Node *node, Type type, bool isUnsigned = false);

  /// Returns the node with each variable in `variables` replaced by its
  /// expression.
  Node *substitute(Node *node,
                   const llvm::DenseMap<unsigned, AffineExpr> &variables);

  /// The node without conversions between floats.
  Node *strip(Node *node);
  /// A float constant's value, through conversions.
  std::optional<double> getConstantFloat(Node *node);
  bool isZero(Node *node) {
    std::optional<double> value = getConstantFloat(node);
    return value && *value == 0;
  }
  /// Whether the value may depend on the variable. A lazy node depends on the
  /// variables that its indices contain; it is not expanded.
  bool dependsOn(Node *node, unsigned variable);
  /// Whether two values are equal if each variable of `rhs` in `variables` is
  /// replaced by its expression there. Conversions between floats are ignored.
  bool areEqual(Node *lhs, Node *rhs,
                const llvm::DenseMap<unsigned, AffineExpr> &variables);
  /// Returns an integer or float as an index expression if it is one that its
  /// type holds exactly; else none.
  std::optional<AffineExpr> getAffine(Node *node);

  /// The ops whose results' elements were expanded. After the replacement of a
  /// result, they may be unused.
  const llvm::SetVector<Operation *> &getExpanded() const { return expanded; }

private:
  Node *make(NodeKind kind, Type type);
  Node *expand(Value array, ArrayRef<AffineExpr> indices);
  Node *expandTensor(Operation *op, ArrayRef<AffineExpr> indices);
  Node *expandLinalg(linalg::LinalgOp op, unsigned result,
                     ArrayRef<AffineExpr> indices);
  Node *expandSoftmax(Operation *op, ArrayRef<AffineExpr> indices);
  Node *expandStableHLO(Value array, ArrayRef<AffineExpr> indices);
  Node *expandDot(Operation *op, ArrayRef<AffineExpr> indices);
  Node *expandElementwise(Operation *op, ArrayRef<AffineExpr> indices);
  Node *expandDynamicReshape(Value array, Value result,
                             ArrayRef<AffineExpr> indices);
  Node *expandBroadcast(Operation *op, ArrayRef<AffineExpr> indices);
  /// Returns the sizes of a linalg op's loops, none for a loop that is no index
  /// of an operand. Notes that the sizes of dimensions with the same loop are
  /// equal.
  SmallVector<std::optional<Extent>> uniteLoops(linalg::LinalgOp op);
  Node *expandConstant(ElementsAttr value, Value array,
                       ArrayRef<AffineExpr> indices);
  Node *expandAffineConstant(DenseElementsAttr value,
                             ArrayRef<AffineExpr> indices);
  Node *expandBandConstant(DenseElementsAttr value,
                           ArrayRef<AffineExpr> indices);
  /// Returns the element at `indices` of the concatenation of `arrays` along
  /// `dim`, if all values of the index along `dim` fall within one of the
  /// arrays; else null.
  Node *expandConcat(ValueRange arrays, int64_t dim,
                     ArrayRef<AffineExpr> indices);
  /// Returns the element of `array` whose index in row-major order is that of
  /// the element at `indices` of an array of the given shape; null if a size
  /// other than the first is dynamic.
  Node *expandReshape(Value array, ArrayRef<int64_t> shape,
                      ArrayRef<AffineExpr> indices);
  struct Scope;
  Node *expandScalar(Scope &scope, Value value);
  bool isIndexOfOne(Node *condition, Node *lhs, Node *rhs);
  std::optional<bool> decide(ArrayRef<Node *> operands,
                             const NamedAttrList &attributes);
  Node *fold(StringRef name, Type type, ArrayRef<Node *> operands,
             const NamedAttrList &attributes);

  Builder builder;
  Indexing indexing;
  std::vector<std::unique_ptr<Node>> nodes;
  llvm::DenseMap<Value, SmallVector<Node *, 2>> known, lazy;
  llvm::SetVector<Operation *> expanded;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_ELEMENTS_H
