// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_lse_dynamic"}> ({
  "func.func"() <{function_type = (tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>) -> (tensor<?x?x4x16xf32>, tensor<?x4x?xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg13: tensor<?x?x4x16xf32>, %arg14: tensor<?x?x4x16xf32>, %arg15: tensor<?x?x4x16xf32>):
    %73 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %74 = "stablehlo.get_dimension_size"(%arg13) <{dimension = 0 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %75 = "stablehlo.get_dimension_size"(%arg13) <{dimension = 1 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %76 = "stablehlo.get_dimension_size"(%arg14) <{dimension = 0 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %77 = "stablehlo.get_dimension_size"(%arg14) <{dimension = 1 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %78 = "stablehlo.get_dimension_size"(%arg15) <{dimension = 0 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %79 = "stablehlo.get_dimension_size"(%arg15) <{dimension = 1 : i64}> : (tensor<?x?x4x16xf32>) -> tensor<i32>
    %80 = "stablehlo.compare"(%74, %73) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%80, %74) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>) -> ()
    %81 = "stablehlo.compare"(%75, %73) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%81, %74, %75) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 's'. Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %82 = "stablehlo.compare"(%76, %74) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%82, %76, %74, %75) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %83 = "stablehlo.compare"(%77, %75) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%83, %77, %75, %74) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[0].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %84 = "stablehlo.compare"(%78, %74) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%84, %78, %74, %75) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[0] (= {0}) and the specification 'b' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {1} from specification 'b' for dimension args[0].shape[0] (= {1}), 's' = {2} from specification 's' for dimension args[0].shape[1] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %85 = "stablehlo.compare"(%79, %75) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.custom_call"(%85, %79, %75, %74) <{api_version = 2 : i32, call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[2].shape[1] (= {0}) and the specification 's' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (b, s, 4, 16),args[1].shape = (b, s, 4, 16),args[2].shape = (b, s, 4, 16). Obtained dimension variables: 'b' = {2} from specification 'b' for dimension args[0].shape[0] (= {2}), 's' = {1} from specification 's' for dimension args[0].shape[1] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details."} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %86:2 = "func.call"(%74, %75, %arg13, %arg14, %arg15) <{callee = @_wrapped_jax_export_main}> : (tensor<i32>, tensor<i32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>) -> (tensor<?x?x4x16xf32>, tensor<?x4x?xf32>)
    "func.return"(%86#0, %86#1) : (tensor<?x?x4x16xf32>, tensor<?x4x?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{jax.global_constant = "b"}, {jax.global_constant = "s"}, {}, {}, {}], function_type = (tensor<i32>, tensor<i32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>) -> (tensor<?x?x4x16xf32>, tensor<?x4x?xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "_wrapped_jax_export_main", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<?x?x4x16xf32>, %arg3: tensor<?x?x4x16xf32>, %arg4: tensor<?x?x4x16xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<?x?x4x16xf32>, tensor<?x?x4x16xf32>) -> tensor<?x4x?x?xf32>
    %6 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %7 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %8 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %9 = "stablehlo.concatenate"(%6, %3, %7, %8) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %10 = "stablehlo.dynamic_broadcast_in_dim"(%4, %9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<4xi32>) -> tensor<?x4x?x?xf32>
    %11 = "stablehlo.multiply"(%5, %10) : (tensor<?x4x?x?xf32>, tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %12 = "stablehlo.reduce"(%11, %2) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %72 = "stablehlo.maximum"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%72) : (tensor<f32>) -> ()
    }) : (tensor<?x4x?x?xf32>, tensor<f32>) -> tensor<?x4x?xf32>
    %13 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %14 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %15 = "stablehlo.concatenate"(%13, %3, %14) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %16 = "stablehlo.dynamic_broadcast_in_dim"(%2, %15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x4x?xf32>
    %17 = "stablehlo.maximum"(%16, %12) : (tensor<?x4x?xf32>, tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
    %18 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %19 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %20 = "stablehlo.concatenate"(%18, %3, %19, %1) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %21 = "stablehlo.dynamic_broadcast_in_dim"(%17, %20) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x4x?xf32>, tensor<4xi32>) -> tensor<?x4x?x1xf32>
    %22 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %23 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %24 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %25 = "stablehlo.concatenate"(%22, %3, %23, %24) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %26 = "stablehlo.dynamic_broadcast_in_dim"(%21, %25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x4x?x1xf32>, tensor<4xi32>) -> tensor<?x4x?x?xf32>
    %27 = "stablehlo.subtract"(%11, %26) : (tensor<?x4x?x?xf32>, tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %28 = "stablehlo.exponential"(%27) : (tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %29 = "stablehlo.reduce"(%28, %0) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %71 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%71) : (tensor<f32>) -> ()
    }) : (tensor<?x4x?x?xf32>, tensor<f32>) -> tensor<?x4x?xf32>
    %30 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %31 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %32 = "stablehlo.concatenate"(%30, %3, %31, %1) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %33 = "stablehlo.dynamic_broadcast_in_dim"(%29, %32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x4x?xf32>, tensor<4xi32>) -> tensor<?x4x?x1xf32>
    %34 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %35 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %36 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %37 = "stablehlo.concatenate"(%34, %3, %35, %36) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %38 = "stablehlo.dynamic_broadcast_in_dim"(%33, %37) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x4x?x1xf32>, tensor<4xi32>) -> tensor<?x4x?x?xf32>
    %39 = "stablehlo.divide"(%28, %38) : (tensor<?x4x?x?xf32>, tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %40 = "stablehlo.dot_general"(%arg4, %39) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>}> : (tensor<?x?x4x16xf32>, tensor<?x4x?x?xf32>) -> tensor<?x4x16x?xf32>
    %41 = "stablehlo.transpose"(%40) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<?x4x16x?xf32>) -> tensor<?x?x4x16xf32>
    %42 = "stablehlo.reduce"(%11, %2) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %70 = "stablehlo.maximum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) : (tensor<?x4x?x?xf32>, tensor<f32>) -> tensor<?x4x?xf32>
    %43 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %44 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %45 = "stablehlo.concatenate"(%43, %3, %44) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %46 = "stablehlo.dynamic_broadcast_in_dim"(%2, %45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x4x?xf32>
    %47 = "stablehlo.maximum"(%46, %42) : (tensor<?x4x?xf32>, tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
    %48 = "stablehlo.is_finite"(%47) : (tensor<?x4x?xf32>) -> tensor<?x4x?xi1>
    %49 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %50 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %51 = "stablehlo.concatenate"(%49, %3, %50) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %52 = "stablehlo.dynamic_broadcast_in_dim"(%0, %51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<3xi32>) -> tensor<?x4x?xf32>
    %53 = "stablehlo.select"(%48, %47, %52) : (tensor<?x4x?xi1>, tensor<?x4x?xf32>, tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
    %54 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %55 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %56 = "stablehlo.concatenate"(%54, %3, %55, %1) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %57 = "stablehlo.dynamic_broadcast_in_dim"(%53, %56) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<?x4x?xf32>, tensor<4xi32>) -> tensor<?x4x?x1xf32>
    %58 = "stablehlo.reshape"(%arg0) : (tensor<i32>) -> tensor<1xi32>
    %59 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %60 = "stablehlo.reshape"(%arg1) : (tensor<i32>) -> tensor<1xi32>
    %61 = "stablehlo.concatenate"(%58, %3, %59, %60) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %62 = "stablehlo.dynamic_broadcast_in_dim"(%57, %61) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<?x4x?x1xf32>, tensor<4xi32>) -> tensor<?x4x?x?xf32>
    %63 = "stablehlo.subtract"(%11, %62) : (tensor<?x4x?x?xf32>, tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %64 = "stablehlo.exponential"(%63) : (tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
    %65 = "stablehlo.reduce"(%64, %0) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %69 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%69) : (tensor<f32>) -> ()
    }) : (tensor<?x4x?x?xf32>, tensor<f32>) -> tensor<?x4x?xf32>
    %66 = "stablehlo.abs"(%65) : (tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
    %67 = "stablehlo.log"(%66) : (tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
    %68 = "stablehlo.add"(%67, %53) : (tensor<?x4x?xf32>, tensor<?x4x?xf32>) -> tensor<?x4x?xf32>
    "func.return"(%41, %68) : (tensor<?x?x4x16xf32>, tensor<?x4x?xf32>) -> ()
  }) : () -> ()
}) {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
