// As exporters print groups of query heads: each head of keys is repeated by tosa.tile.
func.func @main(%q: tensor<1x4x7x8xf32>, %k: tensor<1x2x9x8xf32>, %v: tensor<1x2x9x8xf32>) -> tensor<1x7x32xf32> {
  %ones = tosa.const_shape {values = dense<[1, 1, 2, 1, 1]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %k5 = tosa.const_shape {values = dense<[1, 2, 1, 9, 8]> : tensor<5xindex>} : () -> !tosa.shape<5>
  %k3 = tosa.const_shape {values = dense<[4, 9, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %q3 = tosa.const_shape {values = dense<[4, 7, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %o4 = tosa.const_shape {values = dense<[1, 4, 7, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %flat = tosa.const_shape {values = dense<[1, 7, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %ka = tosa.reshape %k, %k5 : (tensor<1x2x9x8xf32>, !tosa.shape<5>) -> tensor<1x2x1x9x8xf32>
  %kb = tosa.tile %ka, %ones : (tensor<1x2x1x9x8xf32>, !tosa.shape<5>) -> tensor<1x2x2x9x8xf32>
  %kc = tosa.reshape %kb, %k3 : (tensor<1x2x2x9x8xf32>, !tosa.shape<3>) -> tensor<4x9x8xf32>
  %va = tosa.reshape %v, %k5 : (tensor<1x2x9x8xf32>, !tosa.shape<5>) -> tensor<1x2x1x9x8xf32>
  %vb = tosa.tile %va, %ones : (tensor<1x2x1x9x8xf32>, !tosa.shape<5>) -> tensor<1x2x2x9x8xf32>
  %vc = tosa.reshape %vb, %k3 : (tensor<1x2x2x9x8xf32>, !tosa.shape<3>) -> tensor<4x9x8xf32>
  %qc = tosa.reshape %q, %q3 : (tensor<1x4x7x8xf32>, !tosa.shape<3>) -> tensor<4x7x8xf32>
  %kt = tosa.transpose %kc {perms = array<i32: 0, 2, 1>} : (tensor<4x9x8xf32>) -> tensor<4x8x9xf32>
  %s = tosa.matmul %qc, %kt, %zp, %zp : (tensor<4x7x8xf32>, tensor<4x8x9xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x7x9xf32>
  %max = tosa.reduce_max %s {axis = 2 : i32} : (tensor<4x7x9xf32>) -> tensor<4x7x1xf32>
  %d = tosa.sub %s, %max : (tensor<4x7x9xf32>, tensor<4x7x1xf32>) -> tensor<4x7x9xf32>
  %e = tosa.exp %d : (tensor<4x7x9xf32>) -> tensor<4x7x9xf32>
  %sum = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<4x7x9xf32>) -> tensor<4x7x1xf32>
  %r = tosa.reciprocal %sum : (tensor<4x7x1xf32>) -> tensor<4x7x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<4x7x9xf32>, tensor<4x7x1xf32>, tensor<1xi8>) -> tensor<4x7x9xf32>
  %o = tosa.matmul %p, %vc, %zp, %zp : (tensor<4x7x9xf32>, tensor<4x9x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x7x8xf32>
  %o1 = tosa.reshape %o, %o4 : (tensor<4x7x8xf32>, !tosa.shape<4>) -> tensor<1x4x7x8xf32>
  %o2 = tosa.transpose %o1 {perms = array<i32: 0, 2, 1, 3>} : (tensor<1x4x7x8xf32>) -> tensor<1x7x4x8xf32>
  %o3 = tosa.reshape %o2, %flat : (tensor<1x7x4x8xf32>, !tosa.shape<3>) -> tensor<1x7x32xf32>
  return %o3 : tensor<1x7x32xf32>
}
