//===- AttnNVOps.td - What the NVVM dialect lacks ----------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNNV_IR_ATTNNVOPS_TD
#define ATTN_DIALECT_ATTNNV_IR_ATTNNVOPS_TD

include "attn/Dialect/AttnNV/IR/AttnNVTypes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class AttnNV_Op<string mnemonic, list<Trait> traits = []>
    : Op<AttnNV_Dialect, mnemonic, traits>;

def AttnNV_EncodeTensorMapOp : AttnNV_Op<"encode_tensor_map", [Pure]> {
  let summary = "describes an array to the tensor memory accelerator";
  let description = [{
    Returns a tensor map of `array`, whose elements are f16, bf16, f32, f8E4M3FN,
    f8E5M2 or i8. A copy moves a box of `box` elements, one size for each dimension. In
    shared memory a box is a sequence of rows of 128 bytes with the 128-byte swizzle: the
    `u`-th 16 bytes of row `r` are stored as the `(u xor (r mod 8))`-th. With `linear`, a box
    is a sequence of rows of any multiple of 16 bytes, without a swizzle. Elements outside
    of the array read as zeros and are not written. The array's address and all of its
    strides except the last, which is 1, are multiples of 16 bytes; its sizes are at least
    1 and below 2^32.

    With `once`, the second-level cache fetches no more than a copy asks for. This is for
    arrays that only one CTA reads.

    With `sliced D`, copies are of slices `[first, end)` of dimension D, which has N
    elements, and each copy gives the end of its slice: elements at or past the end read as
    zeros and are not written. The map then has a further dimension, the first one. Element
    `i` of `[first, end)` has the coordinate `end` in that dimension and the coordinate
    `N - (end - first) + i` in D:

    ```
    address = array - N * stride + end * stride + (N - (end - first) + i) * stride
    ```

    Coordinates from N on are outside of the map, whatever the end is. If a box has
    no element inside of the map, TMA still reads the first address that the map describes:
    here N rows before the array, where memory may not be mapped (observed on H100 and
    H200). Such a box is loaded by a map with `empty`, which begins at the array. It has
    the same box and coordinates, N elements in D, and 0 as its only end: a box whose
    coordinate in D is N or more is outside of it.

    ```mlir
    func.func @map(%k: memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>) {
      %0 = attn_nv.encode_tensor_map %k box [1, 1, 64, 64]
          : memref<2x8x?x128xbf16, strided<[?, ?, ?, 1]>>
      return
    }

    func.func @map_of_slices(%k: memref<1x8x?x128xbf16, strided<[?, ?, ?, 1]>>) {
      %0 = attn_nv.encode_tensor_map %k box [1, 1, 1, 64, 64] sliced 2
          : memref<1x8x?x128xbf16, strided<[?, ?, ?, 1]>>
      %1 = attn_nv.encode_tensor_map %k box [1, 1, 1, 64, 64] sliced 2 empty
          : memref<1x8x?x128xbf16, strided<[?, ?, ?, 1]>>
      return
    }
    ```
  }];
  let arguments = (ins AnyStridedMemRef:$array, DenseI64ArrayAttr:$box,
                       UnitAttr:$linear, UnitAttr:$once,
                       OptionalAttr<I64Attr>:$sliced, UnitAttr:$empty);
  let results = (outs AttnNV_TensorMapType:$map);
  let assemblyFormat = [{
    $array `box` $box (`linear` $linear^)? (`once` $once^)? (`sliced` $sliced^ (`empty` $empty^)?)? attr-dict `:` type($array)
  }];
  let hasVerifier = 1;
}

def AttnNV_SmCountOp : AttnNV_Op<"sm_count", [Pure]> {
  let summary = "returns the number of SMs of the current device";
  let description = [{
    Runs on the host.

    ```mlir
    func.func @ctas_of_a_persistent_kernel() -> index {
      %0 = attn_nv.sm_count
      return %0 : index
    }
    ```
  }];
  let results = (outs Index:$count);
  let assemblyFormat = "attr-dict";
}

def AttnNV_LeastCTAsOp : AttnNV_Op<"least_ctas"> {
  let summary = "sets the number of CTAs for which an SM must have registers";
  let description = [{
    Stands at the beginning of a kernel. `attn-annotate-kernels` turns it into the kernel's
    `.minnctapersm` (PTX ISA, "Performance-Tuning Directives").

    ```mlir
    func.func @kernel() {
      attn_nv.least_ctas 2
      return
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$count);
  let assemblyFormat = "$count attr-dict";
}

def AttnNV_LaunchRegistersOp : AttnNV_Op<"launch_registers"> {
  let summary = "sets the number of registers of a thread at launch";
  let description = [{
    Stands at the beginning of a kernel whose warpgroups exchange registers
    (`setmaxnreg`). `attn-annotate-kernels` turns it into the kernel's `.maxnreg` (PTX ISA,
    "Performance-Tuning Directives").

    ```mlir
    func.func @kernel() {
      attn_nv.launch_registers 144
      return
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$count);
  let assemblyFormat = "$count attr-dict";
}

def AttnNV_ConsumerRegistersOp : AttnNV_Op<"consumer_registers"> {
  let summary = "states the number of registers of the consumers' threads";
  let description = [{
    Stands at the beginning of a kernel whose roles differ in registers (`setmaxnreg`), and
    states how many each thread of the consumers has then. `attn-annotate-kernels` makes it an
    entry of the kernel's `passthrough`, which passes on LLVM IR read.

    ```mlir
    func.func @kernel() {
      attn_nv.consumer_registers 232
      return
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$count);
  let assemblyFormat = "$count attr-dict";
}

def AttnNV_WaitForLaunchesOp : AttnNV_Op<"wait_for_launches"> {
  let summary = "waits for earlier launches, and lets the next one begin";
  let description = [{
    After it the kernel sees everything that the kernels launched before it on the stream have
    written, and the kernel that is launched next may begin (PTX ISA, `griddepcontrol`).
    A kernel with this op may itself be launched while the kernel before it runs
    (programmatic dependent launch): `attn-annotate-kernels` lowers the op to assembly and
    marks its function, and `attn-lower-launch` launches marked kernels that way.

    ```mlir
    func.func @kernel() {
      attn_nv.wait_for_launches
      return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def AttnNV_WorkCountersOp
    : AttnNV_Op<"work_counters", [MemoryEffects<[MemRead]>]> {
  let summary = "returns two i32 of global memory that count a launch's work";
  let description = [{
    Runs on the host. The two numbers are zero when the launch begins, and the kernel must
    set them to zero again. No launch that may run at the same time gets the same ones: the
    runtime has a pair for each stream.

    ```mlir
    func.func @counters() {
      %0 = attn_nv.work_counters
      return
    }
    ```
  }];
  let results = (outs LLVM_PointerInAddressSpace<1>:$counters);
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state,
          LLVM::LLVMPointerType::get($_builder.getContext(), 1));
  }]>];
  let assemblyFormat = "attr-dict";
}

def AttnNV_Accumulator : VectorOfRankAndType<[1], [F32]>;

def AttnNV_WgmmaOp : AttnNV_Op<"wgmma", [
    AttrSizedOperandSegments,
    OptionalTypesMatchWith<"accumulator has the result's type", "result",
                           "accumulator", "$_self">]> {
  let summary = "issues an MMA of a warpgroup";
  let description = [{
    Adds to an accumulator of 64 x N elements the product of `lhs`, 64 x K, and
    `rhs`, K x N, in steps of 32 bytes along K: wgmma.mma_async m64nNk16 for f16 and
    bf16, m64nNk32 for f8E4M3FN and f8E5M2. Without `accumulator`, or if `accumulate` is
    given and false, the sum begins at zero. The op includes a fence before the MMA
    and a commit of its group after it. The result and the registers of lhs may be used
    only after `attn_nv.wgmma_wait`.

    `rhs` is a shared memory descriptor; `lhs` is a descriptor, or a vector of the
    thread's registers, 16 bytes for each step. The descriptor of step `i` is the operand
    plus the i-th of `rhs_steps` or `lhs_steps`. `transpose_rhs` says that rhs is stored
    as K x N instead of N x K. `transpose_lhs` says that lhs, a descriptor, is stored as K x M
    (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions"). Neither is possible with
    elements of 8 bits.

    With `rhs_rest`, each step is two instructions, one of 128 columns and one of the
    rest, whose rhs descriptor is larger by `rhs_rest`. This is for 256 columns: ptxas
    accepts one instruction for all only if threads have 30 registers more at launch than
    the instruction has results.

    ```mlir
    func.func @mma(%p: vector<32xbf16>, %v: i64, %o: vector<32xf32>)
        -> vector<32xf32> {
      %0 = attn_nv.wgmma bf16 %p, %v, acc %o rhs_steps [0, 128, 256, 384]
          transpose_rhs : vector<32xbf16> -> vector<32xf32>
      %1 = attn_nv.wgmma_wait 0, %0 : vector<32xf32>
      return %1 : vector<32xf32>
    }
    ```
  }];
  let arguments = (ins
    TypeAttr:$element_type,
    AnyTypeOf<[I64, VectorOfRankAndType<[1], [F16, BF16, F8E4M3FN, F8E5M2]>]>:$lhs, I64:$rhs,
    Optional<AttnNV_Accumulator>:$accumulator, Optional<I1>:$accumulate,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$lhs_steps,
    DenseI64ArrayAttr:$rhs_steps, OptionalAttr<I64Attr>:$rhs_rest,
    UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs AttnNV_Accumulator:$result);
  let assemblyFormat = [{
    $element_type $lhs `,` $rhs (`,` `acc` $accumulator^)?
    (`if` $accumulate^)? (`lhs_steps` $lhs_steps^)? `rhs_steps` $rhs_steps
    (`rhs_rest` $rhs_rest^)? (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)?
    attr-dict `:` type($lhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def AttnNV_WgmmaWaitOp : AttnNV_Op<"wgmma_wait", [
    AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "waits for all but the last MMAs of a warpgroup";
  let description = [{
    Waits until at most `pending` committed groups of the calling warp are unfinished.
    `accumulator` must be the result of an MMA that has ended by then. Uses of the op's
    result, which equals it, cannot move before the wait.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending,
                       AttnNV_Accumulator:$accumulator);
  let results = (outs AttnNV_Accumulator:$result);
  let assemblyFormat = "$pending `,` $accumulator attr-dict `:` type($result)";
}

def AttnNV_CompareHalvesOp : AttnNV_Op<"compare_halves", [Pure]> {
  let summary = "compares the two 16-bit halves of an i32 with a threshold";
  let description = [{
    Compares unsigned numbers. Bit 0 of the result is 1 if the lower half is at least the
    threshold, bit 16 is 1 if the upper half is; all other bits are 0. `threshold` is from 1
    to 65535.

    ```mlir
    func.func @compare(%word: i32) -> i32 {
      %0 = attn_nv.compare_halves %word at_least 6554
      return %0 : i32
    }
    ```
  }];
  let arguments = (ins I32:$word, I64Attr:$threshold);
  let results = (outs I32:$result);
  let assemblyFormat = "$word `at_least` $threshold attr-dict";
  let hasVerifier = 1;
}

def AttnNV_UnpackPairsOp : AttnNV_Op<"unpack_pairs", [Pure]> {
  let summary = "extracts pairs of bits of i32 numbers as a vector of i1";
  let description = [{
    With `positions[n] = 32 * w + bit`, `bit` below 16, element 2 n of the result is bit
    `bit` of `words[w]`, and element 2 n + 1 is bit `bit + 16`. A select between 16-bit floats
    and zeros by the result is lowered to one bitwise and for each two floats.

    ```mlir
    func.func @unpack(%words: vector<2xi32>) -> vector<6xi1> {
      %0 = attn_nv.unpack_pairs %words at [0, 1, 32] : vector<2xi32> -> vector<6xi1>
      return %0 : vector<6xi1>
    }
    ```
  }];
  let arguments = (ins VectorOfRankAndType<[1], [I32]>:$words,
                       DenseI64ArrayAttr:$positions);
  let results = (outs VectorOfRankAndType<[1], [I1]>:$result);
  let assemblyFormat = [{
    $words `at` $positions attr-dict `:` type($words) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // ATTN_DIALECT_ATTNNV_IR_ATTNNVOPS_TD
