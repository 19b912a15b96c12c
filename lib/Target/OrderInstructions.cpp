//===- OrderInstructions.cpp - Reorders to need fewer registers -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op on a tile becomes a run of as many instructions as a thread has
// elements, and a chain of ops becomes a sequence of such runs, between which
// all elements are live. The code generator keeps that order, and ptxas does
// not undo it but spills. This pass puts first, of the instructions whose
// operands are ready, the one that needs the fewest registers, so that each
// element goes through the whole chain. If that does not lower the peak of live
// registers, the order is kept.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// A sequence of instructions in one block that have no side effects and do not
/// access memory.
class Run {
public:
  explicit Run(ArrayRef<Instruction *> instructions);
  /// Moves the instructions to before `end`, the instruction after the
  /// sequence, in the order that getBest() returns. Leaves them as they are if
  /// that order does not have a lower peak of live registers.
  void order(Instruction *end);

private:
  using Order = SmallVector<unsigned>;
  using UserCounts = DenseMap<Value *, unsigned>;

  struct Node {
    Instruction *instruction;
    /// The indices in `nodes` of the instructions of the sequence that use the
    /// result of `instruction`.
    SmallVector<unsigned> users;
    unsigned numOperands = 0;
  };

  /// Returns by how many registers the live values grow if `node` is the next
  /// instruction: by those of its result, less those of operands of which it is
  /// the last user. `left` has the number of remaining users of each value.
  int getGrowth(const Node &node, const UserCounts &left) const;
  /// Returns the peak number of live registers in an order, less the number of
  /// those that are live at its beginning.
  int getPeak(ArrayRef<unsigned> order) const;
  Order getBest() const;

  SmallVector<Node> nodes;
  /// For each value all of whose users are instructions of the sequence, the
  /// number of these users.
  UserCounts numUsers;
};

SmallPtrSet<Value *, 4> getOperands(const Instruction &instruction) {
  return SmallPtrSet<Value *, 4>(instruction.op_begin(), instruction.op_end());
}

Run::Run(ArrayRef<Instruction *> instructions) {
  DenseMap<Value *, unsigned> numbers;
  for (Instruction *instruction : instructions) {
    numbers[instruction] = nodes.size();
    nodes.push_back({instruction, {}, 0});
  }
  for (auto [number, node] : llvm::enumerate(nodes)) {
    for (Value *operand : getOperands(*node.instruction)) {
      if (auto found = numbers.find(operand); found != numbers.end()) {
        nodes[found->second].users.push_back(number);
        ++node.numOperands;
      }
      if ((isa<Instruction>(operand) || isa<Argument>(operand)) &&
          llvm::all_of(operand->users(),
                       [&](User *user) { return numbers.contains(user); }))
        ++numUsers[operand];
    }
  }
}

int Run::getGrowth(const Node &node, const UserCounts &left) const {
  int growth = mlir::attn::getNumRegisters(node.instruction->getType());
  for (Value *operand : getOperands(*node.instruction))
    if (left.lookup(operand) == 1)
      growth -= mlir::attn::getNumRegisters(operand->getType());
  return growth;
}

/// Decrements, for each operand of the instruction, the number of its users
/// that remain.
void use(const Instruction &instruction, DenseMap<Value *, unsigned> &left) {
  for (Value *operand : getOperands(instruction))
    if (auto found = left.find(operand); found != left.end())
      --found->second;
}

int Run::getPeak(ArrayRef<unsigned> order) const {
  UserCounts left = numUsers;
  int live = 0, peak = 0;
  for (unsigned number : order) {
    live += getGrowth(nodes[number], left);
    use(*nodes[number].instruction, left);
    peak = std::max(peak, live);
  }
  return peak;
}

Run::Order Run::getBest() const {
  UserCounts left = numUsers;
  SmallVector<unsigned> numMissing;
  Order ready, order;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    numMissing.push_back(node.numOperands);
    if (node.numOperands == 0)
      ready.push_back(number);
  }
  while (!ready.empty()) {
    // Of instructions with equal growth, the first one in the given order is
    // taken.
    auto best = llvm::min_element(ready, [&](unsigned a, unsigned b) {
      return std::pair(getGrowth(nodes[a], left), a) <
             std::pair(getGrowth(nodes[b], left), b);
    });
    unsigned number = *best;
    ready.erase(best);
    order.push_back(number);
    use(*nodes[number].instruction, left);
    for (unsigned user : nodes[number].users)
      if (--numMissing[user] == 0)
        ready.push_back(user);
  }
  return order;
}

void Run::order(Instruction *end) {
  Order best = getBest();
  if (getPeak(best) >= getPeak(llvm::to_vector(llvm::seq<unsigned>(
                           0, static_cast<unsigned>(nodes.size())))))
    return;
  for (unsigned number : best)
    nodes[number].instruction->moveBefore(end->getIterator());
}

} // namespace

void mlir::attn::orderInstructions(llvm::Module &module) {
  for (Function &function : module) {
    // Kernels whose roles have the same number of registers have smaller tiles.
    if (!getConsumerRegisters(function))
      continue;
    for (BasicBlock &block : function) {
      SmallVector<Instruction *> run;
      for (Instruction &instruction : llvm::make_early_inc_range(block)) {
        if (isa<PHINode>(instruction))
          continue;
        if (!instruction.isTerminator() && !instruction.mayHaveSideEffects() &&
            !instruction.mayReadFromMemory()) {
          run.push_back(&instruction);
          continue;
        }
        if (run.size() > 1)
          Run(run).order(&instruction);
        run.clear();
      }
    }
  }
}
