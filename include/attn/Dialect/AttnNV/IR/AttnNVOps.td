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
    With `once`, the second-level cache fetches no more than a copy asks for: for
    what only one CTA reads.

    The map of `array`, whose elements are f16, bf16, f32, f8E4M3FN or f8E5M2 and
    are copied in boxes of `box` elements, one size for each dimension. In shared memory a box is a sequence of rows of 128
    bytes, in which units of 16 bytes are exchanged: unit `u` of row `r` lies at
    `u xor (r mod 8)`; with `linear`, a box is a sequence of rows of any multiple of
    16 bytes, as they are. Elements outside of the array read as zeros and are not
    written. The array's address and its strides but the last, which is 1, are
    multiples of 16 bytes; its sizes are at least 1 and below 2^32.

    With `sliced D`, copies are of slices of dimension D, of N elements, whose ends
    they give: elements at or past the end read as zeros and are not written. The map
    then has a further dimension, the first. The element `i` of `[first, end)` has the
    coordinates `end` there and `N - (end - first) + i` in D:

    ```
    address = array - N * stride + end * stride + (N - (end - first) + i) * stride
    ```

    and coordinates from N on are outside of the map, whatever the end is. For a box
    of no element that is loaded, TMA reads the first address that a map describes,
    here N rows in front of the array, where nothing may be mapped (seen on H100 and
    H200). Such a box is loaded by a map with `empty`, which begins with the array. It
    takes the same box and coordinates, has N elements in D and the end 0 alone: all of
    a box at a coordinate from N on in D is outside.

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
  let summary = "how many SMs the current device has, on the host";
  let description = [{
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
  let summary = "CTAs of its kernel for which an SM shall have registers";
  let description = [{
    At the beginning of a kernel. `attn-annotate-kernels` makes the kernel's
    `.minnctapersm` of it (PTX ISA, "Performance-Tuning Directives").

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
  let summary = "registers of a thread at the launch of its kernel";
  let description = [{
    At the beginning of a kernel whose warpgroups move registers (`setmaxnreg`).
    `attn-annotate-kernels` makes the kernel's `.maxnreg` of it (PTX ISA,
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

def AttnNV_WaitForLaunchesOp : AttnNV_Op<"wait_for_launches"> {
  let summary = "waits for what earlier launches write, and lets the next one begin";
  let description = [{
    After it the kernel sees all that the kernels launched before it on the stream have
    written, and the kernel that is launched next may begin (PTX ISA, `griddepcontrol`).
    A kernel that has this op may itself be launched while the one before it runs:
    `attn-annotate-kernels`, which makes assembly of the op, says so of its function, and
    `attn-lower-launch` launches it so.

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
  let summary = "two words of global memory for a launch, on the host";
  let description = [{
    The i32 words of a launch of the function: they are zero when it begins, and it
    leaves them so. No other launch has them that may run at the same time; which
    they are, the runtime decides by the function's stream.

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
    `rhs`, K x N, in steps of 32 bytes along K: wgmma.mma_async m64nNk16 of f16 and
    bf16, m64nNk32 of f8E4M3FN and f8E5M2. Without
    `accumulator`, and where `accumulate` is given and false, the sum begins at
    zero. A fence comes before the MMA, and its group is committed after it.
    The result, and the registers of lhs, may be touched only after
    `attn_nv.wgmma_wait`.

    `rhs` is a shared memory descriptor, `lhs` one or the registers of the four
    warps, 16 bytes for each step. The descriptor of step `i` is larger by the
    i-th of `rhs_steps` or `lhs_steps`. `transpose_rhs` says that rhs is stored
    K x N; N x K is the default. `transpose_lhs` says that lhs, a descriptor, is
    stored K x M (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions");
    elements of 8 bits have neither.
    With `rhs_rest` each step is two instructions, of 128 columns and of the rest,
    for which the descriptor of rhs is larger by so much: ptxas has one for all
    only if threads begin with 30 registers more than it has results.

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
    Waits until at most `pending` groups of the calling warp are unfinished. The
    result is the accumulator of an MMA that has ended by then: uses of it
    cannot move before the wait.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending,
                       AttnNV_Accumulator:$accumulator);
  let results = (outs AttnNV_Accumulator:$result);
  let assemblyFormat = "$pending `,` $accumulator attr-dict `:` type($result)";
}

def AttnNV_CompareHalvesOp : AttnNV_Op<"compare_halves", [Pure]> {
  let summary = "which halves of a word are at least a threshold";
  let description = [{
    Bit 0 of the result says it of the lower 16 bits, bit 16 of the upper ones; the
    others are 0. `threshold` is from 1 to 65535.

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
  let summary = "bits of words as a vector";
  let description = [{
    The n-th position `32 * w + bit`, with `bit` below 16, is where element 2 n of the
    result is: in word `w`. Element 2 n + 1 is 16 bits above it. A select of 16-bit
    floats by them, or zeros, masks two at once.

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
