// RUN: attn-opt %s -split-input-file -verify-diagnostics

// expected-error@below {{expected 'warps' to be from 1 to 32, found 0}}
func.func private @warps(tensor<64x32xf32, #attn_gpu.mma<warps = 0>>)

// -----

// expected-error@below {{expected a multiple of 64 rows and of 8 columns for layout}}
func.func private @rows(tensor<32x32xf32, #attn_gpu.mma<warps = 4>>)

// -----

// expected-error@below {{expected 'columns' to be 2, 4, 8 or 16, found 6}}
func.func private @neighbours(tensor<64x48xf32, #attn_gpu.mma<warps = 4, columns = 6>>)

// -----

// expected-error@below {{expected a multiple of 64 rows and of 32 columns for layout #attn_gpu.mma<warps = 4, columns = 8>, found 64x48}}
func.func private @whole_runs(tensor<64x48xf32, #attn_gpu.mma<warps = 4, columns = 8>>)

// -----

// expected-error@below {{expected a tile of rank 2 for layout}}
func.func private @rank(tensor<64xf32, #attn_gpu.mma<warps = 4>>)

// -----

// expected-error@below {{expected 'copies' to divide 8 warps, found 3}}
func.func private @copies(tensor<64x32xf32, #attn_gpu.mma<warps = 8, copies = 3>>)

// -----

// expected-error@below {{expected 'copies' or 'warps_n' to be 1, found 2 and 2}}
func.func private @copies_of_columns(tensor<64x32xf32, #attn_gpu.mma<warps = 8, warps_n = 2, copies = 2>>)

// -----

// expected-error@below {{expected a parent of 'warps_n' 1 along axis 1, as #attn_gpu.mma<warps = 8, copies = 2>, found #attn_gpu.mma<warps = 8, warps_n = 2>}}
func.func private @rows_of_columns(tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 8, warps_n = 2>>>)

// -----

// expected-error@below {{expected 'axis' to be 0 or 1, found 2}}
func.func private @axis(tensor<64xf32, #attn_gpu.slice<axis = 2, parent = <warps = 4>>>)

// -----

// expected-error@below {{expected 'warps_n' to divide 4 warps, found 3}}
func.func private @warps_n(tensor<64x32xf32, #attn_gpu.mma<warps = 4, warps_n = 3>>)

// -----

// expected-error@below {{expected a multiple of 32 rows and of 16 columns for layout #attn_gpu.mma<warps = 4, warps_n = 2>, found 32x24}}
func.func private @shared_rows(tensor<32x24xf32, #attn_gpu.mma<warps = 4, warps_n = 2>>)

// -----

// expected-error@below {{expected a multiple of 8 elements for layout}}
func.func private @columns(tensor<60xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>)

// -----

// expected-error@below {{expected a multiple of 64 elements for layout}}
func.func private @slice(tensor<32xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>)

// -----

// expected-error@below {{expected 'padding' to be a multiple of 16, found 8}}
func.func private @padding(tensor<64x32xf16, #attn_gpu.shared<padding = 8>>)

// -----

func.func @convert(%t: tensor<64x32xf16, #attn_gpu.shared<padding = 16>>) {
  // expected-error@below {{expected to keep shape and element type}}
  %0 = attn_gpu.convert_layout %t : tensor<64x32xf16, #attn_gpu.shared<padding = 16>>
      -> tensor<64x32xf32, #attn_gpu.mma<warps = 4>>
  return
}

// -----

func.func @store_shape(%t: tensor<64x32xf16, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{expected to keep shape and element type}}
  %0 = attn_gpu.local_store %t at 0 : tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
      -> tensor<32x64xf16, #attn_gpu.shared<padding = 16>>
  return
}

// -----

func.func @store_from(%t: tensor<64x32xf16, #attn_gpu.shared<padding = 16>>) {
  // expected-error@below {{expected a tile of layout mma, found 'tensor<64x32xf16, #attn_gpu.shared<padding = 16>>'}}
  %0 = attn_gpu.local_store %t at 0 : tensor<64x32xf16, #attn_gpu.shared<padding = 16>>
      -> tensor<64x32xf16, #attn_gpu.shared<padding = 16>>
  return
}

// -----

func.func @store_to(%t: tensor<64x32xf16, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{expected a result of layout shared or swizzled}}
  %0 = attn_gpu.local_store %t at 0 : tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
      -> tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
  return
}

// -----

func.func @reduce_from(%t: tensor<64x32xf16, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{expected a tile of f32 and layout mma}}
  %0 = attn_gpu.reduce_columns add %t at 0 : tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
      -> tensor<32xf16, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
  return
}

// -----

func.func @reduce_to(%t: tensor<64x64xf32, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{expected a result of layout #attn_gpu.slice<axis = 0, parent = <warps = 4>>}}
  %0 = attn_gpu.reduce_columns add %t at 0 : tensor<64x64xf32, #attn_gpu.mma<warps = 4>>
      -> tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
  return
}

// -----

// expected-error@below {{expected elements of whole bytes for layout #attn_gpu.shared<padding = 16>, found 'i1'}}
func.func private @bits(tensor<64x64xi1, #attn_gpu.shared<padding = 16>>)

// -----

// expected-error@below {{expected elements of whole bytes for layout #attn_gpu.shared<padding = 16>, found 'index'}}
func.func private @indices(tensor<64x64xindex, #attn_gpu.shared<padding = 16>>)

// -----

// expected-error@below {{expected 'lanes' to be 4, 8 or 16, found 2}}
func.func private @lanes(tensor<64x64xf32, #attn_gpu.mma<warps = 4, lanes = 2>>)

// -----

// expected-error@below {{expected a multiple of 64 rows and of 128 columns for layout #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>, found 64x64}}
func.func private @whole_rows(tensor<64x64xf16, #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>>)

// -----

// expected-error@below {{expected a parent of 'lanes' 4, found #attn_gpu.mma<warps = 4, columns = 8, lanes = 8>}}
func.func private @slice_of_long_rows(tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4, columns = 8, lanes = 8>>>)

// -----

// expected-error@below {{expected a tile of rank 1 for layout #attn_gpu.spread<parent = <warps = 4>>, found rank 2}}
func.func private @spread_tile(tensor<64x32xf32, #attn_gpu.spread<parent = <warps = 4>>>)

// -----

// expected-error@below {{expected a multiple of 16 elements for layout #attn_gpu.spread<parent = <warps = 4, warps_n = 2>>, found 24}}
func.func private @spread_columns(tensor<24xf32, #attn_gpu.spread<parent = <warps = 4, warps_n = 2>>>)

// -----

// expected-error@below {{expected a parent of 'lanes' 4, found #attn_gpu.mma<warps = 4, columns = 8, lanes = 16>}}
func.func private @spread_lanes(tensor<128xf32, #attn_gpu.spread<parent = <warps = 4, columns = 8, lanes = 16>>>)

// -----

func.func @spread_result(%a: tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>) {
  // expected-error@below {{expected no result of layout spread, to which no layout is converted, found}}
  %0 = attn_gpu.convert_layout %a : tensor<64xf32, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
      -> tensor<64xf32, #attn_gpu.spread<parent = <warps = 4>>>
  return
}

// -----

func.func @spread_rows(%a: tensor<64xf32, #attn_gpu.spread<parent = <warps = 4>>>) {
  // expected-error@below {{expected a result of layout #attn_gpu.slice<axis = 0, parent = <warps = 4>>, found}}
  %0 = attn_gpu.convert_layout %a : tensor<64xf32, #attn_gpu.spread<parent = <warps = 4>>>
      -> tensor<64xf32, #attn_gpu.slice<axis = 1, parent = <warps = 4>>>
  return
}

// -----

func.func @spread_narrow(%a: tensor<64xf16, #attn_gpu.spread<parent = <warps = 4>>>) {
  // expected-error@below {{expected elements of f32, which shuffles pass between lanes, found}}
  %0 = attn_gpu.convert_layout %a : tensor<64xf16, #attn_gpu.spread<parent = <warps = 4>>>
      -> tensor<64xf16, #attn_gpu.slice<axis = 0, parent = <warps = 4>>>
  return
}

// -----

// expected-error@below {{expected a parent of 'lanes' 4 whose warps share all rows, found #attn_gpu.mma<warps = 4>}}
func.func private @right_of_rows(tensor<64x64xf16, #attn_gpu.right<parent = <warps = 4>>>)

// -----

// expected-error@below {{expected a tile of rank 2, a multiple of 16 rows and of 64 columns for layout}}
func.func private @right_columns(tensor<16x32xf16, #attn_gpu.right<parent = <warps = 2, warps_n = 2, columns = 8>>>)
