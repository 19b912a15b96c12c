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

/// An element of an array: the tensor `array`, and an index expression for each
/// of its dimensions.
struct Access {
  Value array;
  SmallVector<AffineExpr> indices;
};

/// Returns the sizes of a tensor's dimensions.
inline ArrayRef<int64_t> getShape(Value tensor) {
  return cast<ShapedType>(tensor.getType()).getShape();
}

enum class NodeKind {
  /// A lazy node: an element of a tensor whose defining op has not been read
  /// yet.
  Lazy,
  Constant,
  /// An index expression (see Indexing), a value of type index.
  Index,
  /// The element of memory that `access` names; no op that the pass understands
  /// computes it.
  Load,
  /// An element of the array `access.array` at computed indices: the values of
  /// the node's operands.
  Gather,
  /// A scalar op of arith or math, applied to the node's operands.
  Apply,
  /// A reduction of operand 0 over all values of the index variables
  /// `variables`. The scalar op `name` combines elements.
  Reduce
};

struct Node {
  NodeKind kind;
  Type type;
  Access access;
  TypedAttr constant;
  AffineExpr index;
  /// The name of the scalar op that computes the node or, for a reduction, of
  /// the scalar op that combines its elements.
  StringRef name;
  NamedAttrList attributes;
  SmallVector<Node *, 3> operands;
  SmallVector<unsigned, 1> variables;
  /// Elements of tensors that equal the node, since between these tensors and
  /// the op that computes the node there are only ops that move elements. The
  /// tensor nearest to that op comes first.
  SmallVector<Access, 1> sources;

  bool isApply(StringRef op) const {
    return kind == NodeKind::Apply && name == op;
  }
};

/// The arrays that an op puts together along a dimension.
struct Concatenation {
  ValueRange arrays;
  int64_t dim;
};
/// Returns the arrays of a tensor.concat or stablehlo.concatenate, or nothing
/// for another op, one that is not valid, and null.
std::optional<Concatenation> readConcatenation(Operation *op);

class Elements {
public:
  explicit Elements(MLIRContext *context)
      : builder(context), indexing(context) {}

  Indexing &getIndexing() { return indexing; }
  Sizes &getSizes() { return indexing.getSymbolicSizes(); }
  /// Adds an index variable that takes all indices of dimension `dim` of a
  /// tensor. Returns it as an expression, or the constant 0 if the dimension
  /// has size 1.
  AffineExpr addVariable(Value array, int64_t dim);
  Builder &getBuilder() { return builder; }

  /// Returns a node for the element of `array` at `indices`. The ops that
  /// compute the element are expanded into nodes, except the operands of
  /// reductions, which stay lazy nodes.
  Node *get(Value array, ArrayRef<AffineExpr> indices);
  /// Returns a lazy node for the element of `array` at `indices`. The op that
  /// computes the element is only read when look() is called with the node.
  Node *getLazy(Value array, ArrayRef<AffineExpr> indices);
  /// Returns `node` itself or, if it is a lazy node, the node into which the op
  /// that computes the element is expanded.
  Node *look(Node *node);

  Node *getConstant(TypedAttr value);
  Node *getFloat(Type type, double value);
  Node *getIndex(AffineExpr expr);
  /// Returns a node for an index expression as an integer or float of type
  /// `type`.
  Node *getPosition(AffineExpr expr, Type type);
  Node *getLoad(const Access &access);
  Node *getGather(Value array, ArrayRef<Node *> indices);
  /// Returns a node for the scalar op `name` on `operands`, or for what that op
  /// folds to, such as a constant or one of the operands.
  Node *getApply(StringRef name, Type type, ArrayRef<Node *> operands,
                 NamedAttrList attributes = {});
  Node *getReduce(StringRef combiner, Type type, ArrayRef<unsigned> variables,
                  Node *body);
  /// Returns a node for the reduction of `body` over `variables`, combined with
  /// the initial value `init` unless that is neutral, such as 0 for a sum.
  Node *getReduceFrom(StringRef combiner, Type type,
                      ArrayRef<unsigned> variables, Node *body, Node *init);
  /// Returns `node` converted to another scalar type.
  Node *getCast(Node *node, Type type, bool isUnsigned = false);

  /// Returns a node in which each index variable that `variables` maps to an
  /// expression is replaced by that expression.
  Node *substitute(Node *node,
                   const llvm::DenseMap<unsigned, AffineExpr> &variables);

  /// Returns a node in which `replace` replaced `node` or nodes from which it
  /// is computed by scalar ops. `replace` is called once for each node, before
  /// those that the node reads, and returns null if it does not replace the
  /// node.
  Node *rewrite(Node *node, llvm::function_ref<Node *(Node *)> replace);

  /// Returns the node without conversions between float types around it.
  Node *strip(Node *node);
  /// Replaces `condition` by the node that it negates, directly or through
  /// other negations. Returns whether their number is odd.
  bool takeNegations(Node *&condition);
  /// Returns the value of a node that is a float constant, perhaps converted,
  /// and nothing for other nodes.
  std::optional<double> getConstantFloat(Node *node);
  bool isZero(Node *node) {
    std::optional<double> value = getConstantFloat(node);
    return value && *value == 0;
  }
  /// Whether the value of `node` may depend on the index variable `variable`. A
  /// lazy node depends on the variables that its indices contain, and is not
  /// expanded to find out.
  bool dependsOn(Node *node, unsigned variable);
  /// Whether `isWanted` holds for `node`, or for a node from which it is
  /// computed. Operands of the node `end` are not searched. Neither are those
  /// of reductions, since a region reads the result of a reduction from memory.
  bool contains(Node *node, llvm::function_ref<bool(Node *)> isWanted,
                Node *end = nullptr);
  /// Whether two nodes have the same value if each index variable of `rhs` that
  /// is a key of `variables` is replaced by its expression there. Conversions
  /// between float types are ignored.
  bool areEqual(Node *lhs, Node *rhs,
                const llvm::DenseMap<unsigned, AffineExpr> &variables =
                    llvm::DenseMap<unsigned, AffineExpr>());
  /// Returns an integer or float node as an index expression, if it is one and
  /// its type holds all of the expression's values exactly; else nothing.
  std::optional<AffineExpr> getAffine(Node *node);

  /// The ops whose results were expanded into nodes. After an attention op has
  /// replaced the matched result, they may be unused.
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
  Node *expandPad(Operation *op, ArrayRef<AffineExpr> indices);
  Node *expandGather(Operation *op, ArrayRef<AffineExpr> indices);
  Node *expandBroadcast(Operation *op, ArrayRef<AffineExpr> indices);
  /// Returns the element of a result of scf.if if it is the same in both
  /// branches wherever the first one runs, and null otherwise.
  Node *expandBranches(Operation *op, unsigned result,
                       ArrayRef<AffineExpr> indices);
  /// Returns the size of each loop of a linalg op, or nothing for a loop whose
  /// index is not, by itself, the index in some dimension of an operand.
  /// Records that all dimensions that one loop indexes have equal sizes.
  SmallVector<std::optional<Extent>> uniteLoops(linalg::LinalgOp op);
  Node *expandConstant(ElementsAttr value, Value array,
                       ArrayRef<AffineExpr> indices);
  Node *expandAffineConstant(DenseElementsAttr value,
                             ArrayRef<AffineExpr> indices);
  Node *expandBandConstant(DenseElementsAttr value,
                           ArrayRef<AffineExpr> indices);
  /// Returns the element at `indices` of the concatenation that `op` is.
  /// Returns null unless all values of the index in the dimension along which
  /// arrays are put together fall within one of the arrays.
  Node *expandConcat(Operation *op, ArrayRef<AffineExpr> indices);
  /// Returns the element of `array` that a reshape to `shape` moves to
  /// `indices`, that is, the one with the same index in row-major order.
  /// Returns null if a size other than the first is dynamic in either shape.
  Node *expandReshape(Value array, ArrayRef<int64_t> shape,
                      ArrayRef<AffineExpr> indices);
  struct Scope;
  Node *expandScalar(Scope &scope, Value value);
  /// Returns an integer that a select computes as an index expression, if it
  /// has the values of one for all values of the only index variable on which
  /// it depends.
  std::optional<AffineExpr> fitIndex(Node *node);
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
  /// The results of fitIndex(), by its argument.
  llvm::DenseMap<Node *, std::optional<AffineExpr>> fitted;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_ELEMENTS_H
