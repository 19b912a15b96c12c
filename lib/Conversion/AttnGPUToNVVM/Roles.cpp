//===- Roles.cpp - Warpgroups with different programs ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Target/AssemblyKinds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

namespace {

/// Emits branches that let each warpgroup run its role. The branches form a
/// chain on the warpgroup's number. The first test is whether the number is at
/// least that of the last role's first warpgroup; if not, the role before is
/// tested in the same way, and so on. The first role needs no test.
class RoleBranches {
public:
  RoleBranches(RolesOp op, ConversionPatternRewriter &rewriter)
      : op(op), rewriter(rewriter), b(op.getLoc(), rewriter),
        warpgroup(getWarpgroup(b)) {
    if (auto all = op.getRegisters())
      registersAtLaunch = getRegistersAtLaunch(op.getWarpgroups(), *all);
    RolesAttr roles = op->getParentOfType<KernelOp>().getSchedule().getRoles();
    if (!roles.empty())
      producer = roles.getNumber(roles.find(RoleKind::Producer));
  }

  void emit(unsigned numRoles) {
    unsigned role = numRoles - 1;
    if (role == 0)
      return emitRole(role);
    Value first = b.word(op.getFirstWarpgroup(role));
    auto predicate = op.getWarpgroups()[role] == 1 && numRoles == all()
                         ? arith::CmpIPredicate::eq
                         : arith::CmpIPredicate::uge;
    auto branch = scf::IfOp::create(
        b, arith::CmpIOp::create(b, predicate, warpgroup, first),
        /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    emitRole(role);
    b.setInsertionPointToStart(branch.elseBlock());
    emit(role);
  }
  unsigned all() { return op.getBodies().size(); }

private:
  void emitRole(unsigned role) {
    if (auto all = op.getRegisters()) {
      int64_t registers = (*all)[role];
      NVVM::SetMaxRegisterOp::create(
          b, registers,
          registers > registersAtLaunch ? NVVM::SetMaxRegisterAction::increase
                                        : NVVM::SetMaxRegisterAction::decrease);
      if (role == producer)
        createAssembly(b, Type(), ValueRange(), "", "", /*hasEffects=*/true,
                       kProducer);
    }
    int64_t first = op.getFirstWarpgroup(role);
    if (op.getElected()[role]) {
      auto enter = [&](Value condition) {
        auto branch = scf::IfOp::create(b, condition);
        b.setInsertionPointToStart(branch.thenBlock());
      };
      constexpr int64_t kLanes = 32;
      enter(arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                  getThreadOfWarpgroup(b), b.word(kLanes)));
      // On elect.sync, ptxas knows that only one thread takes the branch. For a
      // branch on another condition, it would put each TMA instruction into a
      // loop over the active threads.
      enter(NVVM::ElectSyncOp::create(b, b.getI1Type(), Value()));
    }
    Value number = warpgroup;
    if (first > 0)
      number = arith::SubIOp::create(b, warpgroup, b.word(first));
    Value index = arith::IndexCastOp::create(b, b.getIndexType(), number);
    rewriter.inlineBlockBefore(&op.getBodies()[role].front(),
                               b.getInsertionBlock(), b.getInsertionPoint(),
                               index);
  }

  RolesOp op;
  ConversionPatternRewriter &rewriter;
  NumberBuilder b;
  Value warpgroup;
  int64_t registersAtLaunch = 0;
  /// The number of the producer's role, or none if the schedule has no roles.
  std::optional<unsigned> producer;
};

LogicalResult convertRoles(ConversionBuilder &b, RolesOp op, RolesOp::Adaptor) {
  RoleBranches branches(op, b.rewriter);
  branches.emit(branches.all());
  b.rewriter.eraseOp(op);
  return success();
}

} // namespace

void attn::populateRolePatterns(const TileTypeConverter &converter,
                                RewritePatternSet &patterns) {
  addConversions<convertRoles>(converter, patterns);
}
