// Written by `make-named.py`: torch's sdpa by torch-mlir.
#map = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x1x24x24xf32>) -> tensor<2x4x24x16xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4x24x16xf32>, %arg1: tensor<2x4x24x16xf32>, %arg2: tensor<2x4x24x16xf32>, %arg3: tensor<2x1x24x24xf32>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "tensor.empty"() : () -> tensor<2x4x24x24xf32>
    %2 = "linalg.generic"(%arg3, %1) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      "linalg.yield"(%arg6) : (f32) -> ()
    }) : (tensor<2x1x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %3 = "tensor.collapse_shape"(%arg0) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x24x16xf32>) -> tensor<8x24x16xf32>
    %4 = "tensor.collapse_shape"(%arg1) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x24x16xf32>) -> tensor<8x24x16xf32>
    %5 = "tensor.collapse_shape"(%arg2) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x24x16xf32>) -> tensor<8x24x16xf32>
    %6 = "tensor.collapse_shape"(%2) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x24x24xf32>) -> tensor<8x24x24xf32>
    %7 = "tensor.empty"() : () -> tensor<8x24x16xf32>
    %8 = "linalg.fill"(%0, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      "linalg.yield"(%arg4) : (f32) -> ()
    }) : (f32, tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %9 = "tm_tensor.attention"(%3, %4, %5, %6, %8) <{operandSegmentSizes = array<i32: 4, 1>}> : (tensor<8x24x16xf32>, tensor<8x24x16xf32>, tensor<8x24x16xf32>, tensor<8x24x24xf32>, tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %10 = "tensor.expand_shape"(%9) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 24, 16>}> : (tensor<8x24x16xf32>) -> tensor<2x4x24x16xf32>
    "func.return"(%10) : (tensor<2x4x24x16xf32>) -> ()
  }) : () -> ()
}) : () -> ()
