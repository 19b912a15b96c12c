// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_map_heads"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>) -> (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg45: tensor<4x2x24x16xf32>, %arg46: tensor<4x2x24x16xf32>, %arg47: tensor<4x2x24x16xf32>, %arg48: tensor<4x2x24x16xf32>):
    %97 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %99 = "func.call"(%98) <{callee = @tril}> : (tensor<24x24xi1>) -> tensor<24x24xi1>
    %100 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %101:2 = "func.call"(%99, %100) <{callee = @_where}> : (tensor<24x24xi1>, tensor<f32>) -> (tensor<2x24x24xi1>, tensor<2x24x24xf32>)
    %102 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x24x16xf32>
    %104 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x24x24xf32>
    %106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x24x1xf32>
    %108 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x24x1xf32>
    %110 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x24x24xf32>
    %112 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %113:11 = "stablehlo.while"(%arg45, %arg46, %arg47, %101#0, %101#1, %112, %103, %105, %107, %109, %111) ({
    ^bb0(%arg86: tensor<4x2x24x16xf32>, %arg87: tensor<4x2x24x16xf32>, %arg88: tensor<4x2x24x16xf32>, %arg89: tensor<2x24x24xi1>, %arg90: tensor<2x24x24xf32>, %arg91: tensor<i32>, %arg92: tensor<4x2x24x16xf32>, %arg93: tensor<4x2x24x24xf32>, %arg94: tensor<4x2x24x1xf32>, %arg95: tensor<4x2x24x1xf32>, %arg96: tensor<4x2x24x24xf32>):
      %153 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %154 = "stablehlo.compare"(%arg91, %153) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%154) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg75: tensor<4x2x24x16xf32>, %arg76: tensor<4x2x24x16xf32>, %arg77: tensor<4x2x24x16xf32>, %arg78: tensor<2x24x24xi1>, %arg79: tensor<2x24x24xf32>, %arg80: tensor<i32>, %arg81: tensor<4x2x24x16xf32>, %arg82: tensor<4x2x24x24xf32>, %arg83: tensor<4x2x24x1xf32>, %arg84: tensor<4x2x24x1xf32>, %arg85: tensor<4x2x24x24xf32>):
      %142 = "func.call"(%arg75, %arg80) <{callee = @dynamic_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<i32>) -> tensor<2x24x16xf32>
      %143 = "func.call"(%arg76, %arg80) <{callee = @dynamic_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<i32>) -> tensor<2x24x16xf32>
      %144 = "func.call"(%arg77, %arg80) <{callee = @dynamic_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<i32>) -> tensor<2x24x16xf32>
      %145:5 = "func.call"(%arg78, %arg79, %142, %143, %144) <{callee = @closed_call}> : (tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>) -> (tensor<2x24x16xf32>, tensor<2x24x24xf32>, tensor<2x24x1xf32>, tensor<2x24x1xf32>, tensor<2x24x24xf32>)
      %146 = "func.call"(%arg81, %145#0, %arg80) <{callee = @dynamic_update_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<2x24x16xf32>, tensor<i32>) -> tensor<4x2x24x16xf32>
      %147 = "func.call"(%arg82, %145#1, %arg80) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<4x2x24x24xf32>, tensor<2x24x24xf32>, tensor<i32>) -> tensor<4x2x24x24xf32>
      %148 = "func.call"(%arg83, %145#2, %arg80) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<4x2x24x1xf32>, tensor<2x24x1xf32>, tensor<i32>) -> tensor<4x2x24x1xf32>
      %149 = "func.call"(%arg84, %145#3, %arg80) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<4x2x24x1xf32>, tensor<2x24x1xf32>, tensor<i32>) -> tensor<4x2x24x1xf32>
      %150 = "func.call"(%arg85, %145#4, %arg80) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<4x2x24x24xf32>, tensor<2x24x24xf32>, tensor<i32>) -> tensor<4x2x24x24xf32>
      %151 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %152 = "stablehlo.add"(%arg80, %151) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg75, %arg76, %arg77, %arg78, %arg79, %152, %146, %147, %148, %149, %150) : (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<i32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x24xf32>) -> ()
    }) : (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<i32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x24xf32>) -> (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<i32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x24xf32>)
    %114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x24x16xf32>
    %116 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x24x16xf32>
    %118 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x24x16xf32>
    %120 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %121:13 = "stablehlo.while"(%arg48, %arg46, %arg45, %113#7, %113#8, %113#9, %arg47, %113#10, %101#0, %120, %115, %117, %119) ({
    ^bb0(%arg62: tensor<4x2x24x16xf32>, %arg63: tensor<4x2x24x16xf32>, %arg64: tensor<4x2x24x16xf32>, %arg65: tensor<4x2x24x24xf32>, %arg66: tensor<4x2x24x1xf32>, %arg67: tensor<4x2x24x1xf32>, %arg68: tensor<4x2x24x16xf32>, %arg69: tensor<4x2x24x24xf32>, %arg70: tensor<2x24x24xi1>, %arg71: tensor<i32>, %arg72: tensor<4x2x24x16xf32>, %arg73: tensor<4x2x24x16xf32>, %arg74: tensor<4x2x24x16xf32>):
      %140 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %141 = "stablehlo.compare"(%arg71, %140) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%141) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg49: tensor<4x2x24x16xf32>, %arg50: tensor<4x2x24x16xf32>, %arg51: tensor<4x2x24x16xf32>, %arg52: tensor<4x2x24x24xf32>, %arg53: tensor<4x2x24x1xf32>, %arg54: tensor<4x2x24x1xf32>, %arg55: tensor<4x2x24x16xf32>, %arg56: tensor<4x2x24x24xf32>, %arg57: tensor<2x24x24xi1>, %arg58: tensor<i32>, %arg59: tensor<4x2x24x16xf32>, %arg60: tensor<4x2x24x16xf32>, %arg61: tensor<4x2x24x16xf32>):
      %122 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %123 = "stablehlo.subtract"(%122, %arg58) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %124 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %125 = "stablehlo.subtract"(%123, %124) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %126 = "func.call"(%arg49, %125) <{callee = @dynamic_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<i32>) -> tensor<2x24x16xf32>
      %127 = "func.call"(%arg50, %125) <{callee = @dynamic_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<i32>) -> tensor<2x24x16xf32>
      %128 = "func.call"(%arg51, %125) <{callee = @dynamic_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<i32>) -> tensor<2x24x16xf32>
      %129 = "func.call"(%arg52, %125) <{callee = @dynamic_index_in_dim_3}> : (tensor<4x2x24x24xf32>, tensor<i32>) -> tensor<2x24x24xf32>
      %130 = "func.call"(%arg53, %125) <{callee = @dynamic_index_in_dim_4}> : (tensor<4x2x24x1xf32>, tensor<i32>) -> tensor<2x24x1xf32>
      %131 = "func.call"(%arg54, %125) <{callee = @dynamic_index_in_dim_4}> : (tensor<4x2x24x1xf32>, tensor<i32>) -> tensor<2x24x1xf32>
      %132 = "func.call"(%arg55, %125) <{callee = @dynamic_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<i32>) -> tensor<2x24x16xf32>
      %133 = "func.call"(%arg56, %125) <{callee = @dynamic_index_in_dim_3}> : (tensor<4x2x24x24xf32>, tensor<i32>) -> tensor<2x24x24xf32>
      %134:3 = "func.call"(%arg57, %126, %127, %128, %129, %130, %131, %132, %133) <{callee = @closed_call_5}> : (tensor<2x24x24xi1>, tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x24xf32>, tensor<2x24x1xf32>, tensor<2x24x1xf32>, tensor<2x24x16xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>)
      %135 = "func.call"(%arg59, %134#0, %125) <{callee = @dynamic_update_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<2x24x16xf32>, tensor<i32>) -> tensor<4x2x24x16xf32>
      %136 = "func.call"(%arg60, %134#1, %125) <{callee = @dynamic_update_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<2x24x16xf32>, tensor<i32>) -> tensor<4x2x24x16xf32>
      %137 = "func.call"(%arg61, %134#2, %125) <{callee = @dynamic_update_index_in_dim}> : (tensor<4x2x24x16xf32>, tensor<2x24x16xf32>, tensor<i32>) -> tensor<4x2x24x16xf32>
      %138 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %139 = "stablehlo.add"(%arg58, %138) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg49, %arg50, %arg51, %arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %139, %135, %136, %137) : (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<2x24x24xi1>, tensor<i32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>) -> ()
    }) : (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<2x24x24xi1>, tensor<i32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>) -> (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x1xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x24xf32>, tensor<2x24x24xi1>, tensor<i32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>)
    "func.return"(%113#6, %121#10, %121#11, %121#12) : (tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>, tensor<4x2x24x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<24x24xi1>) -> tensor<24x24xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg44: tensor<24x24xi1>):
    %88 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24x24xi32>
    %89 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<24x24xi32>
    %91 = "stablehlo.add"(%88, %90) : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi32>
    %92 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<24x24xi32>
    %93 = "stablehlo.compare"(%91, %92) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<24x24xi32>, tensor<24x24xi32>) -> tensor<24x24xi1>
    %94 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<24x24xi1>
    %96 = "stablehlo.select"(%93, %arg44, %95) : (tensor<24x24xi1>, tensor<24x24xi1>, tensor<24x24xi1>) -> tensor<24x24xi1>
    "func.return"(%96) : (tensor<24x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<24x24xi1>, tensor<f32>) -> (tensor<2x24x24xi1>, tensor<2x24x24xf32>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg42: tensor<24x24xi1>, %arg43: tensor<f32>):
    %85 = "stablehlo.convert"(%arg43) : (tensor<f32>) -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%arg42) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<24x24xi1>) -> tensor<2x24x24xi1>
    %87 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x24xf32>
    "func.return"(%86, %87) : (tensor<2x24x24xi1>, tensor<2x24x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x2x24x16xf32>, tensor<i32>) -> tensor<2x24x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<4x2x24x16xf32>, %arg41: tensor<i32>):
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %82 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %83 = "stablehlo.dynamic_slice"(%arg40, %arg41, %80, %81, %82) <{slice_sizes = array<i64: 1, 2, 24, 16>}> : (tensor<4x2x24x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x24x16xf32>
    %84 = "stablehlo.reshape"(%83) : (tensor<1x2x24x16xf32>) -> tensor<2x24x16xf32>
    "func.return"(%84) : (tensor<2x24x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>) -> (tensor<2x24x16xf32>, tensor<2x24x24xf32>, tensor<2x24x1xf32>, tensor<2x24x1xf32>, tensor<2x24x24xf32>), res_attrs = [{}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<2x24x24xi1>, %arg32: tensor<2x24x24xf32>, %arg33: tensor<2x24x16xf32>, %arg34: tensor<2x24x16xf32>, %arg35: tensor<2x24x16xf32>):
    %54 = "stablehlo.dot_general"(%arg33, %arg34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x16xf32>, tensor<2x24x16xf32>) -> tensor<2x24x24xf32>
    %55 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x24xf32>
    %57 = "stablehlo.multiply"(%54, %56) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %58 = "func.call"(%57, %arg31, %arg32) <{callee = @_where_0}> : (tensor<2x24x24xf32>, tensor<2x24x24xi1>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %59 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.reduce"(%58, %59) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %79 = "stablehlo.maximum"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%79) : (tensor<f32>) -> ()
    }) : (tensor<2x24x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %61 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24xf32>
    %63 = "stablehlo.maximum"(%62, %60) : (tensor<2x24xf32>, tensor<2x24xf32>) -> tensor<2x24xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x24xf32>) -> tensor<2x24x1xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xf32>) -> tensor<2x24x24xf32>
    %66 = "stablehlo.subtract"(%58, %65) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %67 = "stablehlo.exponential"(%66) : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %68 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.reduce"(%67, %68) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %78 = "stablehlo.add"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) : (tensor<2x24x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x24xf32>) -> tensor<2x24x1xf32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xf32>) -> tensor<2x24x24xf32>
    %72 = "stablehlo.divide"(%67, %71) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %73 = "stablehlo.multiply"(%70, %70) : (tensor<2x24x1xf32>, tensor<2x24x1xf32>) -> tensor<2x24x1xf32>
    %74 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x1xf32>
    %76 = "stablehlo.divide"(%75, %73) : (tensor<2x24x1xf32>, tensor<2x24x1xf32>) -> tensor<2x24x1xf32>
    %77 = "stablehlo.dot_general"(%72, %arg35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x24xf32>, tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
    "func.return"(%77, %67, %70, %76, %72) : (tensor<2x24x16xf32>, tensor<2x24x24xf32>, tensor<2x24x1xf32>, tensor<2x24x1xf32>, tensor<2x24x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x24x24xf32>, tensor<2x24x24xi1>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<2x24x24xf32>, %arg29: tensor<2x24x24xi1>, %arg30: tensor<2x24x24xf32>):
    %53 = "stablehlo.select"(%arg29, %arg28, %arg30) : (tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    "func.return"(%53) : (tensor<2x24x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x2x24x16xf32>, tensor<2x24x16xf32>, tensor<i32>) -> tensor<4x2x24x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg25: tensor<4x2x24x16xf32>, %arg26: tensor<2x24x16xf32>, %arg27: tensor<i32>):
    %48 = "stablehlo.broadcast_in_dim"(%arg26) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x24x16xf32>) -> tensor<1x2x24x16xf32>
    %49 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.dynamic_update_slice"(%arg25, %48, %arg27, %49, %50, %51) : (tensor<4x2x24x16xf32>, tensor<1x2x24x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x24x16xf32>
    "func.return"(%52) : (tensor<4x2x24x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x2x24x24xf32>, tensor<2x24x24xf32>, tensor<i32>) -> tensor<4x2x24x24xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg22: tensor<4x2x24x24xf32>, %arg23: tensor<2x24x24xf32>, %arg24: tensor<i32>):
    %43 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x24x24xf32>) -> tensor<1x2x24x24xf32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.dynamic_update_slice"(%arg22, %43, %arg24, %44, %45, %46) : (tensor<4x2x24x24xf32>, tensor<1x2x24x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x24x24xf32>
    "func.return"(%47) : (tensor<4x2x24x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x2x24x1xf32>, tensor<2x24x1xf32>, tensor<i32>) -> tensor<4x2x24x1xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<4x2x24x1xf32>, %arg20: tensor<2x24x1xf32>, %arg21: tensor<i32>):
    %38 = "stablehlo.broadcast_in_dim"(%arg20) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x24x1xf32>) -> tensor<1x2x24x1xf32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %42 = "stablehlo.dynamic_update_slice"(%arg19, %38, %arg21, %39, %40, %41) : (tensor<4x2x24x1xf32>, tensor<1x2x24x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x24x1xf32>
    "func.return"(%42) : (tensor<4x2x24x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x2x24x24xf32>, tensor<i32>) -> tensor<2x24x24xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<4x2x24x24xf32>, %arg18: tensor<i32>):
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.dynamic_slice"(%arg17, %arg18, %33, %34, %35) <{slice_sizes = array<i64: 1, 2, 24, 24>}> : (tensor<4x2x24x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x24x24xf32>
    %37 = "stablehlo.reshape"(%36) : (tensor<1x2x24x24xf32>) -> tensor<2x24x24xf32>
    "func.return"(%37) : (tensor<2x24x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x2x24x1xf32>, tensor<i32>) -> tensor<2x24x1xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_4", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<4x2x24x1xf32>, %arg16: tensor<i32>):
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %31 = "stablehlo.dynamic_slice"(%arg15, %arg16, %28, %29, %30) <{slice_sizes = array<i64: 1, 2, 24, 1>}> : (tensor<4x2x24x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x24x1xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<1x2x24x1xf32>) -> tensor<2x24x1xf32>
    "func.return"(%32) : (tensor<2x24x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x24x24xi1>, tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x24xf32>, tensor<2x24x1xf32>, tensor<2x24x1xf32>, tensor<2x24x16xf32>, tensor<2x24x24xf32>) -> (tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call_5", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x24x24xi1>, %arg3: tensor<2x24x16xf32>, %arg4: tensor<2x24x16xf32>, %arg5: tensor<2x24x16xf32>, %arg6: tensor<2x24x24xf32>, %arg7: tensor<2x24x1xf32>, %arg8: tensor<2x24x1xf32>, %arg9: tensor<2x24x16xf32>, %arg10: tensor<2x24x24xf32>):
    %3 = "stablehlo.dot_general"(%arg3, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x16xf32>, tensor<2x24x24xf32>) -> tensor<2x16x24xf32>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x16x24xf32>) -> tensor<2x24x16xf32>
    %5 = "stablehlo.dot_general"(%arg3, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x16xf32>, tensor<2x24x16xf32>) -> tensor<2x24x24xf32>
    %6 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xf32>) -> tensor<2x24x24xf32>
    %7 = "stablehlo.multiply"(%5, %6) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %8 = "stablehlo.multiply"(%7, %arg6) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reduce"(%8, %9) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %27 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%27) : (tensor<f32>) -> ()
    }) : (tensor<2x24x24xf32>, tensor<f32>) -> tensor<2x24xf32>
    %11 = "stablehlo.reshape"(%10) : (tensor<2x24xf32>) -> tensor<2x24x1xf32>
    %12 = "stablehlo.negate"(%11) : (tensor<2x24x1xf32>) -> tensor<2x24x1xf32>
    %13 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x24x1xf32>) -> tensor<2x24x24xf32>
    %14 = "stablehlo.divide"(%5, %13) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%12, %15) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %26 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%26) : (tensor<f32>) -> ()
    }) : (tensor<2x24x1xf32>, tensor<f32>) -> tensor<2x24xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x24xf32>) -> tensor<2x24x24xf32>
    %18 = "stablehlo.add"(%14, %17) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %19 = "stablehlo.multiply"(%18, %arg6) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %20 = "func.call"(%arg2, %19) <{callee = @_where_6}> : (tensor<2x24x24xi1>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %21 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x24xf32>
    %23 = "stablehlo.multiply"(%20, %22) : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    %24 = "stablehlo.dot_general"(%23, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x24xf32>, tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
    %25 = "stablehlo.dot_general"(%23, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x24xf32>, tensor<2x24x16xf32>) -> tensor<2x24x16xf32>
    "func.return"(%25, %24, %4) : (tensor<2x24x16xf32>, tensor<2x24x16xf32>, tensor<2x24x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x24x24xi1>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>, res_attrs = [{}], sym_name = "_where_6", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x24x24xi1>, %arg1: tensor<2x24x24xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x24xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x24x24xi1>, tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
    "func.return"(%2) : (tensor<2x24x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
