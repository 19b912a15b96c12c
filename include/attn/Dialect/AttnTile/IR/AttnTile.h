//===- AttnTile.h - The attn_tile dialect -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILE_H
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILE_H

#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "attn/Dialect/AttnTile/IR/AttnTileDialect.h.inc"
#include "attn/Dialect/AttnTile/IR/AttnTileEnums.h.inc"

#include "attn/Dialect/AttnTile/IR/AttnTileInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/AttnTile/IR/AttnTileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnTile/IR/AttnTileTypes.h.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnTile/IR/AttnTileOps.h.inc"

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILE_H
