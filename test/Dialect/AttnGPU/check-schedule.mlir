// RUN: attn-opt %s -split-input-file -attn-gpu-assign-schedule=chip=sm_90a -verify-diagnostics

// A schedule that does not fit the op or the chip is an error at the op.
func.func @ping_pong(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{expected a schedule that fits, found #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, ping_pong = true, roles = producer_consumer>: ping_pong needs overlap}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer, ping_pong = true>}
  return
}


// -----

func.func @mma_sync_rows(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: mma_sync takes a multiple of 16 rows for each of 4 warps, not 96}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 96, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>}
  return
}


// -----

func.func @wgmma_warps(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: wgmma takes warpgroups of 4 warps, not 6 warps}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 96, tile_kv = 64, warps = 6, mma = wgmma, copy = tma, roles = producer_consumer>}
  return
}


// -----

func.func @wgmma_rows(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: wgmma takes 64 rows for each of 1 warpgroups, or for each of equal groups of them, not 128}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer>}
  return
}


// -----

func.func @role_warps(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: roles are of warpgroups of 4 warps, not of 6 warps}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 96, tile_kv = 64, warps = 6, mma = mma_sync, copy = tma, roles = producer_consumer>}
  return
}


// -----

func.func @consumers(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: at most 16 warps compute beside a producer, not 20}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 320, tile_kv = 64, warps = 20, mma = wgmma, copy = tma, roles = producer_consumer>}
  return
}


// -----

func.func @multiplier(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: its kernel fails: 'attn_tile.dot' op expected 64 rows for each of 1 warpgroups, or for each of equal groups of them, found 128}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = "producer_consumer|multiplier">}
  return
}


// -----

// Keys of this op are multiplied as they are, and one converter transposes values.
func.func @two_converters(%q: memref<1x1x256x64xf8E4M3FN>, %o: memref<1x1x256x64xf16>) {
  // expected-error@below {{: each of several converters extends a tile of keys or values, and 2 are for 0}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf8E4M3FN>, memref<1x1x256x64xf8E4M3FN>, memref<1x1x256x64xf8E4M3FN>) outs(%o : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = [converter, converter(name = "second"), producer]>}
  return
}

// -----

func.func @converter_of_one(%q: memref<1x1x256x64xf16>, %v: memref<1x1x256x64xi8>) {
  // expected-error@below {{: each of several converters extends a tile of keys or values, and 2 are for 1}}
  attn.attention ins(%q, %q, %v : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xi8>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [converter, converter(name = "second"), producer]>}
  return
}

// -----

func.func @wide_converter(%q: memref<1x1x256x64xf16>, %k: memref<1x1x256x64xi8>) {
  // expected-error@below {{: a converter 'second' has 4 warps, not 8}}
  attn.attention ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<1x1x256x64xi8>, memref<1x1x256x64xi8>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [converter, converter(name = "second", warps = 8), producer]>}
  return
}

// -----

func.func @helpers(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: at most 8 warps compute beside a converter and a multiplier, not 12}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 192, tile_kv = 64, warps = 12, mma = wgmma, copy = tma, roles = "producer_consumer_converter|multiplier">}
  return
}


// -----

func.func @reducer_and_multiplier(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: a reducer has no other role beside it but producer and consumers}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = "producer_consumer_reducer|multiplier">}
  return
}


// -----

func.func @box(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: a box of TMA and an MMA of wgmma have at most 256 rows and columns, not tile_kv = 272}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 272, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer>}
  return
}


// -----

func.func @shared_memory(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: it needs 540944 bytes of shared memory, sm_90a has 232448}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 256, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer, stages = 8>}
  return
}


// -----

func.func @single_precision(%q: memref<1x1x256x64xf32>) {
  // expected-error@below {{: wgmma takes f16 and bf16, found f32}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf32>, memref<1x1x256x64xf32>, memref<1x1x256x64xf32>) outs(%q : memref<1x1x256x64xf32>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer>}
  return
}


// -----

func.func @strides(%q: memref<1x1x256x65xf16>) {
  // expected-error@below {{: the type of the query has strides that are not multiples of 16 bytes}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x65xf16>, memref<1x1x256x65xf16>, memref<1x1x256x65xf16>) outs(%q : memref<1x1x256x65xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer>}
  return
}


// -----

func.func @cp_async_strides(%q: memref<1x1x256x65xf16>) {
  // expected-error@below {{: the type of the query has strides that are not multiples of 16 bytes}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x65xf16>, memref<1x1x256x65xf16>, memref<1x1x256x65xf16>) outs(%q : memref<1x1x256x65xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>}
  return
}


// -----

func.func @fallback(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{found #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element>: products need mma = mma_sync or wgmma}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>, fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element>}
  return
}


// -----

func.func @tiles(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{expected an #attn_gpu.schedule for sm_90a, found #attn.tiles<q = 64, kv = 64>}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn.tiles<q = 64, kv = 64>}
  return
}


// -----

// All else goes together.
func.func @together(%q: memref<1x1x256x64xf16>) {
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 4, mma = mma_sync, copy = tma, roles = producer_consumer, warp_rows = 32>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = tma>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = tma, roles = producer_consumer, scheduler = dynamic>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 4, mma = mma_sync, copy = tma, softmax = lazy, roles = producer_consumer>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, overlap = true>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async, overlap = true, scheduler = persistent>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = element, softmax = lazy, scheduler = dynamic>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, overlap = true>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, softmax = lazy>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, scheduler = persistent>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = cp_async, roles = producer_consumer>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = element, overlap = true, roles = producer_consumer, scheduler = dynamic>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, roles = producer_consumer>}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, roles = producer_consumer, scheduler = persistent>}
  return
}


// -----

// The check plans the actual program: here the score region does not use the score, so the program
// loads neither queries nor keys.
func.func @ignored_scores(%q: memref<1x1x256x64xf16>, %wide: memref<1x1x256x256xf16>) {
  attn.attention ins(%wide, %wide, %q : memref<1x1x256x256xf16>, memref<1x1x256x256xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    %0 = arith.index_cast %j : index to i32
    %1 = arith.sitofp %0 : i32 to f32
    attn.yield %1 : f32
  } {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 8>}
  return
}

// -----

// The same with scores that are read.
func.func @read_scores(%q: memref<1x1x256x64xf16>, %wide: memref<1x1x256x256xf16>) {
  // expected-error@below {{it needs 377856 bytes of shared memory, sm_90a has 232448}}
  attn.attention ins(%wide, %wide, %q : memref<1x1x256x256xf16>, memref<1x1x256x256xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async, stages = 8>}
  return
}

// -----

func.func @accumulators(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: each of 32 threads would accumulate 1536 numbers of scores and outputs, at most 1024 can be}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 512, tile_kv = 32, warps = 1, mma = mma_sync, copy = element>}
  return
}

// -----

// Tiles that MMAs of the next iteration still read keep their slots: 4 stages take 6 slots.
!tile = memref<1x1x192x96xbf16>
func.func @gradients(%q: !tile, %k: !tile, %v: !tile, %out: !tile, %lse: memref<1x1x192xf32>, %d_out: !tile, %d_q: !tile, %d_k: !tile, %d_v: !tile) {
  // expected-error@below {{it needs 248064 bytes of shared memory, sm_90a has 232448}}
  attn.attention_backward ins(%q, %k, %v, %out, %lse, %d_out : !tile, !tile, !tile, !tile, memref<1x1x192xf32>, !tile) outs(%d_q, %d_k, %d_v : !tile, !tile, !tile) {schedule = #attn_gpu.schedule<tile_q = 192, tile_kv = 48, warps = 12, mma = wgmma, copy = element, stages = 4, overlap = true>}
  return
}

// -----

// A tile of 112 keys is neither a part of a page of 128 nor whole pages, so warps gather it in registers.
func.func @gathered(%q: memref<1x1x64x64xbf16>, %pool: memref<1x1x128x64xbf16>, %table: memref<1x1xi32>) {
  // expected-error@below {{: 16 warps do not have a multiple of 16 rows and 8 columns each of the key's 112 rows and 64 columns, which they gather}}
  attn.attention ins(%q, %pool, %pool : memref<1x1x64x64xbf16>, memref<1x1x128x64xbf16>, memref<1x1x128x64xbf16>) pages(%table : memref<1x1xi32>) outs(%q : memref<1x1x64x64xbf16>) {schedule = #attn_gpu.schedule<tile_q = 256, tile_kv = 112, warps = 16, mma = mma_sync, copy = cp_async>}
  return
}

// -----

// Without a converter, wgmma multiplies values of 8 bits if they lie along keys.
!tile = memref<1x1x192x64xf8E4M3FN>
!values = memref<1x1x192x64xf8E4M3FN, strided<[12288, 12288, 1, 192]>>
func.func @sum_of_keys(%q: !tile, %k: !tile, %v: !values, %o: memref<1x1x192x64xf16>) {
  // expected-error@below {{: an MMA of 8 bits adds up a multiple of 32 keys, not tile_kv = 80}}
  attn.attention ins(%q, %k, %v : !tile, !tile, !values) outs(%o : memref<1x1x192x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 80, warps = 8, mma = wgmma, copy = cp_async>}
  return
}

// -----

// ptxas would launch each of two CTAs with half of the registers that the roles divide.
func.func @ctas(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: roles divide the registers of an SM, which then has room for one CTA, not for ctas = 2}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, roles = producer_consumer, ctas = 2>}
  return
}

// -----

// ptxas would reject an MMA whose results the registers at the launch do not hold (C7602).
func.func @columns_of_wgmma(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: a wgmma has at most 72 columns, as each of 1024 threads is launched with 64 registers, not 128: expected fewer warps or tiles of fewer columns}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 128, warps = 32, mma = wgmma, copy = tma>}
  return
}

// -----

func.func @multiplier_of_gradient(%q: memref<1x1x256x64xf16>, %r: memref<1x1x256xf32>) {
  // expected-error@below {{: a multiplier computes products that are 'apart', and those of this op are not}}
  attn.attention_backward ins(%q, %q, %q, %q, %r, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256xf32>, memref<1x1x256x64xf16>) outs(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = "producer_consumer|multiplier">}
  return
}

// -----

func.func @two_multipliers(%q: memref<1x1x256x64xf16>) {
  // expected-error@below {{: one multiplier computes the scores, and others have no products}}
  attn.attention ins(%q, %q, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [multiplier(name = "a"), multiplier(name = "b"), producer]>}
  return
}

// -----

func.func @scores_of_bytes(%q: memref<1x1x256x64xf16>, %k: memref<1x1x256x64xf8E4M3FN>) {
  // expected-error@below {{: a multiplier computes scores of loaded tiles of f16, and the key has f8E4M3FN}}
  attn.attention ins(%q, %k, %q : memref<1x1x256x64xf16>, memref<1x1x256x64xf8E4M3FN>, memref<1x1x256x64xf16>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [multiplier, producer]>}
  return
}

// -----

func.func @scores_of_gathered_keys(%q: memref<1x1x256x64xf16>, %k: memref<20x1x24x64xf16>, %t: memref<1x20xi32>) {
  // expected-error@below {{: computing threads gather the rows of pages of 24 keys, of which a multiplier has no tile}}
  attn.attention ins(%q, %k, %k : memref<1x1x256x64xf16>, memref<20x1x24x64xf16>, memref<20x1x24x64xf16>) pages(%t : memref<1x20xi32>) outs(%q : memref<1x1x256x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [multiplier, producer]>}
  return
}

// -----

func.func @sinks_of_multiplier(%q: memref<1x64x1x64xf16>, %k: memref<1x1x256x64xf16>, %s: memref<64xf32>) {
  // expected-error@below {{: its kernel fails: 'attn_tile.softmax_finish' op expected tiles of products that are apart for one role, and constants, found}}
  attn.attention ins(%q, %k, %k : memref<1x64x1x64xf16>, memref<1x1x256x64xf16>, memref<1x1x256x64xf16>) sink(%s : memref<64xf32>) outs(%q : memref<1x64x1x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [multiplier, producer], split_kv = true>}
  return
}
