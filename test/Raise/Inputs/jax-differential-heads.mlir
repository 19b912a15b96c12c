// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_differential_heads"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x8x8xf32>, tensor<2x24x8x8xf32>, tensor<2x24x4x16xf32>, tensor<4xf32>) -> tensor<2x24x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<2x24x8x8xf32>, %arg5: tensor<2x24x8x8xf32>, %arg6: tensor<2x24x4x16xf32>, %arg7: tensor<4xf32>):
    %13 = "stablehlo.dot_general"(%arg4, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x8x8xf32>, tensor<2x24x8x8xf32>) -> tensor<2x8x24x24xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24x24xf32>
    %16 = "stablehlo.multiply"(%13, %15) : (tensor<2x8x24x24xf32>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    %17 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %19 = "func.call"(%18) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %20 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %21 = "func.call"(%19, %16, %20) <{callee = @_where}> : (tensor<24x24xi1>, tensor<2x8x24x24xf32>, tensor<f32>) -> tensor<2x8x24x24xf32>
    %22 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %49 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%49) : (tensor<f32>) -> ()
    }) : (tensor<2x8x24x24xf32>, tensor<f32>) -> tensor<2x8x24xf32>
    %24 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24xf32>
    %26 = "stablehlo.maximum"(%25, %23) : (tensor<2x8x24xf32>, tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x24xf32>) -> tensor<2x8x24x1xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x24x1xf32>) -> tensor<2x8x24x24xf32>
    %29 = "stablehlo.subtract"(%21, %28) : (tensor<2x8x24x24xf32>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    %30 = "stablehlo.exponential"(%29) : (tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %48 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%48) : (tensor<f32>) -> ()
    }) : (tensor<2x8x24x24xf32>, tensor<f32>) -> tensor<2x8x24xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x24xf32>) -> tensor<2x8x24x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x24x1xf32>) -> tensor<2x8x24x24xf32>
    %35 = "stablehlo.divide"(%30, %34) : (tensor<2x8x24x24xf32>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<2x8x24x24xf32>) -> tensor<2x4x2x24x24xf32>
    %37 = "stablehlo.slice"(%36) <{limit_indices = array<i64: 2, 4, 1, 24, 24>, start_indices = array<i64: 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x4x2x24x24xf32>) -> tensor<2x4x1x24x24xf32>
    %38 = "stablehlo.reshape"(%37) : (tensor<2x4x1x24x24xf32>) -> tensor<2x4x24x24xf32>
    %39 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %40 = "stablehlo.slice"(%36) <{limit_indices = array<i64: 2, 4, 2, 24, 24>, start_indices = array<i64: 0, 0, 1, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x4x2x24x24xf32>) -> tensor<2x4x1x24x24xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<2x4x1x24x24xf32>) -> tensor<2x4x24x24xf32>
    %42 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x1x1xf32>) -> tensor<2x4x24x24xf32>
    %44 = "stablehlo.multiply"(%43, %41) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %45 = "stablehlo.subtract"(%38, %44) : (tensor<2x4x24x24xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x24x24xf32>
    %46 = "stablehlo.dot_general"(%arg6, %45) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x4x24x24xf32>) -> tensor<2x4x16x24xf32>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x24x4x16xf32>
    "func.return"(%47) : (tensor<2x24x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<24x24xi1>) -> tensor<24x24xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<24x24xi1>):
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24x24xi32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x24xi32>
    %7 = "stablehlo.add"(%4, %6) : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi32>
    %8 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<24x24xi32>
    %9 = "stablehlo.compare"(%7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %10 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %12 = "stablehlo.select"(%9, %arg3, %11) : (tensor<24x24xi1>, tensor<24x24xi1>, tensor<24x24xi1>) -> tensor<24x24xi1>
    "func.return"(%12) : (tensor<24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<24x24xi1>, tensor<2x8x24x24xf32>, tensor<f32>) -> tensor<2x8x24x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<24x24xi1>, %arg1: tensor<2x8x24x24xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<2x8x24x24xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24x24xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x8x24x24xi1>, tensor<2x8x24x24xf32>, tensor<2x8x24x24xf32>) -> tensor<2x8x24x24xf32>
    "func.return"(%3) : (tensor<2x8x24x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
