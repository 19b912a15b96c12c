// RUN: attn-opt %s -attn-bufferize -canonicalize | FileCheck %s
// RUN: attn-opt %s -attn-results-to-out-params -attn-bufferize -canonicalize \
// RUN:   | FileCheck %s --check-prefix=REUSE

// Arguments have any strides but the innermost, which is 1.
// CHECK-LABEL: func.func @argument_types(
// CHECK-SAME:    memref<1x2x?x16xf16, strided<[?, ?, ?, 1], offset: ?>>
// CHECK-SAME:    memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK-SAME:    memref<4xi1, strided<[1], offset: ?>>
// CHECK-SAME:    memref<f32>
// CHECK-SAME:    memref<8x8xf32>
// CHECK-SAME:    i32) {
func.func @argument_types(%a: tensor<1x2x?x16xf16>, %b: tensor<?x?xf32>, %c: tensor<4xi1>, %d: tensor<f32>,
                          %e: memref<8x8xf32>, %f: i32) {
  return
}

// CHECK: func.func private @declaration(memref<?x4xf32, strided<[?, 1], offset: ?>>)
func.func private @declaration(tensor<?x4xf32>)

// The op keeps all it had.
// CHECK-LABEL: func.func @attributes(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>, %[[O:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>,
// CHECK-SAME:    %[[L:[^:]+]]: memref<1x2x8xf32, {{[^>]*}}>>, %[[C:[^:]+]]: f32, %[[I:[^:]+]]: index, %[[N:[^:]+]]: index)
func.func @attributes(%q: tensor<1x2x8x16xf16>, %o: tensor<1x2x8x16xf16>, %l: tensor<1x2x8xf32>,
                      %c: f32, %i: index, %n: index) -> (tensor<1x2x8x16xf16>, tensor<1x2x8xf32>) {
  // CHECK-NOT: memref.alloc
  // CHECK-NOT: memref.copy
  // CHECK: attn.attention mask <top_left, left = 3> scale 5.000000e-01 ins(%[[Q]], %[[Q]], %[[Q]] :
  // CHECK-SAME: captures(%[[C]] : f32) origin(%[[I]], %[[I]], %[[I]], %[[I]]) lengths(%[[N]], %[[N]]) outs(%[[O]], %[[L]] :
  // CHECK-SAME: score {
  // CHECK-NEXT: ^bb0(%[[S:.+]]: f32, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %[[X:.+]]: f32):
  // CHECK-NEXT: %[[T:.+]] = arith.addf %[[S]], %[[X]] : f32
  // CHECK-NEXT: attn.yield %[[T]] : f32
  // CHECK-NEXT: } {schedule = #attn.tiles<q = 16, kv = 32>}
  // CHECK-NEXT: return %[[O]], %[[L]]
  %r:2 = attn.attention mask <top_left, left = 3> scale 0.5
      ins(%q, %q, %q : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      captures(%c : f32) origin(%i, %i, %i, %i) lengths(%n, %n)
      outs(%o, %l : tensor<1x2x8x16xf16>, tensor<1x2x8xf32>) score {
    ^bb0(%s: f32, %ib: index, %ih: index, %ii: index, %ij: index, %x: f32):
      %t = arith.addf %s, %x : f32
      attn.yield %t : f32
    } {schedule = #attn.tiles<q = 16, kv = 32>} -> tensor<1x2x8x16xf16>, tensor<1x2x8xf32>
  return %r#0, %r#1 : tensor<1x2x8x16xf16>, tensor<1x2x8xf32>
}

// The output is written where the caller wants it.
// REUSE-LABEL: func.func @empty_destination(
// REUSE-SAME:    %[[Q:[^:]+]]: memref<1x2x?x16xf16, {{[^>]*}}>>, %[[O:[^:]+]]: memref<1x2x?x16xf16, {{[^>]*}}>>)
func.func @empty_destination(%q: tensor<1x2x?x16xf16>) -> tensor<1x2x?x16xf16> {
  // REUSE-NOT: memref.alloc
  // REUSE-NOT: memref.copy
  // REUSE: attn.attention ins(%[[Q]], %[[Q]], %[[Q]] : {{.*}}) outs(%[[O]] :
  // REUSE-NOT: memref.copy
  // REUSE: return
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<1x2x?x16xf16>
  %e = tensor.empty(%n) : tensor<1x2x?x16xf16>
  %r = attn.attention
      ins(%q, %q, %q : tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>)
      outs(%e : tensor<1x2x?x16xf16>) -> tensor<1x2x?x16xf16>
  return %r : tensor<1x2x?x16xf16>
}

// An intermediate needs a buffer of its own, the results do not.
// REUSE-LABEL: func.func @chain(
// REUSE-SAME:    %[[Q:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>, %[[O:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>)
func.func @chain(%q: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  // REUSE: %[[T:.+]] = memref.alloc()
  // REUSE-NOT: memref.alloc
  // REUSE: attn.attention ins(%[[Q]], %[[Q]], %[[Q]] : {{.*}}) outs(%[[T]] :
  // REUSE: attn.attention ins(%[[T]], %[[Q]], %[[Q]] : {{.*}}) outs(%[[O]] :
  // REUSE-NOT: memref.copy
  // REUSE: return
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  %t = attn.attention
      ins(%q, %q, %q : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  %r = attn.attention
      ins(%t, %q, %q : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %r : tensor<1x2x8x16xf16>
}

// The op never writes to a buffer that it reads.
// CHECK-LABEL: func.func @output_over_input(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>, %[[K:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>)
func.func @output_over_input(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  // CHECK: %[[T:.+]] = memref.alloc()
  // CHECK-NOT: memref.copy
  // CHECK: attn.attention ins(%[[Q]], %[[K]], %[[K]] : {{.*}}) outs(%[[T]] :
  %r = attn.attention
      ins(%q, %k, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%k : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %r : tensor<1x2x8x16xf16>
}

// An argument that is read is not written, since another one may be the same array.
// CHECK-LABEL: func.func @read_destination(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>, %[[K:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>)
func.func @read_destination(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  // CHECK: %[[T:.+]] = memref.alloc()
  // CHECK: attn.attention ins(%[[Q]], %[[K]], %[[K]] : {{.*}}) outs(%[[T]] :
  // CHECK: %[[R:.+]] = memref.alloc()
  // CHECK-NOT: memref.copy
  // CHECK: attn.attention ins(%[[T]], %[[K]], %[[K]] : {{.*}}) outs(%[[R]] :
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  %t = attn.attention
      ins(%q, %k, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  %r = attn.attention
      ins(%t, %k, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%q : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %r : tensor<1x2x8x16xf16>
}

// CHECK-LABEL: func.func @read_elementwise(
// CHECK-SAME:    %[[Q:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>, %[[K:[^:]+]]: memref<1x2x8x16xf16, {{[^>]*}}>>)
func.func @read_elementwise(%q: tensor<1x2x8x16xf16>, %k: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  // CHECK: %[[R:.+]] = memref.alloc()
  // CHECK: linalg.add ins(%[[Q]], %[[K]] : {{.*}}) outs(%[[R]] :
  %r = linalg.add ins(%q, %k : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%q : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %r : tensor<1x2x8x16xf16>
}

// CHECK-LABEL: func.func @slices(
// CHECK-SAME:    %[[X:[^:]+]]: memref<4x2x8x64xf16, {{[^>]*}}>>, %[[Y:[^:]+]]: memref<4x2x8x16xf16, {{[^>]*}}>>, %[[I:[^:]+]]: index)
func.func @slices(%x: tensor<4x2x8x64xf16>, %y: tensor<4x2x8x16xf16>, %i: index) -> tensor<4x2x8x16xf16> {
  // CHECK-NOT: memref.alloc
  // CHECK-DAG: %[[Q:.+]] = memref.subview %[[X]][%[[I]], 0, 0, 16] [1, 2, 8, 16] [1, 1, 1, 1]
  // CHECK-DAG: %[[O:.+]] = memref.subview %[[Y]][%[[I]], 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1]
  // CHECK: attn.attention ins(%[[Q]], %[[Q]], %[[Q]] : {{.*}}) outs(%[[O]] :
  // CHECK: return %[[Y]]
  %q = tensor.extract_slice %x[%i, 0, 0, 16] [1, 2, 8, 16] [1, 1, 1, 1]
      : tensor<4x2x8x64xf16> to tensor<1x2x8x16xf16>
  %o = tensor.extract_slice %y[%i, 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1]
      : tensor<4x2x8x16xf16> to tensor<1x2x8x16xf16>
  %r = attn.attention
      ins(%q, %q, %q : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%o : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  %z = tensor.insert_slice %r into %y[%i, 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1]
      : tensor<1x2x8x16xf16> into tensor<4x2x8x16xf16>
  return %z : tensor<4x2x8x16xf16>
}
