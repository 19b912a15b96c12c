// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @map_low_rank(%k: memref<f16>) {
  // expected-error@below {{'attn_nv.encode_tensor_map' op expected an array of rank 1 to 5, found 'memref<f16>'}}
  %0 = attn_nv.encode_tensor_map %k box [] : memref<f16>
  return
}

// -----

func.func @map_high_rank(%k: memref<1x1x1x1x?x64xf16>) {
  // expected-error@below {{expected an array of rank 1 to 5, found 'memref<1x1x1x1x?x64xf16>'}}
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 1, 1, 64, 64] : memref<1x1x1x1x?x64xf16>
  return
}

// -----

func.func @map_sliced(%k: memref<1x1x?x64xf16>) {
  // expected-error@below {{expected 'sliced' to be a dimension before the last one of an array of rank 2 to 4, found dimension 3 of 'memref<1x1x?x64xf16>'}}
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 1, 64, 64] sliced 3 : memref<1x1x?x64xf16>
  return
}

// -----

func.func @map_empty(%k: memref<1x1x?x64xf16>) {
  // expected-error@below {{expected 'sliced' beside 'empty', found none}}
  %0 = "attn_nv.encode_tensor_map"(%k) {box = array<i64: 1, 1, 64, 64>, empty}
      : (memref<1x1x?x64xf16>) -> !attn_nv.tensor_map
  return
}

// -----

func.func @map_box_of_slices(%k: memref<1x1x?x64xf16>) {
  // expected-error@below {{expected 5 sizes of the box, found 4}}
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 64, 64] sliced 2 : memref<1x1x?x64xf16>
  return
}

// -----

func.func @map_box_rank(%k: memref<1x1x?x64xf16>) {
  // expected-error@below {{expected 4 sizes of the box, found 3}}
  %0 = attn_nv.encode_tensor_map %k box [1, 64, 64] : memref<1x1x?x64xf16>
  return
}

// -----

func.func @map_empty_box(%k: memref<1x1x?x64xf16>) {
  // expected-error@below {{expected sizes of the box from 1 to 256, found 0}}
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 0, 64] : memref<1x1x?x64xf16>
  return
}

// -----

func.func @map_large_box(%k: memref<1x1x?x64xf16>) {
  // expected-error@below {{expected sizes of the box from 1 to 256, found 257}}
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 257, 64] : memref<1x1x?x64xf16>
  return
}

// -----

func.func @map_elements(%k: memref<1x1x?x64xi16>) {
  // expected-error@below {{expected elements of f16, bf16, f32, f8E4M3FN, f8E5M2 or i8, found 'i16'}}
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 64, 64] : memref<1x1x?x64xi16>
  return
}

// -----

func.func @map_row(%k: memref<1x1x?x64xf16>) {
  // expected-error@below {{expected the box's rows to have 128 bytes, found 64}}
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 64, 32] : memref<1x1x?x64xf16>
  return
}

// -----

func.func @map_stride(%k: memref<1x1x?x64xf16, strided<[?, ?, ?, 2]>>) {
  // expected-error@below {{expected an innermost stride of 1, found 'memref<1x1x?x64xf16, strided<[?, ?, ?, 2]>>'}}
  %0 = attn_nv.encode_tensor_map %k box [1, 1, 64, 64] : memref<1x1x?x64xf16, strided<[?, ?, ?, 2]>>
  return
}

// -----

func.func @product_elements(%a: i64, %b: i64) {
  // expected-error@below {{'attn_nv.wgmma' op expected element type f16, bf16, f8E4M3FN or f8E5M2, found 'f32'}}
  %0 = attn_nv.wgmma f32 %a, %b lhs_steps [0] rhs_steps [0] : i64 -> vector<32xf32>
  return
}

// -----

func.func @product_no_steps(%a: i64, %b: i64) {
  // expected-error@below {{expected at least one step}}
  %0 = attn_nv.wgmma f16 %a, %b rhs_steps [] : i64 -> vector<32xf32>
  return
}

// -----

func.func @product_columns(%a: i64, %b: i64) {
  // expected-error@below {{expected a multiple of 8 columns up to 256, found 10}}
  %0 = attn_nv.wgmma f16 %a, %b lhs_steps [0] rhs_steps [0] : i64 -> vector<5xf32>
  return
}

// -----

func.func @product_no_rest(%a: i64, %b: i64) {
  // expected-error@below {{expected more than 128 columns with rhs_rest, found 128}}
  %0 = attn_nv.wgmma f16 %a, %b lhs_steps [0] rhs_steps [0] rhs_rest 8 : i64 -> vector<64xf32>
  return
}

// -----

func.func @product_rest(%a: i64, %b: i64) {
  // expected-error@below {{expected a positive rhs_rest, found 0}}
  %0 = attn_nv.wgmma f16 %a, %b lhs_steps [0] rhs_steps [0] rhs_rest 0 : i64 -> vector<72xf32>
  return
}

// -----

func.func @product_many_columns(%a: i64, %b: i64) {
  // expected-error@below {{expected a multiple of 8 columns up to 256, found 264}}
  %0 = attn_nv.wgmma f16 %a, %b lhs_steps [0] rhs_steps [0] : i64 -> vector<132xf32>
  return
}

// -----

func.func @product_condition(%a: i64, %b: i64, %if: i1) {
  // expected-error@below {{expected an accumulator beside the condition}}
  %0 = attn_nv.wgmma f16 %a, %b if %if lhs_steps [0] rhs_steps [0] : i64 -> vector<32xf32>
  return
}

// -----

func.func @product_lhs_steps(%a: i64, %b: i64) {
  // expected-error@below {{expected as many lhs_steps as rhs_steps, found 1 and 2}}
  %0 = attn_nv.wgmma f16 %a, %b lhs_steps [0] rhs_steps [0, 2] : i64 -> vector<32xf32>
  return
}

// -----

func.func @product_steps_of_registers(%a: vector<8xf16>, %b: i64) {
  // expected-error@below {{expected no lhs_steps with lhs in registers}}
  %0 = attn_nv.wgmma f16 %a, %b lhs_steps [0] rhs_steps [0] : vector<8xf16> -> vector<32xf32>
  return
}

// -----

func.func @product_transposed_registers(%a: vector<8xf16>, %b: i64) {
  // expected-error@below {{expected no transpose_lhs with lhs in registers}}
  %0 = attn_nv.wgmma f16 %a, %b rhs_steps [0] transpose_lhs : vector<8xf16> -> vector<32xf32>
  return
}

// -----

func.func @product_registers(%a: vector<8xf16>, %b: i64) {
  // expected-error@below {{expected lhs of type 'vector<16xf16>' for 2 steps, found 'vector<8xf16>'}}
  %0 = attn_nv.wgmma f16 %a, %b rhs_steps [0, 2] : vector<8xf16> -> vector<32xf32>
  return
}

// -----

func.func @product_register_elements(%a: vector<8xbf16>, %b: i64) {
  // expected-error@below {{expected lhs of type 'vector<8xf16>' for 1 steps, found 'vector<8xbf16>'}}
  %0 = attn_nv.wgmma f16 %a, %b rhs_steps [0] : vector<8xbf16> -> vector<32xf32>
  return
}

// -----

func.func @product_lhs(%a: f32, %b: i64) {
  // expected-error@below {{operand #0 must be 64-bit signless integer or vector of 16-bit float or bfloat16 type or f8E4M3FN type or f8E5M2 type values of ranks 1, but got 'f32'}}
  %0 = attn_nv.wgmma f16 %a, %b rhs_steps [0] : f32 -> vector<32xf32>
  return
}

// -----

func.func @product_accumulator(%a: i64, %b: i64, %c: vector<16xf32>) {
  // expected-error@below {{failed to verify that accumulator has the result's type}}
  %0 = "attn_nv.wgmma"(%a, %b, %c) <{element_type = f16, lhs_steps = array<i64: 0>,
      rhs_steps = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
      : (i64, i64, vector<16xf32>) -> vector<32xf32>
  return
}

// -----

func.func @wait_pending(%a: vector<32xf32>) {
  // expected-error@below {{'attn_nv.wgmma_wait' op attribute 'pending' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = attn_nv.wgmma_wait -1, %a : vector<32xf32>
  return
}

// -----

func.func @wait_elements(%a: vector<32xf16>) {
  // expected-error@below {{must be vector of 32-bit float values of ranks 1, but got 'vector<32xf16>'}}
  %0 = attn_nv.wgmma_wait 0, %a : vector<32xf16>
  return
}

// -----

func.func @threshold_of_nothing(%word: i32) {
  // expected-error@below {{'attn_nv.compare_halves' op expected a threshold from 1 to 65535, found 0}}
  %0 = attn_nv.compare_halves %word at_least 0
  return
}

// -----

func.func @threshold_of_all(%word: i32) {
  // expected-error@below {{'attn_nv.compare_halves' op expected a threshold from 1 to 65535, found 65536}}
  %0 = attn_nv.compare_halves %word at_least 65536
  return
}

// -----

func.func @pairs(%words: vector<1xi32>) {
  // expected-error@below {{'attn_nv.unpack_pairs' op expected 4 elements for 2 positions, found 2}}
  %0 = attn_nv.unpack_pairs %words at [0, 1] : vector<1xi32> -> vector<2xi1>
  return
}

// -----

func.func @upper_half(%words: vector<1xi32>) {
  // expected-error@below {{'attn_nv.unpack_pairs' op expected positions in the lower halves of 1 words, found 16}}
  %0 = attn_nv.unpack_pairs %words at [16] : vector<1xi32> -> vector<2xi1>
  return
}

// -----

func.func @behind_the_words(%words: vector<1xi32>) {
  // expected-error@below {{'attn_nv.unpack_pairs' op expected positions in the lower halves of 1 words, found 32}}
  %0 = attn_nv.unpack_pairs %words at [32] : vector<1xi32> -> vector<2xi1>
  return
}

// -----

func.func @before_the_words(%words: vector<1xi32>) {
  // expected-error@below {{'attn_nv.unpack_pairs' op expected positions in the lower halves of 1 words, found -1}}
  %0 = attn_nv.unpack_pairs %words at [-1] : vector<1xi32> -> vector<2xi1>
  return
}

// -----

func.func @kind_of_another_op() {
  // expected-error@below {{expected 'attn_nv.warpgroup_mma', 'attn_nv.launch_wait', 'attn_nv.launch_next', 'attn_nv.producer' without a value on llvm.inline_asm, found 'attn_nv.launch_wait' = unit on func.return}}
  return {attn_nv.launch_wait}
}

// -----

func.func @unknown_kind() {
  // expected-error@below {{without a value on llvm.inline_asm, found 'attn_nv.mma' = unit on llvm.inline_asm}}
  llvm.inline_asm has_side_effects {attn_nv.mma} "", "~{memory}" : () -> ()
  return
}

// -----

func.func @product_of_8_bits_transposed(%a: i64, %b: i64) {
  // expected-error@below {{expected neither transpose_lhs nor transpose_rhs for elements of 8 bits}}
  %0 = attn_nv.wgmma f8E4M3FN %a, %b lhs_steps [0] rhs_steps [0] transpose_rhs : i64 -> vector<32xf32>
  return
}

// -----

func.func @product_of_8_bits_registers(%a: vector<8xf8E5M2>, %b: i64) {
  // expected-error@below {{expected lhs of type 'vector<16xf8E5M2>' for 1 steps, found 'vector<8xf8E5M2>'}}
  %0 = attn_nv.wgmma f8E5M2 %a, %b rhs_steps [0] : vector<8xf8E5M2> -> vector<32xf32>
  return
}

// -----

func.func @map_of_8_bits(%k: memref<?x64xf8E4M3FN>) {
  // expected-error@below {{expected the box's rows to have 128 bytes, found 64}}
  %0 = attn_nv.encode_tensor_map %k box [64, 64] : memref<?x64xf8E4M3FN>
  return
}
