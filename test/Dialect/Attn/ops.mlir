// RUN: attn-opt %s --verify-roundtrip | FileCheck %s
// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s -mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    %[[Q:[^:]+]]: tensor<2x4x128x64xf16>, %[[K:[^:]+]]: tensor<2x4x256x64xf16>,
// CHECK-SAME:    %[[V:[^:]+]]: tensor<2x4x256x32xf16>, %[[O:[^:]+]]: tensor<2x4x128x32xf16>)
func.func @tensors(%q: tensor<2x4x128x64xf16>, %k: tensor<2x4x256x64xf16>,
                   %v: tensor<2x4x256x32xf16>, %o: tensor<2x4x128x32xf16>)
    -> tensor<2x4x128x32xf16> {
  // CHECK: %[[R:.+]] = attn.attention ins(%[[Q]], %[[K]], %[[V]] :
  // CHECK-SAME: tensor<2x4x128x64xf16>, tensor<2x4x256x64xf16>, tensor<2x4x256x32xf16>)
  // CHECK-SAME: outs(%[[O]] : tensor<2x4x128x32xf16>) -> tensor<2x4x128x32xf16>
  // CHECK-NEXT: return %[[R]]
  %r = attn.attention
      ins(%q, %k, %v : tensor<2x4x128x64xf16>, tensor<2x4x256x64xf16>, tensor<2x4x256x32xf16>)
      outs(%o : tensor<2x4x128x32xf16>) -> tensor<2x4x128x32xf16>
  return %r : tensor<2x4x128x32xf16>
}

// CHECK-LABEL: func.func @tensors_with_lse(
func.func @tensors_with_lse(%q: tensor<1x8x?x64xbf16>, %k: tensor<1x2x?x64xbf16>,
                            %v: tensor<1x2x?x64xbf16>, %o: tensor<1x8x?x64xbf16>,
                            %l: tensor<1x8x?xf32>)
    -> (tensor<1x8x?x64xbf16>, tensor<1x8x?xf32>) {
  // CHECK: %[[R:.+]]:2 = attn.attention ins({{.*}}) outs(%{{.+}}, %{{.+}} : tensor<1x8x?x64xbf16>, tensor<1x8x?xf32>)
  // CHECK-SAME: -> tensor<1x8x?x64xbf16>, tensor<1x8x?xf32>
  // CHECK-NEXT: return %[[R]]#0, %[[R]]#1
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<1x8x?x64xbf16>, tensor<1x2x?x64xbf16>, tensor<1x2x?x64xbf16>)
      outs(%o, %l : tensor<1x8x?x64xbf16>, tensor<1x8x?xf32>)
      -> tensor<1x8x?x64xbf16>, tensor<1x8x?xf32>
  return %r#0, %r#1 : tensor<1x8x?x64xbf16>, tensor<1x8x?xf32>
}

// Every size but the head dims may be dynamic.
// CHECK-LABEL: func.func @memrefs(
func.func @memrefs(%q: memref<?x?x?x96xf32, strided<[?, ?, ?, 1], offset: ?>>,
                   %k: memref<?x?x?x96xf32, strided<[?, ?, ?, 1]>>,
                   %v: memref<?x?x?x80xf32>, %o: memref<?x?x?x80xf32>) {
  // CHECK: attn.attention ins(%{{.+}}, %{{.+}}, %{{.+}} : memref<?x?x?x96xf32, strided<[?, ?, ?, 1], offset: ?>>,
  // CHECK-SAME: memref<?x?x?x96xf32, strided<[?, ?, ?, 1]>>, memref<?x?x?x80xf32>)
  // CHECK-SAME: outs(%{{.+}} : memref<?x?x?x80xf32>)
  // CHECK-NEXT: return
  attn.attention
      ins(%q, %k, %v : memref<?x?x?x96xf32, strided<[?, ?, ?, 1], offset: ?>>,
          memref<?x?x?x96xf32, strided<[?, ?, ?, 1]>>, memref<?x?x?x80xf32>)
      outs(%o : memref<?x?x?x80xf32>)
  return
}

// CHECK-LABEL: func.func @memrefs_with_lse(
func.func @memrefs_with_lse(%q: memref<2x4x8x16xf16>, %k: memref<2x4x8x16xf16>,
                            %v: memref<2x4x8x16xf16>, %o: memref<2x4x8x16xf16>,
                            %l: memref<2x4x8xf32>) {
  // CHECK: attn.attention ins({{.*}}) outs(%{{.+}}, %{{.+}} : memref<2x4x8x16xf16>, memref<2x4x8xf32>){{$}}
  attn.attention
      ins(%q, %k, %v : memref<2x4x8x16xf16>, memref<2x4x8x16xf16>, memref<2x4x8x16xf16>)
      outs(%o, %l : memref<2x4x8x16xf16>, memref<2x4x8xf32>)
  return
}

// Dimensions are logical: here memory is in the order batch, seq, head, dim.
// CHECK-LABEL: func.func @permuted_memory(
func.func @permuted_memory(%q: memref<2x4x8x16xf16, strided<[512, 16, 64, 1]>>,
                           %k: memref<2x4x8x16xf16, strided<[512, 16, 64, 1], offset: 3>>,
                           %o: memref<2x4x8x16xf16, strided<[0, 0, 0, 1]>>) {
  // CHECK: attn.attention ins({{.*}} : memref<2x4x8x16xf16, strided<[512, 16, 64, 1]>>, memref<2x4x8x16xf16, strided<[512, 16, 64, 1], offset: 3>>
  // CHECK-SAME: outs({{.*}} : memref<2x4x8x16xf16, strided<[0, 0, 0, 1]>>)
  attn.attention
      ins(%q, %k, %k : memref<2x4x8x16xf16, strided<[512, 16, 64, 1]>>,
          memref<2x4x8x16xf16, strided<[512, 16, 64, 1], offset: 3>>,
          memref<2x4x8x16xf16, strided<[512, 16, 64, 1], offset: 3>>)
      outs(%o : memref<2x4x8x16xf16, strided<[0, 0, 0, 1]>>)
  return
}

// CHECK-LABEL: func.func @f32_output_of_f16(
func.func @f32_output_of_f16(%q: tensor<1x1x8x16xf16>, %o: tensor<1x1x8x16xf32>)
    -> tensor<1x1x8x16xf32> {
  // CHECK: attn.attention ins({{.*}}) outs({{.*}} : tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32>
  %r = attn.attention
      ins(%q, %q, %q : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
      outs(%o : tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32>
  return %r : tensor<1x1x8x16xf32>
}

// CHECK-LABEL: func.func @f32_output_of_bf16(
func.func @f32_output_of_bf16(%q: tensor<1x1x8x16xbf16>, %o: tensor<1x1x8x16xf32>)
    -> tensor<1x1x8x16xf32> {
  // CHECK: attn.attention ins({{.*}}) outs({{.*}} : tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32>
  %r = attn.attention
      ins(%q, %q, %q : tensor<1x1x8x16xbf16>, tensor<1x1x8x16xbf16>, tensor<1x1x8x16xbf16>)
      outs(%o : tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32>
  return %r : tensor<1x1x8x16xf32>
}

// CHECK-LABEL: func.func @scales(
func.func @scales(%q: memref<1x1x8x16xf32>, %o: memref<1x1x8x16xf32>) {
  // CHECK: attn.attention scale 1.250000e-01 ins(
  attn.attention scale 0.125
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention scale 0.000000e+00 ins(
  attn.attention scale 0.0
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention mask <top_left, causal> scale -2.000000e+00 ins(
  attn.attention mask <top_left, causal> scale -2.0
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  return
}

// CHECK-LABEL: func.func @masks(
func.func @masks(%q: memref<1x1x8x16xf32>, %o: memref<1x1x8x16xf32>) {
  // CHECK: attn.attention mask <top_left, causal> ins(
  attn.attention mask <top_left, causal>
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention mask <bottom_right, causal> ins(
  attn.attention mask <bottom_right, causal>
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention mask <bottom_right, causal, left = 128> ins(
  attn.attention mask <bottom_right, causal, left = 128>
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention mask <top_left, left = 16, right = 0> ins(
  attn.attention mask <top_left, left = 16, right = 0>
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention mask <top_left, left = 0> ins(
  attn.attention mask <top_left, left = 0>
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention mask <bottom_right, right = 2147483647> ins(
  attn.attention mask <bottom_right, right = 2147483647>
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>)
  return
}

// The attributes stand alone as well.
// CHECK-LABEL: func.func @attributes(
func.func @attributes() attributes {
    // CHECK-SAME: test.m1 = #attn.mask<top_left, causal>
    test.m1 = #attn.mask<top_left, causal>,
    // CHECK-SAME: test.m2 = #attn.mask<bottom_right, causal, left = 128>
    test.m2 = #attn.mask<bottom_right, causal, left = 128>,
    // CHECK-SAME: test.m3 = #attn.mask<top_left, left = 16, right = 16>
    test.m3 = #attn.mask<top_left, left = 16, right = 16>,
    // CHECK-SAME: test.s1 = #attn.tiles<q = 16, kv = 1024>
    test.s1 = #attn.tiles<q = 16, kv = 1024>} {
  return
}

// CHECK-LABEL: func.func @schedule(
func.func @schedule(%q: memref<1x1x8x16xf32>, %o: memref<1x1x8x16xf32>) {
  // CHECK: attn.attention ins({{.*}}) outs({{.*}}) {schedule = #attn.tiles<q = 64, kv = 48>}
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      outs(%o : memref<1x1x8x16xf32>) {schedule = #attn.tiles<q = 64, kv = 48>}
  return
}

// CHECK-LABEL: func.func @origin_and_lengths(
// CHECK-SAME:    %[[B:[^:]+]]: index, %[[H:[^:]+]]: index, %[[I:[^:]+]]: index, %[[J:[^:]+]]: index,
// CHECK-SAME:    %[[LQ:[^:]+]]: index, %[[LK:[^:]+]]: index)
func.func @origin_and_lengths(%q: memref<1x1x8x16xf32>, %o: memref<1x1x8x16xf32>,
                              %b: index, %h: index, %i: index, %j: index,
                              %lq: index, %lk: index) {
  // CHECK: attn.attention ins({{.*}}) origin(%[[B]], %[[H]], %[[I]], %[[J]]) outs(
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      origin(%b, %h, %i, %j)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention ins({{.*}}) lengths(%[[LQ]], %[[LK]]) outs(
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      lengths(%lq, %lk)
      outs(%o : memref<1x1x8x16xf32>)
  // CHECK: attn.attention ins({{.*}}) origin(%[[B]], %[[H]], %[[I]], %[[J]]) lengths(%[[LQ]], %[[LK]]) outs(
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      origin(%b, %h, %i, %j) lengths(%lq, %lk)
      outs(%o : memref<1x1x8x16xf32>)
  return
}

// Captured scalars keep their types.
// CHECK-LABEL: func.func @score_region(
// CHECK-SAME:    %[[F:[^:]+]]: f32, %[[N:[^:]+]]: i32, %[[X:[^:]+]]: index, %[[G:[^:]+]]: bf16, %[[P:[^:]+]]: i1)
func.func @score_region(%q: memref<1x1x8x16xf32>, %o: memref<1x1x8x16xf32>,
                        %f: f32, %n: i32, %x: index, %g: bf16, %p: i1) {
  // CHECK: attn.attention ins({{.*}}) captures(%[[F]], %[[N]], %[[X]], %[[G]], %[[P]] : f32, i32, index, bf16, i1) outs({{.*}}) score {
  // CHECK-NEXT: ^bb0(%[[S:.+]]: f32, %{{.+}}: index, %{{.+}}: index, %[[I:.+]]: index, %[[J:.+]]: index, %[[CF:.+]]: f32, %{{.+}}: i32, %{{.+}}: index, %{{.+}}: bf16, %[[CP:.+]]: i1):
  // CHECK: %[[D:.+]] = arith.subi %[[J]], %[[I]] : index
  // CHECK: %[[E:.+]] = math.tanh %[[S]] : f32
  // CHECK: attn.yield %{{.+}} : f32
  // CHECK-NEXT: } {schedule = #attn.tiles<q = 16, kv = 16>}
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      captures(%f, %n, %x, %g, %p : f32, i32, index, bf16, i1)
      outs(%o : memref<1x1x8x16xf32>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index,
         %cf: f32, %cn: i32, %cx: index, %cg: bf16, %cp: i1):
      %ninf = arith.constant 0xFF800000 : f32
      %d = arith.subi %j, %i : index
      %d32 = arith.index_cast %d : index to i32
      %e = math.tanh %s : f32
      %m = arith.mulf %e, %cf : f32
      %sel = arith.select %cp, %m, %ninf : f32
      attn.yield %sel : f32
    } {schedule = #attn.tiles<q = 16, kv = 16>}
  return
}

// CHECK-LABEL: func.func @score_region_on_tensors(
func.func @score_region_on_tensors(%q: tensor<1x1x8x16xf16>, %o: tensor<1x1x8x16xf16>)
    -> tensor<1x1x8x16xf16> {
  // CHECK: %[[R:.+]] = attn.attention mask <bottom_right, causal> ins({{.*}}) outs({{.*}}) score {
  // CHECK: attn.yield
  // CHECK: } -> tensor<1x1x8x16xf16>
  // CHECK-NEXT: return %[[R]]
  %r = attn.attention mask <bottom_right, causal>
      ins(%q, %q, %q : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
      outs(%o : tensor<1x1x8x16xf16>)
      score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      attn.yield %s : f32
    } -> tensor<1x1x8x16xf16>
  return %r : tensor<1x1x8x16xf16>
}

// Head counts: one key head for all, a group of three, dynamic ones.
// CHECK-LABEL: func.func @grouped_query(
func.func @grouped_query(%q: memref<1x6x8x16xf16>, %k1: memref<1x1x8x16xf16>,
                         %k2: memref<1x2x8x16xf16>, %kd: memref<1x?x8x16xf16>,
                         %o: memref<1x6x8x16xf16>) {
  // CHECK: attn.attention ins({{.*}} : memref<1x6x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
  attn.attention ins(%q, %k1, %k1 : memref<1x6x8x16xf16>, memref<1x1x8x16xf16>, memref<1x1x8x16xf16>)
      outs(%o : memref<1x6x8x16xf16>)
  // CHECK: attn.attention ins({{.*}} : memref<1x6x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
  attn.attention ins(%q, %k2, %k2 : memref<1x6x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
      outs(%o : memref<1x6x8x16xf16>)
  // CHECK: attn.attention ins({{.*}} : memref<1x6x8x16xf16>, memref<1x?x8x16xf16>, memref<1x?x8x16xf16>)
  attn.attention ins(%q, %kd, %kd : memref<1x6x8x16xf16>, memref<1x?x8x16xf16>, memref<1x?x8x16xf16>)
      outs(%o : memref<1x6x8x16xf16>)
  return
}

// A dynamic size goes with any static one, in each operand.
// CHECK-LABEL: func.func @some_sizes_dynamic(
func.func @some_sizes_dynamic(%q: tensor<?x4x128x64xf16>, %k: tensor<2x?x?x64xf16>,
                              %v: tensor<?x2x256x64xf16>, %o: tensor<2x?x?x64xf16>,
                              %l: tensor<?x4x?xf32>)
    -> (tensor<2x?x?x64xf16>, tensor<?x4x?xf32>) {
  // CHECK: attn.attention ins({{.*}} : tensor<?x4x128x64xf16>, tensor<2x?x?x64xf16>, tensor<?x2x256x64xf16>)
  %r:2 = attn.attention
      ins(%q, %k, %v : tensor<?x4x128x64xf16>, tensor<2x?x?x64xf16>, tensor<?x2x256x64xf16>)
      outs(%o, %l : tensor<2x?x?x64xf16>, tensor<?x4x?xf32>)
      -> tensor<2x?x?x64xf16>, tensor<?x4x?xf32>
  return %r#0, %r#1 : tensor<2x?x?x64xf16>, tensor<?x4x?xf32>
}

// Batch, heads and lengths may be zero.
// CHECK-LABEL: func.func @empty(
func.func @empty(%q: tensor<0x0x0x64xf16>, %p: tensor<1x2x0x64xf16>, %x: tensor<1x2x5x64xf16>)
    -> (tensor<0x0x0x64xf16>, tensor<1x2x5x64xf16>) {
  // CHECK: attn.attention ins({{.*}} : tensor<0x0x0x64xf16>, tensor<0x0x0x64xf16>, tensor<0x0x0x64xf16>)
  %r = attn.attention
      ins(%q, %q, %q : tensor<0x0x0x64xf16>, tensor<0x0x0x64xf16>, tensor<0x0x0x64xf16>)
      outs(%q : tensor<0x0x0x64xf16>) -> tensor<0x0x0x64xf16>
  // CHECK: attn.attention ins({{.*}} : tensor<1x2x5x64xf16>, tensor<1x2x0x64xf16>, tensor<1x2x0x64xf16>)
  %s = attn.attention
      ins(%x, %p, %p : tensor<1x2x5x64xf16>, tensor<1x2x0x64xf16>, tensor<1x2x0x64xf16>)
      outs(%x : tensor<1x2x5x64xf16>) -> tensor<1x2x5x64xf16>
  return %r, %s : tensor<0x0x0x64xf16>, tensor<1x2x5x64xf16>
}

// The innermost stride of a dim of size 1 is never used.
// CHECK-LABEL: func.func @head_dim_1(
func.func @head_dim_1(%q: memref<1x1x8x1xf32>, %o: memref<1x1x8x1xf32>) {
  // CHECK: attn.attention ins({{.*}} : memref<1x1x8x1xf32>
  attn.attention
      ins(%q, %q, %q : memref<1x1x8x1xf32>, memref<1x1x8x1xf32>, memref<1x1x8x1xf32>)
      outs(%o : memref<1x1x8x1xf32>)
  return
}
