// As torch-mlir prints attention in TOSA: heads are batches of matrices, and the mask is added.
func.func @main(%q: tensor<2x3x13x16xf32>, %k: tensor<2x3x11x16xf32>, %v: tensor<2x3x11x8xf32>, %m: tensor<2x1x13x11xf32>) -> tensor<2x3x13x8xf32> {
  %s3 = tosa.const_shape {values = dense<[6, 13, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %k3 = tosa.const_shape {values = dense<[6, 16, 11]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v3 = tosa.const_shape {values = dense<[6, 11, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %p3 = tosa.const_shape {values = dense<[6, 13, 11]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %p4 = tosa.const_shape {values = dense<[2, 3, 13, 11]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o4 = tosa.const_shape {values = dense<[2, 3, 13, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %scale = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 1, 3, 2>} : (tensor<2x3x11x16xf32>) -> tensor<2x3x16x11xf32>
  %q1 = tosa.reshape %q, %s3 : (tensor<2x3x13x16xf32>, !tosa.shape<3>) -> tensor<6x13x16xf32>
  %k1 = tosa.reshape %kt, %k3 : (tensor<2x3x16x11xf32>, !tosa.shape<3>) -> tensor<6x16x11xf32>
  %v1 = tosa.reshape %v, %v3 : (tensor<2x3x11x8xf32>, !tosa.shape<3>) -> tensor<6x11x8xf32>
  %s = tosa.matmul %q1, %k1, %zp, %zp : (tensor<6x13x16xf32>, tensor<6x16x11xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x13x11xf32>
  %s4 = tosa.reshape %s, %p4 : (tensor<6x13x11xf32>, !tosa.shape<4>) -> tensor<2x3x13x11xf32>
  %t = tosa.mul %s4, %scale, %shift : (tensor<2x3x13x11xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x13x11xf32>
  %u = tosa.add %t, %m : (tensor<2x3x13x11xf32>, tensor<2x1x13x11xf32>) -> tensor<2x3x13x11xf32>
  %max = tosa.reduce_max %u {axis = 3 : i32} : (tensor<2x3x13x11xf32>) -> tensor<2x3x13x1xf32>
  %d = tosa.sub %u, %max : (tensor<2x3x13x11xf32>, tensor<2x3x13x1xf32>) -> tensor<2x3x13x11xf32>
  %e = tosa.exp %d : (tensor<2x3x13x11xf32>) -> tensor<2x3x13x11xf32>
  %sum = tosa.reduce_sum %e {axis = 3 : i32} : (tensor<2x3x13x11xf32>) -> tensor<2x3x13x1xf32>
  %r = tosa.reciprocal %sum : (tensor<2x3x13x1xf32>) -> tensor<2x3x13x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<2x3x13x11xf32>, tensor<2x3x13x1xf32>, tensor<1xi8>) -> tensor<2x3x13x11xf32>
  %pp = tosa.reshape %p, %p3 : (tensor<2x3x13x11xf32>, !tosa.shape<3>) -> tensor<6x13x11xf32>
  %o = tosa.matmul %pp, %v1, %zp, %zp : (tensor<6x13x11xf32>, tensor<6x11x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<6x13x8xf32>
  %o1 = tosa.reshape %o, %o4 : (tensor<6x13x8xf32>, !tosa.shape<4>) -> tensor<2x3x13x8xf32>
  return %o1 : tensor<2x3x13x8xf32>
}
