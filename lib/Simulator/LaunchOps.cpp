//===- LaunchOps.cpp - CTAs, warps and roles ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Runs the CTAs of a kernel's launch. Each SM that the simulator models runs
/// one CTA at a time.
class Launch {
public:
  Launch(Agent &host, LaunchOp op, KernelOp kernel)
      : host(host), op(op), kernel(kernel), arguments(host.simulation) {}

  LogicalResult run();

private:
  /// Sets `warps` and `isComplete` from the ops of the kernel.
  void analyze();
  void startNext();
  void runWarp(const std::shared_ptr<Cta> &cta, int64_t warp);
  LogicalResult checkEnd(Agent &agent);
  LogicalResult checkMmas(Agent &agent);
  void reportDeadlock(ArrayRef<Scheduler::Blocked> blocked);

  Agent &host;
  LaunchOp op;
  KernelOp kernel;
  /// The agent that holds the values of the kernel's arguments, in which the
  /// agents of warps look these up.
  Agent arguments;
  int64_t count = 0, next = 0;
  /// The number of warps of a CTA that are simulated: those of the launch or,
  /// if the kernel's tiles have no layout yet, 1, since one agent then computes
  /// whole tiles.
  int64_t warps = 0;
  /// Whether all passes of the GPU level have run on the kernel.
  bool isComplete = true;
};

} // namespace

LogicalResult Launch::run() {
  if (kernel.getThreads() % kLanes)
    return host.refuse(kernel, "expected CTAs of whole warps");
  FailureOr<int64_t> blocks = host.getInt(op, op.getBlocks());
  if (failed(blocks))
    return failure();
  count = *blocks;
  for (auto [argument, value] :
       llvm::zip(kernel.getBody().getArguments(), op.getArgs()))
    arguments.set(argument, host.get(value));
  analyze();
  for (int64_t i = 0; i < host.simulation.options.numSms; ++i)
    startNext();
  std::vector<Scheduler::Blocked> blocked = host.simulation.scheduler.run();
  if (!host.simulation.fault && !blocked.empty())
    reportDeadlock(blocked);
  return success(!host.simulation.fault);
}

/// Whether the op shows that some passes of the GPU level have not run on the
/// kernel. Such ops acquire, fill or put a tile of a ring without a tile
/// number, or load or convert a tile to shared memory without an address there.
/// Ops that passes replace (loops over tiles or blocks, skips and transposes)
/// show it, too.
static bool isOfUnfinishedProgram(Operation *op) {
  if (auto acquire = dyn_cast<AcquireOp>(op))
    return !acquire.getIndex();
  if (auto fill = dyn_cast<FillOp>(op))
    return !fill.getIndex();
  if (auto put = dyn_cast<PutOp>(op))
    return !put.getIndex();
  if (auto load = dyn_cast<LoadOp>(op))
    return isShared(load.getResult().getType()) &&
           !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
               cast<MemRefType>(load.getSources().front().getType()));
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return isShared(convert.getResult().getType()) &&
           !isShared(convert.getInput().getType());
  return isa<ForTilesOp, ForBlocksOp, SkipOp, TransposeOp>(op);
}

void Launch::analyze() {
  bool hasWhole = false, hasLayout = false;
  kernel.walk([&](Operation *nested) {
    isComplete &= !isOfUnfinishedProgram(nested);
    auto note = [&](TypeRange types) {
      for (Type type : types)
        if (auto tile = dyn_cast<RankedTensorType>(type))
          (tile.getEncoding() ? hasLayout : hasWhole) = true;
    };
    note(nested->getOperandTypes());
    note(nested->getResultTypes());
  });
  bool isWhole = hasWhole && !hasLayout;
  warps = isWhole ? 1 : kernel.getThreads() / kLanes;
  isComplete &= !isWhole;
}

void Launch::startNext() {
  if (next >= count)
    return;
  auto cta = std::make_shared<Cta>(host.simulation, next++, count, warps,
                                   int64_t(kernel.getSharedBytes()));
  cta->numRunning = warps;
  cta->isComplete = isComplete;
  for (int64_t warp = 0; warp < warps; ++warp)
    host.simulation.scheduler.spawn("warp " + std::to_string(warp) +
                                        " of CTA " +
                                        std::to_string(cta->number),
                                    [this, cta, warp] { runWarp(cta, warp); });
}

void Launch::runWarp(const std::shared_ptr<Cta> &cta, int64_t warp) {
  Agent agent(cta, warp, &arguments);
  if (failed(agent.run(kernel.getBody().front())) || failed(checkEnd(agent)))
    return;
  if (--cta->numRunning == 0 && succeeded(checkMmas(agent)))
    startNext();
}

/// Reports an error if the agent has reached the end of the kernel without
/// waiting for one of its TMA stores. The CTA's shared memory could then be
/// freed before the store has read it.
LogicalResult Launch::checkEnd(Agent &agent) {
  for (const std::shared_ptr<Transfer> &store : agent.stores)
    if (!store->isWaitedFor)
      return agent.fail(store->op, agent.getName() +
                                       " ends without a wait for its copy "
                                       "out of shared memory");
  return success();
}

/// Reports an error if only some warps of a warpgroup have issued an MMA, after
/// all warps of the agent's CTA have ended. A warp that waits for such an MMA
/// waits for ever, but a warp need not wait for a result that it does not read.
LogicalResult Launch::checkMmas(Agent &agent) {
  for (const auto &ofWarpgroup : agent.cta->mmas)
    for (const std::shared_ptr<Mma> &mma : ofWarpgroup)
      if (mma->numIssued < kWarpsPerGroup)
        return agent.fail(mma->op,
                          "expected all " + Twine(kWarpsPerGroup) +
                              " warps of a warpgroup to issue an MMA, found " +
                              Twine(mma->numIssued) + " of them");
  return success();
}

/// Reports a deadlock as one error, at the op where the fewest agents wait,
/// since an agent that waits alone is mostly the cause. The other ops where
/// agents wait become notes of the error.
void Launch::reportDeadlock(ArrayRef<Scheduler::Blocked> blocked) {
  std::vector<std::pair<Scheduler::Blocked, unsigned>> places;
  for (const Scheduler::Blocked &task : blocked) {
    auto place = llvm::find_if(places, [&](const auto &other) {
      return other.first.op == task.op && other.first.what == task.what;
    });
    if (place != places.end())
      ++place->second;
    else
      places.push_back({task, 0});
  }
  auto fewest = llvm::min_element(places, [](const auto &lhs, const auto &rhs) {
    return lhs.second < rhs.second;
  });
  std::rotate(places.begin(), fewest, std::next(fewest));
  Simulation::Fault fault;
  for (const auto &[first, others] : places) {
    std::string text = first.who;
    if (others)
      text += " and " + std::to_string(others) + " more, each";
    text += " " + first.what;
    if (fault.op) {
      fault.notes.push_back({first.op, text});
      continue;
    }
    fault.op = first.op;
    fault.message = "deadlock: " + text;
  }
  host.simulation.fault = std::move(fault);
}

/// Runs the region of attn_gpu.roles for the role to which the agent's warp
/// belongs. The region's argument is the index of the warpgroup within the
/// role. If the role runs with an elected thread, only the first thread of the
/// role's first warp runs the region.
static LogicalResult runRoles(Agent &agent, RolesOp op) {
  int64_t groups = llvm::sum_of(op.getWarpgroups());
  if (groups * kWarpsPerGroup != agent.cta->warps)
    return agent.fail(
        op, "expected roles for the launch's " + Twine(agent.cta->warps) +
                " warps, found roles for " + Twine(groups * kWarpsPerGroup));
  int64_t group = agent.getWarpgroup();
  for (auto [i, body] : llvm::enumerate(op.getBodies())) {
    int64_t first = op.getFirstWarpgroup(i);
    if (group < first || group >= first + op.getWarpgroups()[i])
      continue;
    agent.set(body.getArgument(0), group - first);
    if (!op.getElected()[i])
      return agent.run(body.front());
    if (agent.warp != first * kWarpsPerGroup)
      return success();
    uint32_t lanes = std::exchange(agent.lanes, 1);
    LogicalResult result = agent.run(body.front());
    agent.lanes = lanes;
    return result;
  }
  llvm_unreachable("warpgroups are those of roles");
}

/// Sets the result of an op such as gpu.block_id to `number`: the index of a
/// CTA or of a thread, or the number of CTAs. Refuses dimensions other than x,
/// since launches have no other dimension.
template <typename Op>
static LogicalResult setNumber(Agent &agent, Op op, RuntimeValue number) {
  if (op.getDimension() != gpu::Dimension::x)
    return agent.refuse(op, "expected dimension x");
  agent.set(op.getResult(), std::move(number));
  return success();
}

static LogicalResult runThreadId(Agent &agent, gpu::ThreadIdOp op) {
  auto lanes = std::make_shared<Registers>();
  for (int64_t lane = 0; lane < kLanes; ++lane)
    lanes->ints.push_back(agent.warp * kLanes + lane);
  return setNumber(agent, op, Tile(std::move(lanes)));
}

void sim::addLaunchOps(Handlers &handlers) {
  handlers.add<LaunchOp>([](Agent &agent, LaunchOp op) {
    return Launch(agent, op, op.lookUpKernel()).run();
  });
  handlers.add<gpu::BlockIdOp>([](Agent &agent, gpu::BlockIdOp op) {
    return setNumber(agent, op, agent.cta->number);
  });
  handlers.add<gpu::GridDimOp>([](Agent &agent, gpu::GridDimOp op) {
    return setNumber(agent, op, agent.cta->count);
  });
  handlers.add<gpu::ThreadIdOp>(runThreadId);
  handlers.add<ArrayOp>([](Agent &, ArrayOp) { return success(); });
  handlers.add<BeginOp>([](Agent &, BeginOp) { return success(); });
  handlers.add<RolesOp>(runRoles);
}
