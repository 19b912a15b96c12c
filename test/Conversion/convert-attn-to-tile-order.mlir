// RUN: attn-opt %s -split-input-file -attn-to-tile=chip=sm_90a | FileCheck %s

// The hints of programs for their order: which take longest, along which dimensions they read the
// same pairs, and how many bytes they read at a position of their loops.

!t = tensor<2x8x512x64xbf16>
!kv = tensor<2x2x512x64xbf16>

// All rows see all keys: no program takes longer than others. 256 bytes are those of a key and a
// value.
// CHECK-LABEL: func.func @full(
// CHECK: attn_tile.grid {{.*}} step [1, 1, {{[0-9]+}}] position_bytes %c256{{[_0-9]*}} schedule
func.func @full(%q: !t) -> !t {
  %e = tensor.empty() : !t
  %o = attn.attention ins(%q, %q, %q : !t, !t, !t) outs(%e : !t) -> !t
  return %o : !t
}

// CHECK-LABEL: func.func @causal(
// CHECK: attn_tile.grid {{.*}} longest last position_bytes
func.func @causal(%q: !t) -> !t {
  %e = tensor.empty() : !t
  %o = attn.attention mask <top_left, causal> ins(%q, %q, %q : !t, !t, !t) outs(%e : !t) -> !t
  return %o : !t
}

// -----

// The first keys are seen by the most rows. At each row of a head there are its query and d_output,
// which are 256 bytes, two numbers, and 256 bytes of sums; programs that add from registers have none,
// and go over all four heads of a group.
// CHECK-LABEL: func.func @gradients(
// CHECK: %[[BYTES:.+]] = arith.muli %{{.+}}, %c520{{[_0-9]*}} : index
// CHECK: attn_tile.grid {{.*}} longest first position_bytes %[[BYTES]] schedule {{.*}}roles = producer_consumer
// CHECK: attn_tile.grid {{.*}} longest first position_bytes %c1056{{[_0-9]*}} schedule {{.*}}copy = element
!t = tensor<2x8x512x64xbf16>
!kv = tensor<2x2x512x64xbf16>
!row = tensor<2x8x512xf32>
func.func @gradients(%q: !t, %k: !kv, %lse: !row) -> (!t, !kv, !kv) {
  %e = tensor.empty() : !t
  %f = tensor.empty() : !kv
  %0:3 = attn.attention_backward mask <top_left, causal>
      ins(%q, %k, %k, %q, %lse, %q : !t, !kv, !kv, !t, !row, !t)
      outs(%e, %f, %f : !t, !kv, !kv) -> !t, !kv, !kv
  return %0#0, %0#1, %0#2 : !t, !kv, !kv
}

// -----

// Batch entries read the same bias.
// CHECK-LABEL: func.func @bias(
// CHECK: attn_tile.grid {{.*}} step [1, 1, {{[0-9]+}}] shared [0] position_bytes
!t = tensor<2x8x512x64xbf16>
func.func @bias(%q: !t, %bias: tensor<8x512x512xbf16>) -> !t {
  %e = tensor.empty() : !t
  %o = attn.attention ins(%q, %q, %q : !t, !t, !t) captures(%bias : tensor<8x512x512xbf16>)
      outs(%e : !t) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<8x512x512xbf16>):
    %0 = attn.read %t[%h, %i, %j] inbounds : tensor<8x512x512xbf16>
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.addf %s, %1 : f32
    attn.yield %2 : f32
  } -> !t
  return %o : !t
}
