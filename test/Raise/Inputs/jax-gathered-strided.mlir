// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_gathered_strided"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x3x4x16xf32>, tensor<10x8x4x16xf32>, tensor<10x8x4x16xf32>, tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x3x4x16xf32>, %arg4: tensor<10x8x4x16xf32>, %arg5: tensor<10x8x4x16xf32>, %arg6: tensor<2x3xi32>, %arg7: tensor<2xi32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %5 = "stablehlo.gather"(%arg4, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 4, 16>}> : (tensor<10x8x4x16xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x4x16xf32>
    %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x3x8x4x16xf32>) -> tensor<2x8x3x4x16xf32>
    %7 = "stablehlo.reshape"(%6) : (tensor<2x8x3x4x16xf32>) -> tensor<2x24x4x16xf32>
    %8 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %9 = "stablehlo.gather"(%arg5, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 4, 16>}> : (tensor<10x8x4x16xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x4x16xf32>
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x3x8x4x16xf32>) -> tensor<2x8x3x4x16xf32>
    %11 = "stablehlo.reshape"(%10) : (tensor<2x8x3x4x16xf32>) -> tensor<2x24x4x16xf32>
    %12 = "stablehlo.dot_general"(%arg3, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x3x24xf32>
    %13 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3x24xf32>
    %15 = "stablehlo.multiply"(%12, %14) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %16 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %17 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %18 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %20 = "stablehlo.add"(%17, %19) : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi32>
    %21 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 3>}> : (tensor<24xi32>) -> tensor<1x1x1x24xi32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x24xi32>) -> tensor<2x1x1x24xi32>
    %23 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x24xi32>
    %24 = "stablehlo.compare"(%22, %23) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x1x1x24xi32>, tensor<2x1x1x24xi32>) -> tensor<2x1x1x24xi1>
    %25 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %26 = "func.call"(%24, %15, %25) <{callee = @_where}> : (tensor<2x1x1x24xi1>, tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3x24xf32>
    %27 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %44 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%44) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %29 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3xf32>
    %31 = "stablehlo.maximum"(%30, %28) : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3x24xf32>
    %34 = "stablehlo.subtract"(%26, %33) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %35 = "stablehlo.exponential"(%34) : (tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%35, %36) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %43 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%43) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3x24xf32>
    %40 = "stablehlo.divide"(%35, %39) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %41 = "stablehlo.dot_general"(%11, %40) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x16x3xf32>
    %42 = "stablehlo.transpose"(%41) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x3xf32>) -> tensor<2x3x4x16xf32>
    "func.return"(%42) : (tensor<2x3x4x16xf32>) -> ()
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
