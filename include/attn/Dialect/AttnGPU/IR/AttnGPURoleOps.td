//===- AttnGPURoleOps.td - Roles and the tile scheduler ----*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUROLEOPS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUROLEOPS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUAttrs.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUTypes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def AttnGPU_RolesOp : AttnGPU_Op<"roles", [
    NoTerminator, RecursiveMemoryEffects]> {
  let summary = "divides a CTA's warpgroups into roles with a program each";
  let description = [{
    Region `i`, the program of role `i`, is run by `warpgroups[i]` warpgroups, which come
    after those of the roles before it. Where `elected[i]` is true, only one thread of them
    runs it. With `registers`, each thread of role `i` gets `registers[i]` registers
    (`setmaxnreg`), a multiple of 8 from 24 to 256; without, it keeps those of the launch.
    An SM has 65536 registers, of which a launch gives each thread the same multiple of 8:
    roles that need more than these in total are an error.
    The argument of a region is the number of the warpgroup within its role. Roles
    synchronise only by rings, named barriers and the tile scheduler.

    ```mlir
    func.func @roles(%ring: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>,
                     %map: !attn_nv.tensor_map, %i: i32) {
      attn_gpu.roles warpgroups [2, 1] registers [232, 40] elected [false, true] {
      ^bb0(%warpgroup: index):
        %tile, %number = attn_gpu.acquire %ring
            : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
              -> tensor<128x64xf16, #attn_gpu.swizzled>
        attn_gpu.release %ring[%number]
            : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      }, {
      ^bb0(%warpgroup: index):
        attn_gpu.fill %ring from %map[%i, %i, %i]
            : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
      }
      return
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$warpgroups,
                       OptionalAttr<DenseI64ArrayAttr>:$registers,
                       DenseBoolArrayAttr:$elected);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let assemblyFormat = [{
    `warpgroups` $warpgroups (`registers` $registers^)? `elected` $elected
    $bodies attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the number of the role whose region contains `op`. `op` must be
    /// in one of the regions.
    unsigned getRole(Operation *op);
    /// Returns the number, within the CTA, of the role's first warpgroup.
    int64_t getFirstWarpgroup(unsigned role);
  }];
}

//===----------------------------------------------------------------------===//
// The tile scheduler
//===----------------------------------------------------------------------===//

// for_tiles declares no memory effects, so passes must assume any and may not
// erase a loop with an empty body. A role without work for a tile still takes
// part in passing on the numbers of tiles.
def AttnGPU_ForTilesOp : AttnGPU_Op<"for_tiles", [SingleBlock, NoTerminator]> {
  let summary = "a loop over the tiles that the CTA takes";
  let description = [{
    Each position below `count` is visited by one CTA of the launch, and all roles of that
    CTA visit its positions in the same order. Without `counters`, CTA c of C visits the
    positions c, c + C, c + 2C and so on. `counters` are two i32 in global memory: a CTA that
    has finished a position takes the next one from a counter. One thread of the last role,
    or of the CTA where there are no roles, takes the number and passes it to the others
    through slots at byte `broadcast` of the dynamic shared memory.

    ```mlir
    func.func @persistent(%count: index) {
      attn_gpu.for_tiles %position of %count {
      }
      return
    }
    ```
  }];
  let arguments = (ins Index:$count,
                       Optional<LLVM_PointerInAddressSpace<1>>:$counters,
                       OptionalAttr<I64Attr>:$broadcast);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    Value getPosition() { return getBody().getArgument(0); }
  }];
}

def AttnGPU_InitSchedulerOp : AttnGPU_Op<"init_scheduler"> {
  let summary = "initialises the slots that pass tile numbers on";
  let description = [{
    Two slots and their barriers use 48 bytes from byte `offset` of the dynamic shared
    memory on. `readers` threads read each number. One thread runs this, before the
    CTA's first barrier.

    ```mlir
    func.func @two_consumers() {
      attn_gpu.init_scheduler at 4096 readers 256
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$offset,
                       ConfinedAttr<I64Attr, [IntPositive]>:$readers);
  let assemblyFormat = "`at` $offset `readers` $readers attr-dict";
}

def AttnGPU_PublishTileOp : AttnGPU_Op<"publish_tile"> {
  let summary = "passes the `index`-th tile number to the CTA's readers";
  let description = [{
    Waits until all readers have read the number that the slot held before, and then
    writes `tile`.

    ```mlir
    func.func @tell(%tile: i32, %n: i32) {
      attn_gpu.publish_tile %tile, %n at 4096
      return
    }
    ```
  }];
  let arguments = (ins I32:$tile, I32:$index, I64Attr:$offset);
  let assemblyFormat = "$tile `,` $index `at` $offset attr-dict";
}

def AttnGPU_NextTileOp : AttnGPU_Op<"next_tile"> {
  let summary = "waits for the `index`-th tile number of the CTA";
  let description = [{
    Each thread that runs it is one of the readers of `attn_gpu.init_scheduler`, and
    releases the slot after it has read the number.

    ```mlir
    func.func @hear(%n: i32) -> i32 {
      %0 = attn_gpu.next_tile %n at 4096
      return %0 : i32
    }
    ```
  }];
  let arguments = (ins I32:$index, I64Attr:$offset);
  let results = (outs I32:$tile);
  let assemblyFormat = "$index `at` $offset attr-dict";
}

def AttnGPU_PingPongWaitOp : AttnGPU_Op<"ping_pong_wait"> {
  let summary = "waits until the previous warpgroup has issued its MMAs";
  let description = [{
    The `warpgroups` warpgroups of the role take turns in a cycle, by named barriers.

    ```mlir
    func.func @turn() {
      attn_gpu.ping_pong_wait of 2
      attn_gpu.ping_pong_arrive of 2
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$warpgroups);
  let assemblyFormat = "`of` $warpgroups attr-dict";
}

def AttnGPU_PingPongArriveOp : AttnGPU_Op<"ping_pong_arrive"> {
  let summary = "lets the next warpgroup issue its MMAs";
  let description = [{
    With `initial`, which comes before all iterations, only the last warpgroup arrives, so
    that the first one can begin.

    ```mlir
    func.func @first_turn() {
      attn_gpu.ping_pong_arrive of 2 initial
      return
    }
    ```
  }];
  let arguments = (ins I64Attr:$warpgroups, UnitAttr:$initial);
  let assemblyFormat = "`of` $warpgroups (`initial` $initial^)? attr-dict";
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUROLEOPS_TD
