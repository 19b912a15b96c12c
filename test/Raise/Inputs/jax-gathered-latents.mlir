// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_gathered_latents"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}], function_type = (tensor<2x1x4x32xf32>, tensor<2x1x4x8xf32>, tensor<10x8x32xf32>, tensor<10x8x8xf32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x1x4x32xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x1x4x32xf32>, %arg4: tensor<2x1x4x8xf32>, %arg5: tensor<10x8x32xf32>, %arg6: tensor<10x8x8xf32>, %arg7: tensor<2x3xi32>, %arg8: tensor<2x3xi32>, %arg9: tensor<2xi32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %6 = "stablehlo.compare"(%arg7, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %7 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %9 = "stablehlo.add"(%arg7, %8) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %10 = "stablehlo.select"(%6, %9, %arg7) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %12 = "stablehlo.gather"(%arg5, %11) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 32>}> : (tensor<10x8x32xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x32xf32>
    %13 = "stablehlo.reshape"(%12) : (tensor<2x3x8x32xf32>) -> tensor<2x24x32xf32>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %16 = "stablehlo.compare"(%arg8, %15) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %17 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %19 = "stablehlo.add"(%arg8, %18) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %20 = "stablehlo.select"(%16, %19, %arg8) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %22 = "stablehlo.gather"(%arg6, %21) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 8>}> : (tensor<10x8x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x8xf32>
    %23 = "stablehlo.reshape"(%22) : (tensor<2x3x8x8xf32>) -> tensor<2x24x8xf32>
    %24 = "stablehlo.dot_general"(%13, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<2x1x4x32xf32>) -> tensor<2x24x1x4xf32>
    %25 = "stablehlo.transpose"(%24) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x24x1x4xf32>) -> tensor<2x4x1x24xf32>
    %26 = "stablehlo.dot_general"(%23, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x8xf32>, tensor<2x1x4x8xf32>) -> tensor<2x24x1x4xf32>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x24x1x4xf32>) -> tensor<2x4x1x24xf32>
    %28 = "stablehlo.add"(%25, %27) : (tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %29 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %30 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %31 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %33 = "stablehlo.add"(%30, %32) : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi32>
    %34 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 3>}> : (tensor<24xi32>) -> tensor<1x1x1x24xi32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x24xi32>) -> tensor<2x1x1x24xi32>
    %36 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x24xi32>
    %37 = "stablehlo.compare"(%35, %36) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x1x1x24xi32>, tensor<2x1x1x24xi32>) -> tensor<2x1x1x24xi1>
    %38 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x1x24xf32>
    %40 = "stablehlo.multiply"(%28, %39) : (tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %41 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %42 = "func.call"(%37, %40, %41) <{callee = @_where}> : (tensor<2x1x1x24xi1>, tensor<2x4x1x24xf32>, tensor<f32>) -> tensor<2x4x1x24xf32>
    %43 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.reduce"(%42, %43) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %60 = "stablehlo.maximum"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%60) : (tensor<f32>) -> ()
    }) : (tensor<2x4x1x24xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %45 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x1xf32>
    %47 = "stablehlo.maximum"(%46, %44) : (tensor<2x4x1xf32>, tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x24xf32>
    %50 = "stablehlo.subtract"(%42, %49) : (tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %51 = "stablehlo.exponential"(%50) : (tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %52 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.reduce"(%51, %52) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %59 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%59) : (tensor<f32>) -> ()
    }) : (tensor<2x4x1x24xf32>, tensor<f32>) -> tensor<2x4x1xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> tensor<2x4x1x1xf32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x1x1xf32>) -> tensor<2x4x1x24xf32>
    %56 = "stablehlo.divide"(%51, %55) : (tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    %57 = "stablehlo.dot_general"(%13, %56) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x32xf32>, tensor<2x4x1x24xf32>) -> tensor<2x32x4x1xf32>
    %58 = "stablehlo.transpose"(%57) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x32x4x1xf32>) -> tensor<2x1x4x32xf32>
    "func.return"(%58) : (tensor<2x1x4x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x1x1x24xi1>, tensor<2x4x1x24xf32>, tensor<f32>) -> tensor<2x4x1x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x1x1x24xi1>, %arg1: tensor<2x4x1x24xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x24xi1>) -> tensor<2x4x1x24xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x1x24xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x4x1x24xi1>, tensor<2x4x1x24xf32>, tensor<2x4x1x24xf32>) -> tensor<2x4x1x24xf32>
    "func.return"(%3) : (tensor<2x4x1x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
