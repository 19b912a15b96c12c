//===- AttnGPU.h - The attn_gpu dialect -------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H

#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/TensorEncoding.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPUDialect.h.inc"

#include "attn/Dialect/AttnGPU/IR/AttnGPUInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.h.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnGPU/IR/AttnGPUOps.h.inc"

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPU_H
