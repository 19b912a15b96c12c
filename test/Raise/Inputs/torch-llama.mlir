// Written by `make-torch.py` with torch 2.15.0+cu132 and torch-mlir 20261001.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x24x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<32x64xf32>, %arg3: tensor<32x64xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<24x8xf32>, %arg6: tensor<24x8xf32>) -> tensor<2x24x64xf32> {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<24x24xf32>
    %cst_3 = arith.constant 4.000000e+00 : f32
    %0 = tensor.empty() : tensor<64x64xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<64x64xf32>) outs(%0 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x24x64xf32> into tensor<48x64xf32>
    %1 = tensor.empty() : tensor<48x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<48x64xf32>, tensor<64x64xf32>) outs(%2 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2, 3]] output_shape [2, 24, 4, 16] : tensor<48x64xf32> into tensor<2x24x4x16xf32>
    %4 = tensor.empty() : tensor<2x4x24x16xf32>
    %transposed_4 = linalg.transpose ins(%expanded : tensor<2x24x4x16xf32>) outs(%4 : tensor<2x4x24x16xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice = tensor.extract_slice %transposed_4[0, 0, 0, 0] [2, 4, 24, 8] [1, 1, 1, 1] : tensor<2x4x24x16xf32> to tensor<2x4x24x8xf32>
    %extracted_slice_5 = tensor.extract_slice %transposed_4[0, 0, 0, 8] [2, 4, 24, 8] [1, 1, 1, 1] : tensor<2x4x24x16xf32> to tensor<2x4x24x8xf32>
    %5 = tensor.empty() : tensor<2x4x24x8xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %arg5 : tensor<2x4x24x8xf32>, tensor<24x8xf32>) outs(%5 : tensor<2x4x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.mulf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_5, %arg6 : tensor<2x4x24x8xf32>, tensor<24x8xf32>) outs(%5 : tensor<2x4x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.mulf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %7 : tensor<2x4x24x8xf32>, tensor<2x4x24x8xf32>) outs(%5 : tensor<2x4x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.subf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_5, %arg5 : tensor<2x4x24x8xf32>, tensor<24x8xf32>) outs(%5 : tensor<2x4x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.mulf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x8xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %arg6 : tensor<2x4x24x8xf32>, tensor<24x8xf32>) outs(%5 : tensor<2x4x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.mulf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x8xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %10 : tensor<2x4x24x8xf32>, tensor<2x4x24x8xf32>) outs(%5 : tensor<2x4x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.addf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x8xf32>
    %concat = tensor.concat dim(3) %8, %11 : (tensor<2x4x24x8xf32>, tensor<2x4x24x8xf32>) -> tensor<2x4x24x16xf32>
    %12 = tensor.empty() : tensor<64x32xf32>
    %transposed_6 = linalg.transpose ins(%arg2 : tensor<32x64xf32>) outs(%12 : tensor<64x32xf32>) permutation = [1, 0] 
    %13 = tensor.empty() : tensor<48x32xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<48x32xf32>) -> tensor<48x32xf32>
    %15 = linalg.matmul ins(%collapsed, %transposed_6 : tensor<48x64xf32>, tensor<64x32xf32>) outs(%14 : tensor<48x32xf32>) -> tensor<48x32xf32>
    %expanded_7 = tensor.expand_shape %15 [[0, 1], [2, 3]] output_shape [2, 24, 2, 16] : tensor<48x32xf32> into tensor<2x24x2x16xf32>
    %16 = tensor.empty() : tensor<2x2x24x16xf32>
    %transposed_8 = linalg.transpose ins(%expanded_7 : tensor<2x24x2x16xf32>) outs(%16 : tensor<2x2x24x16xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice_9 = tensor.extract_slice %transposed_8[0, 0, 0, 0] [2, 2, 24, 8] [1, 1, 1, 1] : tensor<2x2x24x16xf32> to tensor<2x2x24x8xf32>
    %extracted_slice_10 = tensor.extract_slice %transposed_8[0, 0, 0, 8] [2, 2, 24, 8] [1, 1, 1, 1] : tensor<2x2x24x16xf32> to tensor<2x2x24x8xf32>
    %17 = tensor.empty() : tensor<2x2x24x8xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_9, %arg5 : tensor<2x2x24x8xf32>, tensor<24x8xf32>) outs(%17 : tensor<2x2x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.mulf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x2x24x8xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10, %arg6 : tensor<2x2x24x8xf32>, tensor<24x8xf32>) outs(%17 : tensor<2x2x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.mulf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x2x24x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %19 : tensor<2x2x24x8xf32>, tensor<2x2x24x8xf32>) outs(%17 : tensor<2x2x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.subf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x2x24x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10, %arg5 : tensor<2x2x24x8xf32>, tensor<24x8xf32>) outs(%17 : tensor<2x2x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.mulf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x2x24x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_9, %arg6 : tensor<2x2x24x8xf32>, tensor<24x8xf32>) outs(%17 : tensor<2x2x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.mulf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x2x24x8xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %22 : tensor<2x2x24x8xf32>, tensor<2x2x24x8xf32>) outs(%17 : tensor<2x2x24x8xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.addf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x2x24x8xf32>
    %concat_11 = tensor.concat dim(3) %20, %23 : (tensor<2x2x24x8xf32>, tensor<2x2x24x8xf32>) -> tensor<2x2x24x16xf32>
    %transposed_12 = linalg.transpose ins(%arg3 : tensor<32x64xf32>) outs(%12 : tensor<64x32xf32>) permutation = [1, 0] 
    %24 = linalg.matmul ins(%collapsed, %transposed_12 : tensor<48x64xf32>, tensor<64x32xf32>) outs(%14 : tensor<48x32xf32>) -> tensor<48x32xf32>
    %expanded_13 = tensor.expand_shape %24 [[0, 1], [2, 3]] output_shape [2, 24, 2, 16] : tensor<48x32xf32> into tensor<2x24x2x16xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<2x24x2x16xf32>) outs(%16 : tensor<2x2x24x16xf32>) permutation = [0, 2, 1, 3] 
    %25 = tensor.empty() : tensor<2x2x2x24x16xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat_11 : tensor<2x2x24x16xf32>) outs(%25 : tensor<2x2x2x24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x24x16xf32>
    %collapsed_15 = tensor.collapse_shape %26 [[0], [1, 2], [3], [4]] : tensor<2x2x2x24x16xf32> into tensor<2x4x24x16xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_14 : tensor<2x2x24x16xf32>) outs(%25 : tensor<2x2x2x24x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x24x16xf32>
    %28 = tensor.empty() : tensor<24xi64>
    %29 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%28 : tensor<24xi64>) {
    ^bb0(%out: i64):
      %59 = linalg.index 0 : index
      %60 = arith.index_cast %59 : index to i64
      linalg.yield %60 : i64
    } -> tensor<24xi64>
    %expanded_16 = tensor.expand_shape %29 [[0, 1]] output_shape [1, 24] : tensor<24xi64> into tensor<1x24xi64>
    %expanded_17 = tensor.expand_shape %29 [[0, 1]] output_shape [24, 1] : tensor<24xi64> into tensor<24x1xi64>
    %30 = tensor.empty() : tensor<24x24xi64>
    %31 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%expanded_16, %expanded_17 : tensor<1x24xi64>, tensor<24x1xi64>) outs(%30 : tensor<24x24xi64>) {
    ^bb0(%in: i64, %in_30: i64, %out: i64):
      %59 = arith.subi %in, %in_30 : i64
      linalg.yield %59 : i64
    } -> tensor<24x24xi64>
    %32 = tensor.empty() : tensor<24x24xi1>
    %33 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<24x24xi64>) outs(%32 : tensor<24x24xi1>) {
    ^bb0(%in: i64, %out: i1):
      %59 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %59 : i1
    } -> tensor<24x24xi1>
    %34 = tensor.empty() : tensor<24x24xf32>
    %35 = linalg.generic {indexing_maps = [#map7, #map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%33, %cst_2, %cst_1 : tensor<24x24xi1>, tensor<24x24xf32>, tensor<f32>) outs(%34 : tensor<24x24xf32>) {
    ^bb0(%in: i1, %in_30: f32, %in_31: f32, %out: f32):
      %59 = arith.select %in, %in_30, %in_31 : f32
      linalg.yield %59 : f32
    } -> tensor<24x24xf32>
    %36 = tensor.empty() : tensor<2x4x16x24xf32>
    %transposed_18 = linalg.transpose ins(%collapsed_15 : tensor<2x4x24x16xf32>) outs(%36 : tensor<2x4x16x24xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_19 = tensor.collapse_shape %concat [[0, 1], [2], [3]] : tensor<2x4x24x16xf32> into tensor<8x24x16xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<2x4x16x24xf32> into tensor<8x16x24xf32>
    %37 = tensor.empty() : tensor<8x24x24xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %39 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<8x24x16xf32>, tensor<8x16x24xf32>) outs(%38 : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
    %expanded_21 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf32> into tensor<2x4x24x24xf32>
    %40 = tensor.empty() : tensor<2x4x24x24xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<2x4x24x24xf32>) outs(%40 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.divf %in, %cst_3 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x24xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %35 : tensor<2x4x24x24xf32>, tensor<24x24xf32>) outs(%40 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.addf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x24xf32>
    %43 = tensor.empty() : tensor<2x4x24xi64>
    %44 = linalg.fill ins(%c0_i64 : i64) outs(%43 : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
    %45 = tensor.empty() : tensor<2x4x24xf32>
    %46 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
    %47:2 = linalg.generic {indexing_maps = [#map, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<2x4x24x24xf32>) outs(%46, %44 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
    ^bb0(%in: f32, %out: f32, %out_30: i64):
      %59 = linalg.index 3 : index
      %60 = arith.index_cast %59 : index to i64
      %61 = arith.maximumf %in, %out : f32
      %62 = arith.cmpf ogt, %in, %out : f32
      %63 = arith.select %62, %60, %out_30 : i64
      linalg.yield %61, %63 : f32, i64
    } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
    %expanded_22 = tensor.expand_shape %47#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %expanded_22 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%40 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.subf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x24xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x4x24x24xf32>) outs(%40 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = math.exp %in : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x24xf32>
    %50 = tensor.empty() : tensor<2x4x24x1xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49 : tensor<2x4x24x24xf32>) outs(%51 : tensor<2x4x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %59 = arith.addf %in, %out : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x1xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %52 : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%40 : tensor<2x4x24x24xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %59 = arith.divf %in, %in_30 : f32
      linalg.yield %59 : f32
    } -> tensor<2x4x24x24xf32>
    %collapsed_23 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<2x4x24x24xf32> into tensor<8x24x24xf32>
    %collapsed_24 = tensor.collapse_shape %27 [[0, 1, 2], [3], [4]] : tensor<2x2x2x24x16xf32> into tensor<8x24x16xf32>
    %54 = tensor.empty() : tensor<8x24x16xf32>
    %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %56 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<8x24x24xf32>, tensor<8x24x16xf32>) outs(%55 : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
    %expanded_25 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf32> into tensor<2x4x24x16xf32>
    %57 = tensor.empty() : tensor<2x24x4x16xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<2x4x24x16xf32>) outs(%57 : tensor<2x24x4x16xf32>) permutation = [0, 2, 1, 3] 
    %transposed_27 = linalg.transpose ins(%arg4 : tensor<64x64xf32>) outs(%0 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed_28 = tensor.collapse_shape %transposed_26 [[0, 1], [2, 3]] : tensor<2x24x4x16xf32> into tensor<48x64xf32>
    %58 = linalg.matmul ins(%collapsed_28, %transposed_27 : tensor<48x64xf32>, tensor<64x64xf32>) outs(%2 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %expanded_29 = tensor.expand_shape %58 [[0, 1], [2]] output_shape [2, 24, 64] : tensor<48x64xf32> into tensor<2x24x64xf32>
    return %expanded_29 : tensor<2x24x64xf32>
  }
}
