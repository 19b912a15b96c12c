// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_pages"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x3x4x16xf32>, tensor<10x8x2x16xf32>, tensor<10x8x2x16xf32>, tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x3x4x16xf32>, %arg4: tensor<10x8x2x16xf32>, %arg5: tensor<10x8x2x16xf32>, %arg6: tensor<2x3xi32>, %arg7: tensor<2xi32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %5 = "stablehlo.gather"(%arg4, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 16>}> : (tensor<10x8x2x16xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x2x16xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<2x3x8x2x16xf32>) -> tensor<2x24x2x16xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x24x2x16xf32>) -> tensor<2x24x2x2x16xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<2x24x2x2x16xf32>) -> tensor<2x24x4x16xf32>
    %9 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %10 = "stablehlo.gather"(%arg5, %9) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 2, 16>}> : (tensor<10x8x2x16xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x2x16xf32>
    %11 = "stablehlo.reshape"(%10) : (tensor<2x3x8x2x16xf32>) -> tensor<2x24x2x16xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x24x2x16xf32>) -> tensor<2x24x2x2x16xf32>
    %13 = "stablehlo.reshape"(%12) : (tensor<2x24x2x2x16xf32>) -> tensor<2x24x4x16xf32>
    %14 = "stablehlo.dot_general"(%arg3, %8) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x3x24xf32>
    %15 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3x24xf32>
    %17 = "stablehlo.multiply"(%14, %16) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %19 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %20 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %22 = "stablehlo.add"(%19, %21) : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi32>
    %23 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 3>}> : (tensor<24xi32>) -> tensor<1x1x1x24xi32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x24xi32>) -> tensor<2x1x1x24xi32>
    %25 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x24xi32>
    %26 = "stablehlo.compare"(%24, %25) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x1x1x24xi32>, tensor<2x1x1x24xi32>) -> tensor<2x1x1x24xi1>
    %27 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %28 = "func.call"(%26, %17, %27) <{callee = @_where}> : (tensor<2x1x1x24xi1>, tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3x24xf32>
    %29 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.reduce"(%28, %29) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %46 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%46) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %31 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3xf32>
    %33 = "stablehlo.maximum"(%32, %30) : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3x24xf32>
    %36 = "stablehlo.subtract"(%28, %35) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %37 = "stablehlo.exponential"(%36) : (tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.reduce"(%37, %38) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %45 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%45) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3x24xf32>
    %42 = "stablehlo.divide"(%37, %41) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %43 = "stablehlo.dot_general"(%13, %42) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x16x3xf32>
    %44 = "stablehlo.transpose"(%43) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x3xf32>) -> tensor<2x3x4x16xf32>
    "func.return"(%44) : (tensor<2x3x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x1x24xi1>, tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x1x1x24xi1>, %arg1: tensor<2x4x3x24xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x24xi1>) -> tensor<2x4x3x24xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3x24xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x4x3x24xi1>, tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    "func.return"(%3) : (tensor<2x4x3x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
