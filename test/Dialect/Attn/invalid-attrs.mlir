// RUN: attn-opt %s -split-input-file -verify-diagnostics

// The parameters of #attn.mask and #attn.tiles.

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

// expected-error@below {{struct is missing required parameter: kv}}
func.func private @tiles_without_kv() attributes {a = #attn.tiles<q = 64>}

// -----

// expected-error@below {{duplicate or unknown struct parameter name: stage}}
func.func private @tiles_with_unknown_parameter() attributes {a = #attn.tiles<q = 64, kv = 64, stage = 2>}

// -----

// expected-error@below {{expected 'q' to be a multiple of 16 from 16 to 1024, found 0}}
func.func private @zero_q() attributes {a = #attn.tiles<q = 0, kv = 16>}

// -----

// expected-error@below {{expected 'q' to be a multiple of 16 from 16 to 1024, found -16}}
func.func private @negative_q() attributes {a = #attn.tiles<q = -16, kv = 16>}

// -----

// expected-error@below {{expected 'q' to be a multiple of 16 from 16 to 1024, found 24}}
func.func private @odd_q() attributes {a = #attn.tiles<q = 24, kv = 16>}

// -----

// expected-error@below {{expected 'q' to be a multiple of 16 from 16 to 1024, found 1040}}
func.func private @large_q() attributes {a = #attn.tiles<q = 1040, kv = 16>}

// -----

// expected-error@below {{expected 'kv' to be a multiple of 16 from 16 to 1024, found 0}}
func.func private @zero_kv() attributes {a = #attn.tiles<q = 16, kv = 0>}

// -----

// expected-error@below {{expected 'kv' to be a multiple of 16 from 16 to 1024, found -16}}
func.func private @negative_kv() attributes {a = #attn.tiles<q = 16, kv = -16>}

// -----

// expected-error@below {{expected 'kv' to be a multiple of 16 from 16 to 1024, found 24}}
func.func private @odd_kv() attributes {a = #attn.tiles<q = 16, kv = 24>}

// -----

// expected-error@below {{expected 'kv' to be a multiple of 16 from 16 to 1024, found 1040}}
func.func private @large_kv() attributes {a = #attn.tiles<q = 16, kv = 1040>}

// -----

func.func @fallback_alone(%q: memref<1x1x8x16xf32>) {
  // expected-error@below {{expected a schedule where there is a fallback, found #attn.tiles<q = 16, kv = 16> alone}}
  attn.attention ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%q : memref<1x1x8x16xf32>) {fallback = #attn.tiles<q = 16, kv = 16>}
  return
}

// -----

func.func @schedule_without_tiles(%q: memref<1x1x8x16xf32>) {
  attn.attention ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      // expected-error@below {{attribute 'schedule' failed to satisfy constraint: TileSizesAttrInterface instance}}
      outs(%q : memref<1x1x8x16xf32>) {schedule = 16}
  return
}

// -----

// expected-error@below {{expected 'attn.reasons' to be an array of strings, found "because"}}
func.func private @reasons() attributes {attn.reasons = "because"}

// -----

// expected-error@below {{expected 'attn.fallback_reasons' to be an array of strings, found [1]}}
func.func private @fallback_reasons() attributes {attn.fallback_reasons = [1]}

// -----

func.func @few_rows(%q: memref<1x1x?x16xf32>) {
  attn.attention ins(%q, %q, %q : memref<1x1x?x16xf32>, memref<1x1x?x16xf32>, memref<1x1x?x16xf32>)
      // expected-error@below {{attribute 'few_rows' failed to satisfy constraint: unit attribute}}
      outs(%q : memref<1x1x?x16xf32>) {few_rows = true}
  return
}

// -----

// A misspelt attribute would have no effect.
// expected-error@below {{expected 'attn.reasons' or 'attn.fallback_reasons', found an attribute 'attn.reason', which no pass reads}}
func.func private @misspelt() attributes {attn.reason}
