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
    How much of a problem a tile program works on at a time: what tiling an op
    asks of a schedule, whatever target it is for.
  }];
  let methods = [
    InterfaceMethod<"Query rows of one tile program.", "int64_t", "getTileQ">,
    InterfaceMethod<"Keys and values visited in one step.", "int64_t", "getTileKv">,
    InterfaceMethod<"Columns of an output's tile that has room for so many: those who share its rows have as many each.",
                    "int64_t", "getValueColumns", (ins "int64_t":$columns)>,
    InterfaceMethod<"For programs that work on rows, without products of tiles.",
                    "::mlir::attn::TileSizesAttrInterface", "getRowwise">,
    InterfaceMethod<"Whether keys are divided among programs of the same rows, and query heads that share them are rows of one tile.",
                    "bool", "getSplitKv">,
    InterfaceMethod<"Whether a program may hold f32 sums of so many columns for each of its rows, beside operands of that type.",
                    "bool", "mayAccumulate", (ins "int64_t":$columns, "::mlir::Type":$operand)>,
    InterfaceMethod<"Whether programs add tiles of kv rows and so many columns to the same memory, faster than more programs that need not.",
                    "bool", "mayAdd", (ins "int64_t":$columns)>,
    InterfaceMethod<"Whether they add where a program does not hold all that is summed for its own rows.",
                    "bool", "mayAddApart">,
    InterfaceMethod<"Whether threads add what their registers hold, each element by itself.",
                    "bool", "addsFromRegisters">,
    InterfaceMethod<"For programs beside those that add, which add nothing to d_query.",
                    "::mlir::attn::TileSizesAttrInterface", "getWithoutAdding">,
    InterfaceMethod<"The most rows, keys and heads of arrays that programs get, as launches check, or 0 if any number.",
                    "int64_t", "getMostRows">
  ];
}

def Attn_AttentionInterface : OpInterface<"AttentionInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    What `attn.attention` and its gradient have in common: the problem, and a
    schedule for each class of arrays.
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
    InterfaceMethod<"All arrays with the names that messages call them by; inputs first.",
                    "::llvm::SmallVector<::mlir::attn::NamedArray>", "getArrays">,
    InterfaceMethod<"Hq, or null.", "::mlir::Value", "getSink">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getSinkMutable">,
    InterfaceMethod<"An i64 or an array of one, or null without dropout.",
                    "::mlir::Value", "getSeed">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getSeedMutable">,
    InterfaceMethod<"As the seed.", "::mlir::Value", "getOffset">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getOffsetMutable">,
    InterfaceMethod<"", "::mlir::FloatAttr", "getDropoutAttr">,
    InterfaceMethod<"", "::mlir::Attribute", "removeDropoutAttr">,
    InterfaceMethod<"", "::mlir::OperandRange", "getCaptures">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getCapturesMutable">,
    InterfaceMethod<"", "::mlir::OperandRange", "getOrigin">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getOriginMutable">,
    InterfaceMethod<"Two, or none.", "::mlir::OperandRange", "getLengths">,
    InterfaceMethod<"Cumulative lengths of rows and of keys, or none.",
                    "::mlir::OperandRange", "getPacked">,
    InterfaceMethod<"A table of the pages of keys and values, or null.",
                    "::mlir::Value", "getPages", (ins), "",
                    [{ return ::mlir::Value(); }]>,
    InterfaceMethod<"The operand of that kind, without a value if there is none.",
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
    /// The first column of key that is the value's, or -1 where value is an
    /// operand.
    int64_t getFirstValueDim() {
      ::mlir::DenseI64ArrayAttr dims = $_op.getValueDimsAttr();
      return dims ? dims[0] : -1;
    }
    ::mlir::ShapedType getOutputType() {
      return ::mlir::cast<::mlir::ShapedType>($_op.getOutput().getType());
    }
    bool hasScore() { return !$_op.getScore().empty(); }
    bool hasMaskRegion() { return !$_op.getMaskRegion().empty(); }
    /// The columns of query and key themselves.
    int64_t getQueryColumns() { return getQueryType().getDimSize(3); }
    /// Those of query_rope and key_rope, or 0 if there are none.
    int64_t getRopeColumns() {
      return ::mlir::attn::detail::getColumns(
          $_op.getExtra(::mlir::attn::Extra::QueryRope));
    }
    /// D, the columns of which products are sums.
    int64_t getHeadDim() { return getQueryColumns() + getRopeColumns(); }
    int64_t getValueHeadDim() {
      if (::mlir::DenseI64ArrayAttr dims = $_op.getValueDimsAttr())
        return dims[1] - dims[0];
      return ::mlir::cast<::mlir::ShapedType>($_op.getValue().getType())
          .getDimSize(3);
    }
    /// Of 65536 values of a score's bits, those that leave it out; 0 without
    /// dropout.
    int64_t getDropoutThreshold() {
      return ::mlir::attn::detail::getDropoutThreshold($_op.getDropoutAttr());
    }
    /// What kept probabilities are multiplied with.
    double getDropoutScale() {
      int64_t kept = 65536 - getDropoutThreshold();
      return kept == 0 ? 0.0 : 65536.0 / kept;
    }
    /// The factor on the scores: `scale`, or 1/sqrt(D).
    double getScaleValue() {
      return ::mlir::attn::detail::getScale($_op.getScaleAttr(), getHeadDim());
    }

    /// Sizes and positions as attributes or values; `builder` is used for
    /// dim ops where a size is dynamic.
    ::mlir::OpFoldResult getQueryLength(::mlir::OpBuilder &builder) {
      return ::mlir::attn::detail::getLength(builder, $_op.getQuery());
    }
    ::mlir::OpFoldResult getKvLength(::mlir::OpBuilder &builder) {
      return ::mlir::attn::detail::getKvLength(builder, $_op.getKey(),
                                               $_op.getPages());
    }
    /// Coordinate `i` of the origin, 0 where there is none.
    ::mlir::OpFoldResult getOriginOrZero(unsigned i) {
      return ::mlir::attn::detail::getOriginOrZero($_op.getOrigin(), i,
                                                   $_op->getContext());
    }
    /// The array of a length of each batch entry, of rows or of keys, or null.
    ::mlir::Value getLengthArray(unsigned i) {
      ::mlir::OperandRange lengths = $_op.getLengths();
      return lengths.empty() || lengths[i].getType().isIndex()
                 ? ::mlir::Value()
                 : lengths[i];
    }
    /// `len_q` and `len_kv`: the operands where they are numbers, else the
    /// sizes of query and key.
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
    /// Whether rows and keys of different batch entries, or of sequences, are
    /// of different numbers.
    bool isRagged() {
      return !$_op.getPacked().empty() || getLengthArray(0) ||
             getLengthArray(1);
    }
  }];
}

def Attn_RowwiseInterface : OpInterface<"RowwiseInterface"> {
  let cppNamespace = "::mlir::attn";
  let description = [{
    Ops on rows of arrays, without products of tiles: each target has one schedule for
    them, whatever their arrays are.
  }];
  let methods = [
    InterfaceMethod<"", "::mlir::attn::TileSizesAttrInterface", "getScheduleAttr">,
    InterfaceMethod<"", "void", "setScheduleAttr",
                    (ins "::mlir::attn::TileSizesAttrInterface":$schedule)>,
    InterfaceMethod<"Rows of a tile program for the host.", "int64_t", "getHostRows">,
    InterfaceMethod<"All arrays; inputs first.",
                    "::llvm::SmallVector<::mlir::attn::ArrayOperand>", "getArrays">,
    InterfaceMethod<"Sizes that must be the same.",
                    "::llvm::SmallVector<::mlir::attn::EqualSizes>", "getEqualSizes">,
    InterfaceMethod<"Whether what is not written of a destination stays as it is.",
                    "bool", "keepsContents", (ins "::mlir::OpOperand &":$destination),
                    /*methodBody=*/"", /*defaultImplementation=*/"return false;">
  ];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNINTERFACES_TD
