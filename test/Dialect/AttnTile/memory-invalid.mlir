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

func.func @gather_beside(%t: memref<8xf32>, %h: index) {
  // expected-error@below {{'attn_tile.gather' op expected a tile with 'beside', found 'f32'}}
  %0 = attn_tile.gather %t[%h] beside : (memref<8xf32>, index) -> f32
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

func.func @load_of_other_8_bits(%a: memref<64x32xf8E5M2>, %i: index) -> tensor<64x32xf8E4M3FN> {
  // expected-error@below {{expected the tile's element type to be 'f8E5M2', as the memref's, found 'f8E4M3FN'}}
  %0 = attn_tile.load %a[%i, %i] : memref<64x32xf8E5M2> -> tensor<64x32xf8E4M3FN>
  return %0 : tensor<64x32xf8E4M3FN>
}

// -----

func.func @workspace_with_gaps() {
  // expected-error@below {{'attn_tile.workspace' op expected a type without gaps, found 'memref<4x8xf32, strided<[16, 1]>>'}}
  %0 = attn_tile.workspace : memref<4x8xf32, strided<[16, 1]>>
  return
}

// -----

func.func @workspace_without_size(%n: index) {
  // expected-error@below {{'attn_tile.workspace' op expected a size for each of 2 dynamic dimensions, found 1}}
  %0 = attn_tile.workspace(%n) : memref<?x?xf32>
  return
}

// -----

func.func @workspace_of_a_program(%n: index) {
  attn_tile.grid (%i) to (%n) step [1] schedule #attn.tiles<q = 64, kv = 32> {
    // expected-error@below {{'attn_tile.workspace' op expected a place before the grid whose programs use it, found one within}}
    %0 = attn_tile.workspace : memref<4x8xf32>
  }
  return
}
