// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_90a | FileCheck %s
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_90 | FileCheck %s --check-prefix=OLD
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_86 | FileCheck %s --check-prefix=SMALL
// RUN: attn-opt %s -attn-gpu-assign-schedule=chip=sm_120a | FileCheck %s --check-prefix=NEW
// RUN: attn-opt %s -attn-assign-tiles | FileCheck %s --check-prefix=HOST

// Each schedule for a GPU comes with the reasons for it: the path first, then tiles. Checked are the
// facts that a reason names, not its sentence.
// HOST-NOT: attn.reasons

// CHECK-LABEL: func.func @causal(
// CHECK: attn.fallback_reasons = ["mma.sync: {{[^"]*}}access tma", "32 rows a warp: {{[^"]+}}", "32 keys a step: {{[^"]+}}"]
// CHECK-SAME: attn.reasons = ["wgmma: {{[^"]*}}sm_90a{{[^"]*}}", "tiles: {{[^"]*}}65 to 128", "dynamic scheduler: {{[^"]*}}diagonal{{[^"]*}}"]
// OLD-LABEL: func.func @causal(
// OLD: attn.reasons = ["mma.sync: sm_90 {{[^"]*}}sm_90a{{[^"]*}}", "32 rows a warp: {{[^"]+}}", "32 keys a step: {{[^"]+}}"]
// SMALL: attn.reasons = ["mma.sync: sm_86 {{[^"]+}}", "32 rows a warp:
// NEW: attn.reasons = ["mma.sync: sm_120a {{[^"]+}}", "16 rows a warp: {{[^"]*}}registers{{[^"]*}}", "32 keys
func.func @causal(%q: memref<2x6x1024x128xf16>) {
  attn.attention mask <top_left, causal>
      ins(%q, %q, %q : memref<2x6x1024x128xf16>, memref<2x6x1024x128xf16>, memref<2x6x1024x128xf16>)
      outs(%q : memref<2x6x1024x128xf16>)
  return
}

// CHECK-LABEL: func.func @head_dims_up_to_64(
func.func @head_dims_up_to_64(%few: memref<1x1x100x64xf16>, %q: memref<?x6x?x64xf16>, %many: memref<?x6x8192x64xf16>) {
  // CHECK: attn.reasons = ["wgmma: {{[^"]+}}", "tiles: few rows{{[^"]*}}", "persistent scheduler: {{[^"]+}}"]
  attn.attention
      ins(%few, %few, %few : memref<1x1x100x64xf16>, memref<1x1x100x64xf16>, memref<1x1x100x64xf16>)
      outs(%few : memref<1x1x100x64xf16>)
  // CHECK: "tiles: {{[^"]*}}64", "persistent
  attn.attention
      ins(%q, %q, %q : memref<?x6x?x64xf16>, memref<?x6x?x64xf16>, memref<?x6x?x64xf16>)
      outs(%q : memref<?x6x?x64xf16>)
  // CHECK: "tiles: {{[^"]*}}64 and many keys", "persistent
  attn.attention
      ins(%q, %many, %many : memref<?x6x?x64xf16>, memref<?x6x8192x64xf16>, memref<?x6x8192x64xf16>)
      outs(%q : memref<?x6x?x64xf16>)
  return
}

// The larger head dim counts.
// CHECK-LABEL: func.func @larger_head_dims(
// SMALL-LABEL: func.func @larger_head_dims(
func.func @larger_head_dims(%q: memref<2x6x1024x192xbf16>, %v: memref<2x6x1024x128xbf16>, %w: memref<2x6x1024x256xbf16>) {
  // CHECK: "tiles: {{[^"]*}}192",
  // SMALL: "16 rows a warp: {{[^"]*}}128 {{[^"]*}}registers{{[^"]*}}"
  attn.attention
      ins(%q, %q, %v : memref<2x6x1024x192xbf16>, memref<2x6x1024x192xbf16>, memref<2x6x1024x128xbf16>)
      outs(%v : memref<2x6x1024x128xbf16>)
  // CHECK: "tiles: {{[^"]*}}above 192", "persistent
  attn.attention
      ins(%w, %w, %w : memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>)
      outs(%w : memref<2x6x1024x256xbf16>)
  // CHECK: "tiles: {{[^"]*}}above 192", "dynamic
  attn.attention mask <top_left, causal>
      ins(%w, %w, %w : memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>, memref<2x6x1024x256xbf16>)
      outs(%w : memref<2x6x1024x256xbf16>)
  return
}

// Without wgmma, the schedule for any addresses has the same tiles.
// CHECK-LABEL: func.func @f32(
func.func @f32(%q: memref<2x6x1024x128xf32>) {
  // CHECK: attn.fallback_reasons = [[REASONS:\["mma.sync: [^"]*found f32", "16 rows a warp: f32 [^"]+", "16 keys a step: f32[^"]+"\]]], attn.reasons = [[REASONS]]
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x128xf32>, memref<2x6x1024x128xf32>, memref<2x6x1024x128xf32>)
      outs(%q : memref<2x6x1024x128xf32>)
  return
}

// CHECK-LABEL: func.func @written_by_hand(
func.func @written_by_hand(%q: memref<2x6x1024x64xf16>) {
  // CHECK-NOT: fallback
  // CHECK: attn.reasons = ["schedule: the module's own"], schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 48, warps = 4, mma = mma_sync, copy = element>
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>)
      outs(%q : memref<2x6x1024x64xf16>) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 48, warps = 4, mma = mma_sync, copy = element>}
  return
}

// Copies that the types rule out are passed over.
// CHECK-LABEL: func.func @odd_rows(
func.func @odd_rows(%q: memref<2x6x1024x65xf16>, %o: memref<2x6x1024x64xf16, strided<[399360, 66560, 65, 1]>>, %k: memref<2x6x1024x64xf16>) {
  // CHECK-NOT: fallback
  // CHECK: attn.reasons = ["mma.sync: the type of the query has strides that are not multiples of 16 bytes", "32 rows a warp: {{[^"]*}}", "32 keys a step: {{[^"]*}}", "access narrow: the type of the query has strides that are not multiples of 16 bytes"], schedule = {{.*}}copy = element>
  attn.attention
      ins(%q, %q, %q : memref<2x6x1024x65xf16>, memref<2x6x1024x65xf16>, memref<2x6x1024x65xf16>)
      outs(%q : memref<2x6x1024x65xf16>)
  // CHECK: attn.reasons = ["mma.sync: the type of the output has strides that are not multiples of 16 bytes", "32 rows{{.*}}copy = cp_async>
  attn.attention
      ins(%k, %k, %k : memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>, memref<2x6x1024x64xf16>)
      outs(%o : memref<2x6x1024x64xf16, strided<[399360, 66560, 65, 1]>>)
  return
}

// Rows that a table of pages lists, one key a page, are copied by cp.async, also beside wgmma.
// CHECK-LABEL: func.func @listed_rows(
// OLD-LABEL: func.func @listed_rows(
func.func @listed_rows(%q: memref<2x6x1024x64xf16>, %pool: memref<999x6x1x64xf16>, %t: memref<2x512xi32>) {
  // CHECK: attn.fallback_reasons = ["mma.sync: {{[^"]*}}access async16"
  // CHECK-SAME: attn.reasons = ["wgmma: {{[^"]+}}", "tiles: {{[^"]+}}"
  // CHECK-SAME: fallback = {{.*}}mma = mma_sync, copy = element>
  // CHECK-SAME: schedule = {{.*}}mma = wgmma, copy = cp_async
  // OLD: attn.reasons = ["mma.sync: sm_90 {{.*}}schedule = {{.*}}mma = mma_sync, copy = cp_async
  attn.attention ins(%q, %pool, %pool : memref<2x6x1024x64xf16>, memref<999x6x1x64xf16>, memref<999x6x1x64xf16>)
      pages(%t : memref<2x512xi32>) outs(%q : memref<2x6x1024x64xf16>)
  return
}
