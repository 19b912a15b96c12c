//===- AttnNVToLLVM.cpp - Warpgroup MMAs as assembly, and packed bits -----===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A whole wgmma, from its fence to its commit, is one statement of inline
// assembly: LLVM then cannot move anything between these instructions, and does
// not copy the accumulators. A wait has the accumulators as tied operands, so
// that uses of them stay after it.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "VectorElements.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Support/ElementDType.h"
#include "attn/Support/NumberBuilder.h"
#include "attn/Target/AssemblyKinds.h"
#include "attn/Target/PTX.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CONVERTATTNNVTOLLVMPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_nv;

namespace {

/// Returns the 32-bit words that hold the elements of a vector of 16-bit or
/// 8-bit elements.
SmallVector<Value> getWords(NumberBuilder &b, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  auto words = VectorType::get({bits / 32}, b.getI32Type());
  return getElements(b, vector::BitCastOp::create(b, words, vector));
}

/// Builds a statement of inline assembly whose results are the elements of an
/// f32 vector.
class Assembly {
public:
  Assembly(NumberBuilder &b, VectorType result)
      : b(b), result(result), numOperands(result.getNumElements()) {}

  /// Adds `values` as input operands with the given constraint. Returns the
  /// number of the first of them in the assembly text, where inputs are
  /// numbered after the results.
  int64_t add(StringRef constraint, ValueRange values) {
    int64_t first = numOperands;
    for (Value value : values) {
      operands.push_back(value);
      constraints += ("," + constraint).str();
      ++numOperands;
    }
    return first;
  }
  /// Adds `values` as inputs that are tied to the results: each value is in the
  /// register of the result with the same index, so the results begin with
  /// these values.
  void tie(ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values))
      add(std::to_string(i), value);
    isTied = true;
  }

  Value create(StringRef text, StringRef kind = {}) {
    std::string outputs;
    for (int64_t i = 0; i < result.getNumElements(); ++i)
      outputs += (i ? "," : "") + std::string(isTied ? "=f" : "=&f");
    SmallVector<Type> types(result.getNumElements(), b.getF32Type());
    auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
    Value registers =
        createAssembly(b, type, operands, text, outputs + constraints,
                       /*hasEffects=*/true, kind);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < result.getNumElements(); ++i)
      elements.push_back(LLVM::ExtractValueOp::create(b, registers, i));
    return vector::FromElementsOp::create(b, result, elements);
  }

  static std::string getRegisters(int64_t first, int64_t count) {
    std::string list = "{";
    for (int64_t i = 0; i < count; ++i)
      list += (i ? ", $" : "$") + std::to_string(first + i);
    return list + "}";
  }

private:
  NumberBuilder &b;
  VectorType result;
  int64_t numOperands;
  bool isTied = false;
  std::string constraints;
  SmallVector<Value> operands;
};

/// Returns the name of the element type in PTX.
StringRef getPTXName(Type element) {
  if (element.isF16())
    return "f16";
  if (element.isBF16())
    return "bf16";
  return isa<Float8E4M3FNType>(element) ? "e4m3" : "e5m2";
}

/// Returns, as text, the operands of wgmma that say whether the matrices are
/// transposed: that of lhs, if lhs is in shared memory, then that of rhs.
/// Returns an empty text for 8-bit elements, for which wgmma has no such
/// operands.
std::string getTransposition(WgmmaOp op) {
  if (isFloat8(op.getElementType()))
    return "";
  std::string text = ", ";
  if (!isa<VectorType>(op.getLhs().getType()))
    text += op.getTransposeLhs() ? "1, " : "0, ";
  return text + (op.getTransposeRhs() ? "1" : "0");
}

Value lower(NumberBuilder &b, WgmmaOp op) {
  VectorType type = op.getResult().getType();
  Assembly assembly(b, type);
  if (op.getAccumulator())
    assembly.tie(getElements(b, op.getAccumulator()));
  bool isInRegisters = isa<VectorType>(op.getLhs().getType());
  int64_t lhs = isInRegisters ? assembly.add("r", getWords(b, op.getLhs()))
                              : assembly.add("l", op.getLhs());
  int64_t rhs = assembly.add("l", op.getRhs());

  std::string text = "{ .reg .pred p; .reg .b64 da, db; ";
  if (op.getAccumulate()) {
    Value flag = b.extui(b.getI32Type(), op.getAccumulate());
    text += llvm::formatv("setp.ne.b32 p, ${0}, 0; ", assembly.add("r", flag));
  } else {
    text +=
        op.getAccumulator() ? "setp.eq.b32 p, 0, 0; " : "setp.ne.b32 p, 0, 0; ";
  }
  text += "wgmma.fence.sync.aligned; ";
  StringRef element = getPTXName(op.getElementType());
  int64_t depth = 256 / op.getElementType().getIntOrFloatBitWidth();
  std::string transposition = getTransposition(op);
  // The columns of the result are divided among one or two wgmma instructions.
  // For each of them, `parts` has its number of columns and the offset, in
  // units of 16 bytes, that it adds to the descriptor of rhs.
  SmallVector<std::pair<int64_t, int64_t>> parts = {
      {2 * type.getNumElements(), 0}};
  if (std::optional<int64_t> rest = op.getRhsRest()) {
    parts.push_back({parts[0].first - kColumnsBeforeRest, *rest});
    parts[0].first = kColumnsBeforeRest;
  }
  for (auto [i, step] : llvm::enumerate(op.getRhsSteps())) {
    std::string left = "da";
    if (isInRegisters)
      left = Assembly::getRegisters(lhs + 4 * i, 4);
    else
      text +=
          llvm::formatv("add.s64 da, ${0}, {1}; ", lhs, op.getLhsSteps()[i]);
    int64_t firstResult = 0;
    for (auto [columns, offset] : parts) {
      text += llvm::formatv("add.s64 db, ${0}, {1}; ", rhs, step + offset);
      text += llvm::formatv(
          "wgmma.mma_async.sync.aligned.m64n{0}k{1}.f32.{2}.{2} {3}, {4}, db, "
          "{5}, 1, 1{6}; ",
          columns, depth, element,
          Assembly::getRegisters(firstResult, columns / 2), left, i ? "1" : "p",
          transposition);
      firstResult += columns / 2;
    }
  }
  return assembly.create(text + "wgmma.commit_group.sync.aligned; }",
                         kWarpgroupMma);
}

Value lower(NumberBuilder &b, WgmmaWaitOp op) {
  Assembly assembly(b, op.getResult().getType());
  assembly.tie(getElements(b, op.getAccumulator()));
  return assembly.create(
      llvm::formatv("wgmma.wait_group.sync.aligned {0};", op.getPending())
          .str());
}

Value getWord(NumberBuilder &b, int64_t value) {
  return b.word(static_cast<int32_t>(value));
}

/// Lowers a comparison of both 16-bit halves of a word with a threshold. Bit 0
/// of the returned word is set if the lower half is at least the threshold, and
/// bit 16 if the upper half is.
///
/// If the chip has instructions for both halves at once (PTX ISA, "max": 8.0,
/// sm_90), they compute how far each half is above the threshold minus 1,
/// clamped to 0 and 1. They are inline assembly, since LLVM would turn other
/// code into two comparisons. Other chips get two comparisons.
Value lower(NumberBuilder &b, CompareHalvesOp op) {
  int64_t threshold = op.getThreshold();
  Chip chip = *findChip(op->getParentOfType<gpu::GPUModuleOp>());
  if (chip.getNumber() >= 90 && chip.ptxVersion >= 80) {
    auto both = [](int64_t half) { return (half & 0xFFFF) * 0x10001; };
    std::string text =
        llvm::formatv("{{ .reg .b32 l, m; mov.b32 l, {0}; max.u16x2 m, $1, l; "
                      "mov.b32 l, {1}; add.u16x2 m, m, l; mov.b32 l, 65537; "
                      "min.u16x2 $0, m, l; }",
                      both(threshold - 1), both(1 - threshold));
    return createAssembly(b, b.getI32Type(), op.getWord(), text, "=r,r",
                          /*hasEffects=*/false);
  }
  auto select = [&](Value word, int64_t bit) {
    Value isKept = b.uge(word, getWord(b, threshold << 16));
    return arith::SelectOp::create(b, isKept, getWord(b, int64_t(1) << bit),
                                   getWord(b, 0));
  };
  Value lower = b.shli(op.getWord(), getWord(b, 16));
  return b.ori(select(op.getWord(), 16), select(lower, 0));
}

/// Returns the vector of 16-bit `values` with zero in place of those whose bits
/// in the op's packed words are 0. Each word of values is combined by `and`
/// with a mask word whose 16-bit halves are all ones or all zeros.
Value maskPairs(NumberBuilder &b, UnpackPairsOp op, Value values) {
  SmallVector<Value> words = getElements(b, op.getWords()), masked;
  for (auto [word, position] :
       llvm::zip(getWords(b, values), op.getPositions())) {
    // The shift moves the two bits of a pair to the signs of the word's 16-bit
    // halves. prmt then fills each half with its sign bit (selectors 9 and 11).
    Value signs = b.shli(words[position / 32], getWord(b, 15 - position % 32));
    Value mask = LLVM::CallIntrinsicOp::create(
                     b, b.getI32Type(), b.getStringAttr("llvm.nvvm.prmt"),
                     ValueRange{signs, getWord(b, 0), getWord(b, 0xBB99)})
                     .getResults();
    masked.push_back(b.andi(word, mask));
  }
  auto type =
      VectorType::get({static_cast<int64_t>(masked.size())}, b.getI32Type());
  return vector::BitCastOp::create(
      b, values.getType(), vector::FromElementsOp::create(b, type, masked));
}

Value unpack(NumberBuilder &b, UnpackPairsOp op) {
  SmallVector<Value> words = getElements(b, op.getWords()), bits;
  for (int64_t position : op.getPositions())
    for (int64_t bit : {position % 32, position % 32 + 16})
      bits.push_back(arith::CmpIOp::create(
          b, arith::CmpIPredicate::ne,
          b.andi(words[position / 32], getWord(b, int64_t(1) << bit)),
          getWord(b, 0)));
  return vector::FromElementsOp::create(b, op.getResult().getType(), bits);
}

/// Unpacks the packed bits separately for each use, directly before the use,
/// since packed words take fewer registers until then. If the bits are the
/// condition of a select between 16-bit values and zero, the select becomes an
/// `and` of the values with masks. Any other use gets a vector of i1.
void lower(UnpackPairsOp op) {
  for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
    NumberBuilder b(op.getLoc(), use.getOwner());
    auto select = dyn_cast<arith::SelectOp>(use.getOwner());
    if (select && use.getOperandNumber() == 0 &&
        getElementTypeOrSelf(select.getType()).getIntOrFloatBitWidth() == 16 &&
        matchPattern(select.getFalseValue(), m_PosZeroFloat())) {
      select.replaceAllUsesWith(maskPairs(b, op, select.getTrueValue()));
      select.erase();
    } else {
      use.set(unpack(b, op));
    }
  }
  op.erase();
}

/// Changes the types of tensor maps to pointers: those of kernel parameters and
/// of selects among them. attn-annotate-kernels later makes these parameters by
/// value.
void lowerTensorMaps(gpu::GPUFuncOp func) {
  MLIRContext *context = func.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  // Tensor maps are parameters of the kernel or results of selects among these.
  // Loops do not carry tensor maps.
  SmallVector<Value> maps(func.getArguments());
  func.walk([&](arith::SelectOp op) { maps.push_back(op.getResult()); });
  for (Value map : maps) {
    if (!isa<TensorMapType>(map.getType()))
      continue;
    map.setType(pointer);
    for (Operation *user : llvm::make_early_inc_range(map.getUsers()))
      // Lowerings of TMA ops have put casts to pointers around the maps, which
      // are removed here. A cast of another form remains, and is reported as an
      // error later.
      if (auto cast = dyn_cast<UnrealizedConversionCastOp>(user);
          cast && cast.getNumOperands() == 1 &&
          cast.getResultTypes() == TypeRange(pointer)) {
        cast.replaceAllUsesWith(ValueRange(map));
        cast.erase();
      }
  }
  func.setFunctionType(
      FunctionType::get(context, func.getBody().getArgumentTypes(), {}));
}

struct ConvertAttnNVToLLVMPass
    : public attn::impl::ConvertAttnNVToLLVMPassBase<ConvertAttnNVToLLVMPass> {
  void runOnOperation() override {
    bool needsChip =
        getOperation()
            .walk([](CompareHalvesOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (needsChip && failed(getChip(getOperation())))
      return signalPassFailure();
    SmallVector<UnpackPairsOp> bits;
    getOperation().walk([&](Operation *op) {
      NumberBuilder b(op->getLoc(), op);
      Value result;
      if (auto wgmma = dyn_cast<WgmmaOp>(op))
        result = lower(b, wgmma);
      else if (auto wait = dyn_cast<WgmmaWaitOp>(op))
        result = lower(b, wait);
      else if (auto compare = dyn_cast<CompareHalvesOp>(op))
        result = lower(b, compare);
      else if (auto unpack = dyn_cast<UnpackPairsOp>(op))
        return bits.push_back(unpack);
      else
        return;
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    });
    for (UnpackPairsOp op : bits)
      lower(op);
    getOperation().walk(lowerTensorMaps);
  }
};

} // namespace
