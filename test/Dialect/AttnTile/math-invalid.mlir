// RUN: attn-opt %s -split-input-file -verify-diagnostics

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

func.func @keep_one_tile(%s: i64, %i: index, %t: tensor<64x32xi32>) {
  // expected-error@below {{'attn_tile.random_keep' op expected a tile of planes and a tile of rows, found 1 tiles}}
  %0 = attn_tile.random_keep %s, %s at [%i, %i, %i] plus (%t : tensor<64x32xi32>) threshold 1 rows along 0 : tensor<64x32xi1>
  return
}

// -----

func.func @keep_shape(%s: i64, %i: index, %t: tensor<64x32xi32>, %u: tensor<32x32xi32>) {
  // expected-error@below {{'attn_tile.random_keep' op expected tiles of planes and rows of i32 with the shape of the result, 'tensor<64x32xi1>', found 'tensor<32x32xi32>'}}
  %0 = attn_tile.random_keep %s, %s at [%i, %i, %i] plus (%t, %u : tensor<64x32xi32>, tensor<32x32xi32>) threshold 1 rows along 0 : tensor<64x32xi1>
  return
}

// -----

func.func @keep_numbers(%s: i64, %i: index, %t: tensor<64x32xi32>, %u: tensor<64x32xindex>) {
  // expected-error@below {{'attn_tile.random_keep' op expected tiles of planes and rows of i32 with the shape of the result, 'tensor<64x32xi1>', found 'tensor<64x32xindex>'}}
  %0 = attn_tile.random_keep %s, %s at [%i, %i, %i] plus (%u, %t : tensor<64x32xindex>, tensor<64x32xi32>) threshold 1 rows along 0 : tensor<64x32xi1>
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

func.func @reduce_8_bits(%x: tensor<64x32xf8E5M2>) -> tensor<64xf8E5M2> {
  // expected-error@below {{'attn_tile.reduce' op expected elements of 16 bits or more to combine, found 'f8E5M2'}}
  %0 = attn_tile.reduce add %x along 1 : tensor<64x32xf8E5M2> -> tensor<64xf8E5M2>
  return %0 : tensor<64xf8E5M2>
}
