// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<2x17x48xf32>, %arg1: tensor<48x48xf32>, %arg2: tensor<48x48xf32>, %arg3: tensor<48x48xf32>, %arg4: tensor<48x48xf32>, %arg5: tensor<48xf32>) -> tensor<2x17x48xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x3x17x17xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<48x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<48x48xf32>) outs(%0 : tensor<48x48xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x17x48xf32> into tensor<34x48xf32>
    %1 = tensor.empty() : tensor<34x48xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<34x48xf32>) -> tensor<34x48xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<34x48xf32>, tensor<48x48xf32>) outs(%2 : tensor<34x48xf32>) -> tensor<34x48xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2, 3]] output_shape [2, 17, 3, 16] : tensor<34x48xf32> into tensor<2x17x3x16xf32>
    %4 = tensor.empty() : tensor<2x3x17x16xf32>
    %transposed_4 = linalg.transpose ins(%expanded : tensor<2x17x3x16xf32>) outs(%4 : tensor<2x3x17x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_5 = linalg.transpose ins(%arg2 : tensor<48x48xf32>) outs(%0 : tensor<48x48xf32>) permutation = [1, 0] 
    %5 = linalg.matmul ins(%collapsed, %transposed_5 : tensor<34x48xf32>, tensor<48x48xf32>) outs(%2 : tensor<34x48xf32>) -> tensor<34x48xf32>
    %expanded_6 = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [2, 17, 3, 16] : tensor<34x48xf32> into tensor<2x17x3x16xf32>
    %transposed_7 = linalg.transpose ins(%arg3 : tensor<48x48xf32>) outs(%0 : tensor<48x48xf32>) permutation = [1, 0] 
    %6 = linalg.matmul ins(%collapsed, %transposed_7 : tensor<34x48xf32>, tensor<48x48xf32>) outs(%2 : tensor<34x48xf32>) -> tensor<34x48xf32>
    %expanded_8 = tensor.expand_shape %6 [[0, 1], [2, 3]] output_shape [2, 17, 3, 16] : tensor<34x48xf32> into tensor<2x17x3x16xf32>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<2x17x3x16xf32>) outs(%4 : tensor<2x3x17x16xf32>) permutation = [0, 2, 1, 3] 
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_4 : tensor<2x3x17x16xf32>) outs(%4 : tensor<2x3x17x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.mulf %in, %cst_3 : f32
      linalg.yield %41 : f32
    } -> tensor<2x3x17x16xf32>
    %8 = tensor.empty() : tensor<2x3x16x17xf32>
    %transposed_10 = linalg.transpose ins(%expanded_6 : tensor<2x17x3x16xf32>) outs(%8 : tensor<2x3x16x17xf32>) permutation = [0, 2, 3, 1] 
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<2x3x16x17xf32>) outs(%8 : tensor<2x3x16x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.mulf %in, %cst_3 : f32
      linalg.yield %41 : f32
    } -> tensor<2x3x16x17xf32>
    %collapsed_11 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<2x3x17x16xf32> into tensor<6x17x16xf32>
    %collapsed_12 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<2x3x16x17xf32> into tensor<6x16x17xf32>
    %10 = tensor.empty() : tensor<6x17x17xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<6x17x17xf32>) -> tensor<6x17x17xf32>
    %12 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<6x17x16xf32>, tensor<6x16x17xf32>) outs(%11 : tensor<6x17x17xf32>) -> tensor<6x17x17xf32>
    %expanded_13 = tensor.expand_shape %12 [[0, 1], [2], [3]] output_shape [2, 3, 17, 17] : tensor<6x17x17xf32> into tensor<2x3x17x17xf32>
    %13 = tensor.empty() : tensor<2x3x17xi64>
    %14 = linalg.fill ins(%c0_i64 : i64) outs(%13 : tensor<2x3x17xi64>) -> tensor<2x3x17xi64>
    %15 = tensor.empty() : tensor<2x3x17xf32>
    %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<2x3x17xf32>) -> tensor<2x3x17xf32>
    %17:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_13 : tensor<2x3x17x17xf32>) outs(%16, %14 : tensor<2x3x17xf32>, tensor<2x3x17xi64>) {
    ^bb0(%in: f32, %out: f32, %out_21: i64):
      %41 = linalg.index 3 : index
      %42 = arith.index_cast %41 : index to i64
      %43 = arith.maximumf %in, %out : f32
      %44 = arith.cmpf ogt, %in, %out : f32
      %45 = arith.select %44, %42, %out_21 : i64
      linalg.yield %43, %45 : f32, i64
    } -> (tensor<2x3x17xf32>, tensor<2x3x17xi64>)
    %expanded_14 = tensor.expand_shape %17#0 [[0], [1], [2, 3]] output_shape [2, 3, 17, 1] : tensor<2x3x17xf32> into tensor<2x3x17x1xf32>
    %18 = tensor.empty() : tensor<2x3x17x17xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13, %expanded_14 : tensor<2x3x17x17xf32>, tensor<2x3x17x1xf32>) outs(%18 : tensor<2x3x17x17xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %41 = arith.subf %in, %in_21 : f32
      linalg.yield %41 : f32
    } -> tensor<2x3x17x17xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x3x17x17xf32>) outs(%18 : tensor<2x3x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = math.exp %in : f32
      linalg.yield %41 : f32
    } -> tensor<2x3x17x17xf32>
    %21 = tensor.empty() : tensor<2x3x17x1xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<2x3x17x1xf32>) -> tensor<2x3x17x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<2x3x17x17xf32>) outs(%22 : tensor<2x3x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %41 = arith.addf %in, %out : f32
      linalg.yield %41 : f32
    } -> tensor<2x3x17x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<2x3x17x17xf32>, tensor<2x3x17x1xf32>) outs(%18 : tensor<2x3x17x17xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %41 = arith.divf %in, %in_21 : f32
      linalg.yield %41 : f32
    } -> tensor<2x3x17x17xf32>
    %25 = tensor.empty() : tensor<2x3x17x17xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_13 : tensor<2x3x17x17xf32>) outs(%25 : tensor<2x3x17x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %41 = arith.extf %in : f32 to f64
      %42 = arith.cmpf oeq, %41, %cst_2 : f64
      linalg.yield %42 : i1
    } -> tensor<2x3x17x17xi1>
    %27 = tensor.empty() : tensor<2x3x17x1xi1>
    %28 = linalg.fill ins(%true : i1) outs(%27 : tensor<2x3x17x1xi1>) -> tensor<2x3x17x1xi1>
    %29 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<2x3x17x17xi1>) outs(%28 : tensor<2x3x17x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %41 = arith.andi %in, %out : i1
      linalg.yield %41 : i1
    } -> tensor<2x3x17x1xi1>
    %30 = linalg.generic {indexing_maps = [#map2, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %cst_1, %24 : tensor<2x3x17x1xi1>, tensor<2x3x17x17xf32>, tensor<2x3x17x17xf32>) outs(%18 : tensor<2x3x17x17xf32>) {
    ^bb0(%in: i1, %in_21: f32, %in_22: f32, %out: f32):
      %41 = arith.select %in, %in_21, %in_22 : f32
      linalg.yield %41 : f32
    } -> tensor<2x3x17x17xf32>
    %collapsed_15 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<2x3x17x17xf32> into tensor<6x17x17xf32>
    %collapsed_16 = tensor.collapse_shape %transposed_9 [[0, 1], [2], [3]] : tensor<2x3x17x16xf32> into tensor<6x17x16xf32>
    %31 = tensor.empty() : tensor<6x17x16xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<6x17x16xf32>) -> tensor<6x17x16xf32>
    %33 = linalg.batch_matmul ins(%collapsed_15, %collapsed_16 : tensor<6x17x17xf32>, tensor<6x17x16xf32>) outs(%32 : tensor<6x17x16xf32>) -> tensor<6x17x16xf32>
    %expanded_17 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [2, 3, 17, 16] : tensor<6x17x16xf32> into tensor<2x3x17x16xf32>
    %34 = tensor.empty() : tensor<2x17x3x16xf32>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<2x3x17x16xf32>) outs(%34 : tensor<2x17x3x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_19 = tensor.collapse_shape %transposed_18 [[0], [1], [2, 3]] : tensor<2x17x3x16xf32> into tensor<2x17x48xf32>
    %transposed_20 = linalg.transpose ins(%arg4 : tensor<48x48xf32>) outs(%0 : tensor<48x48xf32>) permutation = [1, 0] 
    %35 = tensor.empty() : tensor<2x48x48xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<48x48xf32>) outs(%35 : tensor<2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x48x48xf32>
    %37 = tensor.empty() : tensor<2x17x48xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<2x17x48xf32>) -> tensor<2x17x48xf32>
    %39 = linalg.batch_matmul ins(%collapsed_19, %36 : tensor<2x17x48xf32>, tensor<2x48x48xf32>) outs(%38 : tensor<2x17x48xf32>) -> tensor<2x17x48xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %arg5 : tensor<2x17x48xf32>, tensor<48xf32>) outs(%37 : tensor<2x17x48xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %41 = arith.addf %in, %in_21 : f32
      linalg.yield %41 : f32
    } -> tensor<2x17x48xf32>
    return %40 : tensor<2x17x48xf32>
  }
}
