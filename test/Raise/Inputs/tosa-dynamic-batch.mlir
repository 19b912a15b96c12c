// A batch of dynamic size, with heads, and a mask that is the same for all batch entries.
func.func @main(%q: tensor<?x4x13x16xf32>, %k: tensor<?x4x11x16xf32>, %v: tensor<?x4x11x8xf32>, %m: tensor<1x1x13x11xf32>) -> tensor<?x4x13x8xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %scale = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %q3_shape = tosa.const_shape {values = dense<[-1, 13, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %q3 = tosa.reshape %q, %q3_shape : (tensor<?x4x13x16xf32>, !tosa.shape<3>) -> tensor<?x13x16xf32>
  %k3_shape = tosa.const_shape {values = dense<[-1, 11, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %k3 = tosa.reshape %k, %k3_shape : (tensor<?x4x11x16xf32>, !tosa.shape<3>) -> tensor<?x11x16xf32>
  %v3_shape = tosa.const_shape {values = dense<[-1, 11, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %v3 = tosa.reshape %v, %v3_shape : (tensor<?x4x11x8xf32>, !tosa.shape<3>) -> tensor<?x11x8xf32>
  %kt = tosa.transpose %k3 {perms = array<i32: 0, 2, 1>} : (tensor<?x11x16xf32>) -> tensor<?x16x11xf32>
  %s = tosa.matmul %q3, %kt, %zp, %zp : (tensor<?x13x16xf32>, tensor<?x16x11xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x13x11xf32>
  %t = tosa.mul %s, %scale, %shift : (tensor<?x13x11xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<?x13x11xf32>
  %t4_shape = tosa.const_shape {values = dense<[-1, 4, 13, 11]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %t4 = tosa.reshape %t, %t4_shape : (tensor<?x13x11xf32>, !tosa.shape<4>) -> tensor<?x4x13x11xf32>
  %u = tosa.add %t4, %m : (tensor<?x4x13x11xf32>, tensor<1x1x13x11xf32>) -> tensor<?x4x13x11xf32>
  %max = tosa.reduce_max %u {axis = 3 : i32} : (tensor<?x4x13x11xf32>) -> tensor<?x4x13x1xf32>
  %d = tosa.sub %u, %max : (tensor<?x4x13x11xf32>, tensor<?x4x13x1xf32>) -> tensor<?x4x13x11xf32>
  %e = tosa.exp %d : (tensor<?x4x13x11xf32>) -> tensor<?x4x13x11xf32>
  %sum = tosa.reduce_sum %e {axis = 3 : i32} : (tensor<?x4x13x11xf32>) -> tensor<?x4x13x1xf32>
  %r = tosa.reciprocal %sum : (tensor<?x4x13x1xf32>) -> tensor<?x4x13x1xf32>
  %p = tosa.mul %e, %r, %shift : (tensor<?x4x13x11xf32>, tensor<?x4x13x1xf32>, tensor<1xi8>) -> tensor<?x4x13x11xf32>
  %p3_shape = tosa.const_shape {values = dense<[-1, 13, 11]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %p3 = tosa.reshape %p, %p3_shape : (tensor<?x4x13x11xf32>, !tosa.shape<3>) -> tensor<?x13x11xf32>
  %o3 = tosa.matmul %p3, %v3, %zp, %zp : (tensor<?x13x11xf32>, tensor<?x11x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x13x8xf32>
  %o_shape = tosa.const_shape {values = dense<[-1, 4, 13, 8]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.reshape %o3, %o_shape : (tensor<?x13x8xf32>, !tosa.shape<4>) -> tensor<?x4x13x8xf32>
  return %o : tensor<?x4x13x8xf32>
}
