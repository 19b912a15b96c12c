//===- AttnGPUAttrs.td - Layouts of tiles -----------------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_IR_ATTNGPUATTRS_TD
#define ATTN_DIALECT_ATTNGPU_IR_ATTNGPUATTRS_TD

include "attn/Dialect/AttnGPU/IR/AttnGPUBase.td"
include "attn/Dialect/AttnGPU/IR/AttnGPUSchedule.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"

def AttnGPU_LayoutInterface : AttrInterface<"LayoutInterface"> {
  let cppNamespace = "::mlir::attn_gpu";
  let description = [{
    A layout distributes the elements of a tile over the registers of the threads
    of a CTA. The coordinate of an element along an axis is the sum of a part
    that depends on the register and a part that depends on the thread.
  }];
  let methods = [
    InterfaceMethod<
      "Number of threads, a multiple of the warp size.",
      "int64_t", "getNumThreads">,
    InterfaceMethod<
      "For each register of a thread, the coordinate along an axis relative to "
      "the thread's own.",
      "::llvm::SmallVector<int64_t>", "getRegisterOffsets",
      (ins "::llvm::ArrayRef<int64_t>":$shape, "int64_t":$axis)>,
    InterfaceMethod<
      "The thread's own coordinate along an axis, in d0, its lane, and d1, its "
      "warp.",
      "::mlir::AffineExpr", "getThreadOffset",
      (ins "::llvm::ArrayRef<int64_t>":$shape, "int64_t":$axis)>,
    InterfaceMethod<
      "How many neighbouring elements of a row, or of a vector, consecutive "
      "registers of a thread hold.",
      "int64_t", "getRun", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return 1;">
  ];
}

class AttnGPU_Layout<string name, string attrMnemonic,
                     list<string> overridden = []>
    : AttnGPU_Attr<name, attrMnemonic, [
        DeclareAttrInterfaceMethods<AttnGPU_LayoutInterface, overridden>,
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]>;

def AttnGPU_MmaLayoutAttr : AttnGPU_Layout<"MmaLayout", "mma",
    ["getRun"]> {
  let summary = "the accumulator layout of mma.sync m16n8, with rows divided among warps";
  let description = [{
    `warps_n` warps share a row, each with a part of the columns; warps with the same
    part have consecutive numbers. The warps are those of the CTA from `first_warp` on;
    below, `w` is counted from there. With `R = warps / warps_n` warps along the rows,
    `T = M / (16 * R)` row tiles and `C = N / warps_n` columns for each warp, lane
    `l` of warp `w` holds in register `((t * C/8) + j) * 4 + 2 * h + c` the element in

    ```
    row    16 * (w mod R * T + t) + l / 4 + 8 * h
    column w / R * C + 8 * j + 2 * (l mod 4) + c
    ```

    for `t < T`, `j < C/8`, `h, c < 2` (PTX ISA, "Matrix fragments for mma.m16n8k16").
    Where a warp has all columns, eight consecutive registers, packed in pairs, are the
    A operand of one MMA (k16). A tile of 16-bit elements in this layout is therefore a left
    operand without data moving between lanes.

    With `copies` above 1, the tile is replicated in `copies` groups of `G = warps / copies`
    warps: warp `w` has what warp `w mod G` has, with `R = G` and `C = N` above. Each group
    then has whole rows and can reduce them alone, for example rows of scores, while the
    groups share the rows of a larger tile, such as the output, by columns. At least one of
    `copies` and `warps_n` must be 1.

    With `columns` above 2, a lane has that many neighbouring elements: column
    `w / R * C + 4 * columns * j + columns * (l mod 4) + c`, `c < columns`. With 4,
    a tile of 8-bit elements is the A operand of MMAs of k32, four elements to a register.
    An accumulator of mma.sync also has 4 columns if its right operand has elements of 8 bits
    and is stored as K x N, so that lanes must transpose it; its left operand then has 2.
    Programs without MMAs use larger numbers, to read and write memory 16 bytes at a time.

    A right operand that is stored as N x K, and whose elements a warp computes in registers,
    has the layout of a left one: the MMAs of a tile of 8 of its rows find them in the lanes that
    need them. The order of columns, which is K, is that of a left operand with the same
    `columns`, so both must have the same number of them. `#attn_gpu.right` is for right
    operands stored as K x N.

    With `lanes` above 4, that many lanes share a row: lane `l` has rows
    `16 * (w mod R * T + t) + l / lanes + (32 / lanes) * h`, `h < lanes / 2`, and the
    columns that begin at `w / R * C + lanes * columns * j + columns * (l mod lanes)`. A
    tile that is only copied between swizzled tiles, and converted between, has as many
    lanes to a row as fill 128 bytes: eight lanes that each write 16 bytes then
    write whole rows of a panel, and no two of them use the same bank.

    ```mlir
    tensor<64x128xf32, #attn_gpu.mma<warps = 4>>
    tensor<64x128xf32, #attn_gpu.mma<warps = 8, warps_n = 2>>
    tensor<64x128xf32, #attn_gpu.mma<warps = 8, copies = 2>>
    tensor<64x128xf32, #attn_gpu.mma<warps = 4, first_warp = 8>>
    tensor<64x128xf32, #attn_gpu.mma<warps = 4, columns = 8>>
    tensor<64x128xf32, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>
    ```
  }];
  let parameters = (ins "int64_t":$warps,
                        DefaultValuedParameter<"int64_t", "1">:$warps_n,
                        DefaultValuedParameter<"int64_t", "0">:$first_warp,
                        DefaultValuedParameter<"int64_t", "2">:$columns,
                        DefaultValuedParameter<"int64_t", "1">:$copies,
                        DefaultValuedParameter<"int64_t", "4">:$lanes);
  let builders = [AttrBuilder<(ins "int64_t":$warps), [{
    return $_get($_ctxt, warps, /*warps_n=*/1, /*first_warp=*/0, /*columns=*/2,
                 /*copies=*/1, /*lanes=*/4);
  }]>];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the number of groups of warps that the rows of a tile are
    /// divided among. Warps of the same group have the same rows.
    int64_t getWarpsM() const {
      return getWarps() / (getWarpsN() * getCopies());
    }
    /// Whether each warp has rows of the tile that no other warp has, that is,
    /// no warps divide the columns of the same rows or have copies of the same
    /// elements.
    bool dividesRows() const { return getWarpsM() == getWarps(); }
    /// Returns the layout in which each warp has the same rows as in this
    /// layout, but all of their columns.
    MmaLayoutAttr getWithWholeRows() const;
    /// Returns a layout for a tile of that shape in which as few warps as
    /// possible share a row. Each warp has a multiple of `warpRows` rows if
    /// that leaves it a multiple of 16 columns, else a multiple of 16 rows.
    /// Fails if the warps cannot divide the tile.
    static ::mlir::FailureOr<MmaLayoutAttr>
    getFor(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape,
           int64_t warps, int64_t firstWarp = 0, int64_t columns = 2,
           int64_t warpRows = 16);
    /// Returns the layout of the result of `attn_tile.unpack` if the unpacked
    /// tile of bytes has this layout. A lane unpacks each of its bytes to two
    /// 4-bit numbers, and so has twice as many adjacent columns.
    MmaLayoutAttr getOfUnpacked() const {
      return get(getContext(), getWarps(), getWarpsN(), getFirstWarp(), 2 * getColumns(),
                 getCopies(), getLanes());
    }
    /// Returns this layout with as many lanes to a row as a tile of that shape
    /// has columns for, a power of two from 4 to 16.
    MmaLayoutAttr getWithLongRows(::llvm::ArrayRef<int64_t> shape) const;
    /// Whether an MMA's accumulator can have the layout: each lane has pairs of
    /// adjacent columns, and four lanes share a row.
    bool isOfMma() const { return getColumns() == 2 && getLanes() == 4; }
    /// Returns the layout in registers of a left operand with that element
    /// type, for an MMA whose result has this layout. A lane has as many
    /// adjacent columns of the left operand as fill a 32-bit register, and at
    /// least 2.
    MmaLayoutAttr getOfOperand(::mlir::Type element) const;
    /// Returns the layout of the operand `left` in registers, for an MMA whose
    /// result has this layout and whose operand `right` is in shared memory. If
    /// `right` is interleaved, so are the columns of `left`, since both must
    /// have the same order along K.
    MmaLayoutAttr getOfLeft(::mlir::RankedTensorType left,
                            ::mlir::RankedTensorType right) const;
    /// Returns the layout in registers of a right operand that is stored as
    /// N x K, for an MMA whose result has this layout. A lane has `columns`
    /// adjacent columns of the operand. All warps must share the rows of the
    /// result. Each of them has the rows of the operand that are its columns of
    /// the result.
    MmaLayoutAttr getOfRight(int64_t columns) const {
      return get(getContext(), getWarps(), /*warpsN=*/1, getFirstWarp(), columns,
                 getCopies(), /*lanes=*/4);
    }
  }];
}

def AttnGPU_SliceLayoutAttr : AttnGPU_Layout<"SliceLayout", "slice"> {
  let summary = "the layout of a vector of a tile's rows or columns";
  let description = [{
    The layout of the result of `attn_tile.reduce` along `axis`: each thread holds one element
    for each row (axis 1) or column (axis 0) of which it holds elements in the parent layout.
    The four lanes of a quad hold the same rows, and eight lanes of each warp hold the same
    columns. For axis 1, only the rows of the parent matter: it must have `warps_n` 1, and for the
    result of a reduction it has `columns` 2. If the warps of the reduced tile share rows, the
    parent is the layout in which these warps have copies of the tile (`copies`).

    ```mlir
    tensor<64xf32, #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 4>>>
    tensor<64xf32, #attn_gpu.slice<axis = 0, parent = #attn_gpu.mma<warps = 4>>>
    ```
  }];
  let parameters = (ins "int64_t":$axis, "::mlir::attn_gpu::MmaLayoutAttr":$parent);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the layout of the vector that remains of a tile with layout
    /// `tile` after a reduction along `axis`.
    static SliceLayoutAttr getOf(MmaLayoutAttr tile, int64_t axis);
  }];
}

def AttnGPU_RightLayoutAttr : AttnGPU_Layout<"RightLayout", "right",
    ["getRun"]> {
  let summary = "the layout in registers of a right operand that is stored as K x N";
  let description = [{
    Each lane has the elements of the right operand that mma.sync m16n8k16 reads from it, if
    the result of the product has layout `parent`. All warps of `parent` share the rows of the
    result. A warp has all rows of the operand, and those columns that it has of the result:
    `C` columns, from `f` on. With `n = columns / 2` of `parent`, lane `l` holds in register
    `(((s * C/(8 n) + j) * 2 + h) * 2 + r) * n + c` the element in

    ```
    row    16 * s + 8 * h + 2 * (l mod 4) + r
    column f + 8 * n * j + n * (l / 4) + c
    ```

    for `h, r < 2` and `c < n`. It so has runs of `n` neighbouring elements, which it may read from
    memory at once. Elements with the same `j` and `c` are the operand of one MMA. Of its
    eight columns, a lane of the result has columns `2 (l mod 4)` and the next one, so the
    results of `n` MMAs are `2 n` neighbouring columns of the result in each lane.

    ```mlir
    tensor<64x128xf16, #attn_gpu.right<parent = #attn_gpu.mma<warps = 1, columns = 8>>>
    ```
  }];
  let parameters = (ins "::mlir::attn_gpu::MmaLayoutAttr":$parent);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the layout of the result of `attn_tile.unpack` if the unpacked
    /// tile of bytes has this layout.
    RightLayoutAttr getOfUnpacked() const {
      return get(getContext(), getParent().getOfUnpacked());
    }
  }];
}

def AttnGPU_SpreadLayoutAttr : AttnGPU_Layout<"SpreadLayout", "spread"> {
  let summary = "the layout of a vector of a tile's columns that lanes divide";
  let description = [{
    Each warp has the elements for its columns of a tile of layout `parent` once, while eight of
    its lanes have each of them in layout `#attn_gpu.slice` along axis 0. If a warp has `n` columns
    from column `f` on, and `w` is the greatest common divisor of `n` and 32, lane `l` holds in
    register `r` the element `f + w * r + l mod w`. Vectors are read from memory in this
    layout, with one read for each column of a warp, and `attn_gpu.convert_layout` then passes the
    elements between lanes.

    ```mlir
    tensor<64xf32, #attn_gpu.spread<parent = #attn_gpu.mma<warps = 4>>>
    ```
  }];
  let parameters = (ins "::mlir::attn_gpu::MmaLayoutAttr":$parent);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns how many neighbouring elements of a vector of `length` elements
    /// the lanes of a warp hold in one register. It divides 32.
    int64_t getWidth(int64_t length) const;
  }];
}

def AttnGPU_SharedLayoutAttr : AttnGPU_Attr<"SharedLayout", "shared", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "a tile in shared memory, row by row";
  let description = [{
    Each row is followed by `padding` bytes, so that the rows that a warp reads at
    once are in different banks. Only MMAs may read such a tile. A vector has no padding,
    and is copied to registers.

    ```mlir
    tensor<64x128xf16, #attn_gpu.shared<padding = 16>>
    ```
  }];
  let parameters = (ins "int64_t":$padding);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the layout of a view of `columns` columns of a tile in shared
    /// memory. The tile's other columns count as padding of the view's rows.
    SharedLayoutAttr getOfColumns(::mlir::RankedTensorType tile, int64_t columns) const;
  }];
}

def AttnGPU_SwizzledLayoutAttr : AttnGPU_Attr<"SwizzledLayout", "swizzled", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "a tile in shared memory, in panels of rows of 128 bytes";
  let description = [{
    Panel `p` holds columns `n p` to `n p + n - 1` of all rows, where `n` elements
    are 128 bytes: 64 elements of 16 bits, 128 of 8 bits. Within a panel, the `u`-th 16
    bytes of row `r` are stored as the `(u xor (r mod 8))`-th: the 128-byte swizzle that
    TMA writes and wgmma reads. Elements are floats of 16 or 8 bits, and tiles
    begin at multiples of 1024 bytes. Such a tile may only be read by MMAs or copied to
    registers.

    In an `interleaved` tile of 8-bit elements, columns are permuted within each 16: byte
    `s` holds column `8 * (s / 2 mod 2) + 2 * (s / 4) + s mod 2`. Its columns run along K of a
    right operand. A left operand whose registers have the order of an accumulator,
    `#attn_gpu.mma` with `columns` 2, then has the same order along K, and no data moves
    between lanes.

    ```mlir
    tensor<64x128xf16, #attn_gpu.swizzled>
    tensor<64x128xf8E4M3FN, #attn_gpu.swizzled>
    tensor<64x128xf8E4M3FN, #attn_gpu.swizzled<interleaved = true>>
    ```
  }];
  let parameters = (ins DefaultValuedParameter<"bool", "false">:$interleaved);
  let builders = [AttrBuilder<(ins), [{ return $_get($_ctxt, false); }]>];
  let assemblyFormat = "(`<` struct($interleaved)^ `>`)?";
}

#endif // ATTN_DIALECT_ATTNGPU_IR_ATTNGPUATTRS_TD
