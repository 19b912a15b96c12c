// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_wider_loss"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>) -> (tensor<f32>, tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x24x4x16xbf16>, %arg1: tensor<2x24x4x16xbf16>, %arg2: tensor<2x24x4x16xbf16>):
    %0 = "stablehlo.reshape"(%arg0) : (tensor<2x24x4x16xbf16>) -> tensor<2x24x4x1x16xbf16>
    %1 = "stablehlo.dot_general"(%0, %arg1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x1x16xbf16>, tensor<2x24x4x16xbf16>) -> tensor<2x4x24x1x24xf32>
    %2 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1x24xf32>
    %4 = "stablehlo.multiply"(%1, %3) : (tensor<2x4x24x1x24xf32>, tensor<2x4x24x1x24xf32>) -> tensor<2x4x24x1x24xf32>
    %5 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %83 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%83) : (tensor<f32>) -> ()
    }) : (tensor<2x4x24x1x24xf32>, tensor<f32>) -> tensor<2x4x24x1xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1xf32>
    %9 = "stablehlo.maximum"(%8, %6) : (tensor<2x4x24x1xf32>, tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 3, 0, 1, 2>}> : (tensor<2x4x24x1xf32>) -> tensor<1x2x4x24xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %12 = "stablehlo.transpose"(%4) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x4x24x1x24xf32>) -> tensor<1x2x4x24x24xf32>
    %13 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %14 = "stablehlo.subtract"(%12, %13) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %15 = "stablehlo.exponential"(%14) : (tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %82 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%82) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %20 = "stablehlo.divide"(%15, %19) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %21 = "stablehlo.multiply"(%18, %18) : (tensor<1x2x4x24x1xf32>, tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x4x24x1xf32>
    %24 = "stablehlo.divide"(%23, %21) : (tensor<1x2x4x24x1xf32>, tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %25 = "stablehlo.convert"(%20) : (tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xbf16>
    %26 = "stablehlo.dot_general"(%arg2, %25) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xbf16>, tensor<1x2x4x24x24xbf16>) -> tensor<2x4x16x1x24xbf16>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x4x16x1x24xbf16>) -> tensor<1x2x24x4x16xbf16>
    %28 = "stablehlo.transpose"(%27) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x24x4x16xbf16>) -> tensor<2x24x4x1x16xbf16>
    %29 = "stablehlo.reshape"(%28) : (tensor<2x24x4x1x16xbf16>) -> tensor<2x24x4x16xbf16>
    %30 = "stablehlo.convert"(%29) : (tensor<2x24x4x16xbf16>) -> tensor<2x24x4x16xf32>
    %31 = "stablehlo.multiply"(%30, %30) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>
    %32 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32>
    %34 = "stablehlo.multiply"(%33, %30) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.reduce"(%31, %35) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %81 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%81) : (tensor<f32>) -> ()
    }) : (tensor<2x24x4x16xf32>, tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.constant"() <{value = dense<3.072000e+03> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.divide"(%36, %37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %39 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.constant"() <{value = dense<3.072000e+03> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.divide"(%39, %40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32>
    %43 = "stablehlo.multiply"(%42, %34) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>
    %44 = "stablehlo.convert"(%43) : (tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xbf16>
    %45 = "stablehlo.reshape"(%44) : (tensor<2x24x4x16xbf16>) -> tensor<2x24x4x1x16xbf16>
    %46 = "stablehlo.transpose"(%45) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x24x4x1x16xbf16>) -> tensor<1x2x24x4x16xbf16>
    %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x24x4x16xbf16>) -> tensor<2x4x16x1x24xbf16>
    %48 = "stablehlo.dot_general"(%47, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x1x24xbf16>, tensor<2x24x4x16xbf16>) -> tensor<2x4x1x24x24xbf16>
    %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x4x1x24x24xbf16>) -> tensor<1x2x4x24x24xbf16>
    %50 = "stablehlo.dot_general"(%47, %25) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x1x24xbf16>, tensor<1x2x4x24x24xbf16>) -> tensor<2x4x16x24xbf16>
    %51 = "stablehlo.transpose"(%50) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xbf16>) -> tensor<2x24x4x16xbf16>
    %52 = "stablehlo.convert"(%49) : (tensor<1x2x4x24x24xbf16>) -> tensor<1x2x4x24x24xf32>
    %53 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %54 = "stablehlo.multiply"(%52, %53) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %55 = "stablehlo.multiply"(%54, %15) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %56 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.reduce"(%55, %56) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %80 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%80) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x24xf32>, tensor<f32>) -> tensor<1x2x4x24xf32>
    %58 = "stablehlo.reshape"(%57) : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x1xf32>
    %59 = "stablehlo.negate"(%58) : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x1xf32>
    %60 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x24x1xf32>) -> tensor<1x2x4x24x24xf32>
    %61 = "stablehlo.divide"(%52, %60) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %62 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.reduce"(%59, %62) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %79 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%79) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x24x1xf32>, tensor<f32>) -> tensor<2x4x24xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x4x24xf32>) -> tensor<1x2x4x24xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x24xf32>) -> tensor<1x2x4x24x24xf32>
    %66 = "stablehlo.add"(%61, %65) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %67 = "stablehlo.multiply"(%66, %15) : (tensor<1x2x4x24x24xf32>, tensor<1x2x4x24x24xf32>) -> tensor<1x2x4x24x24xf32>
    %68 = "stablehlo.transpose"(%67) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x4x24x24xf32>) -> tensor<2x4x24x1x24xf32>
    %69 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x24x1x24xf32>
    %71 = "stablehlo.multiply"(%68, %70) : (tensor<2x4x24x1x24xf32>, tensor<2x4x24x1x24xf32>) -> tensor<2x4x24x1x24xf32>
    %72 = "stablehlo.dot_general"(%71, %0) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x1x24xf32>, tensor<2x24x4x1x16xbf16>) -> tensor<2x4x24x16xf32>
    %73 = "stablehlo.transpose"(%72) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x24x16xf32>) -> tensor<2x24x4x16xf32>
    %74 = "stablehlo.convert"(%73) : (tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xbf16>
    %75 = "stablehlo.dot_general"(%71, %arg1) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x24x1x24xf32>, tensor<2x24x4x16xbf16>) -> tensor<2x4x24x1x16xf32>
    %76 = "stablehlo.transpose"(%75) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x4x24x1x16xf32>) -> tensor<2x24x4x1x16xf32>
    %77 = "stablehlo.convert"(%76) : (tensor<2x24x4x1x16xf32>) -> tensor<2x24x4x1x16xbf16>
    %78 = "stablehlo.reshape"(%77) : (tensor<2x24x4x1x16xbf16>) -> tensor<2x24x4x16xbf16>
    "func.return"(%38, %78, %74, %51) : (tensor<f32>, tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
