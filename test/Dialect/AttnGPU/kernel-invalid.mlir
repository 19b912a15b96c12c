// RUN: attn-opt %s -split-input-file -verify-diagnostics

// expected-error@below {{'attn_gpu.kernel' op expected 1 to 1024 threads of a CTA, found 0}}
attn_gpu.kernel @no_threads() target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 0 {
}

// -----

// expected-error@below {{'attn_gpu.kernel' op expected 1 to 1024 threads of a CTA, found 2048}}
attn_gpu.kernel @many_threads() target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 2048 {
}

// -----

// expected-error@below {{'attn_gpu.kernel' op expected a number of bytes of shared memory, found -1}}
attn_gpu.kernel @shared() target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 shared -1 {
}

// -----

// expected-error@below {{expected 'target'}}
attn_gpu.kernel @no_target() schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
}

// -----

// expected-error@below {{chip 'sm_12' is older than sm_80}}
attn_gpu.kernel @no_chip() target <chip = "sm_12"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
}

// -----

// expected-error@below {{expected 'schedule'}}
attn_gpu.kernel @no_schedule() target <chip = "sm_90a"> threads 128 {
}

// -----

attn_gpu.kernel @sizes(%a: memref<?x?xf32>, %n: index) target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
  // expected-error@below {{'attn_gpu.array' op expected a size for each of 2 open dimensions, found 1}}
  attn_gpu.array %a sizes(%n) : memref<?x?xf32>
}

// -----

attn_gpu.kernel @gaps(%a: memref<4x8xf32, strided<[16, 1]>>) target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
  // expected-error@below {{'attn_gpu.array' op expected workspace to be dense, found 'memref<4x8xf32, strided<[16, 1]>>'}}
  attn_gpu.array %a workspace : memref<4x8xf32, strided<[16, 1]>>
}

// -----

func.func @outside(%a: memref<4xf32>) {
  // expected-error@below {{'attn_gpu.array' op expects parent op 'attn_gpu.kernel'}}
  attn_gpu.array %a : memref<4xf32>
  return
}

// -----

func.func @no_kernel(%n: index) {
  // expected-error@below {{'attn_gpu.launch' op expected an attn_gpu.kernel named @missing, found none}}
  attn_gpu.launch @missing blocks %n
  return
}

// -----

// expected-note@below {{the kernel is here}}
attn_gpu.kernel @other(%a: memref<4xf32>) target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
}
func.func @types(%n: index) {
  // expected-error@below {{'attn_gpu.launch' op expected arguments of the kernel's types ('memref<4xf32>'), found ('index')}}
  attn_gpu.launch @other blocks %n args(%n) : index
  return
}

// -----

// expected-error@below {{'attn_gpu.kernel' op expected one attn_gpu.begin, found more}}
attn_gpu.kernel @two_begins() target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
  attn_gpu.begin
  attn_gpu.begin
}

// -----

attn_gpu.kernel @late_begin(%a: memref<64xf32>) target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
  %i = gpu.block_id x
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %is_first = arith.constant true
  scf.if %is_first {
    // expected-error@below {{'attn_tile.store' op expected attn_gpu.begin before accesses of arrays, found it after this op}}
    attn_tile.store %zeros, %a[%i] : tensor<64xf32>, memref<64xf32>
  }
  attn_gpu.begin
}

// -----

// Roles read arrays through tensor maps.
!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
attn_gpu.kernel @late_begin_of_roles(%map: !attn_nv.tensor_map) target <chip = "sm_90a"> schedule <tile_q = 64, tile_kv = 64, warps = 4, mma = none, copy = element> threads 128 {
  %i = arith.constant 0 : i32
  %ring = attn_gpu.ring at 0 barriers 32768 : !ring
  // expected-error@below {{'attn_gpu.fill' op expected attn_gpu.begin before accesses of arrays, found it after this op}}
  attn_gpu.fill %ring[%i] from %map[%i, %i] : !ring
  attn_gpu.begin
}
