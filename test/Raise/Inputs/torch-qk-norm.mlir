// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<2x4x24x16xf32>, %arg1: tensor<2x4x24x16xf32>, %arg2: tensor<2x4x24x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>) -> tensor<2x4x24x16xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x4x24x24xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<24x24xi1>
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant 9.9999999999999995E-7 : f64
    %cst_7 = arith.constant 1.600000e+01 : f32
    %cst_8 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2x4x24x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) outs(%0 : tensor<2x4x24x16xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.mulf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x16xf32>
    %2 = tensor.empty() : tensor<2x4x24x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1 : tensor<2x4x24x16xf32>) outs(%3 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.addf %in, %out : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<2x4x24x1xf32>) outs(%2 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.divf %in, %cst_7 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x4x24x1xf32>) outs(%2 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.truncf %cst_6 : f64 to f32
      %53 = arith.addf %in, %52 : f32
      linalg.yield %53 : f32
    } -> tensor<2x4x24x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<2x4x24x1xf32>) outs(%2 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = math.rsqrt %in : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %7 : tensor<2x4x24x16xf32>, tensor<2x4x24x1xf32>) outs(%0 : tensor<2x4x24x16xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.mulf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x16xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %arg3 : tensor<2x4x24x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x4x24x16xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.mulf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x16xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %arg1 : tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) outs(%0 : tensor<2x4x24x16xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.mulf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x16xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x24x16xf32>) outs(%3 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.addf %in, %out : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x4x24x1xf32>) outs(%2 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.divf %in, %cst_7 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x24x1xf32>) outs(%2 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.truncf %cst_6 : f64 to f32
      %53 = arith.addf %in, %52 : f32
      linalg.yield %53 : f32
    } -> tensor<2x4x24x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x4x24x1xf32>) outs(%2 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = math.rsqrt %in : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %14 : tensor<2x4x24x16xf32>, tensor<2x4x24x1xf32>) outs(%0 : tensor<2x4x24x16xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.mulf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x16xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %arg4 : tensor<2x4x24x16xf32>, tensor<16xf32>) outs(%0 : tensor<2x4x24x16xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.mulf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x16xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x24x16xf32>) outs(%0 : tensor<2x4x24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.mulf %in, %cst_8 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x16xf32>
    %18 = tensor.empty() : tensor<24xi64>
    %19 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%18 : tensor<24xi64>) {
    ^bb0(%out: i64):
      %52 = linalg.index 0 : index
      %53 = arith.index_cast %52 : index to i64
      linalg.yield %53 : i64
    } -> tensor<24xi64>
    %expanded = tensor.expand_shape %19 [[0, 1]] output_shape [1, 24] : tensor<24xi64> into tensor<1x24xi64>
    %expanded_9 = tensor.expand_shape %19 [[0, 1]] output_shape [24, 1] : tensor<24xi64> into tensor<24x1xi64>
    %20 = tensor.empty() : tensor<24x24xi64>
    %21 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_9 : tensor<1x24xi64>, tensor<24x1xi64>) outs(%20 : tensor<24x24xi64>) {
    ^bb0(%in: i64, %in_16: i64, %out: i64):
      %52 = arith.subi %in, %in_16 : i64
      linalg.yield %52 : i64
    } -> tensor<24x24xi64>
    %22 = tensor.empty() : tensor<24x24xi1>
    %23 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<24x24xi64>) outs(%22 : tensor<24x24xi1>) {
    ^bb0(%in: i64, %out: i1):
      %52 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %52 : i1
    } -> tensor<24x24xi1>
    %24 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%23, %cst_4 : tensor<24x24xi1>, tensor<24x24xi1>) outs(%22 : tensor<24x24xi1>) {
    ^bb0(%in: i1, %in_16: i1, %out: i1):
      %52 = arith.andi %in, %in_16 : i1
      linalg.yield %52 : i1
    } -> tensor<24x24xi1>
    %25 = tensor.empty() : tensor<24x24xf32>
    %26 = linalg.generic {indexing_maps = [#map6, #map7, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%24, %cst_2, %cst_3 : tensor<24x24xi1>, tensor<f32>, tensor<f32>) outs(%25 : tensor<24x24xf32>) {
    ^bb0(%in: i1, %in_16: f32, %in_17: f32, %out: f32):
      %52 = arith.select %in, %in_16, %in_17 : f32
      linalg.yield %52 : f32
    } -> tensor<24x24xf32>
    %27 = tensor.empty() : tensor<2x4x16x24xf32>
    %transposed = linalg.transpose ins(%16 : tensor<2x4x24x16xf32>) outs(%27 : tensor<2x4x16x24xf32>) permutation = [0, 1, 3, 2] 
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<2x4x16x24xf32>) outs(%27 : tensor<2x4x16x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.mulf %in, %cst_8 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x16x24xf32>
    %collapsed = tensor.collapse_shape %17 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %collapsed_10 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<2x4x16x24xf32> into tensor<8x16x24xf32>
    %29 = tensor.empty() : tensor<8x24x24xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %31 = linalg.batch_matmul ins(%collapsed, %collapsed_10 : tensor<8x24x16xf32>, tensor<8x16x24xf32>) outs(%30 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded_11 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf32> into tensor<2x4x24x24xf32>
    %32 = tensor.empty() : tensor<2x4x24x24xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %26 : tensor<2x4x24x24xf32>, tensor<24x24xf32>) outs(%32 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.addf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x24xf32>
    %34 = tensor.empty() : tensor<2x4x24xi64>
    %35 = linalg.fill ins(%c0_i64 : i64) outs(%34 : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
    %36 = tensor.empty() : tensor<2x4x24xf32>
    %37 = linalg.fill ins(%cst_0 : f32) outs(%36 : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %38:2 = linalg.generic {indexing_maps = [#map, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<2x4x24x24xf32>) outs(%37, %35 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_16: i64):
      %52 = linalg.index 3 : index
      %53 = arith.index_cast %52 : index to i64
      %54 = arith.maximumf %in, %out : f32
      %55 = arith.cmpf ogt, %in, %out : f32
      %56 = arith.select %55, %53, %out_16 : i64
      linalg.yield %54, %56 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_12 = tensor.expand_shape %38#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %expanded_12 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%32 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.subf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x24xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x4x24x24xf32>) outs(%32 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = math.exp %in : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x24xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<2x4x24x24xf32>) outs(%3 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.addf %in, %out : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x1xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %41 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%32 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %52 = arith.divf %in, %in_16 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x24xf32>
    %43 = tensor.empty() : tensor<2x4x24x24xi1>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x4x24x24xf32>) outs(%43 : tensor<2x4x24x24xi1>) {
    ^bb0(%in: f32, %out: i1):
      %52 = arith.extf %in : f32 to f64
      %53 = arith.cmpf oeq, %52, %cst_5 : f64
      linalg.yield %53 : i1
    } -> tensor<2x4x24x24xi1>
    %45 = tensor.empty() : tensor<2x4x24x1xi1>
    %46 = linalg.fill ins(%true : i1) outs(%45 : tensor<2x4x24x1xi1>) -> tensor<2x4x24x1xi1>
    %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<2x4x24x24xi1>) outs(%46 : tensor<2x4x24x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %52 = arith.andi %in, %out : i1
      linalg.yield %52 : i1
    } -> tensor<2x4x24x1xi1>
    %48 = linalg.generic {indexing_maps = [#map1, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %cst_1, %42 : tensor<2x4x24x1xi1>, tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) outs(%32 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: i1, %in_16: f32, %in_17: f32, %out: f32):
      %52 = arith.select %in, %in_16, %in_17 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x24x24xf32>
    %collapsed_13 = tensor.collapse_shape %48 [[0, 1], [2], [3]] : tensor<2x4x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_14 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %49 = tensor.empty() : tensor<8x24x16xf32>
    %50 = linalg.fill ins(%cst : f32) outs(%49 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %51 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%50 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %expanded_15 = tensor.expand_shape %51 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    return %expanded_15 : tensor<2x4x24x16xf32>
  }
}
