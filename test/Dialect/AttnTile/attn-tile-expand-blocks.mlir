// RUN: attn-opt %s -attn-tile-expand-blocks | FileCheck %s --implicit-check-not='attn_tile.{{domain|for_blocks|yield}}'
// RUN: attn-opt %s -attn-tile-expand-blocks -canonicalize -cse | FileCheck %s --check-prefix=MASK

// CHECK: #[[$FIRST:.+]] = affine_map<()[s0] -> ((s0 floordiv 64) * 64)>

// Ascending from the block that holds the first column that the rows need, to the end.
// Each block counts as partial.
// CHECK-LABEL: func.func @interval(
// CHECK-SAME:    %[[R:[^:]+]]: index, %[[E:[^:]+]]: index, %[[N:[^:]+]]: index, %[[X:[^:]+]]: memref<?x?xf32>, %[[ZERO:[^:]+]]: tensor<16x64xf32>)
// CHECK-DAG: %[[LO:.+]] = arith.subi %[[R]], %[[N]]
// CHECK-DAG: %[[HI:.+]] = arith.muli %[[E]], %[[N]]
// CHECK-DAG: %[[FIRST:.+]] = affine.apply #[[$FIRST]]()[%[[LO]]]
// CHECK-DAG: %[[STEP:.+]] = arith.constant 64 : index
// CHECK-DAG: %[[TRUE:.+]] = arith.constant true
// CHECK: %[[SUM:.+]] = scf.for %[[J:.+]] = %[[FIRST]] to %[[HI]] step %[[STEP]] iter_args(%[[A:.+]] = %[[ZERO]])
// CHECK: %[[BLOCK:.+]] = attn_tile.load %[[X]][%{{.+}}, %[[J]]]
// CHECK: %[[NEXT:.+]] = scf.if %[[TRUE]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: return %[[SUM]]
// MASK-LABEL: func.func @interval(
// MASK-NOT: scf.if
// MASK: return
func.func @interval(%r: index, %end: index, %n: index, %x: memref<?x?xf32>, %zero: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %domain = attn_tile.domain rows %r to %end {
  ^bb0(%first: index, %last: index):
    %lo = arith.subi %first, %n : index
    %hi = arith.muli %last, %n : index
    %full = arith.addi %first, %n : index
    attn_tile.domain_yield %lo to %hi full %c0 to %full
  } : !attn_tile.domain<64>
  %0 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%a = %zero)
      -> (tensor<16x64xf32>) : !attn_tile.domain<64> {
    %t = attn_tile.load %x[%c0, %j] : memref<?x?xf32> -> tensor<16x64xf32>
    %next = scf.if %partial -> (tensor<16x64xf32>) {
      %s = arith.addf %a, %t : tensor<16x64xf32>
      scf.yield %s : tensor<16x64xf32>
    } else {
      scf.yield %t : tensor<16x64xf32>
    }
    attn_tile.yield %next : tensor<16x64xf32>
  }
  return %0 : tensor<16x64xf32>
}

// Two loops over one domain. What is the same for each block leaves the loop.
// CHECK-LABEL: func.func @two_loops(
// CHECK: arith.addi
// CHECK: scf.for
// CHECK-NOT: arith.addi
// CHECK: scf.for
func.func @two_loops(%r: index, %end: index, %x: memref<?x?xf32>, %t: tensor<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %domain = attn_tile.domain rows %r to %end {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %first to %last full %c0 to %c0
  } : !attn_tile.domain<64>
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
    %i = arith.addi %r, %end : index
    attn_tile.store %t, %x[%i, %j] : tensor<16x64xf32>, memref<?x?xf32>
  }
  attn_tile.for_blocks (%j, %partial) of %domain : !attn_tile.domain<64> {
    attn_tile.store %t, %x[%c0, %j] : tensor<16x64xf32>, memref<?x?xf32>
  }
  return
}

// Entries of a list, in its order. It says which blocks are partial.
// CHECK-LABEL: func.func @list(
// CHECK-SAME:    %[[B:[^:]+]]: memref<?xi32>, %[[P:[^:]+]]: memref<?xi32>, %[[N:[^:]+]]: index, %[[X:[^:]+]]: memref<?x?xf32>, %[[ZERO:[^:]+]]: tensor<16x64xf32>)
// CHECK: scf.for %[[ENTRY:.+]] = %{{.+}} to %[[N]] step %{{.+}} iter_args(
// CHECK-DAG: %[[NUMBER32:.+]] = memref.load %[[B]][%[[ENTRY]]]
// CHECK-DAG: %[[NUMBER:.+]] = arith.index_cast %[[NUMBER32]] : i32 to index
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK-DAG: %[[J:.+]] = arith.muli %[[NUMBER]], %[[C64]]
// CHECK-DAG: %[[KIND:.+]] = memref.load %[[P]][%[[ENTRY]]]
// CHECK-DAG: %[[ZERO32:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[PARTIAL:.+]] = arith.cmpi ne, %[[KIND]], %[[ZERO32]]
// CHECK: attn_tile.load %[[X]][%{{.+}}, %[[J]]]
// CHECK: scf.if %[[PARTIAL]]
// MASK-LABEL: func.func @list(
// MASK: scf.for %{{.+}} = %c0 to %{{.+}} step %c1
// MASK: scf.if
func.func @list(%blocks: memref<?xi32>, %kinds: memref<?xi32>, %n: index, %x: memref<?x?xf32>, %zero: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %domain = attn_tile.domain_list %blocks, %kinds count %n : memref<?xi32>, memref<?xi32> -> !attn_tile.domain<64>
  %0 = attn_tile.for_blocks (%j, %partial) of %domain iter_args(%a = %zero)
      -> (tensor<16x64xf32>) : !attn_tile.domain<64> {
    %t = attn_tile.load %x[%c0, %j] : memref<?x?xf32> -> tensor<16x64xf32>
    %next = scf.if %partial -> (tensor<16x64xf32>) {
      %s = arith.addf %a, %t : tensor<16x64xf32>
      scf.yield %s : tensor<16x64xf32>
    } else {
      scf.yield %t : tensor<16x64xf32>
    }
    attn_tile.yield %next : tensor<16x64xf32>
  }
  return %0 : tensor<16x64xf32>
}

// An unused domain goes.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT: return
func.func @unused(%r: index) {
  %domain = attn_tile.domain rows %r to %r {
  ^bb0(%first: index, %last: index):
    attn_tile.domain_yield %first to %last full %first to %last
  } : !attn_tile.domain<64>
  return
}
