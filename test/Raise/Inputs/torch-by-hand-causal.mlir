// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x4x24x16xf16>, %arg1: tensor<2x4x24x16xf16>, %arg2: tensor<2x4x24x16xf16>) -> tensor<2x4x24x16xf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<-6.550400e+04> : tensor<f16>
    %cst_2 = arith.constant dense<true> : tensor<24x24xi1>
    %cst_3 = arith.constant 4.000000e+00 : f16
    %0 = tensor.empty() : tensor<2x4x16x24xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x4x24x16xf16>) outs(%0 : tensor<2x4x16x24xf16>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x24x16xf16> into tensor<8x24x16xf16>
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x16x24xf16> into tensor<8x16x24xf16>
    %1 = tensor.empty() : tensor<8x24x24xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<8x24x16xf16>, tensor<8x16x24xf16>) outs(%2 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %4 = tensor.empty() : tensor<8x24x24xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<8x24x24xf32>) outs(%4 : tensor<8x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<8x24x24xf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf16> into tensor<2x4x24x24xf16>
    %6 = tensor.empty() : tensor<2x4x24x24xf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x24x24xf16>) outs(%6 : tensor<2x4x24x24xf16>) {
    ^bb0(%in: f16, %out: f16):
      %35 = arith.divf %in, %cst_3 : f16
      linalg.yield %35 : f16
    } -> tensor<2x4x24x24xf16>
    %8 = tensor.empty() : tensor<24xi64>
    %9 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%8 : tensor<24xi64>) {
    ^bb0(%out: i64):
      %35 = linalg.index 0 : index
      %36 = arith.index_cast %35 : index to i64
      linalg.yield %36 : i64
    } -> tensor<24xi64>
    %expanded_5 = tensor.expand_shape %9 [[0, 1]] output_shape [1, 24] : tensor<24xi64> into tensor<1x24xi64>
    %expanded_6 = tensor.expand_shape %9 [[0, 1]] output_shape [24, 1] : tensor<24xi64> into tensor<24x1xi64>
    %10 = tensor.empty() : tensor<24x24xi64>
    %11 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %expanded_6 : tensor<1x24xi64>, tensor<24x1xi64>) outs(%10 : tensor<24x24xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %35 = arith.subi %in, %in_11 : i64
      linalg.yield %35 : i64
    } -> tensor<24x24xi64>
    %12 = tensor.empty() : tensor<24x24xi1>
    %13 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<24x24xi64>) outs(%12 : tensor<24x24xi1>) {
    ^bb0(%in: i64, %out: i1):
      %35 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %35 : i1
    } -> tensor<24x24xi1>
    %14 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%13, %cst_2 : tensor<24x24xi1>, tensor<24x24xi1>) outs(%12 : tensor<24x24xi1>) {
    ^bb0(%in: i1, %in_11: i1, %out: i1):
      %35 = arith.andi %in, %in_11 : i1
      linalg.yield %35 : i1
    } -> tensor<24x24xi1>
    %15 = linalg.generic {indexing_maps = [#map6, #map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %7, %cst_1 : tensor<24x24xi1>, tensor<2x4x24x24xf16>, tensor<f16>) outs(%6 : tensor<2x4x24x24xf16>) {
    ^bb0(%in: i1, %in_11: f16, %in_12: f16, %out: f16):
      %35 = arith.select %in, %in_11, %in_12 : f16
      linalg.yield %35 : f16
    } -> tensor<2x4x24x24xf16>
    %16 = tensor.empty() : tensor<2x4x24x24xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<2x4x24x24xf16>) outs(%16 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %35 = arith.extf %in : f16 to f32
      linalg.yield %35 : f32
    } -> tensor<2x4x24x24xf32>
    %18 = tensor.empty() : tensor<2x4x24xi64>
    %19 = linalg.fill ins(%c0_i64 : i64) outs(%18 : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
    %20 = tensor.empty() : tensor<2x4x24xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %22:2 = linalg.generic {indexing_maps = [#map1, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<2x4x24x24xf32>) outs(%21, %19 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %35 = linalg.index 3 : index
      %36 = arith.index_cast %35 : index to i64
      %37 = arith.maximumf %in, %out : f32
      %38 = arith.cmpf ogt, %in, %out : f32
      %39 = arith.select %38, %36, %out_11 : i64
      linalg.yield %37, %39 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_7 = tensor.expand_shape %22#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_7 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%16 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %35 = arith.subf %in, %in_11 : f32
      linalg.yield %35 : f32
    } -> tensor<2x4x24x24xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x4x24x24xf32>) outs(%16 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.exp %in : f32
      linalg.yield %35 : f32
    } -> tensor<2x4x24x24xf32>
    %25 = tensor.empty() : tensor<2x4x24x1xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<2x4x24x24xf32>) outs(%26 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %in, %out : f32
      linalg.yield %35 : f32
    } -> tensor<2x4x24x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%16 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %35 = arith.divf %in, %in_11 : f32
      linalg.yield %35 : f32
    } -> tensor<2x4x24x24xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x4x24x24xf32>) outs(%6 : tensor<2x4x24x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<2x4x24x24xf16>
    %collapsed_8 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<2x4x24x24xf16> into tensor<8x24x24xf16>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x4x24x16xf16> into tensor<8x24x16xf16>
    %30 = tensor.empty() : tensor<8x24x16xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %32 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<8x24x24xf16>, tensor<8x24x16xf16>) outs(%31 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %33 = tensor.empty() : tensor<8x24x16xf16>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<8x24x16xf32>) outs(%33 : tensor<8x24x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %35 = arith.truncf %in : f32 to f16
      linalg.yield %35 : f16
    } -> tensor<8x24x16xf16>
    %expanded_10 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf16> into tensor<2x4x24x16xf16>
    return %expanded_10 : tensor<2x4x24x16xf16>
  }
}
