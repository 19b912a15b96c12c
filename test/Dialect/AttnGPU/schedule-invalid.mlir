// RUN: attn-opt %s -split-input-file -verify-diagnostics

// expected-error@below {{struct is missing required parameter: mma}}
func.func private @no_mma() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4>}

// -----

// expected-error@below {{struct is missing required parameter: copy}}
func.func private @no_copy() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync>}

// -----

// expected-error@below {{expected 'tile_q' to be a multiple of 16 from 16 to 1024, found 24}}
func.func private @tile_q() attributes {a = #attn_gpu.schedule<tile_q = 24, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>}

// -----

// expected-error@below {{expected 'tile_kv' to be a multiple of 16 from 16 to 1024, found 1040}}
func.func private @tile_kv() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 1040, warps = 4, mma = mma_sync, copy = element>}

// -----

// expected-error@below {{expected 'warps' to be from 1 to 32, found 0}}
func.func private @warps_0() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 0, mma = mma_sync, copy = element>}

// -----

// expected-error@below {{expected 'warps' to be from 1 to 32, found 33}}
func.func private @warps_33() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 33, mma = mma_sync, copy = element>}

// -----

// expected-error@below {{expected 'stages' to be from 2 to 8, found 1}}
func.func private @stages_1() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, stages = 1>}

// -----

// expected-error@below {{expected 'stages' to be from 2 to 8, found 9}}
func.func private @stages_9() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, stages = 9>}

// -----

// expected-error@below {{expected 'producer_consumer' among 'roles', found 'multiplier'}}
func.func private @roles() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = multiplier>}

// -----

// expected-error@below {{expected 'warp_rows' to be a multiple of 16 from 16 to 64, found 24}}
func.func private @warp_rows() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, warp_rows = 24>}

// -----

// expected-error@below {{expected 'ctas' to be from 0 to 32, found 33}}
func.func private @ctas() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element, ctas = 33>}

// -----

// expected-error@below {{chip 'sm_12' is older than sm_80, the first that has what kernels need}}
func.func private @chip() attributes {a = #attn_gpu.target<chip = "sm_12">}

// -----

// expected-error@below {{expected 'attn_gpu.target' to be an #attn_gpu.target of a module, found "sm_90"}}
func.func private @target() attributes {attn_gpu.target = "sm_90"}

// -----

// expected-error@below {{expected 'attn_gpu.target', found 'attn_gpu.stages'}}
func.func private @stages() attributes {attn_gpu.stages = 2}
