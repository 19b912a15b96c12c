//===- Shadows.cpp - What ops of others compute, in linalg ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadows.h"
#include "AttentionCalls.h"
#include "Match.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// The attribute of ops that are shadows.
static constexpr StringRef kShadow = "attn_raise.shadow";
/// The attribute of shadows that follow their operand (setFollows()).
static constexpr StringRef kFollows = "attn_raise.follows";
/// The op that says which value (operand 1) a shadow (operand 0) is of. It also
/// keeps the shadow while attention is raised.
static constexpr StringRef kLink = "attn_raise.link";

static bool is(Operation *op, StringRef name) {
  return op && op->getName().getStringRef() == name;
}

bool mlir::attn::raise::isShadow(Operation *op) { return op->hasAttr(kShadow); }

void mlir::attn::raise::setFollows(Operation *op) {
  op->setAttr(kFollows, UnitAttr::get(op->getContext()));
}

static bool isLink(Operation *op) { return is(op, kLink) && isShadow(op); }

Operation *mlir::attn::raise::getOnlyUser(Value value) {
  Operation *only = nullptr;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isLink(user)) {
      auto isReal = [](OpOperand &of) { return !isLink(of.getOwner()); };
      if (use.getOperandNumber() == 0 &&
          llvm::count_if(user->getOperand(1).getUses(), isReal) > 1)
        return nullptr;
      continue;
    }
    if (only)
      return nullptr;
    only = user;
  }
  return only;
}

static void mark(Operation *op) {
  op->setAttr(kShadow, UnitAttr::get(op->getContext()));
}

/// Creates an op that converts a tensor from or to torch-mlir's type.
namespace {
class ShadowAdder {
public:
  ShadowAdder(llvm::function_ref<void(Operation *, StringRef)> refuse)
      : refuse(refuse) {}

  void add(Operation *op);
  bool hasAny() const { return has; }

private:
  Value get(Value value);
  void link(Value shadow, Value value, OpBuilder &b);

  llvm::function_ref<void(Operation *, StringRef)> refuse;
  llvm::DenseMap<Value, Value> known;
  AttentionCalls calls;
  bool has = false;
};
} // namespace

/// Returns the shadow of a value, or a conversion of the value if nothing that
/// is known computes it. Returns null if the value is no tensor.
Value ShadowAdder::get(Value value) {
  if (Value shadow = known.lookup(value))
    return shadow;
  RankedTensorType type = getBuiltinType(value.getType());
  if (!type)
    return nullptr;
  Operation *op = value.getDefiningOp();
  if (is(op, kFromTensor) && op->getNumOperands() == 1 &&
      op->getOperand(0).getType() == type)
    return known[value] = op->getOperand(0);
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  Value result = convertTensor(b, kToTensor, value, type);
  mark(result.getDefiningOp());
  return known[value] = result;
}

void ShadowAdder::link(Value shadow, Value value, OpBuilder &b) {
  OperationState state(value.getLoc(), kLink);
  state.addOperands({shadow, value});
  mark(b.create(state));
}

/// Whether the name of a torch op, which a torch.operator has as an attribute,
/// says that it is attention. ONNX's attention is none of these.
static bool isTorchAttention(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "torch.operator")
    if (auto its = dyn_cast_or_null<StringAttr>(op->getAttr("name")))
      name = its.getValue();
  return name.contains_insensitive("attention") && !isNamedAttention(op);
}

void ShadowAdder::add(Operation *op) {
  StringRef name = op->getName().getStringRef();
  bool isTorch = name.starts_with("torch."),
       isCall = isCuDNNCall(op) || isTorchAttentionCall(op);
  if ((!isTorch && !isCall) || op->use_empty())
    return;
  // The new ops are those between `op` and the op that follows it now.
  Operation *next = op->getNextNode();
  if (!next)
    return;
  has = true;
  ShadowBuilder s(op);
  std::string reason;
  SmallVector<std::pair<Value, Value>> shadows;
  auto getTensor = [&](Value value) { return get(value); };
  if (isCall) {
    shadows = calls.build(s, op, getTensor, reason);
  } else {
    Value shadow;
    if (name == "torch.aten.scaled_dot_product_attention")
      shadow = buildTorchAttention(s, op, getTensor, reason);
    for (auto build :
         {buildTorchProduct, buildTorchElementwise, buildTorchView})
      if (!shadow)
        shadow = build(s, op, getTensor);
    if (!shadow)
      shadow = buildTorchConstant(s, op);
    if (shadow &&
        shadow.getType() == getBuiltinType(op->getResult(0).getType()))
      shadows.push_back({shadow, op->getResult(0)});
  }
  if (reason.empty() && shadows.empty() && isTorchAttention(op))
    reason = "this kind of attention, or of its operands, is not read";
  if (!reason.empty())
    refuse(op, reason);
  llvm::SmallPtrSet<Operation *, 16> made;
  for (Operation *after = op->getNextNode(); after != next;
       after = after->getNextNode())
    made.insert(after);
  for (auto [shadow, value] : shadows) {
    if (!shadow)
      continue;
    known[value] = shadow;
    // A view that moves nothing has the shadow of what it views.
    if (made.contains(shadow.getDefiningOp()))
      link(shadow, value, s.getBuilder());
  }
  for (Operation *after : made)
    mark(after);
}

bool mlir::attn::raise::addShadows(
    Operation *function,
    llvm::function_ref<void(Operation *, StringRef)> refuse) {
  SmallVector<Operation *> ops;
  function->walk([&](Operation *op) { ops.push_back(op); });
  ShadowAdder adder(refuse);
  for (Operation *op : ops)
    adder.add(op);
  // Ops of StableHLO are read, too, so they may read the shadows meanwhile.
  function->walk([](Operation *op) {
    if (!isLink(op))
      return;
    Value shadow = op->getOperand(0), value = op->getOperand(1);
    if (shadow.getType() == value.getType())
      value.replaceUsesWithIf(
          shadow, [](OpOperand &use) { return !isLink(use.getOwner()); });
  });
  return adder.hasAny();
}

/// Whether the op only computes its results, by its name or its dialect.
static bool hasNoEffects(Operation *op) {
  return isPureTorch(op) || isCuDNNCall(op) || is(op, "stablehlo.transpose") ||
         isMemoryEffectFree(op);
}

/// Erases ops from `ops` on, and then those that compute their operands, if
/// they have no uses and are known to have no effects.
static void eraseUnread(llvm::SetVector<Operation *> ops) {
  while (!ops.empty()) {
    Operation *op = ops.pop_back_val();
    if (!op->use_empty() || !hasNoEffects(op))
      continue;
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    for (Value operand : operands)
      if (Operation *source = operand.getDefiningOp())
        ops.insert(source);
  }
}

/// Returns the values that ops need which removeShadows() will not erase. `ops`
/// are all ops of the function in their order. A value whose shadow was raised
/// is not among them, since the raised tensor takes its place.
static llvm::DenseSet<Value> findNeeded(ArrayRef<Operation *> ops) {
  llvm::DenseSet<Value> needed, raised;
  for (Operation *op : ops)
    if (isLink(op)) {
      Operation *source = op->getOperand(0).getDefiningOp();
      if (!source || !isShadow(source))
        raised.insert(op->getOperand(1));
    }
  for (Operation *op : llvm::reverse(ops)) {
    auto isNeeded = [&](Value result) { return needed.contains(result); };
    // Terminators of functions have no effects, but give results.
    if (isLink(op) || (hasNoEffects(op) && op->getNumResults() > 0 &&
                       llvm::none_of(op->getResults(), isNeeded)))
      continue;
    for (Value operand : op->getOperands())
      if (!raised.contains(operand))
        needed.insert(operand);
  }
  return needed;
}

void mlir::attn::raise::releaseShadows(Operation *function) {
  SmallVector<Operation *> ops;
  function->walk([&](Operation *op) { ops.push_back(op); });
  llvm::DenseSet<Value> needed = findNeeded(ops);
  for (Operation *op : llvm::reverse(ops)) {
    if (!isShadow(op) || isLink(op))
      continue;
    bool isFree = llvm::all_of(op->getUsers(), [&](Operation *user) {
      return isLink(user) && !needed.contains(user->getOperand(1));
    });
    if (!isFree)
      continue;
    // The link of a value that nothing needs is of the value itself from here
    // on, until removeShadows() erases the op that computes the value.
    for (Operation *link : llvm::make_early_inc_range(op->getUsers()))
      link->setOperand(0, link->getOperand(1));
    op->erase();
  }
}

void mlir::attn::raise::removeShadows(Operation *function) {
  SmallVector<Operation *> links, shadows;
  function->walk([&](Operation *op) {
    if (isLink(op))
      links.push_back(op);
    else if (isShadow(op))
      shadows.push_back(op);
  });
  // The value whose elements a tensor has.
  llvm::DenseMap<Value, Value> values;
  SmallVector<std::pair<Value, Value>> raised;
  for (Operation *link : links) {
    Value shadow = link->getOperand(0), value = link->getOperand(1);
    Operation *op = shadow.getDefiningOp();
    if (op && op->hasAttr(kFollows)) {
      op->removeAttr(kFollows);
      if (Operation *source = op->getOperand(0).getDefiningOp();
          source && !isShadow(source))
        op->removeAttr(kShadow);
    }
    if (op && isShadow(op))
      values.try_emplace(shadow, value);
    else
      raised.push_back({shadow, value});
    link->erase();
  }
  llvm::SetVector<Operation *> unread;
  for (auto [tensor, value] : raised) {
    unread.insert(value.getDefiningOp());
    if (value.use_empty() || tensor == value)
      continue;
    OpBuilder b(value.getContext());
    b.setInsertionPointAfterValue(tensor);
    Value result = tensor.getType() == value.getType()
                       ? tensor
                       : convertTensor(b, kFromTensor, tensor, value.getType());
    value.replaceAllUsesWith(result);
  }
  for (Operation *op : llvm::reverse(shadows)) {
    if (!isShadow(op))
      continue;
    if (op->use_empty()) {
      op->erase();
      continue;
    }
    op->removeAttr(kShadow);
    Value value =
        op->getNumResults() == 1 ? values.lookup(op->getResult(0)) : nullptr;
    if (!value)
      continue;
    OpBuilder b(op);
    Value read =
        value.getType() == op->getResult(0).getType()
            ? value
            : convertTensor(b, kToTensor, value, op->getResult(0).getType());
    op->getResult(0).replaceAllUsesWith(read);
    op->erase();
  }
  // A call that nothing reads any more, since what is computed from it was
  // raised.
  for (auto [shadow, value] : values)
    if (value.use_empty() && isCuDNNCall(value.getDefiningOp()))
      unread.insert(value.getDefiningOp());
  eraseUnread(unread);
}
