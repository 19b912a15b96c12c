// Written by `make-named.py`: torch's sdpa by IREE's importer of tm_tensor.
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x16xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4x24x16xf32>, %arg1: tensor<2x4x24x16xf32>, %arg2: tensor<2x4x24x16xf32>, %arg3: tensor<2x4x24x24xf32>):
    %0 = "arith.constant"() <{value = 2.500000e-01 : f32}> : () -> f32
    %1 = "tensor.collapse_shape"(%arg0) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x24x16xf32>) -> tensor<8x24x16xf32>
    %2 = "tensor.collapse_shape"(%arg1) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x24x16xf32>) -> tensor<8x24x16xf32>
    %3 = "tensor.collapse_shape"(%arg2) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x24x16xf32>) -> tensor<8x24x16xf32>
    %4 = "tensor.collapse_shape"(%arg3) <{reassociation = [[0, 1], [2], [3]]}> : (tensor<2x4x24x24xf32>) -> tensor<8x24x24xf32>
    %5 = "tensor.empty"() : () -> tensor<8x24x16xf32>
    %6 = "iree_linalg_ext.attention"(%1, %2, %3, %0, %4, %5) <{indexing_maps = [#map, #map1, #map2, #map3, #map4, #map5]}> ({
    ^bb0(%arg4: f32):
      "iree_linalg_ext.yield"(%arg4) : (f32) -> ()
    }) : (tensor<8x24x16xf32>, tensor<8x24x16xf32>, tensor<8x24x16xf32>, f32, tensor<8x24x24xf32>, tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %7 = "tensor.expand_shape"(%6) <{reassociation = [[0, 1], [2], [3]], static_output_shape = array<i64: 2, 4, 24, 16>}> : (tensor<8x24x16xf32>) -> tensor<2x4x24x16xf32>
    "func.return"(%7) : (tensor<2x4x24x16xf32>) -> ()
  }) : () -> ()
}) : () -> ()

