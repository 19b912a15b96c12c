// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_pages_wrapped"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x3x4x16xf32>, tensor<10x4x8x16xf32>, tensor<10x4x8x16xf32>, tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x3x4x16xf32>, %arg4: tensor<10x4x8x16xf32>, %arg5: tensor<10x4x8x16xf32>, %arg6: tensor<2x3xi32>, %arg7: tensor<2xi32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %6 = "stablehlo.compare"(%arg6, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %7 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %9 = "stablehlo.add"(%arg6, %8) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %10 = "stablehlo.select"(%6, %9, %arg6) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %12 = "stablehlo.gather"(%arg4, %11) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 8, 16>}> : (tensor<10x4x8x16xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4x8x16xf32>
    %13 = "stablehlo.transpose"(%12) <{permutation = array<i64: 0, 1, 3, 2, 4>}> : (tensor<2x3x4x8x16xf32>) -> tensor<2x3x8x4x16xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x3x8x4x16xf32>) -> tensor<2x24x4x16xf32>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %17 = "stablehlo.compare"(%arg6, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %18 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32>
    %20 = "stablehlo.add"(%arg6, %19) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %21 = "stablehlo.select"(%17, %20, %arg6) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32>
    %23 = "stablehlo.gather"(%arg5, %22) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3, 4], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 8, 16>}> : (tensor<10x4x8x16xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4x8x16xf32>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 0, 1, 3, 2, 4>}> : (tensor<2x3x4x8x16xf32>) -> tensor<2x3x8x4x16xf32>
    %25 = "stablehlo.reshape"(%24) : (tensor<2x3x8x4x16xf32>) -> tensor<2x24x4x16xf32>
    %26 = "stablehlo.dot_general"(%arg3, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x3x24xf32>
    %27 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3x24xf32>
    %29 = "stablehlo.multiply"(%26, %28) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %30 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %31 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1x1x1xi32>
    %32 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x1x1x1xi32>
    %34 = "stablehlo.add"(%31, %33) : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<2x1x1x1xi32>
    %35 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 3>}> : (tensor<24xi32>) -> tensor<1x1x1x24xi32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x24xi32>) -> tensor<2x1x1x24xi32>
    %37 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x1xi32>) -> tensor<2x1x1x24xi32>
    %38 = "stablehlo.compare"(%36, %37) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x1x1x24xi32>, tensor<2x1x1x24xi32>) -> tensor<2x1x1x24xi1>
    %39 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %40 = "func.call"(%38, %29, %39) <{callee = @_where}> : (tensor<2x1x1x24xi1>, tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3x24xf32>
    %41 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.reduce"(%40, %41) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %58 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%58) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %43 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x3xf32>
    %45 = "stablehlo.maximum"(%44, %42) : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3x24xf32>
    %48 = "stablehlo.subtract"(%40, %47) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %49 = "stablehlo.exponential"(%48) : (tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %50 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.reduce"(%49, %50) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %57 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%57) : (tensor<f32>) -> ()
    }) : (tensor<2x4x3x24xf32>, tensor<f32>) -> tensor<2x4x3xf32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x3xf32>) -> tensor<2x4x3x1xf32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x3x1xf32>) -> tensor<2x4x3x24xf32>
    %54 = "stablehlo.divide"(%49, %53) : (tensor<2x4x3x24xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x3x24xf32>
    %55 = "stablehlo.dot_general"(%25, %54) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x4x3x24xf32>) -> tensor<2x4x16x3xf32>
    %56 = "stablehlo.transpose"(%55) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x3xf32>) -> tensor<2x3x4x16xf32>
    "func.return"(%56) : (tensor<2x3x4x16xf32>) -> ()
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
