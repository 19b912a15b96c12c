// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_gemma_soft_cap"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x30x8x16xf32>, tensor<2x30x2x16xf32>, tensor<2x30x2x16xf32>) -> tensor<2x30x8x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x30x8x16xf32>, %arg4: tensor<2x30x2x16xf32>, %arg5: tensor<2x30x2x16xf32>):
    %3 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x30x2x16xf32>) -> tensor<2x30x2x4x16xf32>
    %4 = "stablehlo.reshape"(%3) : (tensor<2x30x2x4x16xf32>) -> tensor<2x30x8x16xf32>
    %5 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x30x2x16xf32>) -> tensor<2x30x2x4x16xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<2x30x2x4x16xf32>) -> tensor<2x30x8x16xf32>
    %7 = "stablehlo.dot_general"(%arg3, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x30x8x16xf32>, tensor<2x30x8x16xf32>) -> tensor<2x8x30x30xf32>
    %8 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x30x30xf32>
    %10 = "stablehlo.multiply"(%7, %9) : (tensor<2x8x30x30xf32>, tensor<2x8x30x30xf32>) -> tensor<2x8x30x30xf32>
    %11 = "stablehlo.constant"() <{value = dense<5.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x30x30xf32>
    %13 = "stablehlo.divide"(%10, %12) : (tensor<2x8x30x30xf32>, tensor<2x8x30x30xf32>) -> tensor<2x8x30x30xf32>
    %14 = "stablehlo.tanh"(%13) : (tensor<2x8x30x30xf32>) -> tensor<2x8x30x30xf32>
    %15 = "stablehlo.constant"() <{value = dense<5.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x30x30xf32>
    %17 = "stablehlo.multiply"(%16, %14) : (tensor<2x8x30x30xf32>, tensor<2x8x30x30xf32>) -> tensor<2x8x30x30xf32>
    %18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<30xi32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0>}> : (tensor<30xi32>) -> tensor<30x1xi32>
    %20 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<30xi32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 1>}> : (tensor<30xi32>) -> tensor<1x30xi32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x30xi32>) -> tensor<30x30xi32>
    %23 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<30x1xi32>) -> tensor<30x30xi32>
    %24 = "stablehlo.compare"(%22, %23) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<30x30xi32>, tensor<30x30xi32>) -> tensor<30x30xi1>
    %25 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<30x1xi32>
    %27 = "stablehlo.subtract"(%19, %26) : (tensor<30x1xi32>, tensor<30x1xi32>) -> tensor<30x1xi32>
    %28 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x30xi32>) -> tensor<30x30xi32>
    %29 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<30x1xi32>) -> tensor<30x30xi32>
    %30 = "stablehlo.compare"(%28, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<30x30xi32>, tensor<30x30xi32>) -> tensor<30x30xi1>
    %31 = "stablehlo.and"(%24, %30) : (tensor<30x30xi1>, tensor<30x30xi1>) -> tensor<30x30xi1>
    %32 = "stablehlo.constant"() <{value = dense<-3.40282347E+38> : tensor<f32>}> : () -> tensor<f32>
    %33 = "func.call"(%31, %17, %32) <{callee = @_where}> : (tensor<30x30xi1>, tensor<2x8x30x30xf32>, tensor<f32>) -> tensor<2x8x30x30xf32>
    %34 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.reduce"(%33, %34) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %51 = "stablehlo.maximum"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<2x8x30x30xf32>, tensor<f32>) -> tensor<2x8x30xf32>
    %36 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x30xf32>
    %38 = "stablehlo.maximum"(%37, %35) : (tensor<2x8x30xf32>, tensor<2x8x30xf32>) -> tensor<2x8x30xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x30xf32>) -> tensor<2x8x30x1xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x30x1xf32>) -> tensor<2x8x30x30xf32>
    %41 = "stablehlo.subtract"(%33, %40) : (tensor<2x8x30x30xf32>, tensor<2x8x30x30xf32>) -> tensor<2x8x30x30xf32>
    %42 = "stablehlo.exponential"(%41) : (tensor<2x8x30x30xf32>) -> tensor<2x8x30x30xf32>
    %43 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.reduce"(%42, %43) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %50 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<2x8x30x30xf32>, tensor<f32>) -> tensor<2x8x30xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x30xf32>) -> tensor<2x8x30x1xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x30x1xf32>) -> tensor<2x8x30x30xf32>
    %47 = "stablehlo.divide"(%42, %46) : (tensor<2x8x30x30xf32>, tensor<2x8x30x30xf32>) -> tensor<2x8x30x30xf32>
    %48 = "stablehlo.dot_general"(%6, %47) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x30x8x16xf32>, tensor<2x8x30x30xf32>) -> tensor<2x8x16x30xf32>
    %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x16x30xf32>) -> tensor<2x30x8x16xf32>
    "func.return"(%49) : (tensor<2x30x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<30x30xi1>, tensor<2x8x30x30xf32>, tensor<f32>) -> tensor<2x8x30x30xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<30x30xi1>, %arg1: tensor<2x8x30x30xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<30x30xi1>) -> tensor<2x8x30x30xi1>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x30x30xf32>
    %2 = "stablehlo.select"(%0, %arg1, %1) : (tensor<2x8x30x30xi1>, tensor<2x8x30x30xf32>, tensor<2x8x30x30xf32>) -> tensor<2x8x30x30xf32>
    "func.return"(%2) : (tensor<2x8x30x30xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
