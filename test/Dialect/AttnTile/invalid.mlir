// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @load_rank_3_tile(%m: memref<1x1x?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op result #0 must be tile (tensor of static shape, rank 1 or 2), but got 'tensor<1x64x64xf16>'}}
  %0 = attn_tile.load %m[%i, %i, %i, %i] : memref<1x1x?x64xf16> -> tensor<1x64x64xf16>
  return
}

// -----

func.func @load_no_tile(%m: memref<1x1x?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op result #0 must be tile (tensor of static shape, rank 1 or 2), but got 'f16'}}
  %0 = "attn_tile.load"(%m, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 1, 4, 0, 0>}> : (memref<1x1x?x64xf16>, index, index, index, index) -> f16
  return
}

// -----

func.func @load_unequal_parts(%m: memref<?x32x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected a tile of rank 2 with equal numbers of rows in each of 3 parts, found 'tensor<64x64xf16>'}}
  %0 = attn_tile.load %m[%i, %i, %i], %m[%i, %i, %i], %m[%i, %i, %i] : memref<?x32x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_vector_of_parts(%m: memref<?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected a tile of rank 2 with equal numbers of rows in each of 2 parts, found 'tensor<64xf16>'}}
  %0 = attn_tile.load %m[%i, %i], %m[%i, %i] : memref<?x64xf16> -> tensor<64xf16>
  return
}

// -----

func.func @load_indices_of_parts(%m: memref<?x32x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected 3 indices for each of 2 parts, found 5 in all}}
  %0 = attn_tile.load %m[%i, %i, %i], %m[%i, %i] : memref<?x32x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_types_of_parts(%m: memref<?x32x64xf16>, %n: memref<8x32x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected sources of one type, found 'memref<?x32x64xf16>', 'memref<8x32x64xf16>'}}
  %0 = "attn_tile.load"(%m, %n, %i, %i, %i, %i, %i, %i) <{operandSegmentSizes = array<i32: 2, 6, 0, 0>}>
      : (memref<?x32x64xf16>, memref<8x32x64xf16>, index, index, index, index, index, index) -> tensor<64x64xf16>
  return
}

// -----

func.func @load_nothing() {
  // expected-error@below {{'attn_tile.load' op expected a source}}
  %0 = "attn_tile.load"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> tensor<64x64xf16>
  return
}

// -----

func.func @load_listed_parts(%m: memref<?x64xf16>, %l: memref<?xi32>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected one part beside a list of rows, found 2}}
  %0 = attn_tile.load %m[%i, %i], %m[%i, %i] rows %l[%i] : memref<?x64xf16>, memref<?xi32> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_listed_vector(%m: memref<?x64xf16>, %l: memref<?xi32>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected a tile of rank 2 beside a list of rows, found 'tensor<64xf16>'}}
  %0 = attn_tile.load %m[%i, %i] rows %l[%i] : memref<?x64xf16>, memref<?xi32> -> tensor<64xf16>
  return
}

// -----

func.func @load_list_of_words(%m: memref<?x64xf16>, %l: memref<?xi64>, %i: index) {
  // expected-error@below {{'attn_tile.load' op operand #3 must be list of rows (strided memref of i32, rank 1), but got 'memref<?xi64>'}}
  %0 = attn_tile.load %m[%i, %i] rows %l[%i] : memref<?x64xf16>, memref<?xi64> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_list_of_rank_2(%m: memref<?x64xf16>, %l: memref<?x?xi32>, %i: index) {
  // expected-error@below {{'attn_tile.load' op operand #3 must be list of rows (strided memref of i32, rank 1), but got 'memref<?x?xi32>'}}
  %0 = attn_tile.load %m[%i, %i] rows %l[%i] : memref<?x64xf16>, memref<?x?xi32> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_list_without_strides(%m: memref<?x64xf16>, %l: memref<?xi32, affine_map<(i) -> (i floordiv 2)>>, %i: index) {
  // expected-error@below {{'attn_tile.load' op operand #3 must be list of rows (strided memref of i32, rank 1), but got}}
  %0 = attn_tile.load %m[%i, %i] rows %l[%i] : memref<?x64xf16>, memref<?xi32, affine_map<(i) -> (i floordiv 2)>> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_list_alone(%m: memref<?x64xf16>, %l: memref<?xi32>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected a list of rows and a position in it, found one without the other}}
  %0 = "attn_tile.load"(%m, %i, %i, %l) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>}>
      : (memref<?x64xf16>, index, index, memref<?xi32>) -> tensor<64x64xf16>
  return
}

// -----

func.func @load_list_untyped(%m: memref<?x64xf16>, %l: memref<?xi32>, %i: index) {
  // expected-error@below {{number of operands and types do not match: got 1 operands and 0 types}}
  %0 = attn_tile.load %m[%i, %i] rows %l[%i] : memref<?x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_listed_position(%m: memref<?x64xf16>, %l: memref<?xi32>, %i: index) {
  // expected-error@below {{expected ']'}}
  %0 = attn_tile.load %m[%i, %i] rows %l[%i, %i] : memref<?x64xf16>, memref<?xi32> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_rank_0_tile(%m: memref<1x1x?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op result #0 must be tile (tensor of static shape, rank 1 or 2), but got 'tensor<f16>'}}
  %0 = attn_tile.load %m[%i, %i, %i, %i] : memref<1x1x?x64xf16> -> tensor<f16>
  return
}

// -----

func.func @load_dynamic_tile(%m: memref<1x1x?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op result #0 must be tile (tensor of static shape, rank 1 or 2), but got 'tensor<?x64xf16>'}}
  %0 = attn_tile.load %m[%i, %i, %i, %i] : memref<1x1x?x64xf16> -> tensor<?x64xf16>
  return
}

// -----

func.func @load_indices(%m: memref<?xindex>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected a memref of integers or floats, found 'memref<?xindex>'}}
  %0 = attn_tile.load %m[%i] : memref<?xindex> -> tensor<64xindex>
  return
}

// -----

func.func @store_indices(%m: memref<?x64xindex>, %i: index, %t: tensor<64x64xindex>) {
  // expected-error@below {{'attn_tile.store' op expected a memref of integers or floats, found 'memref<?x64xindex>'}}
  attn_tile.store %t, %m[%i, %i] : tensor<64x64xindex>, memref<?x64xindex>
  return
}

// -----

func.func @scatter_indices(%m: memref<?xindex>, %i: tensor<64xindex>) {
  // expected-error@below {{'attn_tile.scatter' op expected a memref of integers or floats, found 'memref<?xindex>'}}
  attn_tile.scatter %i, %m[%i] : tensor<64xindex>, memref<?xindex>, tensor<64xindex>
  return
}

// -----

func.func @load_elements(%m: memref<1x1x?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected the tile's element type to be 'f16', as the memref's, found 'f32'}}
  %0 = attn_tile.load %m[%i, %i, %i, %i] : memref<1x1x?x64xf16> -> tensor<64x64xf32>
  return
}

// -----

func.func @load_few_indices(%m: memref<1x1x?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected 4 indices, one for each dimension of 'memref<1x1x?x64xf16>', found 3}}
  %0 = attn_tile.load %m[%i, %i, %i] : memref<1x1x?x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_many_indices(%m: memref<1x1x?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected 4 indices, one for each dimension of 'memref<1x1x?x64xf16>', found 5}}
  %0 = attn_tile.load %m[%i, %i, %i, %i, %i] : memref<1x1x?x64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @load_source_rank(%m: memref<64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op expected a memref of rank 2 or more for a tile of type 'tensor<64x64xf16>', found rank 1}}
  %0 = attn_tile.load %m[%i] : memref<64xf16> -> tensor<64x64xf16>
  return
}

// -----

func.func @store_elements(%m: memref<1x1x?x64xf16>, %i: index, %t: tensor<64x64xf32>) {
  // expected-error@below {{'attn_tile.store' op expected the tile's element type to be 'f16', as the memref's, found 'f32'}}
  attn_tile.store %t, %m[%i, %i, %i, %i] : tensor<64x64xf32>, memref<1x1x?x64xf16>
  return
}

// -----

func.func @store_indices(%m: memref<1x1x?x64xf16>, %i: index, %t: tensor<64x64xf16>) {
  // expected-error@below {{'attn_tile.store' op expected 4 indices, one for each dimension of 'memref<1x1x?x64xf16>', found 2}}
  attn_tile.store %t, %m[%i, %i] : tensor<64x64xf16>, memref<1x1x?x64xf16>
  return
}

// -----

func.func @store_rank(%m: memref<64xf16>, %i: index, %t: tensor<64x64xf16>) {
  // expected-error@below {{'attn_tile.store' op expected a memref of rank 2 or more for a tile of type 'tensor<64x64xf16>', found rank 1}}
  attn_tile.store %t, %m[%i] : tensor<64x64xf16>, memref<64xf16>
  return
}

// -----

func.func @store_dyn(%m: memref<64xf16>, %i: index, %t: tensor<?xf16>) {
  // expected-error@below {{'attn_tile.store' op operand #0 must be tile (tensor of static shape, rank 1 or 2), but got 'tensor<?xf16>'}}
  attn_tile.store %t, %m[%i] : tensor<?xf16>, memref<64xf16>
  return
}

// -----

func.func @store_nonstrided(%m: memref<64x64xf16, affine_map<(a,b)->(a floordiv 2, b)>>, %i: index, %t: tensor<64xf16>) {
  // expected-error@below {{'attn_tile.store' op operand #1 must be strided memref of any type values, but got 'memref<64x64xf16, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
  attn_tile.store %t, %m[%i, %i] : tensor<64xf16>, memref<64x64xf16, affine_map<(a,b)->(a floordiv 2, b)>>
  return
}

// -----

func.func @dot_k(%a: tensor<64x128xf16>, %b: tensor<64x32xf16>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op expected equal contraction sizes, found 128 in lhs and 64 in rhs}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xf16>, tensor<64x32xf16>, tensor<64x32xf32>
  return
}

// -----

func.func @dot_k_transposed(%a: tensor<64x128xf16>, %b: tensor<128x32xf16>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op expected equal contraction sizes, found 128 in lhs and 32 in rhs}}
  %0 = attn_tile.dot %a, %b, %c transpose_rhs : tensor<64x128xf16>, tensor<128x32xf16>, tensor<64x32xf32>
  return
}

// -----

func.func @dot_k_transposed_lhs(%a: tensor<64x128xf16>, %b: tensor<128x32xf16>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op expected equal contraction sizes, found 64 in lhs and 128 in rhs}}
  %0 = attn_tile.dot %a, %b, %c transpose_lhs : tensor<64x128xf16>, tensor<128x32xf16>, tensor<64x32xf32>
  return
}

// -----

func.func @dot_m(%a: tensor<64x128xf16>, %b: tensor<128x32xf16>, %c: tensor<32x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op expected an accumulator of 64x32, found 32x32}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xf16>, tensor<128x32xf16>, tensor<32x32xf32>
  return
}

// -----

func.func @dot_n(%a: tensor<64x128xf16>, %b: tensor<128x32xf16>, %c: tensor<64x64xf32>) {
  // expected-error@below {{'attn_tile.dot' op expected an accumulator of 64x32, found 64x64}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xf16>, tensor<128x32xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @dot_acc_f16(%a: tensor<64x128xf16>, %b: tensor<128x32xf16>, %c: tensor<64x32xf16>) {
  // expected-error@below {{'attn_tile.dot' op expected accumulator elements of f32, found 'f16'}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xf16>, tensor<128x32xf16>, tensor<64x32xf16>
  return
}

// -----

func.func @dot_mix(%a: tensor<64x128xf16>, %b: tensor<128x32xbf16>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op expected rhs elements of 'f16', as lhs, found 'bf16'}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xf16>, tensor<128x32xbf16>, tensor<64x32xf32>
  return
}

// -----

func.func @dot_i8(%a: tensor<64x128xi8>, %b: tensor<128x32xi8>, %c: tensor<64x32xi32>) {
  // expected-error@below {{'attn_tile.dot' op expected lhs elements of f16, bf16, f32, f8E4M3FN or f8E5M2, found 'i8'}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xi8>, tensor<128x32xi8>, tensor<64x32xi32>
  return
}

// -----

func.func @dot_f64(%a: tensor<64x128xf64>, %b: tensor<128x32xf64>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op expected lhs elements of f16, bf16, f32, f8E4M3FN or f8E5M2, found 'f64'}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xf64>, tensor<128x32xf64>, tensor<64x32xf32>
  return
}

// -----

func.func @dot_rank1(%a: tensor<64xf16>, %b: tensor<128x32xf16>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op operand #0 must be tile of rank 2, but got 'tensor<64xf16>'}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64xf16>, tensor<128x32xf16>, tensor<64x32xf32>
  return
}

// -----

func.func @dot_res(%a: tensor<64x128xf16>, %b: tensor<128x32xf16>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op failed to verify that all of {accumulator, result} have same type}}
  %0 = "attn_tile.dot"(%a, %b, %c) : (tensor<64x128xf16>, tensor<128x32xf16>, tensor<64x32xf32>) -> tensor<64x64xf32>
  return
}

// -----

func.func @reduce_kind(%a: tensor<64x32xf32>) {
  // expected-error@below {{custom op 'attn_tile.reduce' expected string or keyword containing one of the following enum values for attribute 'kind' [add, maxnum, and, or]}}
  %0 = attn_tile.reduce mul %a along 1 : tensor<64x32xf32> -> tensor<64xf32>
  return
}

// -----

func.func @reduce_axis_2(%a: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.reduce' op attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 1}}
  %0 = attn_tile.reduce add %a along 2 : tensor<64x32xf32> -> tensor<64xf32>
  return
}

// -----

func.func @reduce_size(%a: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.reduce' op expected a slice of 64 elements for axis 1 of 'tensor<64x32xf32>', found 32}}
  %0 = attn_tile.reduce add %a along 1 : tensor<64x32xf32> -> tensor<32xf32>
  return
}

// -----

func.func @reduce_size_along_0(%a: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.reduce' op expected a slice of 32 elements for axis 0 of 'tensor<64x32xf32>', found 64}}
  %0 = attn_tile.reduce add %a along 0 : tensor<64x32xf32> -> tensor<64xf32>
  return
}

// -----

func.func @reduce_elements(%a: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.reduce' op expected equal element types, found 'f32' and 'f16'}}
  %0 = attn_tile.reduce add %a along 1 : tensor<64x32xf32> -> tensor<64xf16>
  return
}

// -----

func.func @reduce_conditions(%a: tensor<64x32xi32>) {
  // expected-error@below {{'attn_tile.reduce' op expected elements of i1 for or, found 'i32'}}
  %0 = attn_tile.reduce or %a along 1 : tensor<64x32xi32> -> tensor<64xi32>
  return
}

// -----

func.func @reduce_sum_of_conditions(%a: tensor<64x32xi1>) {
  // expected-error@below {{'attn_tile.reduce' op expected floating-point elements, found 'i1'}}
  %0 = attn_tile.reduce add %a along 1 : tensor<64x32xi1> -> tensor<64xi1>
  return
}

// -----

func.func @reduce_rank(%a: tensor<64xf32>) {
  // expected-error@below {{'attn_tile.reduce' op operand #0 must be tile of rank 2, but got 'tensor<64xf32>'}}
  %0 = attn_tile.reduce add %a along 1 : tensor<64xf32> -> tensor<64xf32>
  return
}

// -----

func.func @reduce_out_rank(%a: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.reduce' op result #0 must be tile of rank 1, but got 'tensor<64x1xf32>'}}
  %0 = attn_tile.reduce add %a along 1 : tensor<64x32xf32> -> tensor<64x1xf32>
  return
}

// -----

func.func @reduce_int(%a: tensor<64x32xi32>) {
  // expected-error@below {{'attn_tile.reduce' op expected floating-point elements, found 'i32'}}
  %0 = attn_tile.reduce maxnum %a along 1 : tensor<64x32xi32> -> tensor<64xi32>
  return
}

// -----

func.func @reduce_index(%a: tensor<64x32xindex>) {
  // expected-error@below {{'attn_tile.reduce' op expected floating-point elements, found 'index'}}
  %0 = attn_tile.reduce add %a along 1 : tensor<64x32xindex> -> tensor<64xindex>
  return
}

// -----

func.func @broadcast_axis(%a: tensor<64xf32>) {
  // expected-error@below {{'attn_tile.broadcast' op attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 1}}
  %0 = attn_tile.broadcast %a along 3 : tensor<64xf32> -> tensor<64x32xf32>
  return
}

// -----

func.func @broadcast_size(%a: tensor<32xf32>) {
  // expected-error@below {{'attn_tile.broadcast' op expected a slice of 64 elements for axis 1 of 'tensor<64x32xf32>', found 32}}
  %0 = attn_tile.broadcast %a along 1 : tensor<32xf32> -> tensor<64x32xf32>
  return
}

// -----

func.func @broadcast_size_along_0(%a: tensor<64xf32>) {
  // expected-error@below {{'attn_tile.broadcast' op expected a slice of 32 elements for axis 0 of 'tensor<64x32xf32>', found 64}}
  %0 = attn_tile.broadcast %a along 0 : tensor<64xf32> -> tensor<64x32xf32>
  return
}

// -----

func.func @broadcast_elements(%a: tensor<64xf16>) {
  // expected-error@below {{'attn_tile.broadcast' op expected equal element types, found 'f32' and 'f16'}}
  %0 = attn_tile.broadcast %a along 1 : tensor<64xf16> -> tensor<64x32xf32>
  return
}

// -----

func.func @broadcast_in_rank(%a: tensor<64x1xf32>) {
  // expected-error@below {{'attn_tile.broadcast' op operand #0 must be tile of rank 1, but got 'tensor<64x1xf32>'}}
  %0 = attn_tile.broadcast %a along 1 : tensor<64x1xf32> -> tensor<64x32xf32>
  return
}

// -----

func.func @broadcast_out_rank(%a: tensor<64xf32>) {
  // expected-error@below {{'attn_tile.broadcast' op result #0 must be tile of rank 2, but got 'tensor<64xf32>'}}
  %0 = attn_tile.broadcast %a along 1 : tensor<64xf32> -> tensor<64xf32>
  return
}

// -----

func.func @coordinate_axis() {
  // expected-error@below {{'attn_tile.coordinate' op attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 1}}
  %0 = attn_tile.coordinate along 2 : tensor<64x32xi32>
  return
}

// -----

func.func @coordinate_map() {
  // expected-error@below {{'attn_tile.coordinate' op expected a map of one dimension and one result, found affine_map<(d0, d1) -> (d0 + d1)>}}
  %0 = attn_tile.coordinate along 0 by affine_map<(r, c) -> (r + c)> : tensor<64x32xi32>
  return
}

// -----

func.func @coordinate_axis_rank1() {
  // expected-error@below {{'attn_tile.coordinate' op expected an axis below the rank of 'tensor<64xi32>', found 1}}
  %0 = attn_tile.coordinate along 1 : tensor<64xi32>
  return
}

// -----

func.func @coordinate_elements_f32() {
  // expected-error@below {{'attn_tile.coordinate' op expected elements of i32, i64 or index, found 'f32'}}
  %0 = attn_tile.coordinate along 1 : tensor<64x32xf32>
  return
}

// -----

func.func @coordinate_i1() {
  // expected-error@below {{'attn_tile.coordinate' op expected elements of i32, i64 or index, found 'i1'}}
  %0 = attn_tile.coordinate along 1 : tensor<64x32xi1>
  return
}

// -----

func.func @coordinate_ui() {
  // expected-error@below {{'attn_tile.coordinate' op expected elements of i32, i64 or index, found 'ui32'}}
  %0 = attn_tile.coordinate along 1 : tensor<64x32xui32>
  return
}

// -----

func.func @coordinate_dyn() {
  // expected-error@below {{'attn_tile.coordinate' op result #0 must be tile (tensor of static shape, rank 1 or 2), but got 'tensor<?x32xi32>'}}
  %0 = attn_tile.coordinate along 0 : tensor<?x32xi32>
  return
}

// -----

func.func @grid_few_steps(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected a step for each of 2 sizes, found 1}}
  attn_tile.grid (%i, %j) to (%n, %n) step [64] {
  }
  return
}

// -----

func.func @grid_sizes(%n: index) {
  // expected-error@below {{expected 2 operands}}
  attn_tile.grid (%i, %j) to (%n) step [64, 64] {
  }
  return
}

// -----

func.func @grid_step_0(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected steps of at least 1, found [64, 0]}}
  attn_tile.grid (%i, %j) to (%n, %n) step [64, 0] {
  }
  return
}

// -----

func.func @grid_negative_step(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected steps of at least 1, found [-64]}}
  attn_tile.grid (%i) to (%n) step [-64] {
  }
  return
}

// -----

func.func @grid_few_points(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected an index in the body for each of 2 sizes}}
  "attn_tile.grid"(%n, %n) <{operandSegmentSizes = array<i32: 2, 0>, steps = array<i64: 1, 64>}> ({
  ^bb0(%i: index):
    attn_tile.yield
  }) : (index, index) -> ()
  return
}

// -----

func.func @grid_point_type(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected an index in the body for each of 1 sizes}}
  "attn_tile.grid"(%n) <{operandSegmentSizes = array<i32: 1, 0>, steps = array<i64: 64>}> ({
  ^bb0(%i: i32):
    attn_tile.yield
  }) : (index) -> ()
  return
}

// -----

func.func @grid_yields(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected a body that yields nothing}}
  attn_tile.grid (%i) to (%n) step [64] {
    attn_tile.yield %i : index
  }
  return
}

// -----

func.func @yield_parent(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error@below {{'attn_tile.yield' op expects parent op to be one of 'attn_tile.grid, attn_tile.for_blocks'}}
    attn_tile.yield
  }
  return
}

// -----

// expected-error@below {{expected blocks of at least one column, found 0}}
func.func private @domain_type_0(!attn_tile.domain<0>)

// -----

// expected-error@below {{expected blocks of at least one column, found -64}}
func.func private @domain_type_negative(!attn_tile.domain<-64>)

// -----

func.func @domain_arguments(%r: index) {
  // expected-error@below {{'attn_tile.domain' op expected a region of two indices, a range of rows, found ('index')}}
  %0 = attn_tile.domain rows %r to %r {
  ^bb0(%first: index):
    attn_tile.domain_yield %r to %r full %r to %r
  } : !attn_tile.domain<64>
  return
}

// -----

func.func @domain_argument_types(%r: index) {
  // expected-error@below {{'attn_tile.domain' op expected a region of two indices, a range of rows, found ('index', 'i32')}}
  %0 = attn_tile.domain rows %r to %r {
  ^bb0(%first: index, %last: i32):
    attn_tile.domain_yield %r to %r full %r to %r
  } : !attn_tile.domain<64>
  return
}

// -----

func.func @domain_terminator(%r: index) {
  // expected-error@below {{'attn_tile.domain' op expected a region that ends with attn_tile.domain_yield}}
  %0 = attn_tile.domain rows %r to %r {
  ^bb0(%first: index, %last: index):
    llvm.unreachable
  } : !attn_tile.domain<64>
  return
}

// -----

func.func @domain_yield_parent(%r: index) {
  // expected-error@below {{'attn_tile.domain_yield' op expects parent op 'attn_tile.domain'}}
  attn_tile.domain_yield %r to %r full %r to %r
}

// -----

func.func @domain_list_elements(%m: memref<?xi64>, %n: index) {
  // expected-error@below {{'attn_tile.domain_list' op operand #0 must be 1D memref of 32-bit signless integer values, but got 'memref<?xi64>'}}
  %0 = attn_tile.domain_list %m, %m count %n : memref<?xi64>, memref<?xi64> -> !attn_tile.domain<64>
  return
}

// -----

func.func @domain_list_rank(%m: memref<?xi32>, %p: memref<?x?xi32>, %n: index) {
  // expected-error@below {{'attn_tile.domain_list' op operand #1 must be 1D memref of 32-bit signless integer values, but got 'memref<?x?xi32>'}}
  %0 = attn_tile.domain_list %m, %p count %n : memref<?xi32>, memref<?x?xi32> -> !attn_tile.domain<64>
  return
}

// -----

func.func @for_blocks_names(%d: !attn_tile.domain<64>) {
  // expected-error@below {{custom op 'attn_tile.for_blocks' expected a position and whether it is partial, found 1 arguments}}
  attn_tile.for_blocks (%j) of %d : !attn_tile.domain<64> {
  }
  return
}

// -----

func.func @for_blocks_carried(%d: !attn_tile.domain<64>, %n: index) {
  // expected-error@below {{expected as many types as initial values, 1, found 2}}
  %0:2 = attn_tile.for_blocks (%j, %p) of %d iter_args(%a = %n) -> (index, index) : !attn_tile.domain<64> {
    attn_tile.yield %a, %a : index, index
  }
  return
}

// -----

func.func @for_blocks_domain(%d: index) {
  // expected-error@below {{'attn_tile.for_blocks' op operand #0 must be blocks of columns that rows of a tile need, but got 'index'}}
  attn_tile.for_blocks (%j, %p) of %d : index {
  }
  return
}

// -----

func.func @for_blocks_arguments(%d: !attn_tile.domain<64>) {
  // expected-error@below {{'attn_tile.for_blocks' op expected a body of ('index', 'i1'), found ('index', 'index')}}
  "attn_tile.for_blocks"(%d) ({
  ^bb0(%j: index, %p: index):
    attn_tile.yield
  }) : (!attn_tile.domain<64>) -> ()
  return
}

// -----

func.func @for_blocks_argument_type(%d: !attn_tile.domain<64>, %n: index) {
  // expected-error@below {{'attn_tile.for_blocks' op 0-th init and 0-th region iter_arg have different type: 'index' != 'i32'}}
  %0 = "attn_tile.for_blocks"(%d, %n) ({
  ^bb0(%j: index, %p: i1, %a: i32):
    attn_tile.yield %n : index
  }) : (!attn_tile.domain<64>, index) -> index
  return
}

// -----

func.func @for_blocks_results(%d: !attn_tile.domain<64>, %n: index) {
  // expected-error@below {{'attn_tile.for_blocks' op failed to verify that all of {inits, results} have same type}}
  %0 = "attn_tile.for_blocks"(%d, %n) ({
  ^bb0(%j: index, %p: i1, %a: index):
    attn_tile.yield %n : index
  }) : (!attn_tile.domain<64>, index) -> i32
  return
}

// -----

func.func @for_blocks_yields_nothing(%d: !attn_tile.domain<64>, %n: index) {
  %0 = attn_tile.for_blocks (%j, %p) of %d iter_args(%a = %n) -> (index) : !attn_tile.domain<64> {
    // expected-error@below {{'attn_tile.yield' op expected to yield ('index'), found ()}}
    attn_tile.yield
  }
  return
}

// -----

func.func @for_blocks_yields(%d: !attn_tile.domain<64>, %n: index) {
  // expected-error@below {{'attn_tile.for_blocks' op 0-th region iter_arg and 0-th yielded value have different type: 'index' != 'i1'}}
  %0 = attn_tile.for_blocks (%j, %p) of %d iter_args(%a = %n) -> (index) : !attn_tile.domain<64> {
    attn_tile.yield %p : i1
  }
  return
}

// -----

// expected-error@below {{expected at least one row, found 0}}
func.func private @softmax_type_rows(!attn_tile.softmax<0, factor = 1.0>)

// -----

// expected-error@below {{expected an f64 'factor' between 2^-90 and 2^90, found 0.000000e+00 : f64}}
func.func private @softmax_type_zero(!attn_tile.softmax<64, factor = 0.0>)

// -----

// expected-error@below {{expected an f64 'factor' between 2^-90 and 2^90, found -1.250000e-01 : f64}}
func.func private @softmax_type_negative(!attn_tile.softmax<64, factor = -0.125>)

// -----

// expected-error@below {{expected an f64 'factor' between 2^-90 and 2^90, found 0x7FF0000000000000 : f64}}
func.func private @softmax_type_infinite(!attn_tile.softmax<64, factor = 0x7FF0000000000000 : f64>)

// -----

// expected-error@below {{expected an f64 'factor' between 2^-90 and 2^90, found 0x7FF8000000000000 : f64}}
func.func private @softmax_type_nan(!attn_tile.softmax<64, factor = 0x7FF8000000000000 : f64>)

// -----

// expected-error@below {{expected an f64 'factor' between 2^-90 and 2^90, found 1.250000e-01 : f32}}
func.func private @softmax_type_f32(!attn_tile.softmax<64, factor = 0.125 : f32>)

// -----

func.func @update_scores(%s: tensor<64x32xf16>, %m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected scores of f32, found 'f16'}}
  %p, %n = attn_tile.softmax_update %s, %m
      : (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>) -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>)
  return
}

// -----

func.func @update_rows(%s: tensor<32x64xf32>, %m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected scores of 64 rows, as the state's, found 32}}
  %p, %n = attn_tile.softmax_update %s, %m
      : (tensor<32x64xf32>, !attn_tile.softmax<64, factor = 1.0>) -> (tensor<32x64xf16>, !attn_tile.softmax<64, factor = 1.0>)
  return
}

// -----

func.func @update_probabilities(%s: tensor<64x32xf32>, %m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected probabilities of the scores' shape and f16, bf16, f32 or f8E4M3FN, found 'tensor<64x64xf16>'}}
  %p, %n = attn_tile.softmax_update %s, %m
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>) -> (tensor<64x64xf16>, !attn_tile.softmax<64, factor = 1.0>)
  return
}

// -----

func.func @update_probability_elements(%s: tensor<64x32xf32>, %m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected probabilities of the scores' shape and f16, bf16, f32 or f8E4M3FN, found 'tensor<64x32xf64>'}}
  %p, %n = attn_tile.softmax_update %s, %m
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>) -> (tensor<64x32xf64>, !attn_tile.softmax<64, factor = 1.0>)
  return
}

// -----

func.func @update_state(%s: tensor<64x32xf32>, %m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected a new state of type '!attn_tile.softmax<64, factor = 1.000000e+00 : f64>', found '!attn_tile.softmax<64, factor = 2.000000e+00 : f64>'}}
  %p, %n = attn_tile.softmax_update %s, %m
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>) -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 2.0>)
  return
}

// -----

func.func @update_results(%s: tensor<64x32xf32>, %m: !attn_tile.softmax<64, factor = 1.0>, %a: tensor<64x16xf32>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected a result for each accumulator, of its type}}
  %p, %n = attn_tile.softmax_update %s, %m rescale(%a)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>, tensor<64x16xf32>)
      -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>)
  return
}

// -----

func.func @update_result_type(%s: tensor<64x32xf32>, %m: !attn_tile.softmax<64, factor = 1.0>, %a: tensor<64x16xf32>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected a result for each accumulator, of its type}}
  %p, %n, %r = attn_tile.softmax_update %s, %m rescale(%a)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>, tensor<64x16xf32>)
      -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>, tensor<64x32xf32>)
  return
}

// -----

func.func @update_accumulator_rows(%s: tensor<64x32xf32>, %m: !attn_tile.softmax<64, factor = 1.0>, %a: tensor<16x64xf32>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected accumulators of 64 rows of f32, found 'tensor<16x64xf32>'}}
  %p, %n, %r = attn_tile.softmax_update %s, %m rescale(%a)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>, tensor<16x64xf32>)
      -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>, tensor<16x64xf32>)
  return
}

// -----

func.func @update_accumulator_elements(%s: tensor<64x32xf32>, %m: !attn_tile.softmax<64, factor = 1.0>, %a: tensor<64x16xf16>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected accumulators of 64 rows of f32, found 'tensor<64x16xf16>'}}
  %p, %n, %r = attn_tile.softmax_update %s, %m rescale(%a)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>, tensor<64x16xf16>)
      -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>, tensor<64x16xf16>)
  return
}

// -----

func.func @finish_rows(%m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_finish' op expected results of 64 x f32, found 'tensor<32xf32>'}}
  %i, %l = attn_tile.softmax_finish %m : !attn_tile.softmax<64, factor = 1.0> -> tensor<32xf32>, tensor<64xf32>
  return
}

// -----

func.func @finish_elements(%m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_finish' op expected results of 64 x f32, found 'tensor<64xf16>'}}
  %i, %l = attn_tile.softmax_finish %m : !attn_tile.softmax<64, factor = 1.0> -> tensor<64xf32>, tensor<64xf16>
  return
}

// -----

func.func @sink_rows(%m: !attn_tile.softmax<64, factor = 1.0>, %sink: tensor<32xf32>) {
  // expected-error@below {{'attn_tile.softmax_finish' op expected a sink of 64 x f32, found 'tensor<32xf32>'}}
  %i, %l = attn_tile.softmax_finish %m sink(%sink : tensor<32xf32>) : !attn_tile.softmax<64, factor = 1.0> -> tensor<64xf32>, tensor<64xf32>
  return
}

// -----

func.func @keep_elements(%s: i64, %i: index) {
  // expected-error@below {{'attn_tile.random_keep' op expected elements of i1, found 'i8'}}
  %0 = attn_tile.random_keep %s, %s at [%i, %i, %i] threshold 1 rows along 0 : tensor<64x32xi8>
  return
}

// -----

func.func @keep_threshold(%s: i64, %i: index) {
  // expected-error@below {{'attn_tile.random_keep' op expected a threshold from 0 to 65536, found 65537}}
  %0 = attn_tile.random_keep %s, %s at [%i, %i, %i] threshold 65537 rows along 0 : tensor<64x32xi1>
  return
}

// -----

func.func @no_dimensions() {
  // expected-error@below {{expected at least one dimension, found none}}
  attn_tile.grid () to () step [] {
  }
  return
}

// -----

func.func @few_arguments(%d: !attn_tile.domain<64>) {
  // expected-error@below {{expected a body of ('index', 'i1'), found ('index')}}
  "attn_tile.for_blocks"(%d) ({
  ^bb0(%j: index):
    attn_tile.yield
  }) : (!attn_tile.domain<64>) -> ()
  return
}

// -----

// expected-error@below {{expected an f64 'factor' between 2^-90 and 2^90, found 1.000000e+300 : f64}}
func.func private @huge_factor(!attn_tile.softmax<16, factor = 1.0e300>)

// -----

func.func @add_of_halves(%t: tensor<16x16xf16>, %o: memref<?x?xf16>, %i: index) {
  // expected-error@below {{expected elements of f32 with add, found 'f16'}}
  attn_tile.store %t, %o[%i, %i] add : tensor<16x16xf16>, memref<?x?xf16>
  return
}

// -----

func.func @gather_rank(%t: memref<8x4xf32>, %h: index) {
  // expected-error@below {{'attn_tile.gather' op expected 2 indices for a memref of rank 2, found 1}}
  %0 = attn_tile.gather %t[%h] : (memref<8x4xf32>, index) -> f32
  return
}

// -----

func.func @gather_element(%t: memref<8xf32>, %h: index) {
  // expected-error@below {{'attn_tile.gather' op expected elements of 'f32', as the memref's, found 'f16'}}
  %0 = attn_tile.gather %t[%h] : (memref<8xf32>, index) -> f16
  return
}

// -----

func.func @gather_shape(%t: memref<8xf32>, %h: tensor<16xindex>) {
  // expected-error@below {{'attn_tile.gather' op expected tiles of indices of type 'tensor<32xindex>', found 'tensor<16xindex>'}}
  %0 = attn_tile.gather %t[%h] : (memref<8xf32>, tensor<16xindex>) -> tensor<32xf32>
  return
}

// -----

func.func @gather_scalar(%t: memref<8xf32>, %h: tensor<16xindex>) {
  // expected-error@below {{'attn_tile.gather' op expected scalar indices for a scalar, found 'tensor<16xindex>'}}
  %0 = attn_tile.gather %t[%h] : (memref<8xf32>, tensor<16xindex>) -> f32
  return
}

// -----

func.func @grid_size_inside(%n: index) {
  // expected-error@below {{use of undeclared SSA value name}}
  attn_tile.grid (%i) to (%d) step [1] {
    %d = arith.addi %n, %n : index
    attn_tile.yield
  }
  return
}

// -----

func.func @domain_inside(%n: index) {
  // expected-error@below {{use of undeclared SSA value name}}
  attn_tile.for_blocks (%i, %p) of %d : !attn_tile.domain<64> {
    %d = builtin.unrealized_conversion_cast %n : index to !attn_tile.domain<64>
    attn_tile.yield
  }
  return
}

// -----

func.func @scatter_rank(%t: memref<8x4xf32>, %at: tensor<64xindex>, %x: tensor<64xf32>) {
  // expected-error@below {{'attn_tile.scatter' op expected 2 indices for a memref of rank 2, found 1}}
  attn_tile.scatter %x, %t[%at] : tensor<64xf32>, memref<8x4xf32>, tensor<64xindex>
  return
}

// -----

func.func @scatter_add(%t: memref<8xf16>, %at: tensor<64xindex>, %x: tensor<64xf16>) {
  // expected-error@below {{'attn_tile.scatter' op expected elements of f32 with add, found 'f16'}}
  attn_tile.scatter %x, %t[%at] add : tensor<64xf16>, memref<8xf16>, tensor<64xindex>
  return
}

// -----

func.func @scatter_shape(%t: memref<8xf32>, %at: tensor<32xindex>, %x: tensor<64xf32>) {
  // expected-error@below {{'attn_tile.scatter' op expected tiles of indices of type 'tensor<64xindex>', found 'tensor<32xindex>'}}
  attn_tile.scatter %x, %t[%at] : tensor<64xf32>, memref<8xf32>, tensor<32xindex>
  return
}

// -----

func.func @scatter_rows_shape(%t: memref<8x64xf32>, %at: tensor<64xindex>, %x: tensor<32x64xf32>, %c: index) {
  // expected-error@below {{'attn_tile.scatter' op expected vectors of an index for each row, of type 'tensor<32xindex>', found 'tensor<64xindex>'}}
  attn_tile.scatter %x, %t[%at, %c] : tensor<32x64xf32>, memref<8x64xf32>, tensor<64xindex>, index
  return
}

// -----

func.func @scatter_rows_column(%t: memref<8x64xf32>, %at: tensor<32xindex>, %x: tensor<32x64xf32>) {
  // expected-error@below {{'attn_tile.scatter' op expected the last index, the first column of rows, to be a scalar, found 'tensor<32xindex>'}}
  attn_tile.scatter %x, %t[%at, %at] : tensor<32x64xf32>, memref<8x64xf32>, tensor<32xindex>, tensor<32xindex>
  return
}

// -----

func.func @scatter_rows_add(%t: memref<8x64xf32>, %at: tensor<32xindex>, %x: tensor<32x64xf32>, %c: index) {
  // expected-error@below {{'attn_tile.scatter' op expected tiles of indices beside 'add', found vectors of an index for each row}}
  attn_tile.scatter %x, %t[%at, %c] add : tensor<32x64xf32>, memref<8x64xf32>, tensor<32xindex>, index
  return
}

// -----

func.func @apart(%m: memref<?x64xf32>, %t: tensor<64x64xf32>, %i: index) {
  // expected-error@below {{'attn_tile.store' op expected 'add' beside 'apart', found none}}
  "attn_tile.store"(%t, %m, %i, %i) {apart} : (tensor<64x64xf32>, memref<?x64xf32>, index, index) -> ()
  return
}

// -----

func.func @shared_rows(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected shared dimensions before the last one, found 1}}
  attn_tile.grid (%h, %i) to (%n, %n) step [1, 64] shared [0, 1] {
  }
  return
}

// -----

func.func @longest(%n: index) {
  // expected-error@below {{expected 'first' or 'last', found 'middle'}}
  attn_tile.grid (%i) to (%n) step [64] longest middle {
  }
  return
}

// -----

func.func @dot_of_two_8_bit_types(%a: tensor<64x32xf8E4M3FN>, %b: tensor<32x32xf8E5M2>,
                                  %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  // expected-error@below {{'attn_tile.dot' op expected rhs elements of 'f8E4M3FN', as lhs, found 'f8E5M2'}}
  %0 = attn_tile.dot %a, %b, %c transpose_rhs
      : tensor<64x32xf8E4M3FN>, tensor<32x32xf8E5M2>, tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}

// -----

func.func @load_of_other_8_bits(%a: memref<64x32xf8E5M2>, %i: index) -> tensor<64x32xf8E4M3FN> {
  // expected-error@below {{expected the tile's element type to be 'f8E5M2', as the memref's, found 'f8E4M3FN'}}
  %0 = attn_tile.load %a[%i, %i] : memref<64x32xf8E5M2> -> tensor<64x32xf8E4M3FN>
  return %0 : tensor<64x32xf8E4M3FN>
}

// -----

func.func @reduce_8_bits(%x: tensor<64x32xf8E5M2>) -> tensor<64xf8E5M2> {
  // expected-error@below {{'attn_tile.reduce' op expected elements of 16 bits or more to combine, found 'f8E5M2'}}
  %0 = attn_tile.reduce add %x along 1 : tensor<64x32xf8E5M2> -> tensor<64xf8E5M2>
  return %0 : tensor<64xf8E5M2>
}
