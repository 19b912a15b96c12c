// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @rank(%m: memref<8xi1>, %s: memref<1x2xi32>) {
  // expected-error@below {{expected an array of rank 2 at least, found 'memref<8xi1>'}}
  attn.summarize ins(%m : memref<8xi1>) outs(%s : memref<1x2xi32>)
  return
}

// -----

func.func @elements(%m: memref<8x8xf32>, %s: memref<1x1x2xi32>) {
  // expected-error@below {{expected the array elements of 'i1', 'i8', 'i16', 'i32' or 'i64', found 'f32'}}
  attn.summarize ins(%m : memref<8x8xf32>) outs(%s : memref<1x1x2xi32>)
  return
}

// -----

func.func @cells(%m: memref<8x65xi1>, %s: memref<1x1x2xi32>) {
  // expected-error@below {{expected equal numbers of cells, found 2 in the array and 1 in the summary}}
  attn.summarize ins(%m : memref<8x65xi1>) outs(%s : memref<1x1x2xi32>)
  return
}

// -----

func.func @last(%m: memref<8x64xi1>, %s: memref<1x1x3xi32>) {
  // expected-error@below {{expected a summary whose last dimension has size 2, found 'memref<1x1x3xi32>'}}
  attn.summarize ins(%m : memref<8x64xi1>) outs(%s : memref<1x1x3xi32>)
  return
}

// -----

func.func @outs(%m: memref<8x64xi1>, %s: memref<1x1x2xi32>) {
  // expected-error@below {{expected 1 out (the summary), found 2}}
  attn.summarize ins(%m : memref<8x64xi1>) outs(%s, %s : memref<1x1x2xi32>, memref<1x1x2xi32>)
  return
}

// -----

!q = memref<1x1x64x16xf16>
func.func @floats(%q: !q, %m: memref<64x64xf32>, %s: memref<1x1x2xi32>) {
  attn.attention ins(%q, %q, %q : !q, !q, !q) captures(%m, %s : memref<64x64xf32>, memref<1x1x2xi32>)
      outs(%q : !q) score {
    ^bb0(%x: f32, %b: index, %h: index, %i: index, %j: index, %t: memref<64x64xf32>, %u: memref<1x1x2xi32>):
      // expected-error@below {{expected integers in an array that has bounds, found 'memref<64x64xf32>'}}
      %0 = attn.read %t[%i, %j] bounds(%u : memref<1x1x2xi32>) : memref<64x64xf32>
      attn.yield %0 : f32
    }
  return
}

// -----

!q = memref<1x1x64x16xf16>
func.func @bounds(%q: !q, %m: memref<64x64xi1>, %s: memref<1x1xi32>) {
  attn.attention ins(%q, %q, %q : !q, !q, !q) captures(%m, %s : memref<64x64xi1>, memref<1x1xi32>)
      outs(%q : !q) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %t: memref<64x64xi1>, %u: memref<1x1xi32>):
      // expected-error@below {{expected as bounds of 'memref<64x64xi1>' an array of one more rank, of i32, whose last dimension has size 2, found 'memref<1x1xi32>'}}
      %0 = attn.read %t[%i, %j] bounds(%u : memref<1x1xi32>) : memref<64x64xi1>
      attn.yield %0 : i1
    }
  return
}

// -----

!q = memref<1x1x64x16xf16>
func.func @size(%q: !q, %m: memref<64x65xi1>, %s: memref<1x1x2xi32>) {
  attn.attention ins(%q, %q, %q : !q, !q, !q) captures(%m, %s : memref<64x65xi1>, memref<1x1x2xi32>)
      outs(%q : !q) mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %t: memref<64x65xi1>, %u: memref<1x1x2xi32>):
      // expected-error@below {{expected equal numbers of cells, found 2 in dimension 1 of the array and 1 in its bounds}}
      %0 = attn.read %t[%i, %j] bounds(%u : memref<1x1x2xi32>) : memref<64x65xi1>
      attn.yield %0 : i1
    }
  return
}
