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

// expected-error@below {{expected one producer among 'roles', found none}}
func.func private @roles() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = multiplier>}

// -----

// expected-error@below {{expected one producer among 'roles', found none}}
func.func private @no_producer() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [consumer]>}

// -----

// expected-error@below {{expected one producer among 'roles', found several}}
func.func private @producers() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, producer(name = "other")]>}

// -----

// expected-error@below {{expected at most one reducer among 'roles', found several}}
func.func private @reducers() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, reducer, reducer(name = "other")]>}

// -----

// expected-error@below {{expected roles of different names, found 'multiplier' twice}}
func.func private @names() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, multiplier, multiplier(warps = 8)]>}

// -----

// expected-error@below {{expected a role to be a consumer, reducer, converter, multiplier or producer, found 'adder'}}
func.func private @unknown() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, adder]>}

// -----

// expected-error@below {{expected the kind of a role: consumer, reducer, converter, multiplier or producer}}
func.func private @no_kind() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, 4]>}

// -----

// expected-error@below {{expected 'roles' to be none, producer_consumer, producer_consumer_reducer, producer_consumer_converter, a set of these and of multiplier in quotes, divided by |, or a list in brackets, found 'adder'}}
func.func private @unknown_set() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = adder>}

// -----

// expected-error@below {{expected 'warps' of the role 'multiplier' to be a multiple of 4 from 4 to 16, found 0}}
func.func private @no_warps() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, multiplier(warps = 0)]>}

// -----

// expected-error@below {{expected 'warps' of the role 'scores' to be a multiple of 4 from 4 to 16, found 6}}
func.func private @six_warps() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, multiplier(name = "scores", warps = 6)]>}

// -----

// expected-error@below {{expected 'warps' of the role 'producer' to be a multiple of 4 from 4 to 16, found 20}}
func.func private @many_warps() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer(warps = 20)]>}

// -----

// expected-error@below {{expected 'registers' of the role 'multiplier' to be a multiple of 8 from 24 to 240, found 60}}
func.func private @registers() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, multiplier(registers = 60)]>}

// -----

// expected-error@below {{expected 'registers' of the role 'producer' to be a multiple of 8 from 24 to 240, found 16}}
func.func private @few_registers() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer(registers = 16)]>}

// -----

// expected-error@below {{expected 'registers' of the role 'consumer' to be a multiple of 8 from 24 to 240, found 248}}
func.func private @many_registers() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, consumer(registers = 248)]>}

// -----

// expected-error@below {{expected 'registers' of the role 'consumer' to be a multiple of 8 from 24 to 240, found 0}}
func.func private @no_registers() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, consumer(registers = 0)]>}

// -----

// expected-error@below {{expected a name for the role, found none}}
func.func private @no_name() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, multiplier(name = "")]>}

// -----

// expected-error@below {{expected 'name', 'warps', 'registers' or 'late' of a role, found 'threads'}}
func.func private @key() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer(threads = 128)]>}

// -----

// expected-error@below {{expected 'late' of a multiplier alone, found it of the role 'producer'}}
func.func private @late() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer(late)]>}

// -----

// expected-error@below {{expected 'warps' of a role once, found it twice}}
func.func private @key_twice() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer(warps = 4, warps = 4)]>}

// -----

// expected-error@below {{expected 'warps' of the consumers to be those of the schedule, 4, found 8}}
func.func private @consumers() attributes {a = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [producer, consumer(warps = 8)]>}

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
