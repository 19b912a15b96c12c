//===- RoleOps.cpp - Roles and loops over the tiles of a CTA --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/IR/Registers.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::attn_gpu;

//===----------------------------------------------------------------------===//
// RolesOp
//===----------------------------------------------------------------------===//

/// Verifies `registers` of `attn_gpu.roles`, if it is given: for each role, the
/// number of registers of a thread. Each number must be a multiple of 8 from 24
/// to 256, as setmaxnreg requires. Their sum over all warpgroups must be at
/// most what the CTA is launched with, since a warp would wait for ever for
/// registers that the CTA does not have.
static LogicalResult verifyRegisters(RolesOp op) {
  if (!op.getRegisters())
    return success();
  ArrayRef<int64_t> registers = *op.getRegisters(),
                    warpgroups = op.getWarpgroups();
  if (llvm::any_of(registers, [](int64_t count) {
        return count < 24 || count > 256 || count % 8 != 0;
      }))
    return op.emitOpError("expected multiples of 8 from 24 to 256 as "
                          "'registers', found [")
           << registers << "]";
  int64_t most = getRegistersAtLaunch(warpgroups, registers) *
                 llvm::sum_of(warpgroups),
          found = 0;
  for (auto [groups, count] : llvm::zip_equal(warpgroups, registers))
    found += groups * count;
  if (found > most)
    return op.emitOpError("expected 'registers' of all warpgroups that add up "
                          "to at most ")
           << most << ", which they are launched with, found " << found;
  return success();
}

LogicalResult RolesOp::verify() {
  // The largest number of warpgroups of a CTA, which has at most 1024 threads.
  constexpr int64_t kMaxWarpgroups = 1024 / kWarpgroup;
  size_t roles = getBodies().size();
  if (roles == 0)
    return emitOpError("expected at least one role, found none");
  size_t registers = getRegisters() ? getRegisters()->size() : roles;
  for (auto [name, count] : {std::pair("warpgroups", getWarpgroups().size()),
                             {"registers", registers},
                             {"elected", getElected().size()}})
    if (count != roles)
      return emitOpError("expected as many '")
             << name << "' as regions, " << roles << ", found " << count;
  if (llvm::any_of(getWarpgroups(), [](int64_t count) { return count < 1; }))
    return emitOpError("expected at least one warpgroup for each role, found [")
           << getWarpgroups() << "]";
  int64_t left = kMaxWarpgroups;
  for (int64_t count : getWarpgroups())
    left -= std::min(count, kMaxWarpgroups + 1);
  if (left < 0)
    return emitOpError("expected at most ")
           << kMaxWarpgroups << " warpgroups, found [" << getWarpgroups()
           << "]";
  if (failed(verifyRegisters(*this)))
    return failure();
  for (Region &body : getBodies())
    if (body.getNumArguments() != 1 || !body.getArgument(0).getType().isIndex())
      return emitOpError("expected an argument of type index in each region");
  return success();
}

unsigned RolesOp::getRole(Operation *op) {
  for (Region &body : getBodies())
    if (body.findAncestorOpInRegion(*op))
      return body.getRegionNumber();
  llvm_unreachable("the op is in none of the roles");
}

int64_t RolesOp::getFirstWarpgroup(unsigned role) {
  return llvm::sum_of(getWarpgroups().take_front(role));
}

//===----------------------------------------------------------------------===//
// ForTilesOp
//===----------------------------------------------------------------------===//

ParseResult ForTilesOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument position;
  OpAsmParser::UnresolvedOperand count, counters;
  Builder &b = parser.getBuilder();
  if (parser.parseArgument(position) || parser.parseKeyword("of") ||
      parser.parseOperand(count))
    return failure();
  bool hasCounters = succeeded(parser.parseOptionalKeyword("counters"));
  if (hasCounters && parser.parseOperand(counters))
    return failure();
  int64_t broadcast;
  if (succeeded(parser.parseOptionalKeyword("broadcast"))) {
    if (parser.parseInteger(broadcast))
      return failure();
    result.getOrAddProperties<Properties>().broadcast =
        b.getI64IntegerAttr(broadcast);
  }
  position.type = b.getIndexType();
  // The operands of for_tiles are resolved after its region has been parsed. If
  // they were resolved before, and the region defined a value with the name of
  // an operand, the parser would erase the operand's placeholder, which no op
  // uses yet, and `result` would keep a reference to it.
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  return failure(
      parser.parseRegion(*result.addRegion(), position) ||
      parser.resolveOperand(count, b.getIndexType(), result.operands) ||
      (hasCounters &&
       parser.resolveOperand(counters, pointer, result.operands)) ||
      parser.parseOptionalAttrDict(result.attributes));
}

void ForTilesOp::print(OpAsmPrinter &printer) {
  printer << " " << getPosition() << " of " << getCount();
  if (getCounters())
    printer << " counters " << getCounters();
  if (getBroadcast())
    printer << " broadcast " << *getBroadcast();
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"broadcast"});
}

LogicalResult ForTilesOp::verifyRegions() {
  if (getBody().getNumArguments() != 1 || !getPosition().getType().isIndex())
    return emitOpError("expected an index in the body, the tile's position");
  return success();
}
