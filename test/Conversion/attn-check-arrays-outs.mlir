// RUN: attn-opt %s --split-input-file --attn-check-arrays --verify-diagnostics
// RUN: attn-opt %s --split-input-file --attn-to-host --verify-diagnostics -o /dev/null

!t = memref<1x2x8x16xf16>
!l = memref<1x2x8xf32>
func.func @twice(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %d_o: !t, %d_q: !t, %d_v: !t) {
  // expected-error@below {{'attn.attention_backward' op expected a different memref for each of outs, found one as outs #0 and #1}}
  attn.attention_backward ins(%q, %k, %v, %o, %l, %d_o : !t, !t, !t, !t, !l, !t) outs(%d_q, %d_q, %d_v : !t, !t, !t)
  return
}

// -----

!t = memref<1x2x8x16xf16>
!d = memref<?x2x?x16xf16>
!l = memref<1x2x8xf32>
func.func @cast(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %d_o: !t, %d_q: !t, %d_v: !t) {
  %other = memref.cast %d_v : !t to !d
  // expected-error@below {{'attn.attention_backward' op expected a different memref for each of outs, found one as outs #1 and #2}}
  attn.attention_backward ins(%q, %k, %v, %o, %l, %d_o : !t, !t, !t, !t, !l, !t) outs(%d_q, %other, %d_v : !t, !d, !t)
  return
}

// -----

!t = memref<1x2x8x16xf16>
!c = memref<1x2x40x16xf16>
!n = memref<1xi32>
func.func @caches(%k: !t, %cache: !c, %lengths: !n) {
  // expected-error@below {{'attn.append' op expected a different memref for each of outs, found one as outs #0 and #1}}
  attn.append ins(%k, %k : !t, !t) outs(%cache, %cache : !c, !c) lengths(%lengths : !n)
  return
}

// -----

// Halves of one array are different memory, and gradients without elements do not overlap.
!t = memref<1x2x8x16xf16>
!e = memref<1x2x0x16xf16>
!p = memref<1x2x16x16xf16>
!h = memref<1x2x8x16xf16, strided<[512, 256, 16, 1]>>
!g = memref<1x2x8x16xf16, strided<[512, 256, 16, 1], offset: 128>>
!l = memref<1x2x8xf32>
func.func @valid(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %d_o: !t, %d_q: !t, %both: !p, %e: !e, %d_e: !e) {
  %d_k = memref.subview %both[0, 0, 0, 0] [1, 2, 8, 16] [1, 1, 1, 1] : !p to !h
  %d_v = memref.subview %both[0, 0, 8, 0] [1, 2, 8, 16] [1, 1, 1, 1] : !p to !g
  attn.attention_backward ins(%q, %k, %v, %o, %l, %d_o : !t, !t, !t, !t, !l, !t) outs(%d_q, %d_k, %d_v : !t, !h, !g)
  attn.attention_backward ins(%q, %e, %e, %o, %l, %d_o : !t, !e, !e, !t, !l, !t) outs(%d_q, %d_e, %d_e : !t, !e, !e)
  return
}
