// RUN: attn-opt %s -split-input-file -attn-choose-access | FileCheck %s
// RUN: attn-opt %s -split-input-file -attn-choose-access=access=narrow | FileCheck %s --check-prefix=NARROW
// RUN: not attn-opt %s -split-input-file -attn-choose-access=access=wide -o /dev/null 2>&1 | FileCheck %s --check-prefix=INVALID

// INVALID: expected access auto, narrow, async16 or tma, found 'wide'

// NARROW-NOT: scf.if
// NARROW-NOT: access = async16, access
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
// CHECK-SAME: access = async16
// CHECK: } else {
// CHECK:   attn.attention
// CHECK-NOT: access = async16
!t = memref<?x?x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
func.func @dynamic(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4>}
  return
}

// -----

// Rows of 130 bytes never begin at multiples of 16 all.
// CHECK-LABEL: func @unfit
// CHECK-NOT: scf.if
// CHECK-NOT: async16
// CHECK: attn.attention {{.*}}attn.reasons = ["access narrow: the type of the query has strides that are not multiples of 16 bytes"]
!t = memref<1x1x32x65xf16>
func.func @unfit(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4>}
  return
}

// -----

// A promise is kept and checked, and a host's schedule is left alone.
// CHECK-LABEL: func @given
// CHECK-NOT: scf.if
// CHECK: cf.assert {{.*}}, "attn.attention: expected rows of query, key and value at multiples of 16 bytes for access async16"
// CHECK-NEXT: attn.attention {{.*}}attn.reasons = ["access async16: the schedule promises it"]
// CHECK-SAME: access = async16
// CHECK-NOT: cf.assert
// CHECK: attn.attention
// CHECK-NOT: attn.reasons
// CHECK-NOT: async16
!t = memref<1x1x32x64xf16>
func.func @given(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 64, tile_kv = 64, warps = 4, access = async16>}
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 64, tile_kv = 64>}
  return
}

// -----

// The table's schedule for tma is used where the accelerator can describe the
// arrays, among them the output: sizes and strides count. Else the fallback is.
// RUN: attn-opt %s -split-input-file -attn-assign-schedule=chip=sm_90a -attn-choose-access | FileCheck %s --check-prefix=TMA
// TMA-LABEL: func @described
// TMA: %[[ROWS:.+]] = arith.cmpi eq, %{{.+}}, %c0
// The output's rows are aligned, too.
// TMA: memref.extract_strided_metadata %arg3
// TMA: scf.if
// TMA-NEXT: attn.attention {{.*}}attn.reasons = ["wgmma: sm_90a has it", {{.*}}"access tma: for arrays with rows of query, key and value at multiples of 16 bytes, the output's too, sizes of at least 1 and positive strides below 2^40 bytes, which each launch tests"]
// TMA-SAME: access = tma
// TMA-NOT: scf.if
// TMA: } else {
// TMA-NEXT: attn.attention {{.*}}attn.reasons = ["mma.sync: wgmma is for access tma", {{.*}}"access narrow: for arrays that are not fit for access tma"]
// TMA-SAME: schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 4>
// TMA-NOT: attn.fallback
!t = memref<?x?x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
func.func @described(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t)
  return
}

// -----

// A schedule for tma that is written by hand has no fallback: what it promises is
// checked.
// CHECK-LABEL: func @given_tma
// CHECK-NOT: scf.if
// CHECK: cf.assert {{.*}}, "attn.attention: expected rows of query, key and value at multiples of 16 bytes, the output's too, sizes of at least 1 and positive strides below 2^40 bytes for access tma"
// CHECK-NEXT: attn.attention {{.*}}access = tma
!t = memref<?x?x?x64xf16, strided<[?, ?, ?, 1], offset: ?>>
func.func @given_tma(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) {schedule = #attn.schedule<tile_q = 128, tile_kv = 64, warps = 8, access = tma>}
  return
}

// -----

// Rows of the output that are not aligned leave tma out, but not async16, which
// does not speak of them.
// TMA-LABEL: func @unfit_output
// TMA: scf.if
// TMA-NEXT: attn.attention {{.*}}"not access tma: the type of the output has strides that are not multiples of 16 bytes", "access async16: for arrays with rows of query, key and value at multiples of 16 bytes, which each launch tests"]
// TMA-SAME: access = async16
// TMA: } else {
// TMA-NEXT: attn.attention
// TMA-NOT: access =
// TMA: return
!t = memref<1x1x?x64xbf16, strided<[?, ?, ?, 1], offset: ?>>
!o = memref<1x1x?x64xbf16, strided<[?, ?, 65, 1], offset: ?>>
func.func @unfit_output(%q: !t, %k: !t, %v: !t, %o: !o) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !o)
  return
}
