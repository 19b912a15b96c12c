//===- Quantize.h - The op that stores arrays in 8 bits ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_QUANTIZE_H
#define ATTN_DIALECT_ATTN_IR_QUANTIZE_H

#include "attn/Dialect/Attn/IR/Attn.h"

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/IR/AttnQuantizeOps.h.inc"

#endif // ATTN_DIALECT_ATTN_IR_QUANTIZE_H
