// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_pulled_mask"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x1x24x24xi1>, tensor<2x24x4x16xf32>) -> (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<2x24x4x16xf32>, %arg6: tensor<2x24x4x16xf32>, %arg7: tensor<2x24x4x16xf32>, %arg8: tensor<2x1x24x24xi1>, %arg9: tensor<2x24x4x16xf32>):
    %8 = "stablehlo.reshape"(%arg5) : (tensor<2x24x4x16xf32>) -> tensor<2x24x4x1x16xf32>
    %9 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 0, 1, 3, 4>}> : (tensor<2x1x24x24xi1>) -> tensor<2x1x1x24x24xi1>
    %10 = "stablehlo.dot_general"(%8, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x1x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x24x1x24xf32>
    %11 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1x24xf32>
    %13 = "stablehlo.multiply"(%10, %12) : (tensor<2x4x24x1x24xf32>, tensor<2x4x24x1x24xf32>) -> tensor<2x4x24x1x24xf32>
    %14 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x4x24x24xi1>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x24x24xi1>) -> tensor<1x2x4x24x24xi1>
    %17 = "stablehlo.transpose"(%9) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x1x1x24x24xi1>) -> tensor<1x2x1x24x24xi1>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x1x24x24xi1>) -> tensor<1x2x4x24x24xi1>
    %19 = "stablehlo.and"(%16, %18) : (tensor<1x2x4x24x24xi1>, tensor<1x2x4x24x24xi1>) -> tensor<1x2x4x24x24xi1>
    %20 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %21 = "func.call"(%19, %13, %20) <{callee = @_where}> : (tensor<1x2x4x24x24xi1>, tensor<2x4x24x1x24xf32>, tensor<f32>) -> tensor<1x2x4x24x24xf32>
    %22 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %78 = "stablehlo.maximum"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %24 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x4x24xf32>
    %26 = "stablehlo.maximum"(%25, %23) : (tensor<1x2x4x24xf32>, tensor<1x2x4x24xf32>) -> tensor<1x2x4x24xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %29 = "stablehlo.subtract"(%21, %28) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %30 = "stablehlo.exponential"(%29) : (tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%30, %31) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %77 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%77) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %35 = "stablehlo.divide"(%30, %34) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %36 = "stablehlo.multiply"(%33, %33) : (tensor<1x2x4x24x1xf32>, tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x4x24x1xf32>
    %39 = "stablehlo.divide"(%38, %36) : (tensor<1x2x4x24x1xf32>, tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %40 = "stablehlo.dot_general"(%arg7, %35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<1x2x4x24x24xf32>) -> tensor<2x4x16x1x24xf32>
    %41 = "stablehlo.transpose"(%40) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x4x16x1x24xf32>) -> tensor<1x2x24x4x16xf32>
    %42 = "stablehlo.transpose"(%41) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x24x4x16xf32>) -> tensor<2x24x4x1x16xf32>
    %43 = "stablehlo.reshape"(%42) : (tensor<2x24x4x1x16xf32>) -> tensor<2x24x4x16xf32>
    %44 = "stablehlo.reshape"(%arg9) : (tensor<2x24x4x16xf32>) -> tensor<2x24x4x1x16xf32>
    %45 = "stablehlo.transpose"(%44) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x24x4x1x16xf32>) -> tensor<1x2x24x4x16xf32>
    %46 = "stablehlo.transpose"(%45) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x24x4x16xf32>) -> tensor<2x4x16x1x24xf32>
    %47 = "stablehlo.dot_general"(%46, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x1x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x1x24x24xf32>
    %48 = "stablehlo.transpose"(%47) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x4x1x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %49 = "stablehlo.dot_general"(%46, %35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x1x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<2x4x16x24xf32>
    %50 = "stablehlo.transpose"(%49) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x24x4x16xf32>
    %51 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %52 = "stablehlo.multiply"(%48, %51) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %53 = "stablehlo.multiply"(%52, %30) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %54 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.reduce"(%53, %54) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %76 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %56 = "stablehlo.reshape"(%55) : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %57 = "stablehlo.negate"(%56) : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %58 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %59 = "stablehlo.divide"(%48, %58) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %60 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.reduce"(%57, %60) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %75 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%75) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x1xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x4x24xf32>) -> tensor<1x2x4x24xf32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x24xf32>
    %64 = "stablehlo.add"(%59, %63) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %65 = "stablehlo.multiply"(%64, %30) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %66 = "func.call"(%19, %65) <{callee = @_where_0}> : (tensor<1x2x4x24x24xi1>, tensor<1x2x4x24x24xf32>) -> tensor<2x4x24x1x24xf32>
    %67 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1x24xf32>
    %69 = "stablehlo.multiply"(%66, %68) : (tensor<2x4x24x1x24xf32>, tensor<2x4x24x1x24xf32>) -> tensor<2x4x24x1x24xf32>
    %70 = "stablehlo.dot_general"(%69, %8) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x1x24xf32>, tensor<2x24x4x1x16xf32>) -> tensor<2x4x24x16xf32>
    %71 = "stablehlo.transpose"(%70) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x24x16xf32>) -> tensor<2x24x4x16xf32>
    %72 = "stablehlo.dot_general"(%69, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x1x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x24x1x16xf32>
    %73 = "stablehlo.transpose"(%72) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x4x24x1x16xf32>) -> tensor<2x24x4x1x16xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<2x24x4x1x16xf32>) -> tensor<2x24x4x16xf32>
    "func.return"(%43, %74, %71, %50) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x2x4x24x24xi1>, tensor<2x4x24x1x24xf32>, tensor<f32>) -> tensor<1x2x4x24x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<1x2x4x24x24xi1>, %arg3: tensor<2x4x24x1x24xf32>, %arg4: tensor<f32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x24xf32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %6 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x4x24x1x24xf32>) -> tensor<1x2x4x24x24xf32>
    %7 = "stablehlo.select"(%arg2, %6, %5) : (tensor<1x2x4x24x24xi1>, tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    "func.return"(%7) : (tensor<1x2x4x24x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x2x4x24x24xi1>, tensor<1x2x4x24x24xf32>) -> tensor<2x4x24x1x24xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x2x4x24x24xi1>, %arg1: tensor<1x2x4x24x24xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x4x24x24xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<1x2x4x24x24xi1>, tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x4x24x24xf32>) -> tensor<2x4x24x1x24xf32>
    "func.return"(%3) : (tensor<2x4x24x1x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
