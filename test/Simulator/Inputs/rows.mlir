// attn.append and attn.merge, for rows.py: NAMES in capitals are its to choose. What is in
// the caches at the end is an output by way of a merge of one state, whose lse is 0.
!k = memref<?x?x?xDIMxTYPE>
!v = memref<?x?x?xVALUE_DIMxTYPE>
!row = memref<?x?x?xf32>
!table = memref<?xWIDTHxf32>

func.func @merge(%o0: !k, %l0: !row, %o1: !k, %l1: !row, %sink: memref<?xf32>, %o: !k, %l: !row) {
  attn.merge ins(%o0, %l0, %o1, %l1, %o1, %l0 : !k, !row, !k, !row, !k, !row) sink(%sink : memref<?xf32>)
      outs(%o, %l : !k, !row)
  return
}

// From outputs of 8 bits with scales, and to one, which a merge of one state reads.
!o8 = memref<?x?x?xDIMxf8E4M3FN>
!o5 = memref<?x?x?xDIMxf8E5M2>
func.func @eight_bits(%o0: !o8, %l0: !row, %o1: !o8, %l1: !row, %s0: memref<?x?xf32>, %s1: memref<f32>,
                      %os: memref<1x?xf32>, %narrow: !o5, %zero: !row, %o: !k, %l: !row, %n: !k) {
  attn.merge ins(%o0, %l0, %o1, %l1 : !o8, !row, !o8, !row) scales(%s0, %s1 : memref<?x?xf32>, memref<f32>)
      outs(%o, %l : !k, !row)
  attn.merge ins(%o1, %l0, %o0, %l0 : !o8, !row, !o8, !row) scales(%s0, %s1 : memref<?x?xf32>, memref<f32>)
      with(output_scale %os : memref<1x?xf32>) outs(%narrow : !o5)
  attn.merge ins(%narrow, %zero : !o5, !row) scales(%os : memref<1x?xf32>) outs(%n : !k)
  return
}

// Twice, so that the second one finds the new lengths.
func.func @append(%k: !k, %v: !v, %q: !k, %n: memref<?xi32>, %t: memref<?x?xi32>, %cos: !table, %sin: !table,
                  %kc: !k, %vc: !v, %len: memref<?xi32>, %zero: !row, %qo: !k, %ko: !k, %vo: !v) {
  attn.append ins(%k, %v : !k, !v) counts(%n : memref<?xi32>) pages(%t : memref<?x?xi32>)
      rotary(%cos, %sin : !table, !table) INTERLEAVED
      outs(%kc, %vc : !k, !v) lengths(%len : memref<?xi32>)
  attn.append ins(%k, %v : !k, !v) query(%q : !k) counts(%n : memref<?xi32>) pages(%t : memref<?x?xi32>)
      rotary(%cos, %sin : !table, !table) INTERLEAVED
      outs(%kc, %vc, %qo : !k, !v, !k) lengths(%len : memref<?xi32>)
  attn.merge ins(%kc, %zero : !k, !row) outs(%ko : !k)
  attn.merge ins(%vc, %zero : !v, !row) outs(%vo : !v)
  return
}

// Each token has scales of its own, by which attention reads the caches.
!k8 = memref<?x?x?xDIMxf8E4M3FN>
!v8 = memref<?x?x?xVALUE_DIMxi8>

func.func @scales(%k: !k, %v: !v, %q: !k, %t: memref<?x?xi32>, %kc: !k8, %vc: !v8, %ks: !row, %vs: !row,
                  %len: memref<?xi32>, %o: !v) {
  attn.append ins(%k, %v : !k, !v) pages(%t : memref<?x?xi32>) makes_scales
      outs(%kc, %vc, %ks, %vs : !k8, !v8, !row, !row) lengths(%len : memref<?xi32>)
  %rows = arith.constant 3 : index
  attn.attention ins(%q, %kc, %vc : !k, !k8, !v8) lengths(%rows, %len : index, memref<?xi32>)
      pages(%t : memref<?x?xi32>) with(key_scale %ks : !row, value_scale %vs : !row) outs(%o : !v)
  return
}
