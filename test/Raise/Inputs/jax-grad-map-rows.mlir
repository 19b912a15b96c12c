// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_map_rows"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg53: tensor<2x24x4x16xf32>, %arg54: tensor<2x24x4x16xf32>, %arg55: tensor<2x24x4x16xf32>, %arg56: tensor<2x24x4x16xf32>):
    %119 = "stablehlo.reshape"(%arg53) : (tensor<2x24x4x16xf32>) -> tensor<2x3x8x4x16xf32>
    %120 = "stablehlo.transpose"(%119) <{permutation = array<i64: 1, 0, 2, 3, 4>}> : (tensor<2x3x8x4x16xf32>) -> tensor<3x2x8x4x16xf32>
    %121 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %122 = "stablehlo.reshape"(%121) : (tensor<24xi32>) -> tensor<3x8xi32>
    %123 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<24xi32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xi32>) -> tensor<1x24xi32>
    %125 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %126 = "func.call"(%125) <{callee = @_where}> : (tensor<f32>) -> tensor<2x4x8x24xf32>
    %127 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x8x4x16xf32>
    %129 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<3x2x4x8x24xi1>
    %131 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x8x24xf32>
    %133 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x8x1xf32>
    %135 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x8x1xf32>
    %137 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4x8x24xf32>
    %139 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %140:13 = "stablehlo.while"(%122, %120, %arg55, %124, %arg54, %126, %139, %128, %130, %132, %134, %136, %138) ({
    ^bb0(%arg96: tensor<3x8xi32>, %arg97: tensor<3x2x8x4x16xf32>, %arg98: tensor<2x24x4x16xf32>, %arg99: tensor<1x24xi32>, %arg100: tensor<2x24x4x16xf32>, %arg101: tensor<2x4x8x24xf32>, %arg102: tensor<i32>, %arg103: tensor<3x2x8x4x16xf32>, %arg104: tensor<3x2x4x8x24xi1>, %arg105: tensor<3x2x4x8x24xf32>, %arg106: tensor<3x2x4x8x1xf32>, %arg107: tensor<3x2x4x8x1xf32>, %arg108: tensor<3x2x4x8x24xf32>):
      %183 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %184 = "stablehlo.compare"(%arg102, %183) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%184) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg83: tensor<3x8xi32>, %arg84: tensor<3x2x8x4x16xf32>, %arg85: tensor<2x24x4x16xf32>, %arg86: tensor<1x24xi32>, %arg87: tensor<2x24x4x16xf32>, %arg88: tensor<2x4x8x24xf32>, %arg89: tensor<i32>, %arg90: tensor<3x2x8x4x16xf32>, %arg91: tensor<3x2x4x8x24xi1>, %arg92: tensor<3x2x4x8x24xf32>, %arg93: tensor<3x2x4x8x1xf32>, %arg94: tensor<3x2x4x8x1xf32>, %arg95: tensor<3x2x4x8x24xf32>):
      %172 = "func.call"(%arg83, %arg89) <{callee = @dynamic_index_in_dim}> : (tensor<3x8xi32>, tensor<i32>) -> tensor<8xi32>
      %173 = "func.call"(%arg84, %arg89) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x2x8x4x16xf32>, tensor<i32>) -> tensor<2x8x4x16xf32>
      %174:6 = "func.call"(%arg85, %arg86, %arg87, %arg88, %172, %173) <{callee = @closed_call}> : (tensor<2x24x4x16xf32>, tensor<1x24xi32>, tensor<2x24x4x16xf32>, tensor<2x4x8x24xf32>, tensor<8xi32>, tensor<2x8x4x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x24xf32>)
      %175 = "func.call"(%arg90, %174#0, %arg89) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<i32>) -> tensor<3x2x8x4x16xf32>
      %176 = "func.call"(%arg91, %174#1, %arg89) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<3x2x4x8x24xi1>, tensor<2x4x8x24xi1>, tensor<i32>) -> tensor<3x2x4x8x24xi1>
      %177 = "func.call"(%arg92, %174#2, %arg89) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<3x2x4x8x24xf32>, tensor<2x4x8x24xf32>, tensor<i32>) -> tensor<3x2x4x8x24xf32>
      %178 = "func.call"(%arg93, %174#3, %arg89) <{callee = @dynamic_update_index_in_dim_4}> : (tensor<3x2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<i32>) -> tensor<3x2x4x8x1xf32>
      %179 = "func.call"(%arg94, %174#4, %arg89) <{callee = @dynamic_update_index_in_dim_4}> : (tensor<3x2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<i32>) -> tensor<3x2x4x8x1xf32>
      %180 = "func.call"(%arg95, %174#5, %arg89) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<3x2x4x8x24xf32>, tensor<2x4x8x24xf32>, tensor<i32>) -> tensor<3x2x4x8x24xf32>
      %181 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %182 = "stablehlo.add"(%arg89, %181) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg83, %arg84, %arg85, %arg86, %arg87, %arg88, %182, %175, %176, %177, %178, %179, %180) : (tensor<3x8xi32>, tensor<3x2x8x4x16xf32>, tensor<2x24x4x16xf32>, tensor<1x24xi32>, tensor<2x24x4x16xf32>, tensor<2x4x8x24xf32>, tensor<i32>, tensor<3x2x8x4x16xf32>, tensor<3x2x4x8x24xi1>, tensor<3x2x4x8x24xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x24xf32>) -> ()
    }) : (tensor<3x8xi32>, tensor<3x2x8x4x16xf32>, tensor<2x24x4x16xf32>, tensor<1x24xi32>, tensor<2x24x4x16xf32>, tensor<2x4x8x24xf32>, tensor<i32>, tensor<3x2x8x4x16xf32>, tensor<3x2x4x8x24xi1>, tensor<3x2x4x8x24xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x24xf32>) -> (tensor<3x8xi32>, tensor<3x2x8x4x16xf32>, tensor<2x24x4x16xf32>, tensor<1x24xi32>, tensor<2x24x4x16xf32>, tensor<2x4x8x24xf32>, tensor<i32>, tensor<3x2x8x4x16xf32>, tensor<3x2x4x8x24xi1>, tensor<3x2x4x8x24xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x24xf32>)
    %141 = "stablehlo.transpose"(%140#7) <{permutation = array<i64: 1, 0, 2, 3, 4>}> : (tensor<3x2x8x4x16xf32>) -> tensor<2x3x8x4x16xf32>
    %142 = "stablehlo.reshape"(%141) : (tensor<2x3x8x4x16xf32>) -> tensor<2x24x4x16xf32>
    %143 = "stablehlo.reshape"(%arg56) : (tensor<2x24x4x16xf32>) -> tensor<2x3x8x4x16xf32>
    %144 = "stablehlo.transpose"(%143) <{permutation = array<i64: 1, 0, 2, 3, 4>}> : (tensor<2x3x8x4x16xf32>) -> tensor<3x2x8x4x16xf32>
    %145 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32>
    %147 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %148 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32>
    %149 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x8x4x16xf32>
    %151 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %152:13 = "stablehlo.while"(%144, %120, %140#8, %140#9, %140#10, %140#11, %140#12, %arg54, %arg55, %151, %146, %148, %150) ({
    ^bb0(%arg70: tensor<3x2x8x4x16xf32>, %arg71: tensor<3x2x8x4x16xf32>, %arg72: tensor<3x2x4x8x24xi1>, %arg73: tensor<3x2x4x8x24xf32>, %arg74: tensor<3x2x4x8x1xf32>, %arg75: tensor<3x2x4x8x1xf32>, %arg76: tensor<3x2x4x8x24xf32>, %arg77: tensor<2x24x4x16xf32>, %arg78: tensor<2x24x4x16xf32>, %arg79: tensor<i32>, %arg80: tensor<2x24x4x16xf32>, %arg81: tensor<2x24x4x16xf32>, %arg82: tensor<3x2x8x4x16xf32>):
      %170 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %171 = "stablehlo.compare"(%arg79, %170) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%171) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg57: tensor<3x2x8x4x16xf32>, %arg58: tensor<3x2x8x4x16xf32>, %arg59: tensor<3x2x4x8x24xi1>, %arg60: tensor<3x2x4x8x24xf32>, %arg61: tensor<3x2x4x8x1xf32>, %arg62: tensor<3x2x4x8x1xf32>, %arg63: tensor<3x2x4x8x24xf32>, %arg64: tensor<2x24x4x16xf32>, %arg65: tensor<2x24x4x16xf32>, %arg66: tensor<i32>, %arg67: tensor<2x24x4x16xf32>, %arg68: tensor<2x24x4x16xf32>, %arg69: tensor<3x2x8x4x16xf32>):
      %155 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %156 = "stablehlo.subtract"(%155, %arg66) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %157 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %158 = "stablehlo.subtract"(%156, %157) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %159 = "func.call"(%arg57, %158) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x2x8x4x16xf32>, tensor<i32>) -> tensor<2x8x4x16xf32>
      %160 = "func.call"(%arg58, %158) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x2x8x4x16xf32>, tensor<i32>) -> tensor<2x8x4x16xf32>
      %161 = "func.call"(%arg59, %158) <{callee = @dynamic_index_in_dim_5}> : (tensor<3x2x4x8x24xi1>, tensor<i32>) -> tensor<2x4x8x24xi1>
      %162 = "func.call"(%arg60, %158) <{callee = @dynamic_index_in_dim_6}> : (tensor<3x2x4x8x24xf32>, tensor<i32>) -> tensor<2x4x8x24xf32>
      %163 = "func.call"(%arg61, %158) <{callee = @dynamic_index_in_dim_7}> : (tensor<3x2x4x8x1xf32>, tensor<i32>) -> tensor<2x4x8x1xf32>
      %164 = "func.call"(%arg62, %158) <{callee = @dynamic_index_in_dim_7}> : (tensor<3x2x4x8x1xf32>, tensor<i32>) -> tensor<2x4x8x1xf32>
      %165 = "func.call"(%arg63, %158) <{callee = @dynamic_index_in_dim_6}> : (tensor<3x2x4x8x24xf32>, tensor<i32>) -> tensor<2x4x8x24xf32>
      %166:3 = "func.call"(%arg64, %arg65, %arg67, %arg68, %159, %160, %161, %162, %163, %164, %165) <{callee = @closed_call_8}> : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x24xf32>) -> (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x8x4x16xf32>)
      %167 = "func.call"(%arg69, %166#2, %158) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<i32>) -> tensor<3x2x8x4x16xf32>
      %168 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %169 = "stablehlo.add"(%arg66, %168) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg57, %arg58, %arg59, %arg60, %arg61, %arg62, %arg63, %arg64, %arg65, %169, %166#0, %166#1, %167) : (tensor<3x2x8x4x16xf32>, tensor<3x2x8x4x16xf32>, tensor<3x2x4x8x24xi1>, tensor<3x2x4x8x24xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x24xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<i32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<3x2x8x4x16xf32>) -> ()
    }) : (tensor<3x2x8x4x16xf32>, tensor<3x2x8x4x16xf32>, tensor<3x2x4x8x24xi1>, tensor<3x2x4x8x24xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x24xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<i32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<3x2x8x4x16xf32>) -> (tensor<3x2x8x4x16xf32>, tensor<3x2x8x4x16xf32>, tensor<3x2x4x8x24xi1>, tensor<3x2x4x8x24xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x1xf32>, tensor<3x2x4x8x24xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<i32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<3x2x8x4x16xf32>)
    %153 = "stablehlo.transpose"(%152#12) <{permutation = array<i64: 1, 0, 2, 3, 4>}> : (tensor<3x2x8x4x16xf32>) -> tensor<2x3x8x4x16xf32>
    %154 = "stablehlo.reshape"(%153) : (tensor<2x3x8x4x16xf32>) -> tensor<2x24x4x16xf32>
    "func.return"(%142, %154, %152#10, %152#11) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<f32>) -> tensor<2x4x8x24xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg52: tensor<f32>):
    %117 = "stablehlo.convert"(%arg52) : (tensor<f32>) -> tensor<f32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8x24xf32>
    "func.return"(%118) : (tensor<2x4x8x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x8xi32>, tensor<i32>) -> tensor<8xi32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg50: tensor<3x8xi32>, %arg51: tensor<i32>):
    %114 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %115 = "stablehlo.dynamic_slice"(%arg50, %arg51, %114) <{slice_sizes = array<i64: 1, 8>}> : (tensor<3x8xi32>, tensor<i32>, tensor<i32>) -> tensor<1x8xi32>
    %116 = "stablehlo.reshape"(%115) : (tensor<1x8xi32>) -> tensor<8xi32>
    "func.return"(%116) : (tensor<8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x8x4x16xf32>, tensor<i32>) -> tensor<2x8x4x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg48: tensor<3x2x8x4x16xf32>, %arg49: tensor<i32>):
    %108 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %109 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %110 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %111 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %112 = "stablehlo.dynamic_slice"(%arg48, %arg49, %108, %109, %110, %111) <{slice_sizes = array<i64: 1, 2, 8, 4, 16>}> : (tensor<3x2x8x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8x4x16xf32>
    %113 = "stablehlo.reshape"(%112) : (tensor<1x2x8x4x16xf32>) -> tensor<2x8x4x16xf32>
    "func.return"(%113) : (tensor<2x8x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x24x4x16xf32>, tensor<1x24xi32>, tensor<2x24x4x16xf32>, tensor<2x4x8x24xf32>, tensor<8xi32>, tensor<2x8x4x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x24xf32>), res_attrs = [{}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<2x24x4x16xf32>, %arg39: tensor<1x24xi32>, %arg40: tensor<2x24x4x16xf32>, %arg41: tensor<2x4x8x24xf32>, %arg42: tensor<8xi32>, %arg43: tensor<2x8x4x16xf32>):
    %77 = "stablehlo.dot_general"(%arg43, %arg40) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x8x24xf32>
    %78 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8x24xf32>
    %80 = "stablehlo.multiply"(%77, %79) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %81 = "stablehlo.broadcast_in_dim"(%arg42) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xi32>) -> tensor<8x24xi32>
    %83 = "stablehlo.broadcast_in_dim"(%arg39) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x24xi32>) -> tensor<8x24xi32>
    %84 = "stablehlo.compare"(%82, %83) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x24xi32>, tensor<8x24xi32>) -> tensor<8x24xi1>
    %85:2 = "func.call"(%84, %80, %arg41) <{callee = @_where_1}> : (tensor<8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> (tensor<2x4x8x24xf32>, tensor<2x4x8x24xi1>)
    %86 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.reduce"(%85#0, %86) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %107 = "stablehlo.maximum"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%107) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x24xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %88 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8xf32>
    %90 = "stablehlo.maximum"(%89, %87) : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x24xf32>
    %93 = "stablehlo.subtract"(%85#0, %92) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %94 = "stablehlo.exponential"(%93) : (tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %95 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.reduce"(%94, %95) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %106 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%106) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x24xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x24xf32>
    %99 = "stablehlo.divide"(%94, %98) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %100 = "stablehlo.multiply"(%97, %97) : (tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %101 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8x1xf32>
    %103 = "stablehlo.divide"(%102, %100) : (tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %104 = "stablehlo.dot_general"(%arg38, %99) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x24x4x16xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x16x8xf32>
    %105 = "stablehlo.transpose"(%104) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x8xf32>) -> tensor<2x8x4x16xf32>
    "func.return"(%105, %85#1, %94, %97, %103, %99) : (tensor<2x8x4x16xf32>, tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> (tensor<2x4x8x24xf32>, tensor<2x4x8x24xi1>), res_attrs = [{}, {}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<8x24xi1>, %arg36: tensor<2x4x8x24xf32>, %arg37: tensor<2x4x8x24xf32>):
    %75 = "stablehlo.broadcast_in_dim"(%arg35) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<8x24xi1>) -> tensor<2x4x8x24xi1>
    %76 = "stablehlo.select"(%75, %arg36, %arg37) : (tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    "func.return"(%76, %75) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<i32>) -> tensor<3x2x8x4x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<3x2x8x4x16xf32>, %arg33: tensor<2x8x4x16xf32>, %arg34: tensor<i32>):
    %69 = "stablehlo.broadcast_in_dim"(%arg33) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x8x4x16xf32>) -> tensor<1x2x8x4x16xf32>
    %70 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %71 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %73 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %74 = "stablehlo.dynamic_update_slice"(%arg32, %69, %arg34, %70, %71, %72, %73) : (tensor<3x2x8x4x16xf32>, tensor<1x2x8x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x8x4x16xf32>
    "func.return"(%74) : (tensor<3x2x8x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x4x8x24xi1>, tensor<2x4x8x24xi1>, tensor<i32>) -> tensor<3x2x4x8x24xi1>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg29: tensor<3x2x4x8x24xi1>, %arg30: tensor<2x4x8x24xi1>, %arg31: tensor<i32>):
    %63 = "stablehlo.broadcast_in_dim"(%arg30) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x8x24xi1>) -> tensor<1x2x4x8x24xi1>
    %64 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %67 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %68 = "stablehlo.dynamic_update_slice"(%arg29, %63, %arg31, %64, %65, %66, %67) : (tensor<3x2x4x8x24xi1>, tensor<1x2x4x8x24xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4x8x24xi1>
    "func.return"(%68) : (tensor<3x2x4x8x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x4x8x24xf32>, tensor<2x4x8x24xf32>, tensor<i32>) -> tensor<3x2x4x8x24xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg26: tensor<3x2x4x8x24xf32>, %arg27: tensor<2x4x8x24xf32>, %arg28: tensor<i32>):
    %57 = "stablehlo.broadcast_in_dim"(%arg27) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x8x24xf32>) -> tensor<1x2x4x8x24xf32>
    %58 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %59 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %60 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %62 = "stablehlo.dynamic_update_slice"(%arg26, %57, %arg28, %58, %59, %60, %61) : (tensor<3x2x4x8x24xf32>, tensor<1x2x4x8x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4x8x24xf32>
    "func.return"(%62) : (tensor<3x2x4x8x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<i32>) -> tensor<3x2x4x8x1xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_4", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<3x2x4x8x1xf32>, %arg24: tensor<2x4x8x1xf32>, %arg25: tensor<i32>):
    %51 = "stablehlo.broadcast_in_dim"(%arg24) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x4x8x1xf32>) -> tensor<1x2x4x8x1xf32>
    %52 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.dynamic_update_slice"(%arg23, %51, %arg25, %52, %53, %54, %55) : (tensor<3x2x4x8x1xf32>, tensor<1x2x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4x8x1xf32>
    "func.return"(%56) : (tensor<3x2x4x8x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x4x8x24xi1>, tensor<i32>) -> tensor<2x4x8x24xi1>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_5", sym_visibility = "private"}> ({
  ^bb0(%arg21: tensor<3x2x4x8x24xi1>, %arg22: tensor<i32>):
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.dynamic_slice"(%arg21, %arg22, %45, %46, %47, %48) <{slice_sizes = array<i64: 1, 2, 4, 8, 24>}> : (tensor<3x2x4x8x24xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x8x24xi1>
    %50 = "stablehlo.reshape"(%49) : (tensor<1x2x4x8x24xi1>) -> tensor<2x4x8x24xi1>
    "func.return"(%50) : (tensor<2x4x8x24xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x4x8x24xf32>, tensor<i32>) -> tensor<2x4x8x24xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<3x2x4x8x24xf32>, %arg20: tensor<i32>):
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %42 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %43 = "stablehlo.dynamic_slice"(%arg19, %arg20, %39, %40, %41, %42) <{slice_sizes = array<i64: 1, 2, 4, 8, 24>}> : (tensor<3x2x4x8x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x8x24xf32>
    %44 = "stablehlo.reshape"(%43) : (tensor<1x2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    "func.return"(%44) : (tensor<2x4x8x24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x4x8x1xf32>, tensor<i32>) -> tensor<2x4x8x1xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_7", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<3x2x4x8x1xf32>, %arg18: tensor<i32>):
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.dynamic_slice"(%arg17, %arg18, %33, %34, %35, %36) <{slice_sizes = array<i64: 1, 2, 4, 8, 1>}> : (tensor<3x2x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x8x1xf32>
    %38 = "stablehlo.reshape"(%37) : (tensor<1x2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    "func.return"(%38) : (tensor<2x4x8x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x1xf32>, tensor<2x4x8x24xf32>) -> (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x8x4x16xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call_8", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x24x4x16xf32>, %arg3: tensor<2x24x4x16xf32>, %arg4: tensor<2x24x4x16xf32>, %arg5: tensor<2x24x4x16xf32>, %arg6: tensor<2x8x4x16xf32>, %arg7: tensor<2x8x4x16xf32>, %arg8: tensor<2x4x8x24xi1>, %arg9: tensor<2x4x8x24xf32>, %arg10: tensor<2x4x8x1xf32>, %arg11: tensor<2x4x8x1xf32>, %arg12: tensor<2x4x8x24xf32>):
    %3 = "stablehlo.transpose"(%arg6) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x8x4x16xf32>) -> tensor<2x4x16x8xf32>
    %4 = "stablehlo.dot_general"(%3, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x8xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x8x24xf32>
    %5 = "stablehlo.dot_general"(%3, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x8xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x16x24xf32>
    %6 = "stablehlo.transpose"(%5) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x16x24xf32>) -> tensor<2x24x4x16xf32>
    %7 = "stablehlo.add"(%arg5, %6) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>
    %8 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x24xf32>
    %9 = "stablehlo.multiply"(%4, %8) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %10 = "stablehlo.multiply"(%9, %arg9) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.reduce"(%10, %11) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %32 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%32) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x24xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %13 = "stablehlo.reshape"(%12) : (tensor<2x4x8xf32>) -> tensor<2x4x8x1xf32>
    %14 = "stablehlo.negate"(%13) : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %15 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x8x1xf32>) -> tensor<2x4x8x24xf32>
    %16 = "stablehlo.divide"(%4, %15) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%14, %17) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %31 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%31) : (tensor<f32>) -> ()
    }) : (tensor<2x4x8x1xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x8xf32>) -> tensor<2x4x8x24xf32>
    %20 = "stablehlo.add"(%16, %19) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %21 = "stablehlo.multiply"(%20, %arg9) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %22 = "func.call"(%arg8, %21) <{callee = @_where_9}> : (tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %23 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8x24xf32>
    %25 = "stablehlo.multiply"(%22, %24) : (tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    %26 = "stablehlo.dot_general"(%25, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x24xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x24x16xf32>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x24x16xf32>) -> tensor<2x24x4x16xf32>
    %28 = "stablehlo.add"(%arg4, %27) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x24x4x16xf32>
    %29 = "stablehlo.dot_general"(%25, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x8x16xf32>
    %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x8x16xf32>) -> tensor<2x8x4x16xf32>
    "func.return"(%28, %7, %30) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x8x4x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>, res_attrs = [{}], sym_name = "_where_9", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4x8x24xi1>, %arg1: tensor<2x4x8x24xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x8x24xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x4x8x24xi1>, tensor<2x4x8x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
    "func.return"(%2) : (tensor<2x4x8x24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
