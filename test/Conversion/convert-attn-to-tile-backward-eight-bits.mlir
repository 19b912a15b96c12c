// Gradients of query, key and value of 8 bits. Where wgmma multiplies 8 bits, scores are
// products of the arrays themselves, whose scales multiply them in f32; all other products
// read copies in 16 bits, which hold the same numbers unless a comment says otherwise.

// RUN: attn-opt %s -split-input-file --convert-attn-to-tile -canonicalize | FileCheck %s

!q = memref<1x4x256x80xf8E4M3FN>
!k = memref<1x2x512x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!dk = memref<1x2x512x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// Columns are padded to a multiple of 32, which an 8-bit MMA adds up. The product of both
// scales, the op's scale (1/4 here) and log2(e) is a number of each pair of heads, and multiplies
// before the mask, since it may be 0 or negative.
// CHECK-LABEL: func.func @stored(
// CHECK-SAME: %[[Q:[^:]+]]: memref<1x4x256x80xf8E4M3FN>, %[[K:[^:]+]]: memref<1x2x512x80xf8E4M3FN>,
// CHECK-SAME: %[[QS:[^:]+]]: memref<1x4xf32>, %[[KS:[^:]+]]: memref<1x2xf32>
// CHECK-DAG: %[[FACTOR:.+]] = arith.constant 0.360673{{.*}} : f32
// CHECK: %[[K8:.+]] = attn_tile.load %[[K]]{{.*}} -> tensor<128x96xf8E4M3FN>
// CHECK: scf.for
// CHECK: %[[OF_Q:.+]] = attn_tile.gather %[[QS]]
// CHECK: %[[OF_K:.+]] = attn_tile.gather %[[KS]]
// CHECK: %[[BOTH:.+]] = arith.mulf %[[OF_Q]], %[[OF_K]] : f32
// CHECK: %[[SCALE:.+]] = arith.mulf %[[BOTH]], %[[FACTOR]] : f32
// CHECK: %[[SPLAT:.+]] = tensor.splat %[[SCALE]]
// CHECK: attn_tile.for_blocks
// CHECK: %[[Q8:.+]] = attn_tile.load %[[Q]]{{.*}} -> tensor<64x96xf8E4M3FN>
// CHECK: %[[S:.+]] = attn_tile.dot %[[K8]], %[[Q8]],
// CHECK-SAME: tensor<128x96xf8E4M3FN>, tensor<64x96xf8E4M3FN>
// CHECK: arith.mulf %[[S]], %[[SPLAT]]
// CHECK: scf.if
// CHECK: attn_tile.dot {{.*}} tensor<128x80xbf16>, tensor<64x80xbf16>
// CHECK-NOT: f8E4M3FN
func.func @stored(%q: !q, %k: !k, %v: !k, %qs: memref<1x4xf32>, %ks: memref<1x2xf32>, %o: !o, %lse: !row, %do: !o,
                  %dq: !o, %dk: !dk, %dv: !dk) {
  attn.attention_backward mask <top_left, causal> scale 0.25
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !k, !o, !row, !o)
      with(query_scale %qs : memref<1x4xf32>, key_scale %ks : memref<1x2xf32>)
      outs(%dq, %dk, %dv : !o, !dk, !dk) {schedule = #schedule}
  return
}

// -----

// In bf16, with a scale of each token, scores are products of the arrays, too. Copies are the
// products of numbers and scales, so that the gradient of scores is rounded once, for both
// products.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// CHECK-LABEL: func.func @tokens(
// CHECK-SAME: %[[Q:[^:]+]]: memref<1x4x256x80xf8E4M3FN>, %[[QS:[^:]+]]: memref<1x4x256xf32>
// CHECK: %[[NUMBERS:.+]] = arith.extf
// CHECK: %[[VECTOR:.+]] = attn_tile.gather %[[QS]]
// CHECK: %[[SCALES:.+]] = attn_tile.broadcast %[[VECTOR]]
// CHECK: %[[PRODUCTS:.+]] = arith.mulf %[[NUMBERS]], %[[SCALES]]
// CHECK: %[[ROUNDED:.+]] = arith.truncf %[[PRODUCTS]]
// CHECK: attn_tile.store %[[ROUNDED]], %[[COPY:cast[_0-9]*]]{{\[}}
// CHECK: %[[K8:.+]] = attn_tile.load %[[Q]]{{.*}} -> tensor<128x96xf8E4M3FN>
// CHECK: attn_tile.for_blocks
// CHECK: %[[Q16:.+]] = attn_tile.load %[[COPY]]
// CHECK: %[[Q8:.+]] = attn_tile.load %[[Q]]{{.*}} -> tensor<64x96xf8E4M3FN>
// CHECK: %[[S:.+]] = attn_tile.dot %[[K8]], %[[Q8]],
// CHECK: arith.mulf %[[S]]
// CHECK: %[[P:.+]] = math.exp2
// CHECK: %[[DIFFERENCE:.+]] = arith.subf
// CHECK: %[[DS:.+]] = arith.mulf %{{.+}}, %[[DIFFERENCE]]
// CHECK: %[[DS16:.+]] = arith.truncf %[[DS]]
// CHECK: attn_tile.dot %[[DS16]], %[[Q16]]
// CHECK-NOT: arith.truncf %{{.+}} : tensor<128x64xf32>
// CHECK: attn_tile.dot
func.func @tokens(%q: !q, %qs: !row, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      with(query_scale %qs : !row)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// In f16, with a scale of each token, scores are products of the copies, which have powers of two
// of the scales.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// CHECK-LABEL: func.func @tokens_f16(
// CHECK: attn_tile.for_blocks
// CHECK-NOT: f8E4M3FN
func.func @tokens_f16(%q: !q, %qs: !row, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      with(query_scale %qs : !row)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// Without a reducer that adds d_query, programs never read arrays of 8 bits, only their copies.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @mma_sync(
// CHECK: attn_tile.for_blocks
// CHECK-NOT: f8E4M3FN
func.func @mma_sync(%q: !q, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// With narrow_products, the first grid rounds the rows of d_output, each with a scale, and
// computes delta from what was rounded. The rounded rows are multiplied by the stored values, of
// which there is no copy, and the scales of rows, times that of the values, multiply the product.

!q = memref<1x4x256x80xf8E4M3FN>
!k = memref<1x2x512x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!dk = memref<1x2x512x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// CHECK-LABEL: func.func @rounded(
// CHECK-SAME: %[[V:arg2]]: memref<1x2x512x80xf8E4M3FN>, %[[VS:[^:]+]]: memref<1x2xf32>
// CHECK-SAME: %[[O:[^:]+]]: memref<1x4x256x80xbf16>, %{{[^:]+}}: memref<1x4x256xf32>, %[[DO:[^:]+]]: memref<1x4x256x80xbf16>
// CHECK-DAG: %[[LARGEST:.+]] = arith.constant dense<4.480000e+02>
// CHECK-DAG: %[[LEAST:.+]] = arith.constant dense<1.17549435E-38>
// CHECK-NOT: attn_tile.load %[[V]]
// CHECK: %[[T0:.+]] = attn_tile.load %[[DO]]
// CHECK: %[[T1:.+]] = arith.extf %[[T0]]
// CHECK: %[[ABS:.+]] = math.absf %[[T1]]
// CHECK: %[[MOST:.+]] = attn_tile.reduce maxnum %[[ABS]]
// CHECK: %[[QUOTIENT:.+]] = arith.divf %[[MOST]], %[[LARGEST]]
// CHECK: %[[SCALES:.+]] = arith.maximumf %[[QUOTIENT]], %[[LEAST]]
// CHECK: %[[OF_V:.+]] = attn_tile.gather %[[VS]]
// CHECK: %[[SPLAT:.+]] = tensor.splat %[[OF_V]]
// CHECK: %[[BOTH:.+]] = arith.mulf %[[SCALES]], %[[SPLAT]]
// CHECK: attn_tile.store %[[BOTH]]
// CHECK: %[[FACTORS:.+]] = arith.divf %{{.+}}, %[[SCALES]]
// CHECK: %[[OF_ROWS:.+]] = attn_tile.broadcast %[[FACTORS]]
// CHECK: %[[MULTIPLE:.+]] = arith.mulf %{{.+}}, %[[OF_ROWS]]
// CHECK: %[[NUMBERS:.+]] = arith.truncf %[[MULTIPLE]] : {{.+}} to tensor<{{.+}}xf8E4M3FN>
// CHECK: %[[EXTENDED:.+]] = arith.extf %[[NUMBERS]]
// CHECK: attn_tile.store %[[NUMBERS]]
// CHECK: %[[S0:.+]] = attn_tile.broadcast %[[SCALES]]
// CHECK: %[[ROUNDED:.+]] = arith.mulf %[[EXTENDED]], %[[S0]]
// CHECK: arith.mulf %{{.+}}, %[[ROUNDED]]
// CHECK: attn_tile.reduce add
// CHECK: %[[V8:.+]] = attn_tile.load %[[V]]{{.*}} -> tensor<128x96xf8E4M3FN>
// CHECK: %[[DO16:.+]] = attn_tile.load %[[DO]]{{.*}} -> tensor<64x80xbf16>
// CHECK: %[[DO8:.+]] = attn_tile.load {{.*}} -> tensor<64x96xf8E4M3FN>
// CHECK: attn_tile.dot {{.*}} tensor<128x96xf8E4M3FN>, tensor<64x96xf8E4M3FN>
// CHECK: attn_tile.dot %{{.+}}, %[[DO16]],
// CHECK: %[[DP:.+]] = attn_tile.dot %[[V8]], %[[DO8]],
// CHECK: %[[S1:.+]] = attn_tile.load {{.*}} -> tensor<64xf32>
// CHECK: %[[S2:.+]] = attn_tile.broadcast %[[S1]]
// CHECK: %[[SCALED:.+]] = arith.mulf %[[DP]], %[[S2]]
// CHECK: arith.subf %[[SCALED]],
func.func @rounded(%q: !q, %k: !k, %v: !k, %vs: memref<1x2xf32>, %o: !o, %lse: !row, %do: !o,
                   %dq: !o, %dk: !dk, %dv: !dk) {
  attn.attention_backward narrow_products
      ins(%q, %k, %v, %o, %lse, %do : !q, !k, !k, !o, !row, !o)
      with(value_scale %vs : memref<1x2xf32>)
      outs(%dq, %dk, %dv : !o, !dk, !dk) {schedule = #schedule}
  return
}

// -----

// Where 8-bit MMAs do not compute scores, the rounded numbers are in memory in the type of other
// products, and d_value has a grid of its own.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @rounded_to_16_bits(
// CHECK: %[[NUMBERS:.+]] = arith.truncf {{.+}} to tensor<{{.+}}xf8E4M3FN>
// CHECK: %[[EXTENDED:.+]] = arith.extf %[[NUMBERS]]
// CHECK: %[[STORED:.+]] = arith.truncf %[[EXTENDED]] : {{.+}} to tensor<{{.+}}xbf16>
// CHECK: attn_tile.store %[[STORED]]
// CHECK-NOT: f8E4M3FN
// CHECK: attn_tile.grid
// CHECK: attn_tile.for_blocks
// CHECK: attn_tile.dot
// CHECK: attn_tile.dot
// CHECK-NOT: attn_tile.dot
// CHECK: attn_tile.grid
// CHECK: attn_tile.for_blocks
func.func @rounded_to_16_bits(%q: !q, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward narrow_products
      ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// With narrow_products<all>, the scale of a row is a power of two, and programs read the products
// of rounded numbers and scales, which are exact, in place of d_output: one grid computes d_key and
// d_value. A number times 2^20 + 1 rounds P and dS to four bits.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @all_operands(
// CHECK-SAME: memref<1x4x256xf32>, %[[DO:[^:]+]]: memref<1x4x256x80xbf16>, %
// CHECK-DAG: %[[SIGNIFICAND:.+]] = arith.constant dense<8388607> : tensor<64xi32>
// CHECK-DAG: %[[EXPONENT:.+]] = arith.constant dense<2139095040> : tensor<64xi32>
// CHECK-DAG: %[[FACTOR:.+]] = arith.constant dense<0x49800008> : tensor<64x64xf32>
// CHECK: attn_tile.load %[[DO]]
// CHECK: %[[LEAST:.+]] = arith.maximumf
// CHECK-NEXT: %[[BITS:.+]] = arith.bitcast %[[LEAST]]
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[BITS]], %[[SIGNIFICAND]]
// CHECK-NEXT: %[[POWERS:.+]] = arith.andi %[[NEXT]], %[[EXPONENT]]
// CHECK-NEXT: %[[SCALES:.+]] = arith.bitcast %[[POWERS]]
// CHECK: %[[FACTORS:.+]] = arith.divf %{{.+}}, %[[SCALES]]
// CHECK: %[[NUMBERS:.+]] = arith.truncf {{.+}} to tensor<64x80xf8E4M3FN>
// CHECK: %[[EXTENDED:.+]] = arith.extf %[[NUMBERS]]
// CHECK: %[[OF_ROWS:.+]] = attn_tile.broadcast %[[SCALES]]
// CHECK: %[[PRODUCTS:.+]] = arith.mulf %[[EXTENDED]], %[[OF_ROWS]]
// CHECK: %[[STORED:.+]] = arith.truncf %[[PRODUCTS]] : {{.+}} to tensor<64x80xbf16>
// CHECK: attn_tile.store %[[STORED]], %[[ROUNDED:cast[_0-9]*]]{{\[}}
// CHECK: arith.mulf %{{.+}}, %[[PRODUCTS]]
// CHECK: attn_tile.reduce add
// CHECK-NOT: f8E4M3FN
// CHECK-NOT: attn_tile.load %[[DO]]
// CHECK: attn_tile.for_blocks
// CHECK: %[[ROWS:.+]] = attn_tile.load %[[ROUNDED]]{{.*}} -> tensor<64x80xbf16>
// CHECK: attn_tile.dot
// CHECK: %[[P:.+]] = math.exp2
// CHECK: %[[DP:.+]] = attn_tile.dot %{{.+}}, %[[ROWS]], {{.*}} transpose_rhs
// CHECK: %[[P0:.+]] = arith.mulf %[[P]], %[[FACTOR]] : tensor<64x64xf32>
// CHECK-NEXT: %[[P1:.+]] = arith.subf %[[P0]], %[[P]] : tensor<64x64xf32>
// CHECK-NEXT: %[[P2:.+]] = arith.subf %[[P0]], %[[P1]] : tensor<64x64xf32>
// CHECK-NEXT: %[[P3:.+]] = arith.truncf %[[P2]]
// CHECK: attn_tile.dot %[[P3]], %[[ROWS]],
// CHECK: %[[DIFFERENCE:.+]] = arith.subf %[[DP]],
// CHECK: %[[DS:.+]] = arith.mulf %{{.+}}, %[[DIFFERENCE]]
// CHECK-NEXT: %[[DS0:.+]] = arith.mulf %[[DS]], %[[FACTOR]] : tensor<64x64xf32>
// CHECK-NEXT: %[[DS1:.+]] = arith.subf %[[DS0]], %[[DS]] : tensor<64x64xf32>
// CHECK-NEXT: %[[DS2:.+]] = arith.subf %[[DS0]], %[[DS1]] : tensor<64x64xf32>
// CHECK-NEXT: %[[DS3:.+]] = arith.truncf %[[DS2]]
// CHECK: attn_tile.dot %[[DS3]],
// CHECK: attn_tile.dot %[[DS3]], {{.*}} transpose_lhs
// CHECK-NOT: attn_tile.for_blocks
func.func @all_operands(%q: !q, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward narrow_products<all>
      ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// Where 8-bit MMAs multiply the rounded numbers by values, these are in memory, too.

!q = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer_reducer>

// CHECK-LABEL: func.func @all_operands_and_stored(
// CHECK: %[[NUMBERS:.+]] = arith.truncf {{.+}} to tensor<64x80xf8E4M3FN>
// CHECK: attn_tile.store %[[NUMBERS]], %[[NARROW:cast[_0-9]*]]{{\[}}
// CHECK: attn_tile.store %{{.+}}, %[[PRODUCTS:cast[_0-9]*]]{{\[.*}} : tensor<64x80xbf16>
// CHECK: attn_tile.for_blocks
// CHECK: %[[WIDE_ROWS:.+]] = attn_tile.load %[[PRODUCTS]]{{.*}} -> tensor<64x80xbf16>
// CHECK: %[[ROWS:.+]] = attn_tile.load %[[NARROW]]{{.*}} -> tensor<64x96xf8E4M3FN>
// CHECK: attn_tile.dot {{.*}} tensor<128x96xf8E4M3FN>, tensor<64x96xf8E4M3FN>
// CHECK: attn_tile.dot %{{.+}}, %[[WIDE_ROWS]],
// CHECK: attn_tile.dot %{{.+}}, %[[ROWS]],
func.func @all_operands_and_stored(%q: !q, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward narrow_products<all>
      ins(%q, %q, %q, %o, %lse, %do : !q, !q, !q, !o, !row, !o)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// Copies of query, key and value hold the numbers that the arrays store. A scale of each query
// and of each key multiplies the scores in f32, and dS before it is rounded for the gradient of
// which its array is a factor: that of keys for d_query, that of queries for d_key. A scale of
// each value multiplies dP.

!a = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @scales_of_tokens(
// CHECK-SAME: %[[A:[^:]+]]: memref<1x4x256x80xf8E4M3FN>, %[[QS:[^:]+]]: memref<1x4x256xf32>, %[[KS:[^:]+]]: memref<1x4x256xf32>, %[[VS:[^:]+]]: memref<1x4x256xf32>
// CHECK: %[[A8:.+]] = attn_tile.load %[[A]]
// CHECK-NEXT: %[[A32:.+]] = arith.extf %[[A8]]
// CHECK-NEXT: %[[A16:.+]] = arith.truncf %[[A32]]
// CHECK-NEXT: attn_tile.store %[[A16]]
// CHECK: attn_tile.gather %[[QS]]
// CHECK: %[[K:.+]] = attn_tile.load %[[KS]]
// CHECK: %[[V:.+]] = attn_tile.load %[[VS]]
// CHECK-DAG: %[[OF_K:.+]] = attn_tile.broadcast %[[K]] along 1
// CHECK-DAG: %[[OF_V:.+]] = attn_tile.broadcast %[[V]] along 1
// CHECK: attn_tile.for_blocks
// CHECK: %[[Q0:.+]] = attn_tile.load {{.*}} ahead
// CHECK: %[[S0:.+]] = attn_tile.dot
// CHECK: %[[OF_Q0:.+]] = attn_tile.broadcast %[[Q0]] along 0
// CHECK: %[[S1:.+]] = arith.mulf %[[S0]], %[[OF_Q0]]
// CHECK: arith.mulf %[[S1]], %[[OF_K]]
// CHECK: %[[DP0:.+]] = attn_tile.dot
// CHECK: attn_tile.dot
// CHECK: %[[DP1:.+]] = arith.mulf %[[DP0]], %[[OF_V]]
// CHECK: %[[DIFFERENCE:.+]] = arith.subf %[[DP1]],
// CHECK: %[[DS:.+]] = arith.mulf %{{.+}}, %[[DIFFERENCE]]
// CHECK: %[[DS_K:.+]] = arith.mulf %[[DS]], %{{.+}} : tensor<64x64xf32>
// CHECK: %[[OF_D_QUERY:.+]] = arith.truncf %[[DS_K]]
// CHECK: %[[Q1:.+]] = attn_tile.load {{.*}} ahead
// CHECK: %[[OF_Q1:.+]] = attn_tile.broadcast %[[Q1]] along 0
// CHECK: %[[DS_Q:.+]] = arith.mulf %[[DS]], %[[OF_Q1]]
// CHECK: %[[OF_D_KEY:.+]] = arith.truncf %[[DS_Q]]
// CHECK: attn_tile.dot %[[OF_D_KEY]],
// CHECK: attn_tile.dot %[[OF_D_QUERY]], {{.*}} transpose_lhs
func.func @scales_of_tokens(%a: !a, %qs: !row, %ks: !row, %vs: !row, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o,
                            %dv: !o) {
  attn.attention_backward ins(%a, %a, %a, %o, %lse, %do : !a, !a, !a, !o, !row, !o)
      with(query_scale %qs : !row, key_scale %ks : !row, value_scale %vs : !row)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// A scale that all addends of a gradient share multiplies the sum: that of a head of keys d_query
// and, where groups have one head, that of a head of queries d_key. dS is rounded once.

!a = memref<1x4x256x80xf8E4M3FN>
!o = memref<1x4x256x80xbf16>
!row = memref<1x4x256xf32>
!head = memref<1x4xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @scales_of_heads(
// CHECK-SAME: %[[QS:[^:]+]]: memref<1x4xf32>, %[[KS:[^:]+]]: memref<1x4xf32>
// CHECK-DAG: %[[SCALE:.+]] = arith.constant 2.500000e-01 : f32
// CHECK: attn_tile.for_blocks
// CHECK-COUNT-3: attn_tile.dot
// CHECK: %[[ROUNDED:.+]] = arith.truncf
// CHECK-NOT: arith.truncf
// CHECK: attn_tile.dot %[[ROUNDED]],
// CHECK: attn_tile.dot %[[ROUNDED]], {{.*}} transpose_lhs
// CHECK: attn_tile.yield
// CHECK: %[[Q:.+]] = attn_tile.gather %[[QS]]
// CHECK: %[[OF_D_KEY:.+]] = arith.mulf %[[Q]], %[[SCALE]] : f32
// CHECK: %[[SPLAT0:.+]] = tensor.splat %[[OF_D_KEY]]
// CHECK: arith.mulf %{{.+}}, %[[SPLAT0]]
// CHECK: attn_tile.grid
// CHECK: %[[K:.+]] = attn_tile.gather %[[KS]]
// CHECK: %[[OF_D_QUERY:.+]] = arith.mulf %[[K]], %[[SCALE]] : f32
// CHECK: %[[SPLAT1:.+]] = tensor.splat %[[OF_D_QUERY]]
// CHECK: arith.mulf %{{.+}}, %[[SPLAT1]]
func.func @scales_of_heads(%a: !a, %qs: !head, %ks: !head, %o: !o, %lse: !row, %do: !o, %dq: !o, %dk: !o, %dv: !o) {
  attn.attention_backward scale 0.25 ins(%a, %a, %a, %o, %lse, %do : !a, !a, !a, !o, !row, !o)
      with(query_scale %qs : !head, key_scale %ks : !head)
      outs(%dq, %dk, %dv : !o, !o, !o) {schedule = #schedule}
  return
}

// -----

// Where products are of f16, a copy holds the numbers times a power of two of each token's scale,
// for e4m3 from 2^-15 to 2^7 (112 and 134 with the bias of f32), and the rest multiplies.

!q = memref<1x4x256x80xf16>
!a = memref<1x4x256x80xf8E4M3FN>
!row = memref<1x4x256xf32>
#schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>

// CHECK-LABEL: func.func @powers(
// CHECK-SAME: %[[KS:[^:]+]]: memref<1x4x256xf32>
// CHECK-DAG: %[[MOST:.+]] = arith.constant dense<134> : tensor<64xi32>
// CHECK-DAG: %[[LEAST:.+]] = arith.constant dense<112> : tensor<64xi32>
// CHECK-DAG: %[[TWICE:.+]] = arith.constant dense<254> : tensor<64xi32>
// CHECK: attn_tile.grid
// CHECK: arith.bitcast {{.*}} : tensor<64x80xf32> to tensor<64x80xi32>
// CHECK: %[[POWER:.+]] = arith.bitcast {{.*}} : tensor<64x80xi32> to tensor<64x80xf32>
// CHECK: arith.mulf %{{.+}}, %[[POWER]]
// CHECK: %[[K:.+]] = attn_tile.load %[[KS]]
// CHECK: %[[BITS:.+]] = arith.bitcast %[[K]]
// CHECK: %[[SHIFTED:.+]] = arith.shrui %[[BITS]],
// CHECK: %[[E0:.+]] = arith.andi %[[SHIFTED]],
// CHECK: %[[E1:.+]] = arith.maxsi %[[E0]], %[[LEAST]]
// CHECK: %[[E2:.+]] = arith.minsi %[[E1]], %[[MOST]]
// CHECK: %[[E3:.+]] = arith.subi %[[TWICE]], %[[E2]]
// CHECK: %[[E4:.+]] = arith.shli %[[E3]],
// CHECK: %[[INVERSE:.+]] = arith.bitcast %[[E4]]
// CHECK: arith.mulf %[[K]], %[[INVERSE]]
func.func @powers(%q: !q, %a: !a, %ks: !row, %o: !q, %lse: !row, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  attn.attention_backward ins(%q, %a, %a, %o, %lse, %do : !q, !a, !a, !q, !row, !q)
      with(key_scale %ks : !row)
      outs(%dq, %dk, %dv : !q, !q, !q) {schedule = #schedule}
  return
}
