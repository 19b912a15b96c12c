// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_pages_of_shared_columns"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}], function_type = (tensor<2x3x4x16xf32>, tensor<2x3x4x8xf32>, tensor<10x8x4x16xf32>, tensor<10x8x8xf32>, tensor<10x8x4x12xf32>, tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3x4x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x3x4x16xf32>, %arg4: tensor<2x3x4x8xf32>, %arg5: tensor<10x8x4x16xf32>, %arg6: tensor<10x8x8xf32>, %arg7: tensor<10x8x4x12xf32>, %arg8: tensor<2x3xi32>, %arg9: tensor<2xi32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %6 = "stablehlo.compare"(%arg8, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %7 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %9 = "stablehlo.add"(%arg8, %8) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %10 = "stablehlo.select"(%6, %9, %arg8) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %12 = "stablehlo.gather"(%arg5, %11) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 4, 16>}> : (tensor<10x8x4x16xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x4x16xf32>
    %13 = "stablehlo.reshape"(%12) : (tensor<2x3x8x4x16xf32>) -> tensor<2x24x4x16xf32>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %16 = "stablehlo.compare"(%arg8, %15) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %17 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %19 = "stablehlo.add"(%arg8, %18) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %20 = "stablehlo.select"(%16, %19, %arg8) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %22 = "stablehlo.gather"(%arg7, %21) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 4, 12>}> : (tensor<10x8x4x12xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x4x12xf32>
    %23 = "stablehlo.reshape"(%22) : (tensor<2x3x8x4x12xf32>) -> tensor<2x24x4x12xf32>
    %24 = "stablehlo.dot_general"(%arg3, %13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x3x24xf32>
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %27 = "stablehlo.compare"(%arg8, %26) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %28 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %30 = "stablehlo.add"(%arg8, %29) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %31 = "stablehlo.select"(%27, %30, %arg8) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %33 = "stablehlo.gather"(%arg6, %32) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 8>}> : (tensor<10x8x8xf32>, tensor<2x3x1xi32>) -> tensor<2x3x8x8xf32>
    %34 = "stablehlo.reshape"(%33) : (tensor<2x3x8x8xf32>) -> tensor<2x24x8xf32>
    %35 = "stablehlo.dot_general"(%34, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x8xf32>, tensor<2x3x4x8xf32>) -> tensor<2x24x3x4xf32>
    %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 0, 3, 2, 1>}> : (tensor<2x24x3x4xf32>) -> tensor<2x4x3x24xf32>
    %37 = "stablehlo.add"(%24, %36) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %38 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %39 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %40 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %42 = "stablehlo.add"(%39, %41) : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi32>
    %43 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 3>}> : (tensor<24xi32>) -> tensor<1x1x1x24xi32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x24xi32>) -> tensor<2x1x1x24xi32>
    %45 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x24xi32>
    %46 = "stablehlo.compare"(%44, %45) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x1x1x24xi32>, tensor<2x1x1x24xi32>) -> tensor<2x1x1x24xi1>
    %47 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3x24xf32>
    %49 = "stablehlo.multiply"(%37, %48) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %50 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %51 = "func.call"(%46, %49, %50) <{callee = @_where}> : (tensor<2x1x1x24xi1>, tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3x24xf32>
    %52 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.reduce"(%51, %52) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %69 = "stablehlo.maximum"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%69) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %54 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3xf32>
    %56 = "stablehlo.maximum"(%55, %53) : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3x24xf32>
    %59 = "stablehlo.subtract"(%51, %58) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %60 = "stablehlo.exponential"(%59) : (tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %61 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.reduce"(%60, %61) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %68 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%68) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3x24xf32>
    %65 = "stablehlo.divide"(%60, %64) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %66 = "stablehlo.dot_general"(%23, %65) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x12xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x12x3xf32>
    %67 = "stablehlo.transpose"(%66) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x12x3xf32>) -> tensor<2x3x4x12xf32>
    "func.return"(%67) : (tensor<2x3x4x12xf32>) -> ()
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
