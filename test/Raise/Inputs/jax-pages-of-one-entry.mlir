// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_pages_of_one_entry"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<1x3x4x16xf32>, tensor<10x8x4x16xf32>, tensor<10x8x4x16xf32>, tensor<1x3xi32>, tensor<1xi32>) -> tensor<1x3x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<1x3x4x16xf32>, %arg4: tensor<10x8x4x16xf32>, %arg5: tensor<10x8x4x16xf32>, %arg6: tensor<1x3xi32>, %arg7: tensor<1xi32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
    %5 = "stablehlo.gather"(%arg4, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 4, 16>}> : (tensor<10x8x4x16xf32>, tensor<1x3x1xi32>) -> tensor<1x3x8x4x16xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<1x3x8x4x16xf32>) -> tensor<1x24x4x16xf32>
    %7 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xi32>) -> tensor<1x3x1xi32>
    %8 = "stablehlo.gather"(%arg5, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8, 4, 16>}> : (tensor<10x8x4x16xf32>, tensor<1x3x1xi32>) -> tensor<1x3x8x4x16xf32>
    %9 = "stablehlo.reshape"(%8) : (tensor<1x3x8x4x16xf32>) -> tensor<1x24x4x16xf32>
    %10 = "stablehlo.dot_general"(%arg3, %6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x3x4x16xf32>, tensor<1x24x4x16xf32>) -> tensor<1x4x3x24xf32>
    %11 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3x24xf32>
    %13 = "stablehlo.multiply"(%10, %12) : (tensor<1x4x3x24xf32>, tensor<1x4x3x24xf32>) -> tensor<1x4x3x24xf32>
    %14 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %15 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %16 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1x1x1xi32>
    %18 = "stablehlo.add"(%15, %17) : (tensor<1x1x1x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x1xi32>
    %19 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 3>}> : (tensor<24xi32>) -> tensor<1x1x1x24xi32>
    %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x1xi32>) -> tensor<1x1x1x24xi32>
    %21 = "stablehlo.compare"(%19, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<1x1x1x24xi32>, tensor<1x1x1x24xi32>) -> tensor<1x1x1x24xi1>
    %22 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %23 = "func.call"(%21, %13, %22) <{callee = @_where}> : (tensor<1x1x1x24xi1>, tensor<1x4x3x24xf32>, tensor<f32>) -> tensor<1x4x3x24xf32>
    %24 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%23, %24) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %41 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<1x4x3x24xf32>, tensor<f32>) -> tensor<1x4x3xf32>
    %26 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3xf32>
    %28 = "stablehlo.maximum"(%27, %25) : (tensor<1x4x3xf32>, tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x3xf32>) -> tensor<1x4x3x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x3x1xf32>) -> tensor<1x4x3x24xf32>
    %31 = "stablehlo.subtract"(%23, %30) : (tensor<1x4x3x24xf32>, tensor<1x4x3x24xf32>) -> tensor<1x4x3x24xf32>
    %32 = "stablehlo.exponential"(%31) : (tensor<1x4x3x24xf32>) -> tensor<1x4x3x24xf32>
    %33 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.reduce"(%32, %33) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %40 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%40) : (tensor<f32>) -> ()
    }) : (tensor<1x4x3x24xf32>, tensor<f32>) -> tensor<1x4x3xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x3xf32>) -> tensor<1x4x3x1xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x3x1xf32>) -> tensor<1x4x3x24xf32>
    %37 = "stablehlo.divide"(%32, %36) : (tensor<1x4x3x24xf32>, tensor<1x4x3x24xf32>) -> tensor<1x4x3x24xf32>
    %38 = "stablehlo.dot_general"(%9, %37) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x24x4x16xf32>, tensor<1x4x3x24xf32>) -> tensor<1x4x16x3xf32>
    %39 = "stablehlo.transpose"(%38) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x4x16x3xf32>) -> tensor<1x3x4x16xf32>
    "func.return"(%39) : (tensor<1x3x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x1x1x24xi1>, tensor<1x4x3x24xf32>, tensor<f32>) -> tensor<1x4x3x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x1x1x24xi1>, %arg1: tensor<1x4x3x24xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x24xi1>) -> tensor<1x4x3x24xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3x24xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<1x4x3x24xi1>, tensor<1x4x3x24xf32>, tensor<1x4x3x24xf32>) -> tensor<1x4x3x24xf32>
    "func.return"(%3) : (tensor<1x4x3x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
