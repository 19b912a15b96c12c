// RUN: attn-opt %s -split-input-file -attn-gpu-assign-schedule=chip=sm_90a -attn-gpu-multiversion | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-gpu-assign-schedule=chip=sm_90a -attn-gpu-multiversion=access=narrow | FileCheck %s --check-prefix=NARROW
// RUN: not attn-opt %s -split-input-file -attn-gpu-multiversion=access=wide -o /dev/null 2>&1 | FileCheck %s --check-prefix=INVALID

// INVALID: expected access auto, narrow, async16 or tma, found 'wide'

// NARROW-NOT: scf.if
// NARROW-NOT: copy = cp_async
// NARROW: "access narrow: asked for"
// NARROW-NOT: scf.if

// Addresses and strides of query, key and value decide at run time.
// CHECK-LABEL: func @dynamic
// CHECK: %[[ADDRESS:.+]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK: %[[ODD:.+]] = arith.andi %[[ADDRESS]], %c1
// CHECK: %[[EVEN:.+]] = arith.cmpi eq, %[[ODD]]
// CHECK: cf.assert %[[EVEN]], "attn.attention: expected arrays at multiples of their element's size"
// CHECK-COUNT-3: cf.assert
// CHECK-NOT: cf.assert
// CHECK: memref.extract_strided_metadata %arg0
// CHECK: memref.extract_aligned_pointer_as_index %arg0
// CHECK: memref.extract_aligned_pointer_as_index %arg1
// CHECK: memref.extract_aligned_pointer_as_index %arg2
// CHECK-NOT: %arg3
// CHECK: %[[BITS:.+]] = arith.andi
// CHECK: %[[FITS:.+]] = arith.cmpi eq, %[[BITS]]
// CHECK: scf.if %[[FITS]] {
// CHECK:   attn.attention
// CHECK-SAME: copy = cp_async
// CHECK: } else {
// CHECK:   attn.attention
// CHECK-SAME: copy = element
// CHECK-NOT: fallback
!t = memref<?x?x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
func.func @dynamic(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>, fallback = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>}
  return
}

// -----

// Copies by elements need nothing.
// CHECK-LABEL: func @unfit
// CHECK-NOT: scf.if
// CHECK: attn.attention {{.*}}attn.reasons = ["schedule: the module's own", "access narrow: its copies take arrays of any address"]
!t = memref<1x1x32x65xf16>
func.func @unfit(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>}
  return
}

// -----

// A promise is kept and checked.
// CHECK-LABEL: func @given
// CHECK-NOT: scf.if
// CHECK: cf.assert {{.*}}, "attn.attention: expected rows of query, key and value at multiples of 16 bytes for access async16"
// CHECK-NEXT: attn.attention {{.*}}attn.reasons = ["schedule: the module's own", "access async16: the schedule promises it"]
// CHECK-SAME: copy = cp_async
!t = memref<1x1x32x64xf16>
func.func @given(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async>}
  return
}

// -----

// The table's schedule for tma is used where the accelerator can describe the
// arrays, among them the output: sizes and strides count. Else the fallback is.
// RUN: attn-opt %s -split-input-file -attn-gpu-assign-schedule=chip=sm_90a -attn-gpu-multiversion | FileCheck %s --check-prefix=TMA
// TMA-LABEL: func @described
// TMA: %[[ROWS:.+]] = arith.cmpi eq, %{{.+}}, %c0
// The output's rows are aligned, too.
// TMA: memref.extract_strided_metadata %arg3
// TMA: scf.if
// TMA-NEXT: attn.attention {{.*}}attn.reasons = ["wgmma: sm_90a has it", {{.*}}"access tma: for arrays with rows of query, key and value at multiples of 16 bytes, the output's too, sizes of at least 1 and positive strides below 2^40 bytes, which each launch tests"]
// TMA-SAME: copy = tma
// TMA-NOT: scf.if
// TMA: } else {
// TMA-NEXT: attn.attention {{.*}}attn.reasons = ["mma.sync: wgmma is for access tma", {{.*}}"access narrow: for arrays that are not fit for access tma"]
// TMA-SAME: schedule = #attn_gpu.schedule<tile_q = 128, tile_kv = 64, warps = 4, mma = mma_sync, copy = element>
// TMA-NOT: fallback
!t = memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
func.func @described(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// -----

// Rows of the output that are not aligned exclude tma, but not async16, which does not require
// aligned rows of the output.
// TMA-LABEL: func @unfit_output
// TMA: scf.if
// TMA-NEXT: attn.attention {{.*}}"mma.sync: the type of the output has strides that are not multiples of 16 bytes", {{.*}}"access async16: for arrays with rows of query, key and value at multiples of 16 bytes, which each launch tests"]
// TMA-SAME: copy = cp_async
// TMA: } else {
// TMA-NEXT: attn.attention
// TMA-SAME: copy = element
!t = memref<1x1x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
!o = memref<1x1x?x64xbf16, strided<[?, ?, 65, 1], offset: ?>>
func.func @unfit_output(%q: !t, %k: !t, %v: !t, %o: !o) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !o)
  return
}
