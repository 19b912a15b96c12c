// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x4x1x16xf32>, %arg1: tensor<2x2x32x16xf32>, %arg2: tensor<2x2x32x16xf32>, %arg3: tensor<2x2x1x16xf32>, %arg4: tensor<2x2x1x16xf32>) -> tensor<2x4x1x16xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x4x1x33xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 5.000000e-01 : f32
    %concat = tensor.concat dim(2) %arg1, %arg3 : (tensor<2x2x32x16xf32>, tensor<2x2x1x16xf32>) -> tensor<2x2x33x16xf32>
    %concat_4 = tensor.concat dim(2) %arg2, %arg4 : (tensor<2x2x32x16xf32>, tensor<2x2x1x16xf32>) -> tensor<2x2x33x16xf32>
    %0 = tensor.empty() : tensor<2x4x1x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x4x1x16xf32>) outs(%0 : tensor<2x4x1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.mulf %in, %cst_3 : f32
      linalg.yield %31 : f32
    } -> tensor<2x4x1x16xf32>
    %2 = tensor.empty() : tensor<2x2x2x33x16xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat : tensor<2x2x33x16xf32>) outs(%2 : tensor<2x2x2x33x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x33x16xf32>
    %collapsed = tensor.collapse_shape %3 [[0], [1, 2], [3], [4]] : tensor<2x2x2x33x16xf32> into tensor<2x4x33x16xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat_4 : tensor<2x2x33x16xf32>) outs(%2 : tensor<2x2x2x33x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x33x16xf32>
    %5 = tensor.empty() : tensor<2x4x16x33xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x4x33x16xf32>) outs(%5 : tensor<2x4x16x33xf32>) permutation = [0, 1, 3, 2] 
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<2x4x16x33xf32>) outs(%5 : tensor<2x4x16x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.mulf %in, %cst_3 : f32
      linalg.yield %31 : f32
    } -> tensor<2x4x16x33xf32>
    %collapsed_5 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<2x4x1x16xf32> into tensor<8x1x16xf32>
    %collapsed_6 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<2x4x16x33xf32> into tensor<8x16x33xf32>
    %7 = tensor.empty() : tensor<8x1x33xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<8x1x33xf32>) -> tensor<8x1x33xf32>
    %9 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<8x1x16xf32>, tensor<8x16x33xf32>) outs(%8 : tensor<8x1x33xf32>) -> tensor<8x1x33xf32>
    %expanded = tensor.expand_shape %9 [[0, 1], [2], [3]] output_shape [2, 4, 1, 33] : tensor<8x1x33xf32> into tensor<2x4x1x33xf32>
    %10 = tensor.empty() : tensor<2x4x1xi64>
    %11 = linalg.fill ins(%c0_i64 : i64) outs(%10 : tensor<2x4x1xi64>) -> tensor<2x4x1xi64>
    %12 = tensor.empty() : tensor<2x4x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %14:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x4x1x33xf32>) outs(%13, %11 : tensor<2x4x1xf32>, tensor<2x4x1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %31 = linalg.index 3 : index
      %32 = arith.index_cast %31 : index to i64
      %33 = arith.maximumf %in, %out : f32
      %34 = arith.cmpf ogt, %in, %out : f32
      %35 = arith.select %34, %32, %out_11 : i64
      linalg.yield %33, %35 : f32, i64
    } -> (tensor<2x4x1xf32>, tensor<2x4x1xi64>)
    %expanded_7 = tensor.expand_shape %14#0 [[0], [1], [2, 3]] output_shape [2, 4, 1, 1] : tensor<2x4x1xf32> into tensor<2x4x1x1xf32>
    %15 = tensor.empty() : tensor<2x4x1x33xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %expanded_7 : tensor<2x4x1x33xf32>, tensor<2x4x1x1xf32>) outs(%15 : tensor<2x4x1x33xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %31 = arith.subf %in, %in_11 : f32
      linalg.yield %31 : f32
    } -> tensor<2x4x1x33xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x4x1x33xf32>) outs(%15 : tensor<2x4x1x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.exp %in : f32
      linalg.yield %31 : f32
    } -> tensor<2x4x1x33xf32>
    %18 = tensor.empty() : tensor<2x4x1x1xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<2x4x1x33xf32>) outs(%19 : tensor<2x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %in, %out : f32
      linalg.yield %31 : f32
    } -> tensor<2x4x1x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<2x4x1x33xf32>, tensor<2x4x1x1xf32>) outs(%15 : tensor<2x4x1x33xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %31 = arith.divf %in, %in_11 : f32
      linalg.yield %31 : f32
    } -> tensor<2x4x1x33xf32>
    %22 = tensor.empty() : tensor<2x4x1x33xi1>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x1x33xf32>) outs(%22 : tensor<2x4x1x33xi1>) {
    ^bb0(%in: f32, %out: i1):
      %31 = arith.extf %in : f32 to f64
      %32 = arith.cmpf oeq, %31, %cst_2 : f64
      linalg.yield %32 : i1
    } -> tensor<2x4x1x33xi1>
    %24 = tensor.empty() : tensor<2x4x1x1xi1>
    %25 = linalg.fill ins(%true : i1) outs(%24 : tensor<2x4x1x1xi1>) -> tensor<2x4x1x1xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<2x4x1x33xi1>) outs(%25 : tensor<2x4x1x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %31 = arith.andi %in, %out : i1
      linalg.yield %31 : i1
    } -> tensor<2x4x1x1xi1>
    %27 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %cst_1, %21 : tensor<2x4x1x1xi1>, tensor<2x4x1x33xf32>, tensor<2x4x1x33xf32>) outs(%15 : tensor<2x4x1x33xf32>) {
    ^bb0(%in: i1, %in_11: f32, %in_12: f32, %out: f32):
      %31 = arith.select %in, %in_11, %in_12 : f32
      linalg.yield %31 : f32
    } -> tensor<2x4x1x33xf32>
    %collapsed_8 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<2x4x1x33xf32> into tensor<8x1x33xf32>
    %collapsed_9 = tensor.collapse_shape %4 [[0, 1, 2], [3], [4]] : tensor<2x2x2x33x16xf32> into tensor<8x33x16xf32>
    %28 = tensor.empty() : tensor<8x1x16xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<8x1x16xf32>) -> tensor<8x1x16xf32>
    %30 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<8x1x33xf32>, tensor<8x33x16xf32>) outs(%29 : tensor<8x1x16xf32>) -> tensor<8x1x16xf32>
    %expanded_10 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [2, 4, 1, 16] : tensor<8x1x16xf32> into tensor<2x4x1x16xf32>
    return %expanded_10 : tensor<2x4x1x16xf32>
  }
}
