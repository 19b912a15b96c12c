//===- AttnInterfaces.td - What attn asks of others --------*- tablegen -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD
#define ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD

include "mlir/IR/Interfaces.td"

def Attn_TileSizesAttrInterface : AttrInterface<"TileSizesAttrInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    What the tiling of an op needs to know of a schedule, for any target: mainly how
    much of the problem a tile program works on at a time.
  }];
  let methods = [
    InterfaceMethod<"Query rows of one tile program.", "int64_t", "getTileQ">,
    InterfaceMethod<"Keys and values visited in one iteration.", "int64_t", "getTileKv">,
    InterfaceMethod<"Columns of the output's tile if the output has `columns` columns: padded so that warps that share rows get equally many.",
                    "int64_t", "getValueColumns", (ins "int64_t":$columns)>,
    InterfaceMethod<"The schedule for programs that work on rows, without products of tiles.",
                    "::mlir::attn::TileSizesAttrInterface", "getRowwise">,
    InterfaceMethod<"Whether the keys of a row are divided among programs, and query heads that share keys are rows of one tile.",
                    "bool", "getSplitKv">,
    InterfaceMethod<"Whether a program can hold `columns` f32 sums for each of its rows, beside operands of type `operand`.",
                    "bool", "mayAccumulate", (ins "int64_t":$columns, "::mlir::Type":$operand)>,
    InterfaceMethod<"Whether programs should add tiles of `kv` rows and `columns` columns to the same memory, rather than divide the work so that none need to.",
                    "bool", "mayAdd", (ins "int64_t":$columns)>,
    InterfaceMethod<"Whether warps of another role may add tiles to memory (a reducer), so that programs may add even if a program does not hold all sums of its rows.",
                    "bool", "mayAddApart">,
    InterfaceMethod<"Whether a tile is added to memory from registers, by atomic additions of the threads that computed it, rather than by a reducer.",
                    "bool", "addsFromRegisters">,
    InterfaceMethod<"The schedule for the other programs of a gradient whose main programs add to d_query: these add nothing to memory.",
                    "::mlir::attn::TileSizesAttrInterface", "getWithoutAdding">,
    InterfaceMethod<"The largest number of rows, keys or heads of an array, which launches check, or 0 if there is no limit.",
                    "int64_t", "getMostRows">,
    InterfaceMethod<"Whether copies may take the rows of a tile from a list in memory.",
                    "bool", "mayListRows">,
    InterfaceMethod<"Whether a softmax multiplies scores by a factor of their row at no cost.",
                    "bool", "foldsRowFactors">,
    InterfaceMethod<"The name of the role that computes scores and their softmax apart from the products with values, or an empty name if there is none.",
                    "::llvm::StringRef", "getScoresRole">
  ];
}

def Attn_AttentionInterface : OpInterface<"AttentionInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    The operands and attributes that `attn.attention` and `attn.attention_backward` have in
    common: the problem, its schedule and the fallback schedule.
  }];
  let methods = [
    InterfaceMethod<"B x Hq x Sq x D.", "::mlir::Value", "getQuery">,
    InterfaceMethod<"B x Hkv x Skv x D.", "::mlir::Value", "getKey">,
    InterfaceMethod<"B x Hkv x Skv x Dv, or null where the value is columns of key.",
                    "::mlir::Value", "getValue">,
    InterfaceMethod<"The first column of key that is the value's and the one past its last, or null where value is an operand.",
                    "::mlir::DenseI64ArrayAttr", "getValueDimsAttr", (ins), "",
                    [{ return ::mlir::DenseI64ArrayAttr(); }]>,
    InterfaceMethod<"B x Hq x Sq x Dv.", "::mlir::Value", "getOutput">,
    InterfaceMethod<"B x Hq x Sq, or null.", "::mlir::Value", "getLse">,
    InterfaceMethod<"Whether a dynamic number of query rows is small in most runs: see attn.attention.",
                    "bool", "getFewRows">,
    InterfaceMethod<"All arrays with the names that messages call them by; inputs first.",
                    "::llvm::SmallVector<::mlir::attn::NamedArray>", "getArrays">,
    InterfaceMethod<"The sink, with Hq elements, or null.", "::mlir::Value", "getSink">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getSinkMutable">,
    InterfaceMethod<"The seed of dropout, an i64 or an array of one, or null without dropout.",
                    "::mlir::Value", "getSeed">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getSeedMutable">,
    InterfaceMethod<"The offset of dropout, of the same form as the seed.", "::mlir::Value", "getOffset">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getOffsetMutable">,
    InterfaceMethod<"", "::mlir::FloatAttr", "getDropoutAttr">,
    InterfaceMethod<"", "::mlir::Attribute", "removeDropoutAttr">,
    InterfaceMethod<"", "::mlir::OperandRange", "getCaptures">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getCapturesMutable">,
    InterfaceMethod<"", "::mlir::OperandRange", "getOrigin">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getOriginMutable">,
    InterfaceMethod<"The numbers of valid rows and of valid keys, or none.", "::mlir::OperandRange", "getLengths">,
    InterfaceMethod<"Cumulative lengths of rows and of keys, or none.",
                    "::mlir::OperandRange", "getPacked">,
    InterfaceMethod<"A table of the pages of keys and values, or null.",
                    "::mlir::Value", "getPages", (ins), "",
                    [{ return ::mlir::Value(); }]>,
    InterfaceMethod<"The operand of `with` of that kind; its value is null if the op has none.",
                    "::mlir::attn::ExtraOperand", "getExtra",
                    (ins "::mlir::attn::Extra":$which), "",
                    [{ return ::mlir::attn::ExtraOperand(); }]>,
    InterfaceMethod<"", "::mlir::Region &", "getScore">,
    InterfaceMethod<"", "::mlir::Region &", "getMaskRegion">,
    InterfaceMethod<"", "::mlir::FloatAttr", "getScaleAttr">,
    InterfaceMethod<"", "::mlir::attn::MaskAttr", "getMaskAttr">,
    InterfaceMethod<"", "void", "setMaskAttr", (ins "::mlir::attn::MaskAttr":$mask)>,
    InterfaceMethod<"", "::mlir::attn::TileSizesAttrInterface", "getScheduleAttr">,
    InterfaceMethod<"", "void", "setScheduleAttr",
                    (ins "::mlir::attn::TileSizesAttrInterface":$schedule)>,
    InterfaceMethod<"", "::mlir::attn::TileSizesAttrInterface", "getFallbackAttr">,
    InterfaceMethod<"", "void", "setFallbackAttr",
                    (ins "::mlir::attn::TileSizesAttrInterface":$schedule)>,
    InterfaceMethod<"", "::mlir::Attribute", "removeFallbackAttr">
  ];
  let extraSharedClassDeclaration = [{
    ::mlir::ShapedType getQueryType() {
      return ::mlir::cast<::mlir::ShapedType>($_op.getQuery().getType());
    }
    ::mlir::ShapedType getKeyType() {
      return ::mlir::cast<::mlir::ShapedType>($_op.getKey().getType());
    }
    /// Returns the first column of key that belongs to the value, or -1 if the
    /// value is an operand of its own.
    int64_t getFirstValueDim() {
      ::mlir::DenseI64ArrayAttr dims = $_op.getValueDimsAttr();
      return dims ? dims[0] : -1;
    }
    ::mlir::ShapedType getOutputType() {
      return ::mlir::cast<::mlir::ShapedType>($_op.getOutput().getType());
    }
    bool hasScore() { return !$_op.getScore().empty(); }
    bool hasMaskRegion() { return !$_op.getMaskRegion().empty(); }
    /// Returns the number of columns of query and key, without the further
    /// columns in query_rope and key_rope.
    int64_t getQueryColumns() { return getQueryType().getDimSize(3); }
    /// Returns the number of columns of query_rope and key_rope, or 0 if the op
    /// lacks these operands.
    int64_t getRopeColumns() {
      return ::mlir::attn::detail::getColumns(
          $_op.getExtra(::mlir::attn::Extra::QueryRope));
    }
    /// Returns D, the number of columns over which query times key is summed.
    /// It includes those of query_rope and key_rope.
    int64_t getHeadDim() { return getQueryColumns() + getRopeColumns(); }
    int64_t getValueHeadDim() {
      if (::mlir::DenseI64ArrayAttr dims = $_op.getValueDimsAttr())
        return dims[1] - dims[0];
      return ::mlir::cast<::mlir::ShapedType>($_op.getValue().getType())
          .getDimSize(3);
    }
    /// Returns the threshold of dropout, or 0 without dropout. A probability is
    /// dropped if its 16 random bits, as an unsigned number, are below the
    /// threshold.
    int64_t getDropoutThreshold() {
      return ::mlir::attn::detail::getDropoutThreshold($_op.getDropoutAttr());
    }
    /// Returns the factor by which dropout multiplies the probabilities that it
    /// keeps.
    double getDropoutScale() {
      int64_t kept = 65536 - getDropoutThreshold();
      return kept == 0 ? 0.0 : 65536.0 / kept;
    }
    /// Returns the factor by which products of query and key are multiplied:
    /// the attribute `scale`, or 1/sqrt(getHeadDim()) without it.
    double getScaleValue() {
      return ::mlir::attn::detail::getScale($_op.getScaleAttr(), getHeadDim());
    }

    /// getQueryLength() returns Sq, the number of rows, and getKvLength()
    /// returns Skv, the number of keys, of the whole arrays. A static length is
    /// returned as an attribute, a dynamic one as an SSA value, computed by dim
    /// ops that `builder` makes.
    ::mlir::OpFoldResult getQueryLength(::mlir::OpBuilder &builder) {
      return ::mlir::attn::detail::getLength(builder, $_op.getQuery());
    }
    ::mlir::OpFoldResult getKvLength(::mlir::OpBuilder &builder) {
      return ::mlir::attn::detail::getKvLength(builder, $_op.getKey(),
                                               $_op.getPages());
    }
    /// Returns coordinate `i` (0 to 3: b, h, i, j) of the op's origin, or the
    /// attribute 0 if the op has no origin.
    ::mlir::OpFoldResult getOriginOrZero(unsigned i) {
      return ::mlir::attn::detail::getOriginOrZero($_op.getOrigin(), i,
                                                   $_op->getContext());
    }
    /// Returns the array with the length of each batch entry, in rows (`i` = 0)
    /// or in keys (`i` = 1). Returns null if this length is one number for all
    /// entries, or is absent.
    ::mlir::Value getLengthArray(unsigned i) {
      ::mlir::OperandRange lengths = $_op.getLengths();
      return lengths.empty() || lengths[i].getType().isIndex()
                 ? ::mlir::Value()
                 : lengths[i];
    }
    /// getTrueQueryLength() returns `len_q`, and getTrueKvLength() returns
    /// `len_kv`, if that operand is a number. If it is an array or absent, they
    /// return what getQueryLength() or getKvLength() returns.
    ::mlir::OpFoldResult getTrueQueryLength(::mlir::OpBuilder &builder) {
      return $_op.getLengths().empty() || getLengthArray(0)
                 ? getQueryLength(builder)
                 : ::mlir::getAsOpFoldResult($_op.getLengths()[0]);
    }
    ::mlir::OpFoldResult getTrueKvLength(::mlir::OpBuilder &builder) {
      return $_op.getLengths().empty() || getLengthArray(1)
                 ? getKvLength(builder)
                 : ::mlir::getAsOpFoldResult($_op.getLengths()[1]);
    }
    /// Whether batch entries may have different numbers of rows or keys. This
    /// is so for ops with arrays of lengths and for packed sequences.
    bool isRagged() {
      return !$_op.getPacked().empty() || getLengthArray(0) ||
             getLengthArray(1);
    }
  }];
}

def Attn_RowwiseInterface : OpInterface<"RowwiseInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    Ops that work on rows of arrays and have no products of tiles, such as `attn.merge`.
    Each target has one schedule for all ops with this interface.
  }];
  let methods = [
    InterfaceMethod<"", "::mlir::attn::TileSizesAttrInterface", "getScheduleAttr">,
    InterfaceMethod<"", "void", "setScheduleAttr",
                    (ins "::mlir::attn::TileSizesAttrInterface":$schedule)>,
    InterfaceMethod<"The number of rows of one tile program on the host.", "int64_t", "getHostRows">,
    InterfaceMethod<"All arrays; inputs first.",
                    "::llvm::SmallVector<::mlir::attn::ArrayOperand>", "getArrays">,
    InterfaceMethod<"Sizes of the arrays' dimensions that must be equal, and are checked.",
                    "::llvm::SmallVector<::mlir::attn::EqualSizes>", "getEqualSizes">,
    InterfaceMethod<"Whether elements of a destination that the op does not write keep their values.",
                    "bool", "keepsContents", (ins "::mlir::OpOperand &":$destination),
                    /*methodBody=*/"", /*defaultImplementation=*/"return false;">
  ];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD
