// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_90a | FileCheck %s
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_90 | FileCheck %s --check-prefix=NONE

// The table of a chip with wgmma, whose ops keep another schedule
// for arrays that tensor maps cannot describe. sm_90 is not such a chip. ScheduleTableTest checks
// every row of the table, so that tile sizes are checked here only where they depend on a size.
// NONE-NOT: copy = tma
// NONE-NOT: wgmma, copy

// CHECK-LABEL: func.func @wide(
func.func @wide(%q: memref<2x6x1024x256xbf16>) {
  // CHECK: fallback = #attn_gpu.schedule<{{.*}}mma = mma_sync, copy = element>
  // CHECK-SAME: schedule = {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = persistent>
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>)
      outs(%q : memref<2x6x1024x256xbf16>)
  // Under a diagonal, tiles differ in length: a dynamic scheduler.
  // CHECK: schedule = {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = dynamic>
  attn.attention mask <bottom_right, causal>
      ins(%q, %q, %q : memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>)
      outs(%q : memref<2x6x1024x256xbf16>)
  // Under a mask region they may.
  // CHECK: under a mask region tiles may differ in length
  // CHECK-SAME: scheduler = dynamic>
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>)
      outs(%q : memref<2x6x1024x256xbf16>)
      mask {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %0 = arith.cmpi ne, %i, %j : index
        attn.yield %0 : i1
      }
  return
}

// The larger head dim counts: 128 columns would have steps of 128 keys.
// CHECK-LABEL: func.func @keys_of_192(
func.func @keys_of_192(%q: memref<2x6x1024x192xbf16>, %v: memref<2x6x1024x128xbf16>) {
  // CHECK: schedule = {{.*}}tile_kv = {{80|96}}, {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = persistent>
  attn.attention
      ins(%q, %q, %v : memref<2x6x1024x192xbf16>, memref<2x6x1024x192xbf16>, memref<2x6x1024x128xbf16>)
      outs(%v : memref<2x6x1024x128xbf16>)
  return
}

// CHECK-LABEL: func.func @of_128(
func.func @of_128(%q: memref<2x6x?x128xf16>) {
  // A window's right bound is a diagonal, its left bound is not.
  // CHECK: schedule = {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = dynamic>
  attn.attention mask <top_left, right = 16>
      ins(%q, %q, %q : memref<2x6x?x128xf16>, memref<2x6x?x128xf16>, memref<2x6x?x128xf16>)
      outs(%q : memref<2x6x?x128xf16>)
  // CHECK: schedule = {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = persistent>
  attn.attention mask <top_left, left = 16>
      ins(%q, %q, %q : memref<2x6x?x128xf16>, memref<2x6x?x128xf16>, memref<2x6x?x128xf16>)
      outs(%q : memref<2x6x?x128xf16>)
  return
}

// CHECK-LABEL: func.func @of_64(
func.func @of_64(%few: memref<8x6x100x64xf16>, %q: memref<8x6x4096x64xf16>, %k: memref<8x6x4112x64xf16>) {
  // CHECK: schedule = #attn_gpu.schedule<tile_q = {{192|256}}, {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = persistent>
  attn.attention
      ins(%q, %q, %q : memref<8x6x4096x64xf16>, memref<8x6x4096x64xf16>, memref<8x6x4096x64xf16>)
      outs(%q : memref<8x6x4096x64xf16>)
  // CHECK: schedule = {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = persistent>
  attn.attention
      ins(%q, %k, %k : memref<8x6x4096x64xf16>, memref<8x6x4112x64xf16>, memref<8x6x4112x64xf16>)
      outs(%q : memref<8x6x4096x64xf16>)
  // CHECK: schedule = {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = dynamic>
  attn.attention mask <bottom_right, causal>
      ins(%q, %k, %k : memref<8x6x4096x64xf16>, memref<8x6x4112x64xf16>, memref<8x6x4112x64xf16>)
      outs(%q : memref<8x6x4096x64xf16>)
  // Few rows in each head.
  // CHECK: schedule = #attn_gpu.schedule<tile_q = {{64|128}}, {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = persistent>
  attn.attention
      ins(%few, %k, %k : memref<8x6x100x64xf16>, memref<8x6x4112x64xf16>, memref<8x6x4112x64xf16>)
      outs(%few : memref<8x6x100x64xf16>)
  return
}

// Few rows in all: tiles of 256 would leave SMs without work. A dynamic scheduler
// shares more of them out.
// CHECK-LABEL: func.func @few_tiles(
func.func @few_tiles(%q: memref<4x12x1024x64xf16>, %few: memref<2x12x1024x64xf16>) {
  // CHECK: schedule = #attn_gpu.schedule<tile_q = {{64|128}}, {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = persistent>
  attn.attention
      ins(%q, %q, %q : memref<4x12x1024x64xf16>, memref<4x12x1024x64xf16>, memref<4x12x1024x64xf16>)
      outs(%q : memref<4x12x1024x64xf16>)
  // CHECK: schedule = #attn_gpu.schedule<tile_q = {{192|256}}, {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = dynamic>
  attn.attention mask <top_left, causal>
      ins(%q, %q, %q : memref<4x12x1024x64xf16>, memref<4x12x1024x64xf16>, memref<4x12x1024x64xf16>)
      outs(%q : memref<4x12x1024x64xf16>)
  // CHECK: schedule = #attn_gpu.schedule<tile_q = {{64|128}}, {{.*}}mma = wgmma, copy = tma, {{.*}}scheduler = dynamic>
  attn.attention mask <top_left, causal>
      ins(%few, %few, %few : memref<2x12x1024x64xf16>, memref<2x12x1024x64xf16>, memref<2x12x1024x64xf16>)
      outs(%few : memref<2x12x1024x64xf16>)
  return
}

// A score region takes time: three warpgroups, but not under a diagonal.
// CHECK-LABEL: func.func @score(
func.func @score(%q: memref<8x6x4096x128xf16>) {
  // CHECK: schedule = {{.*}}warps = 12, mma = wgmma, copy = tma, {{.*}}scheduler = persistent>
  attn.attention
      ins(%q, %q, %q : memref<8x6x4096x128xf16>, memref<8x6x4096x128xf16>, memref<8x6x4096x128xf16>)
      outs(%q : memref<8x6x4096x128xf16>) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %0 = arith.addf %s, %s : f32
      attn.yield %0 : f32
  }
  // CHECK: schedule = {{.*}}warps = 8, mma = wgmma, copy = tma, {{.*}}scheduler = dynamic>
  attn.attention mask <top_left, causal>
      ins(%q, %q, %q : memref<8x6x4096x128xf16>, memref<8x6x4096x128xf16>, memref<8x6x4096x128xf16>)
      outs(%q : memref<8x6x4096x128xf16>) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %0 = arith.addf %s, %s : f32
      attn.yield %0 : f32
  }
  return
}

// Sizes whose product does not fit are not few rows.
// CHECK-LABEL: func.func @huge(
func.func @huge(%q: memref<4294967296x4294967296x1024x64xf16>, %long: memref<1x1x9223372036854775807x64xf16>) {
  // CHECK: schedule = #attn_gpu.schedule<tile_q = {{192|256}}, {{.*}}mma = wgmma
  attn.attention
      ins(%q, %q, %q : memref<4294967296x4294967296x1024x64xf16>, memref<4294967296x4294967296x1024x64xf16>, memref<4294967296x4294967296x1024x64xf16>)
      outs(%q : memref<4294967296x4294967296x1024x64xf16>)
  // CHECK: fallback = #attn_gpu.schedule<{{.*}}mma = mma_sync, copy = element>
  attn.attention
      ins(%long, %long, %long : memref<1x1x9223372036854775807x64xf16>, memref<1x1x9223372036854775807x64xf16>, memref<1x1x9223372036854775807x64xf16>)
      outs(%long : memref<1x1x9223372036854775807x64xf16>)
  return
}

// A number of rows that is dynamic is taken for large, unless the op says that it is small.
// Dropout takes registers, so that steps have fewer keys.
// CHECK-LABEL: func.func @few_rows(
func.func @few_rows(%q: memref<2x8x?x128xf16>, %k: memref<2x2x?x128xf16>, %n: i64) {
  // CHECK: attn.attention
  // CHECK-NOT: split_kv
  // CHECK: attn.attention
  // CHECK-SAME: tile_kv = [[#KEYS:]], warps = 4, mma = wgmma,
  // CHECK-SAME: split_kv = true
  // CHECK: attn.attention
  // CHECK-SAME: tile_kv = [[#div(KEYS,2)]], warps = 4, mma = wgmma,
  // CHECK-SAME: split_kv = true
  attn.attention ins(%q, %k, %k : memref<2x8x?x128xf16>, memref<2x2x?x128xf16>, memref<2x2x?x128xf16>)
      outs(%q : memref<2x8x?x128xf16>)
  attn.attention ins(%q, %k, %k : memref<2x8x?x128xf16>, memref<2x2x?x128xf16>, memref<2x2x?x128xf16>)
      outs(%q : memref<2x8x?x128xf16>) {few_rows}
  attn.attention ins(%q, %k, %k : memref<2x8x?x128xf16>, memref<2x2x?x128xf16>, memref<2x2x?x128xf16>)
      dropout(0.1, %n, %n : i64, i64)
      outs(%q : memref<2x8x?x128xf16>) {few_rows}
  return
}
