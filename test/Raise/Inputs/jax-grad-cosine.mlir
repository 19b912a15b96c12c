// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_cosine"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<2xf32>, tensor<2x9x9xf32>, tensor<8x2x9x8xf32>) -> (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<2xf32>, tensor<2x9x9xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x2x9x8xf32>, %arg1: tensor<8x2x9x8xf32>, %arg2: tensor<8x2x9x8xf32>, %arg3: tensor<2xf32>, %arg4: tensor<2x9x9xf32>, %arg5: tensor<8x2x9x8xf32>):
    %0 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %175 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%175) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x8xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %4 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9x1xf32>
    %6 = "stablehlo.add"(%3, %5) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %7 = "stablehlo.rsqrt"(%6) : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %8 = "stablehlo.divide"(%7, %6) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %9 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9x1xf32>
    %11 = "stablehlo.multiply"(%10, %8) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %12 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x8xf32>
    %13 = "stablehlo.multiply"(%arg0, %12) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %14 = "stablehlo.multiply"(%arg1, %arg1) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%14, %15) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %174 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%174) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x8xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %18 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9x1xf32>
    %20 = "stablehlo.add"(%17, %19) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %21 = "stablehlo.rsqrt"(%20) : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %22 = "stablehlo.divide"(%21, %20) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %23 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9x1xf32>
    %25 = "stablehlo.multiply"(%24, %22) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %26 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x8xf32>
    %27 = "stablehlo.multiply"(%arg1, %26) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %28 = "stablehlo.transpose"(%27) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<8x2x9x8xf32>) -> tensor<8x2x8x9xf32>
    %29 = "stablehlo.dot_general"(%13, %28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x8xf32>, tensor<8x2x8x9xf32>) -> tensor<8x2x9x9xf32>
    %30 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %32 = "stablehlo.minimum"(%arg3, %31) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %33 = "stablehlo.compare"(%arg3, %32) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %34 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %38 = "stablehlo.select"(%33, %35, %37) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %39 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %41 = "stablehlo.compare"(%40, %32) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %42 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %44 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %46 = "stablehlo.select"(%41, %43, %45) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %47 = "stablehlo.divide"(%38, %46) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %48 = "stablehlo.exponential"(%32) : (tensor<2xf32>) -> tensor<2xf32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1x1xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x1x1xf32>) -> tensor<8x2x9x9xf32>
    %52 = "stablehlo.multiply"(%29, %51) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %53 = "stablehlo.negate"(%arg4) : (tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %54 = "stablehlo.exponential"(%53) : (tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %55 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9xf32>
    %57 = "stablehlo.add"(%56, %54) : (tensor<2x9x9xf32>, tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %58 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9xf32>
    %60 = "stablehlo.divide"(%59, %57) : (tensor<2x9x9xf32>, tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %61 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9xf32>
    %63 = "stablehlo.subtract"(%62, %60) : (tensor<2x9x9xf32>, tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %64 = "stablehlo.multiply"(%60, %63) : (tensor<2x9x9xf32>, tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %65 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9xf32>
    %67 = "stablehlo.multiply"(%66, %60) : (tensor<2x9x9xf32>, tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x9x9xf32>) -> tensor<1x2x9x9xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %70 = "stablehlo.add"(%52, %69) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %71 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.reduce"(%70, %71) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %173 = "stablehlo.maximum"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%173) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %73 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9xf32>
    %75 = "stablehlo.maximum"(%74, %72) : (tensor<8x2x9xf32>, tensor<8x2x9xf32>) -> tensor<8x2x9xf32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x9xf32>
    %78 = "stablehlo.subtract"(%70, %77) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %79 = "stablehlo.exponential"(%78) : (tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %80 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.reduce"(%79, %80) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %172 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%172) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x9xf32>
    %84 = "stablehlo.divide"(%79, %83) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %85 = "stablehlo.multiply"(%82, %82) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %86 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x9x1xf32>
    %88 = "stablehlo.divide"(%87, %85) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %89 = "stablehlo.dot_general"(%84, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x9xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %90 = "stablehlo.dot_general"(%arg5, %84) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x8xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x8x9xf32>
    %91 = "stablehlo.transpose"(%90) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<8x2x8x9xf32>) -> tensor<8x2x9x8xf32>
    %92 = "stablehlo.dot_general"(%arg5, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x9xf32>
    %93 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x9xf32>
    %94 = "stablehlo.multiply"(%92, %93) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %95 = "stablehlo.multiply"(%94, %79) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %96 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.reduce"(%95, %96) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %171 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%171) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %98 = "stablehlo.reshape"(%97) : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %99 = "stablehlo.negate"(%98) : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %100 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x9xf32>
    %101 = "stablehlo.divide"(%92, %100) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %102 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.reduce"(%99, %102) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %170 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%170) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x1xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x9xf32>
    %105 = "stablehlo.add"(%101, %104) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %106 = "stablehlo.multiply"(%105, %79) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %107 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.reduce"(%106, %107) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %169 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%169) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<2x9x9xf32>
    %109 = "stablehlo.reshape"(%108) : (tensor<2x9x9xf32>) -> tensor<1x2x9x9xf32>
    %110 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.reduce"(%109, %110) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %168 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%168) : (tensor<f32>) -> ()
    }) : (tensor<1x2x9x9xf32>, tensor<f32>) -> tensor<2x9x9xf32>
    %112 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9xf32>
    %114 = "stablehlo.multiply"(%113, %111) : (tensor<2x9x9xf32>, tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %115 = "stablehlo.multiply"(%114, %64) : (tensor<2x9x9xf32>, tensor<2x9x9xf32>) -> tensor<2x9x9xf32>
    %116 = "stablehlo.multiply"(%29, %106) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %117 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.reduce"(%116, %117) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %167 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%167) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x9xf32>, tensor<f32>) -> tensor<2xf32>
    %119 = "stablehlo.reshape"(%118) : (tensor<2xf32>) -> tensor<1x2x1x1xf32>
    %120 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x1x1xf32>) -> tensor<8x2x9x9xf32>
    %121 = "stablehlo.multiply"(%106, %120) : (tensor<8x2x9x9xf32>, tensor<8x2x9x9xf32>) -> tensor<8x2x9x9xf32>
    %122 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %123 = "stablehlo.reduce"(%119, %122) <{dimensions = array<i64: 0, 2, 3>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %166 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%166) : (tensor<f32>) -> ()
    }) : (tensor<1x2x1x1xf32>, tensor<f32>) -> tensor<2xf32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> tensor<2x1x1xf32>
    %125 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %126 = "stablehlo.reduce"(%124, %125) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %165 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%165) : (tensor<f32>) -> ()
    }) : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2xf32>
    %127 = "stablehlo.multiply"(%126, %48) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %128 = "stablehlo.multiply"(%127, %47) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %129 = "stablehlo.dot_general"(%121, %13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x9xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %130 = "stablehlo.transpose"(%129) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<8x2x9x8xf32>) -> tensor<8x2x8x9xf32>
    %131 = "stablehlo.dot_general"(%121, %28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x9x9xf32>, tensor<8x2x8x9xf32>) -> tensor<8x2x9x8xf32>
    %132 = "stablehlo.transpose"(%130) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<8x2x8x9xf32>) -> tensor<8x2x9x8xf32>
    %133 = "stablehlo.multiply"(%arg1, %132) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %134 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.reduce"(%133, %134) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %164 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%164) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x8xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %136 = "stablehlo.reshape"(%135) : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %137 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x8xf32>
    %138 = "stablehlo.multiply"(%132, %137) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %139 = "stablehlo.multiply"(%136, %25) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %140 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %141 = "stablehlo.reduce"(%139, %140) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %163 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%163) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x1xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x8xf32>
    %143 = "stablehlo.multiply"(%arg1, %142) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %144 = "stablehlo.add"(%138, %143) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %145 = "stablehlo.multiply"(%142, %arg1) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %146 = "stablehlo.add"(%144, %145) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %147 = "stablehlo.multiply"(%arg0, %131) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %148 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %149 = "stablehlo.reduce"(%147, %148) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %162 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%162) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x8xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %150 = "stablehlo.reshape"(%149) : (tensor<8x2x9xf32>) -> tensor<8x2x9x1xf32>
    %151 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<8x2x9x1xf32>) -> tensor<8x2x9x8xf32>
    %152 = "stablehlo.multiply"(%131, %151) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %153 = "stablehlo.multiply"(%150, %11) : (tensor<8x2x9x1xf32>, tensor<8x2x9x1xf32>) -> tensor<8x2x9x1xf32>
    %154 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %155 = "stablehlo.reduce"(%153, %154) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %161 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%161) : (tensor<f32>) -> ()
    }) : (tensor<8x2x9x1xf32>, tensor<f32>) -> tensor<8x2x9xf32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x2x9xf32>) -> tensor<8x2x9x8xf32>
    %157 = "stablehlo.multiply"(%arg0, %156) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %158 = "stablehlo.add"(%152, %157) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %159 = "stablehlo.multiply"(%156, %arg0) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    %160 = "stablehlo.add"(%158, %159) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>) -> tensor<8x2x9x8xf32>
    "func.return"(%89, %160, %146, %91, %128, %115) : (tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<8x2x9x8xf32>, tensor<2xf32>, tensor<2x9x9xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
