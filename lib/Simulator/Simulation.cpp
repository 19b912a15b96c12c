//===- Simulation.cpp - The state of one run ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

Simulation::Simulation(const SimulatorOptions &options)
    : options(options), scheduler(options.seed) {
  addConstantOps(handlers);
  addArithOps(handlers);
  addIndexOps(handlers);
  addControlOps(handlers);
  addMemRefOps(handlers);
  addTileOps(handlers);
  addGlobalTileOps(handlers);
  addExchangeOps(handlers);
  addRingOps(handlers);
  addTileSchedulerOps(handlers);
  addBarrierOps(handlers);
  addMmaOps(handlers);
  addCopyOps(handlers);
  addStoreOps(handlers);
  addLaunchOps(handlers);
  addAttentionOps(handlers);
  addBlockOps(handlers);
  addSoftmaxOps(handlers);
}

LogicalResult Simulation::fail(Operation *op, std::string message,
                               Operation *other, std::string note) {
  if (!fault) {
    fault.emplace();
    fault->op = op;
    fault->message = std::move(message);
    if (other)
      fault->notes.push_back({other, std::move(note)});
  }
  scheduler.stop();
  return failure();
}

LogicalResult Simulation::refuse(Operation *op, std::string message) {
  bool isFirst = !fault;
  (void)fail(op, std::move(message));
  fault->isRefusal |= isFirst;
  return failure();
}

const TileLayout *Simulation::getLayout(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !tile.hasStaticShape() || tile.getNumElements() == 0 ||
      tile.getRank() < 1 || tile.getRank() > 2)
    return nullptr;
  if (tile.getEncoding() && !isa<attn_gpu::LayoutInterface>(tile.getEncoding()))
    return nullptr;
  std::unique_ptr<TileLayout> &layout = layouts[type];
  if (!layout)
    layout = std::make_unique<TileLayout>(tile);
  return layout.get();
}

const SharedLayout &Simulation::getSharedLayout(Type type) {
  std::unique_ptr<SharedLayout> &layout = sharedLayouts[type];
  if (!layout)
    layout = std::make_unique<SharedLayout>(cast<RankedTensorType>(type));
  return *layout;
}
