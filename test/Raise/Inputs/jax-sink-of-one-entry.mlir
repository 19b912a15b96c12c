// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_sink_of_one_entry"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<1x3x4x16xf32>, tensor<10x8x4x16xf32>, tensor<10x8x4x16xf32>, tensor<1x3xi32>, tensor<4xf32>) -> tensor<1x3x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x3x4x16xf32>, %arg1: tensor<10x8x4x16xf32>, %arg2: tensor<10x8x4x16xf32>, %arg3: tensor<1x3xi32>, %arg4: tensor<4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x3xi32>
    %2 = "stablehlo.compare"(%arg3, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %3 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x3xi32>
    %5 = "stablehlo.add"(%arg3, %4) : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %6 = "stablehlo.select"(%2, %5, %arg3) : (tensor<1x3xi1>, tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
    %8 = "stablehlo.gather"(%arg1, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 4, 16>}> : (tensor<10x8x4x16xf32>, tensor<1x3x1xi32>) -> tensor<1x3x8x4x16xf32>
    %9 = "stablehlo.reshape"(%8) : (tensor<1x3x8x4x16xf32>) -> tensor<1x24x4x16xf32>
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x3xi32>
    %12 = "stablehlo.compare"(%arg3, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi1>
    %13 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x3xi32>
    %15 = "stablehlo.add"(%arg3, %14) : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %16 = "stablehlo.select"(%12, %15, %arg3) : (tensor<1x3xi1>, tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
    %18 = "stablehlo.gather"(%arg2, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 4, 16>}> : (tensor<10x8x4x16xf32>, tensor<1x3x1xi32>) -> tensor<1x3x8x4x16xf32>
    %19 = "stablehlo.reshape"(%18) : (tensor<1x3x8x4x16xf32>) -> tensor<1x24x4x16xf32>
    %20 = "stablehlo.dot_general"(%arg0, %9) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x3x4x16xf32>, tensor<1x24x4x16xf32>) -> tensor<1x4x3x24xf32>
    %21 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3x24xf32>
    %23 = "stablehlo.multiply"(%20, %22) : (tensor<1x4x3x24xf32>, tensor<1x4x3x24xf32>) -> tensor<1x4x3x24xf32>
    %24 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x1x1xf32>) -> tensor<1x4x3x1xf32>
    %26 = "stablehlo.concatenate"(%23, %25) <{dimension = 3 : i64}> : (tensor<1x4x3x24xf32>, tensor<1x4x3x1xf32>) -> tensor<1x4x3x25xf32>
    %27 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %45 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%45) : (tensor<f32>) -> ()
    }) : (tensor<1x4x3x25xf32>, tensor<f32>) -> tensor<1x4x3xf32>
    %29 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3xf32>
    %31 = "stablehlo.maximum"(%30, %28) : (tensor<1x4x3xf32>, tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x3xf32>) -> tensor<1x4x3x1xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x3x1xf32>) -> tensor<1x4x3x25xf32>
    %34 = "stablehlo.subtract"(%26, %33) : (tensor<1x4x3x25xf32>, tensor<1x4x3x25xf32>) -> tensor<1x4x3x25xf32>
    %35 = "stablehlo.exponential"(%34) : (tensor<1x4x3x25xf32>) -> tensor<1x4x3x25xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%35, %36) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %44 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%44) : (tensor<f32>) -> ()
    }) : (tensor<1x4x3x25xf32>, tensor<f32>) -> tensor<1x4x3xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x3xf32>) -> tensor<1x4x3x1xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x3x1xf32>) -> tensor<1x4x3x25xf32>
    %40 = "stablehlo.divide"(%35, %39) : (tensor<1x4x3x25xf32>, tensor<1x4x3x25xf32>) -> tensor<1x4x3x25xf32>
    %41 = "stablehlo.slice"(%40) <{limit_indices = array<i64: 1, 4, 3, 24>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x4x3x25xf32>) -> tensor<1x4x3x24xf32>
    %42 = "stablehlo.dot_general"(%19, %41) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x24x4x16xf32>, tensor<1x4x3x24xf32>) -> tensor<1x4x16x3xf32>
    %43 = "stablehlo.transpose"(%42) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x4x16x3xf32>) -> tensor<1x3x4x16xf32>
    "func.return"(%43) : (tensor<1x3x4x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
