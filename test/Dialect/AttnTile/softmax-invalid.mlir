// RUN: attn-opt %s -split-input-file -verify-diagnostics

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

func.func @update_exact(%s: tensor<64x32xf32>, %m: !attn_tile.softmax<64, factor = 1.0, exact = true>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected probabilities of f8E4M3FN, which an exact state is for, found 'f16'}}
  %p, %n = attn_tile.softmax_update %s, %m
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0, exact = true>) -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0, exact = true>)
  return
}

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

func.func @factors_of_rows(%s: tensor<64x32xf32>, %f: tensor<32xf32>, %m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected row factors of 64 x f32, found 'tensor<32xf32>'}}
  %p, %n = attn_tile.softmax_update %s, %m times(%f)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>, tensor<32xf32>)
      -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>)
  return
}

// -----

func.func @element_of_factors(%s: tensor<64x32xf32>, %f: tensor<64xf16>, %m: !attn_tile.softmax<64, factor = 1.0>) {
  // expected-error@below {{'attn_tile.softmax_update' op expected row factors of 64 x f32, found 'tensor<64xf16>'}}
  %p, %n = attn_tile.softmax_update %s, %m times(%f)
      : (tensor<64x32xf32>, !attn_tile.softmax<64, factor = 1.0>, tensor<64xf16>)
      -> (tensor<64x32xf16>, !attn_tile.softmax<64, factor = 1.0>)
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

// expected-error@below {{expected an f64 'factor' between 2^-90 and 2^90, found 1.000000e+300 : f64}}
func.func private @huge_factor(!attn_tile.softmax<16, factor = 1.0e300>)
