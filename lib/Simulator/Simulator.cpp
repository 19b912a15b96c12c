//===- Simulator.cpp - Runs programs of the GPU level ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Simulator/Simulator.h"

#include "Agent.h"
#include "Simulation.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

/// Returns a run-time value for an argument that is an array: a view of the
/// type `type`, the memref type of the function's parameter. Also appends the
/// array to the simulation's arrays; if it is an output, the simulator records
/// which of its elements are written.
static RuntimeValue bindArray(Simulation &simulation, Type type,
                              const SimulatorArgument &argument) {
  const auto &given = std::get<ArrayView>(argument.value);
  auto array = std::make_shared<Array>();
  array->name = argument.name;
  array->first = static_cast<char *>(given.data);
  array->elementBytes = getByteSize(given.dtype);
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(given.sizes, given.strides))
    last += (std::max<int64_t>(size, 1) - 1) * stride;
  int64_t extent = given.dtype == DType::I4 ? last / 2 + 1 : last + 1;
  array->bytes = given.getNumElements() ? extent * array->elementBytes : 0;
  if (argument.isOutput)
    array->written.resize(extent);
  simulation.arrays.push_back(array);
  auto view = std::make_shared<View>();
  view->array = array;
  // `data` is the address of the array's first element. The base of a memref
  // lies before it by the offset in the memref's type, where a dynamic offset
  // is taken to be 0.
  int64_t offset = cast<MemRefType>(type).getStridesAndOffset().second;
  view->offset = ShapedType::isDynamic(offset) ? 0 : offset;
  view->base = reinterpret_cast<int64_t>(given.data) -
               getNumBytes(given.dtype, view->offset);
  view->dtype = given.dtype;
  view->sizes.assign(given.sizes.begin(), given.sizes.end());
  view->strides.assign(given.strides.begin(), given.strides.end());
  return ViewRef(std::move(view));
}

static RuntimeValue bind(Simulation &simulation, Type type,
                         const SimulatorArgument &argument) {
  if (std::holds_alternative<ArrayView>(argument.value))
    return bindArray(simulation, type, argument);
  if (auto *number = std::get_if<double>(&argument.value))
    return static_cast<float>(*number);
  return wrapInteger(type, std::get<int64_t>(argument.value));
}

/// Reports an error at the function if an element of an output was not written,
/// and at an `attn_nv.work_counters` if its counters are not zero at the end of
/// the run.
static LogicalResult checkOutputs(Simulation &simulation, func::FuncOp func,
                                  ArrayRef<SimulatorArgument> arguments) {
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (!argument.isOutput)
      continue;
    const auto &array = std::get<ArrayView>(argument.value);
    const std::vector<bool> &written = simulation.arrays[i]->written;
    int64_t count = array.getNumElements(), missing = 0;
    SmallVector<int64_t> index(array.sizes.size()), first;
    for (int64_t element = 0; element < count; ++element) {
      int64_t rest = element;
      for (size_t dim = index.size(); dim-- > 0;) {
        index[dim] = rest % array.sizes[dim];
        rest /= array.sizes[dim];
      }
      int64_t place = array.getOffset(index);
      if (written[array.dtype == DType::I4 ? place / 2 : place])
        continue;
      if (missing++ == 0)
        first = index;
    }
    if (missing == 0)
      continue;
    std::string place;
    llvm::raw_string_ostream os(place);
    llvm::interleaveComma(first, os);
    return simulation.fail(func,
                           "leaves " + Twine(missing) + " of " + Twine(count) +
                               " elements of " + argument.name +
                               " unwritten, the first at [" + place + "]");
  }
  for (auto &[op, words] : simulation.counters)
    if ((*words)[0] || (*words)[1])
      return simulation.fail(op, "expected to find the counters zero after the "
                                 "launch, found " +
                                     Twine((*words)[0]) + " and " +
                                     Twine((*words)[1]));
  return success();
}

/// Refuses a program that has a tile with a layout, or a ring of such tiles, of
/// a rank or element type that the simulator does not support. The kernels that
/// the program launches are included. The refusal is at the first op with such
/// a result.
static LogicalResult checkTiles(Simulation &simulation, Operation *program) {
  WalkResult result = program->walk([&](Operation *op) -> WalkResult {
    if (auto launch = dyn_cast<attn_gpu::LaunchOp>(op))
      return checkTiles(simulation, launch.lookUpKernel());
    for (Type type : op->getResultTypes()) {
      if (auto ring = dyn_cast<attn_gpu::RingType>(type))
        type = ring.getTile();
      auto tile = dyn_cast<RankedTensorType>(type);
      if (!tile || !tile.getEncoding())
        continue;
      Type element = tile.getElementType();
      bool isKnown = isShared(tile) || isa<FloatType>(element)
                         ? getDType(element).has_value()
                         : element.isIntOrIndex();
      if (isKnown && tile.getRank() <= 2)
        continue;
      std::string found;
      llvm::raw_string_ostream(found) << type;
      return simulation.refuse(op,
                               "expected tiles of rank 1 or 2, of f16, bf16, "
                               "f32, f8E4M3FN, f8E5M2 or integers, found " +
                                   found);
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static void report(const Simulation::Fault &fault) {
  InFlightDiagnostic diagnostic = fault.op->emitOpError(fault.message);
  for (const auto &[op, note] : fault.notes)
    diagnostic.attachNote(op->getLoc()) << note;
}

/// Refuses a function unless it has one block, no results, and as many
/// parameters as there are `arguments`. A parameter must be a memref if its
/// argument is an array, and otherwise a float, an integer or an index.
static LogicalResult checkForm(Simulation &simulation, func::FuncOp func,
                               ArrayRef<SimulatorArgument> arguments) {
  bool isFit = !func.isDeclaration() && func.getNumResults() == 0 &&
               func.getNumArguments() == arguments.size() &&
               llvm::hasSingleElement(func.getBody());
  if (isFit)
    for (auto [type, argument] : llvm::zip(func.getArgumentTypes(), arguments))
      isFit &= std::holds_alternative<ArrayView>(argument.value)
                   ? isa<MemRefType>(type)
                   : isa<FloatType, IntegerType, IndexType>(type);
  if (isFit)
    return success();
  return simulation.refuse(func, "expected one block, no results and " +
                                     Twine(arguments.size()) +
                                     " arguments, which are buffers and "
                                     "numbers");
}

/// Runs a function in the simulator on `arguments`. Refuses a function whose
/// form or tiles the simulator does not support, executes the function's ops on
/// an agent that stands for the host, and then reports elements of outputs that
/// were not written.
static LogicalResult run(Simulation &simulation, func::FuncOp func,
                         ArrayRef<SimulatorArgument> arguments) {
  if (failed(checkForm(simulation, func, arguments)) ||
      failed(checkTiles(simulation, func)))
    return failure();
  Agent host(simulation);
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Value parameter = func.getArgument(i);
    // Entry i of `arrays` belongs to argument i, so a scalar argument gets a
    // null entry.
    if (!std::holds_alternative<ArrayView>(argument.value))
      simulation.arrays.push_back(nullptr);
    host.set(parameter, bind(simulation, parameter.getType(), argument));
  }
  if (failed(host.run(func.getBody().front())))
    return failure();
  return checkOutputs(simulation, func, arguments);
}

FailureOr<SimulatorResult>
mlir::attn::simulate(func::FuncOp func, ArrayRef<SimulatorArgument> arguments,
                     const SimulatorOptions &options) {
  Simulation simulation(options);
  (void)run(simulation, func, arguments);
  if (simulation.fault && simulation.fault->isRefusal &&
      options.returnsRefusals) {
    SimulatorResult result;
    result.refusal = "'" +
                     simulation.fault->op->getName().getStringRef().str() +
                     "' op " + simulation.fault->message;
    return result;
  }
  if (simulation.fault) {
    report(*simulation.fault);
    return failure();
  }
  SimulatorResult result;
  result.failedCheck = simulation.failedCheck;
  return result;
}

//===----------------------------------------------------------------------===//
// The state of one run
//===----------------------------------------------------------------------===//

Simulation::Simulation(const SimulatorOptions &options)
    : options(options), scheduler(options.seed) {
  addConstantOps(handlers);
  addArithOps(handlers);
  addIndexOps(handlers);
  addControlOps(handlers);
  addMemRefOps(handlers);
  addTileOps(handlers);
  addReduceOps(handlers);
  addGlobalTileOps(handlers);
  addExchangeOps(handlers);
  addRingOps(handlers);
  addPutOps(handlers);
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

LogicalResult Simulation::fail(Operation *op, const Twine &message,
                               Operation *other, const Twine &note) {
  if (!fault) {
    fault.emplace();
    fault->op = op;
    fault->message = message.str();
    if (other)
      fault->notes.push_back({other, note.str()});
  }
  scheduler.stop();
  return failure();
}

LogicalResult Simulation::refuse(Operation *op, const Twine &message) {
  bool isFirst = !fault;
  (void)fail(op, message);
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
