// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_nn_segments"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24xi32>) -> tensor<2x24x4x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<2x24x4x16xf32>, %arg5: tensor<2x24x4x16xf32>, %arg6: tensor<2x24x4x16xf32>, %arg7: tensor<2x24xi32>):
    %13 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x24xi32>) -> tensor<2x1x24x1xi32>
    %14 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x24xi32>) -> tensor<2x1x1x24xi32>
    %15 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x24x1xi32>) -> tensor<2x1x24x24xi32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x1x1x24xi32>) -> tensor<2x1x24x24xi32>
    %17 = "stablehlo.compare"(%15, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x1x24x24xi32>, tensor<2x1x24x24xi32>) -> tensor<2x1x24x24xi1>
    %18 = "stablehlo.reshape"(%arg4) : (tensor<2x24x4x16xf32>) -> tensor<2x24x4x1x16xf32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x1x24x24xi1>) -> tensor<2x1x1x24x24xi1>
    %20 = "stablehlo.dot_general"(%18, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x1x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x24x1x24xf32>
    %21 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1x24xf32>
    %23 = "stablehlo.multiply"(%20, %22) : (tensor<2x4x24x1x24xf32>, tensor<2x4x24x1x24xf32>) -> tensor<2x4x24x1x24xf32>
    %24 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x4x24x24xi1>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x24x24xi1>) -> tensor<1x2x4x24x24xi1>
    %27 = "stablehlo.transpose"(%19) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x1x1x24x24xi1>) -> tensor<1x2x1x24x24xi1>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x1x24x24xi1>) -> tensor<1x2x4x24x24xi1>
    %29 = "stablehlo.and"(%26, %28) : (tensor<1x2x4x24x24xi1>, tensor<1x2x4x24x24xi1>) -> tensor<1x2x4x24x24xi1>
    %30 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %32 = "func.call"(%31) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<24x24xi1>) -> tensor<1x1x24x24xi1>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<1x1x24x24xi1>) -> tensor<1x1x1x24x24xi1>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x1x1x24x24xi1>) -> tensor<1x2x4x24x24xi1>
    %36 = "stablehlo.and"(%29, %35) : (tensor<1x2x4x24x24xi1>, tensor<1x2x4x24x24xi1>) -> tensor<1x2x4x24x24xi1>
    %37 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %38 = "func.call"(%36, %23, %37) <{callee = @_where}> : (tensor<1x2x4x24x24xi1>, tensor<2x4x24x1x24xf32>, tensor<f32>) -> tensor<1x2x4x24x24xf32>
    %39 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.reduce"(%38, %39) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %58 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%58) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %41 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x4x24xf32>
    %43 = "stablehlo.maximum"(%42, %40) : (tensor<1x2x4x24xf32>, tensor<1x2x4x24xf32>) -> tensor<1x2x4x24xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %46 = "stablehlo.subtract"(%38, %45) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %47 = "stablehlo.exponential"(%46) : (tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.reduce"(%47, %48) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %57 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%57) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %52 = "stablehlo.divide"(%47, %51) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %53 = "stablehlo.dot_general"(%arg6, %52) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<1x2x4x24x24xf32>) -> tensor<2x4x16x1x24xf32>
    %54 = "stablehlo.transpose"(%53) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x4x16x1x24xf32>) -> tensor<1x2x24x4x16xf32>
    %55 = "stablehlo.transpose"(%54) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x24x4x16xf32>) -> tensor<2x24x4x1x16xf32>
    %56 = "stablehlo.reshape"(%55) : (tensor<2x24x4x1x16xf32>) -> tensor<2x24x4x16xf32>
    "func.return"(%56) : (tensor<2x24x4x16xf32>) -> ()
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
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x2x4x24x24xi1>, tensor<2x4x24x1x24xf32>, tensor<f32>) -> tensor<1x2x4x24x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x2x4x24x24xi1>, %arg1: tensor<2x4x24x1x24xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %2 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x4x24x1x24xf32>) -> tensor<1x2x4x24x24xf32>
    %3 = "stablehlo.select"(%arg0, %2, %1) : (tensor<1x2x4x24x24xi1>, tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    "func.return"(%3) : (tensor<1x2x4x24x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
