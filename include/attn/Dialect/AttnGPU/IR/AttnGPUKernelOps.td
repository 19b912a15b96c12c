//===- AttnGPUKernelOps.td - Kernels and launches -----------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUKERNELOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUKERNELOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def AttnGPU_KernelOp : AttnGPU_Op<"kernel", [
    AffineScope, HasParent<"::mlir::ModuleOp">, IsolatedFromAbove, NoTerminator,
    SingleBlock, Symbol]> {
  let summary = "the program that each CTA of a launch runs";
  let description = [{
    The body is the program of one CTA, whose number is `gpu.block_id x`. Ops that set the
    CTA up come before `attn_gpu.begin`. The body can use only its arguments. It also
    declares what else a launch must provide: the number of threads of a CTA, the bytes of
    shared memory, and tensor maps, which `attn_nv.encode_tensor_map` makes from arguments.
    A launch encodes the maps on the host, before the kernel begins.

    | attribute | what it is |
    |---|---|
    | `target` | the chip that the program is for, from which all passes on kernels know it |
    | `schedule` | how the program is to run, from which all passes on kernels know it |
    | `threads` | threads of a CTA, in one dimension: 1 to 1024 |
    | `shared_bytes` | bytes of dynamic shared memory of a CTA |
    | `reasons` | why the schedule was chosen, for people |

    ```mlir
    attn_gpu.kernel @copy(%in: memref<?x64xf32>, %out: memref<?x64xf32>)
        target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element>
        threads 128 {
      %block = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %row = arith.muli %block, %c64 : index
      %tile = attn_tile.load %in[%row, %c0] : memref<?x64xf32> -> tensor<64x64xf32>
      attn_tile.store %tile, %out[%row, %c0] : tensor<64x64xf32>, memref<?x64xf32>
    }
    func.func @main(%in: memref<?x64xf32>, %out: memref<?x64xf32>, %blocks: index) {
      attn_gpu.launch @copy blocks %blocks args(%in, %out)
          : memref<?x64xf32>, memref<?x64xf32>
      return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, AttnGPU_TargetAttr:$target,
                       AttnGPU_ScheduleAttr:$schedule, I64Attr:$threads,
                       DefaultValuedAttr<I64Attr, "0">:$shared_bytes,
                       OptionalAttr<StrArrayAttr>:$reasons);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the properties of the chip that the kernel's `target` names.
    const ::mlir::attn::Chip &getChip() { return getTarget().getDescription(); }

    /// Returns the op at which the program begins. Creates it as the kernel's
    /// first op, if there is none yet.
    BeginOp getBegin();

    /// getBlockId() returns the CTA's number, getNumBlocks() the number of
    /// CTAs, and getThreadId() the thread's number in its CTA. Each creates the
    /// op that reads the number at the kernel's beginning, if there is none
    /// yet.
    ::mlir::Value getBlockId(::mlir::OpBuilder &b);
    ::mlir::Value getNumBlocks(::mlir::OpBuilder &b);
    ::mlir::Value getThreadId(::mlir::OpBuilder &b);

    /// Whether an argument of the kernel is workspace, memory that only kernels
    /// use.
    bool isWorkspace(::mlir::Value argument);
  }];
}

def AttnGPU_BeginOp : AttnGPU_Op<"begin", [HasParent<"KernelOp">]> {
  let summary = "where the program of a kernel begins";
  let description = [{
    The ops before it set the kernel up, for all of its threads: they declare arrays and
    tensor maps and, in kernels with roles, create rings and their barriers. They do not
    read or write arrays, so a kernel waits here for earlier kernels of the stream. Only the
    program after it is divided among roles. In a kernel without the op, the program begins
    with the first op.

    ```mlir
    attn_gpu.kernel @clear(%out: memref<64xf32>)
        target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element>
        threads 128 {
      %block = gpu.block_id x
      attn_gpu.begin
      %zeros = arith.constant dense<0.0> : tensor<64xf32>
      attn_tile.store %zeros, %out[%block] : tensor<64xf32>, memref<64xf32>
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def AttnGPU_ArrayOp : AttnGPU_Op<"array", [HasParent<"KernelOp">]> {
  let summary = "states what launches know of an array";
  let description = [{
    `array` is an argument of the kernel. `sizes` are its dynamic sizes, which are arguments
    of the kernel, too. Arrays that have the same argument as a size are known to be equal
    in it. `workspace` marks dense memory that only kernels use, and that the function that
    launches them allocates.

    ```mlir
    attn_gpu.kernel @fill(%sums: memref<?x64xf32>, %rows: index)
        target <chip = "sm_80"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element>
        threads 128 {
      attn_gpu.array %sums sizes(%rows) workspace : memref<?x64xf32>
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$array, Variadic<Index>:$sizes, UnitAttr:$workspace);
  let assemblyFormat = [{
    $array (`sizes` `(` $sizes^ `)`)? (`workspace` $workspace^)? attr-dict
    `:` type($array)
  }];
  let hasVerifier = 1;
}

def AttnGPU_LaunchOp : AttnGPU_Op<"launch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "launches a kernel";
  let description = [{
    Runs `blocks` CTAs of the kernel with the given arguments, after the kernels that the
    function launched before; see `attn_gpu.kernel`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Index:$blocks,
                       Variadic<AnyType>:$args);
  let assemblyFormat = [{
    $kernel `blocks` $blocks (`args` `(` $args^ `)`)? attr-dict
    (`:` type($args)^)?
  }];
  let extraClassDeclaration = [{
    KernelOp lookUpKernel();
  }];
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUKERNELOPS_TD
