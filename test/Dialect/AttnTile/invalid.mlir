// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @load_rank_3_tile(%m: memref<1x1x?x64xf16>, %i: index) {
  // expected-error@below {{'attn_tile.load' op result #0 must be tile (tensor of static shape, rank 1 or 2), but got 'tensor<1x64x64xf16>'}}
  %0 = attn_tile.load %m[%i, %i, %i, %i] : memref<1x1x?x64xf16> -> tensor<1x64x64xf16>
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
  // expected-error@below {{'attn_tile.dot' op expected lhs elements of f16, bf16 or f32, found 'i8'}}
  %0 = attn_tile.dot %a, %b, %c : tensor<64x128xi8>, tensor<128x32xi8>, tensor<64x32xi32>
  return
}

// -----

func.func @dot_f64(%a: tensor<64x128xf64>, %b: tensor<128x32xf64>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_tile.dot' op expected lhs elements of f16, bf16 or f32, found 'f64'}}
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
  // expected-error@below {{custom op 'attn_tile.reduce' expected string or keyword containing one of the following enum values for attribute 'kind' [add, maxnum]}}
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
