// RUN: attn-opt %s -split-input-file -verify-diagnostics

// The parameters of #attn.mask and #attn.schedule.

// expected-error@below {{expected 'top_left' or 'bottom_right', found 'middle'}}
func.func private @unknown_alignment() attributes {a = #attn.mask<middle>}

// -----

// expected-error@below {{expected 'top_left' or 'bottom_right', found 'causal'}}
func.func private @no_alignment() attributes {a = #attn.mask<causal>}

// -----

// expected-error@below {{expected one of 'causal', 'left' and 'right', each at most once, found 'casual'}}
func.func private @unknown_parameter() attributes {a = #attn.mask<top_left, casual>}

// -----

// expected-error@below {{expected one of 'causal', 'left' and 'right', each at most once, found 'causal'}}
func.func private @causal_twice() attributes {a = #attn.mask<top_left, causal, causal>}

// -----

// expected-error@below {{expected one of 'causal', 'left' and 'right', each at most once, found 'left'}}
func.func private @left_twice() attributes {a = #attn.mask<top_left, left = 1, left = 2>}

// -----

// expected-error@below {{expected one of 'causal', 'left' and 'right', each at most once, found 'right'}}
func.func private @right_twice() attributes {a = #attn.mask<top_left, right = 1, right = 2>}

// -----

// expected-error@below {{expected '='}}
func.func private @window_without_value() attributes {a = #attn.mask<top_left, left>}

// -----

// expected-error@below {{expected integer value}}
func.func private @fractional_window() attributes {a = #attn.mask<top_left, right = 1.5>}

// -----

// expected-error@below {{expected 'left' to be from 0 to 2147483647, found -1}}
func.func private @negative_left() attributes {a = #attn.mask<top_left, left = -1>}

// -----

// expected-error@below {{expected 'right' to be from 0 to 2147483647, found -5}}
func.func private @negative_right() attributes {a = #attn.mask<top_left, right = -5>}

// -----

// expected-error@below {{expected 'left' to be from 0 to 2147483647, found 2147483648}}
func.func private @large_left() attributes {a = #attn.mask<bottom_right, causal, left = 2147483648>}

// -----

// expected-error@below {{expected 'right' to be from 0 to 2147483647, found 2147483648}}
func.func private @large_right() attributes {a = #attn.mask<bottom_right, right = 2147483648>}

// -----

// expected-error@below {{integer value too large}}
func.func private @huge_right() attributes {a = #attn.mask<bottom_right, right = 99999999999999999999>}

// -----

// expected-error@below {{expected '<'}}
func.func private @mask_without_parameters() attributes {a = #attn.mask}

// -----

// expected-error@below {{struct is missing required parameter: tile_kv}}
func.func private @schedule_without_tile_kv() attributes {a = #attn.schedule<tile_q = 64>}

// -----

// expected-error@below {{duplicate or unknown struct parameter name: stage}}
func.func private @schedule_with_unknown_parameter() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 64, stage = 2>}

// -----

// expected-error@below {{expected 'tile_q' to be a multiple of 16 from 16 to 1024, found 0}}
func.func private @zero_tile_q() attributes {a = #attn.schedule<tile_q = 0, tile_kv = 16>}

// -----

// expected-error@below {{expected 'tile_q' to be a multiple of 16 from 16 to 1024, found -16}}
func.func private @negative_tile_q() attributes {a = #attn.schedule<tile_q = -16, tile_kv = 16>}

// -----

// expected-error@below {{expected 'tile_q' to be a multiple of 16 from 16 to 1024, found 24}}
func.func private @odd_tile_q() attributes {a = #attn.schedule<tile_q = 24, tile_kv = 16>}

// -----

// expected-error@below {{expected 'tile_q' to be a multiple of 16 from 16 to 1024, found 1040}}
func.func private @large_tile_q() attributes {a = #attn.schedule<tile_q = 1040, tile_kv = 16>}

// -----

// expected-error@below {{expected 'tile_kv' to be a multiple of 16 from 16 to 1024, found 0}}
func.func private @zero_tile_kv() attributes {a = #attn.schedule<tile_q = 16, tile_kv = 0>}

// -----

// expected-error@below {{expected 'tile_kv' to be a multiple of 16 from 16 to 1024, found -16}}
func.func private @negative_tile_kv() attributes {a = #attn.schedule<tile_q = 16, tile_kv = -16>}

// -----

// expected-error@below {{expected 'tile_kv' to be a multiple of 16 from 16 to 1024, found 24}}
func.func private @odd_tile_kv() attributes {a = #attn.schedule<tile_q = 16, tile_kv = 24>}

// -----

// expected-error@below {{expected 'tile_kv' to be a multiple of 16 from 16 to 1024, found 1040}}
func.func private @large_tile_kv() attributes {a = #attn.schedule<tile_q = 16, tile_kv = 1040>}

// -----

// expected-error@below {{expected 'stages' to be from 2 to 8, found 1}}
func.func private @stages_1() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, stages = 1>}

// -----

// expected-error@below {{expected 'stages' to be from 2 to 8, found 9}}
func.func private @stages_9() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, stages = 9>}

// -----

// expected-error@below {{expected 'ping_pong' and 'lazy_max' to be false without access tma}}
func.func private @ping_pong_of_async16() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, access = async16, ping_pong = true>}

// -----

// expected-error@below {{expected 'ping_pong' and 'lazy_max' to be false without access tma}}
func.func private @lazy_max_of_narrow() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, lazy_max = true>}

// -----

// expected-error@below {{expected 'overlap' to be true with ping_pong}}
func.func private @ping_pong_alone() attributes {a = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma, overlap = false, ping_pong = true>}

// -----

// expected-error@below {{expected 'blocks' to be single without access tma, found loop}}
func.func private @loop_of_async16() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, access = async16, blocks = loop>}

// -----

// expected-error@below {{expected 'blocks' to be single without access tma, found queue}}
func.func private @queue_of_narrow() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, blocks = queue>}

// -----

// expected-error@below {{expected 4, 8, 12 or 16 warps with access tma, found 0}}
func.func private @tma_on_the_host() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 64, access = tma>}

// -----

// expected-error@below {{expected 4, 8, 12 or 16 warps with access tma, found 6}}
func.func private @tma_warps() attributes {a = #attn.schedule<tile_q = 96, tile_kv = 64, warps = 6, access = tma>}

// -----

// expected-error@below {{expected 4, 8, 12 or 16 warps with access tma, found 20}}
func.func private @tma_many_warps() attributes {a = #attn.schedule<tile_q = 320, tile_kv = 64, warps = 20, access = tma>}

// -----

// expected-error@below {{expected 'tile_q' to be 16 rows for each of 4 warps with access tma, found 128}}
func.func private @tma_rows() attributes {a = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 4, access = tma>}

// -----

// expected-error@below {{expected 'tile_kv' to be at most 256 with access tma, found 272}}
func.func private @tma_tile_kv() attributes {a = #attn.schedule<tile_q = 64, tile_kv = 272, warps = 4, access = tma>}
