// Written by `make-jax.py` with jax 0.10.2.
"builtin.module"() <{sym_name = "jit_grad_scan"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> (tensor<f32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}, {jax.result_info = "result[1][2]"}, {jax.result_info = "result[1][3]"}, {jax.result_info = "result[1][4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg63: tensor<2x12x32xf32>, %arg64: tensor<3x32x32xf32>, %arg65: tensor<3x32x32xf32>, %arg66: tensor<3x32x32xf32>, %arg67: tensor<3x32x32xf32>):
    %153 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %154 = "stablehlo.broadcast_in_dim"(%153) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<12x12xi1>
    %155 = "func.call"(%154) <{callee = @tril}> : (tensor<12x12xi1>) -> tensor<12x12xi1>
    %156 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %157:2 = "func.call"(%155, %156) <{callee = @_where}> : (tensor<12x12xi1>, tensor<f32>) -> (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>)
    %158 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x32xf32>
    %160 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x2x16xf32>
    %162 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x2x16xf32>
    %164 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %165 = "stablehlo.broadcast_in_dim"(%164) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x2x12x12xf32>
    %166 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x2x12x1xf32>
    %168 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %169 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x2x12x1xf32>
    %170 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %171 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x2x12x12xf32>
    %172 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x2x16xf32>
    %174 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %175 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x12x32xf32>
    %176 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %177:17 = "stablehlo.while"(%arg64, %arg65, %arg66, %arg67, %157#0, %157#1, %176, %arg63, %159, %161, %163, %165, %167, %169, %171, %173, %175) ({
    ^bb0(%arg127: tensor<3x32x32xf32>, %arg128: tensor<3x32x32xf32>, %arg129: tensor<3x32x32xf32>, %arg130: tensor<3x32x32xf32>, %arg131: tensor<2x2x12x12xi1>, %arg132: tensor<2x2x12x12xf32>, %arg133: tensor<i32>, %arg134: tensor<2x12x32xf32>, %arg135: tensor<3x2x12x32xf32>, %arg136: tensor<3x2x12x2x16xf32>, %arg137: tensor<3x2x12x2x16xf32>, %arg138: tensor<3x2x2x12x12xf32>, %arg139: tensor<3x2x2x12x1xf32>, %arg140: tensor<3x2x2x12x1xf32>, %arg141: tensor<3x2x2x12x12xf32>, %arg142: tensor<3x2x12x2x16xf32>, %arg143: tensor<3x2x12x32xf32>):
      %244 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %245 = "stablehlo.compare"(%arg133, %244) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%245) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg110: tensor<3x32x32xf32>, %arg111: tensor<3x32x32xf32>, %arg112: tensor<3x32x32xf32>, %arg113: tensor<3x32x32xf32>, %arg114: tensor<2x2x12x12xi1>, %arg115: tensor<2x2x12x12xf32>, %arg116: tensor<i32>, %arg117: tensor<2x12x32xf32>, %arg118: tensor<3x2x12x32xf32>, %arg119: tensor<3x2x12x2x16xf32>, %arg120: tensor<3x2x12x2x16xf32>, %arg121: tensor<3x2x2x12x12xf32>, %arg122: tensor<3x2x2x12x1xf32>, %arg123: tensor<3x2x2x12x1xf32>, %arg124: tensor<3x2x2x12x12xf32>, %arg125: tensor<3x2x12x2x16xf32>, %arg126: tensor<3x2x12x32xf32>):
      %228 = "func.call"(%arg110, %arg116) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %229 = "func.call"(%arg111, %arg116) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %230 = "func.call"(%arg112, %arg116) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %231 = "func.call"(%arg113, %arg116) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %232:10 = "func.call"(%arg114, %arg115, %arg117, %228, %229, %230, %231) <{callee = @closed_call}> : (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x12xf32>, tensor<2x12x2x16xf32>, tensor<2x12x32xf32>)
      %233 = "func.call"(%arg118, %232#1, %arg116) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>
      %234 = "func.call"(%arg119, %232#2, %arg116) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<3x2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<i32>) -> tensor<3x2x12x2x16xf32>
      %235 = "func.call"(%arg120, %232#3, %arg116) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<3x2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<i32>) -> tensor<3x2x12x2x16xf32>
      %236 = "func.call"(%arg121, %232#4, %arg116) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<3x2x2x12x12xf32>, tensor<2x2x12x12xf32>, tensor<i32>) -> tensor<3x2x2x12x12xf32>
      %237 = "func.call"(%arg122, %232#5, %arg116) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<3x2x2x12x1xf32>, tensor<2x2x12x1xf32>, tensor<i32>) -> tensor<3x2x2x12x1xf32>
      %238 = "func.call"(%arg123, %232#6, %arg116) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<3x2x2x12x1xf32>, tensor<2x2x12x1xf32>, tensor<i32>) -> tensor<3x2x2x12x1xf32>
      %239 = "func.call"(%arg124, %232#7, %arg116) <{callee = @dynamic_update_index_in_dim_2}> : (tensor<3x2x2x12x12xf32>, tensor<2x2x12x12xf32>, tensor<i32>) -> tensor<3x2x2x12x12xf32>
      %240 = "func.call"(%arg125, %232#8, %arg116) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<3x2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<i32>) -> tensor<3x2x12x2x16xf32>
      %241 = "func.call"(%arg126, %232#9, %arg116) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>
      %242 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %243 = "stablehlo.add"(%arg116, %242) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg110, %arg111, %arg112, %arg113, %arg114, %arg115, %243, %232#0, %233, %234, %235, %236, %237, %238, %239, %240, %241) : (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x32xf32>) -> ()
    }) : (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x32xf32>) -> (tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x2x12x32xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x32xf32>)
    %178 = "stablehlo.multiply"(%177#7, %177#7) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %179 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x12x32xf32>
    %181 = "stablehlo.multiply"(%180, %177#7) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %182 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %183 = "stablehlo.reduce"(%178, %182) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg108: tensor<f32>, %arg109: tensor<f32>):
      %227 = "stablehlo.add"(%arg108, %arg109) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%227) : (tensor<f32>) -> ()
    }) : (tensor<2x12x32xf32>, tensor<f32>) -> tensor<f32>
    %184 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %185 = "stablehlo.divide"(%183, %184) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %186 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %187 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %188 = "stablehlo.divide"(%186, %187) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %189 = "stablehlo.broadcast_in_dim"(%188) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x12x32xf32>
    %190 = "stablehlo.multiply"(%189, %181) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %191 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %192 = "stablehlo.broadcast_in_dim"(%191) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %193 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %195 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %196 = "stablehlo.broadcast_in_dim"(%195) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %197 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x32x32xf32>
    %199 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %200:20 = "stablehlo.while"(%arg64, %177#8, %arg65, %arg66, %177#9, %177#10, %177#11, %177#12, %177#13, %177#14, %177#15, %arg67, %177#16, %157#0, %199, %190, %192, %194, %196, %198) ({
    ^bb0(%arg88: tensor<3x32x32xf32>, %arg89: tensor<3x2x12x32xf32>, %arg90: tensor<3x32x32xf32>, %arg91: tensor<3x32x32xf32>, %arg92: tensor<3x2x12x2x16xf32>, %arg93: tensor<3x2x12x2x16xf32>, %arg94: tensor<3x2x2x12x12xf32>, %arg95: tensor<3x2x2x12x1xf32>, %arg96: tensor<3x2x2x12x1xf32>, %arg97: tensor<3x2x2x12x12xf32>, %arg98: tensor<3x2x12x2x16xf32>, %arg99: tensor<3x32x32xf32>, %arg100: tensor<3x2x12x32xf32>, %arg101: tensor<2x2x12x12xi1>, %arg102: tensor<i32>, %arg103: tensor<2x12x32xf32>, %arg104: tensor<3x32x32xf32>, %arg105: tensor<3x32x32xf32>, %arg106: tensor<3x32x32xf32>, %arg107: tensor<3x32x32xf32>):
      %225 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %226 = "stablehlo.compare"(%arg102, %225) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%226) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg68: tensor<3x32x32xf32>, %arg69: tensor<3x2x12x32xf32>, %arg70: tensor<3x32x32xf32>, %arg71: tensor<3x32x32xf32>, %arg72: tensor<3x2x12x2x16xf32>, %arg73: tensor<3x2x12x2x16xf32>, %arg74: tensor<3x2x2x12x12xf32>, %arg75: tensor<3x2x2x12x1xf32>, %arg76: tensor<3x2x2x12x1xf32>, %arg77: tensor<3x2x2x12x12xf32>, %arg78: tensor<3x2x12x2x16xf32>, %arg79: tensor<3x32x32xf32>, %arg80: tensor<3x2x12x32xf32>, %arg81: tensor<2x2x12x12xi1>, %arg82: tensor<i32>, %arg83: tensor<2x12x32xf32>, %arg84: tensor<3x32x32xf32>, %arg85: tensor<3x32x32xf32>, %arg86: tensor<3x32x32xf32>, %arg87: tensor<3x32x32xf32>):
      %201 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %202 = "stablehlo.subtract"(%201, %arg82) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %203 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %204 = "stablehlo.subtract"(%202, %203) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %205 = "func.call"(%arg68, %204) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %206 = "func.call"(%arg69, %204) <{callee = @dynamic_index_in_dim_4}> : (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>
      %207 = "func.call"(%arg70, %204) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %208 = "func.call"(%arg71, %204) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %209 = "func.call"(%arg72, %204) <{callee = @dynamic_index_in_dim_5}> : (tensor<3x2x12x2x16xf32>, tensor<i32>) -> tensor<2x12x2x16xf32>
      %210 = "func.call"(%arg73, %204) <{callee = @dynamic_index_in_dim_5}> : (tensor<3x2x12x2x16xf32>, tensor<i32>) -> tensor<2x12x2x16xf32>
      %211 = "func.call"(%arg74, %204) <{callee = @dynamic_index_in_dim_6}> : (tensor<3x2x2x12x12xf32>, tensor<i32>) -> tensor<2x2x12x12xf32>
      %212 = "func.call"(%arg75, %204) <{callee = @dynamic_index_in_dim_7}> : (tensor<3x2x2x12x1xf32>, tensor<i32>) -> tensor<2x2x12x1xf32>
      %213 = "func.call"(%arg76, %204) <{callee = @dynamic_index_in_dim_7}> : (tensor<3x2x2x12x1xf32>, tensor<i32>) -> tensor<2x2x12x1xf32>
      %214 = "func.call"(%arg77, %204) <{callee = @dynamic_index_in_dim_6}> : (tensor<3x2x2x12x12xf32>, tensor<i32>) -> tensor<2x2x12x12xf32>
      %215 = "func.call"(%arg78, %204) <{callee = @dynamic_index_in_dim_5}> : (tensor<3x2x12x2x16xf32>, tensor<i32>) -> tensor<2x12x2x16xf32>
      %216 = "func.call"(%arg79, %204) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %217 = "func.call"(%arg80, %204) <{callee = @dynamic_index_in_dim_4}> : (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>
      %218:5 = "func.call"(%arg81, %arg83, %205, %206, %207, %208, %209, %210, %211, %212, %213, %214, %215, %216, %217) <{callee = @closed_call_8}> : (tensor<2x2x12x12xi1>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x12xf32>, tensor<2x12x2x16xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>) -> (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
      %219 = "func.call"(%arg84, %218#1, %204) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %220 = "func.call"(%arg85, %218#2, %204) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %221 = "func.call"(%arg86, %218#3, %204) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %222 = "func.call"(%arg87, %218#4, %204) <{callee = @dynamic_update_index_in_dim_10}> : (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>
      %223 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %224 = "stablehlo.add"(%arg82, %223) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg68, %arg69, %arg70, %arg71, %arg72, %arg73, %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %224, %218#0, %219, %220, %221, %222) : (tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x12x2x16xf32>, tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<2x2x12x12xi1>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> ()
    }) : (tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x12x2x16xf32>, tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<2x2x12x12xi1>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> (tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x12x2x16xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x1xf32>, tensor<3x2x2x12x12xf32>, tensor<3x2x12x2x16xf32>, tensor<3x32x32xf32>, tensor<3x2x12x32xf32>, tensor<2x2x12x12xi1>, tensor<i32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>)
    "func.return"(%185, %200#15, %200#16, %200#17, %200#18, %200#19) : (tensor<f32>, tensor<2x12x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>, tensor<3x32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<12x12xi1>) -> tensor<12x12xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg62: tensor<12x12xi1>):
    %144 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<12x12xi32>
    %145 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<12x12xi32>
    %147 = "stablehlo.add"(%144, %146) : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi32>
    %148 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<12x12xi32>
    %149 = "stablehlo.compare"(%147, %148) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %150 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %151 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<12x12xi1>
    %152 = "stablehlo.select"(%149, %arg62, %151) : (tensor<12x12xi1>, tensor<12x12xi1>, tensor<12x12xi1>) -> tensor<12x12xi1>
    "func.return"(%152) : (tensor<12x12xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x12xi1>, tensor<f32>) -> (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg60: tensor<12x12xi1>, %arg61: tensor<f32>):
    %141 = "stablehlo.convert"(%arg61) : (tensor<f32>) -> tensor<f32>
    %142 = "stablehlo.broadcast_in_dim"(%arg60) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<12x12xi1>) -> tensor<2x2x12x12xi1>
    %143 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x12xf32>
    "func.return"(%142, %143) : (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg58: tensor<3x32x32xf32>, %arg59: tensor<i32>):
    %137 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %138 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %139 = "stablehlo.dynamic_slice"(%arg58, %arg59, %137, %138) <{slice_sizes = array<i64: 1, 32, 32>}> : (tensor<3x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
    %140 = "stablehlo.reshape"(%139) : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
    "func.return"(%140) : (tensor<32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x12xf32>, tensor<2x12x2x16xf32>, tensor<2x12x32xf32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg47: tensor<2x2x12x12xi1>, %arg48: tensor<2x2x12x12xf32>, %arg49: tensor<2x12x32xf32>, %arg50: tensor<32x32xf32>, %arg51: tensor<32x32xf32>, %arg52: tensor<32x32xf32>, %arg53: tensor<32x32xf32>):
    %101 = "stablehlo.dot_general"(%arg49, %arg50) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %102 = "stablehlo.reshape"(%101) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %103 = "stablehlo.dot_general"(%arg49, %arg51) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %104 = "stablehlo.reshape"(%103) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %105 = "stablehlo.dot_general"(%arg49, %arg52) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %106 = "stablehlo.reshape"(%105) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %107 = "stablehlo.dot_general"(%102, %104) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x2x16xf32>, tensor<2x12x2x16xf32>) -> tensor<2x2x12x12xf32>
    %108 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %110 = "stablehlo.multiply"(%107, %109) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %111 = "func.call"(%110, %arg47, %arg48) <{callee = @_where_0}> : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %112 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.reduce"(%111, %112) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
      %136 = "stablehlo.maximum"(%arg56, %arg57) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%136) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %114 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12xf32>
    %116 = "stablehlo.maximum"(%115, %113) : (tensor<2x2x12xf32>, tensor<2x2x12xf32>) -> tensor<2x2x12xf32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %119 = "stablehlo.subtract"(%111, %118) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %120 = "stablehlo.exponential"(%119) : (tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %121 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %122 = "stablehlo.reduce"(%120, %121) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg54: tensor<f32>, %arg55: tensor<f32>):
      %135 = "stablehlo.add"(%arg54, %arg55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%135) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %125 = "stablehlo.divide"(%120, %124) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %126 = "stablehlo.multiply"(%123, %123) : (tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %127 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x1xf32>
    %129 = "stablehlo.divide"(%128, %126) : (tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %130 = "stablehlo.dot_general"(%106, %125) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x2x16xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x16x12xf32>
    %131 = "stablehlo.transpose"(%130) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x12xf32>) -> tensor<2x12x2x16xf32>
    %132 = "stablehlo.reshape"(%131) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %133 = "stablehlo.dot_general"(%132, %arg53) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %134 = "stablehlo.add"(%arg49, %133) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%134, %arg49, %104, %102, %120, %123, %129, %125, %106, %132) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>, tensor<2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x12xf32>, tensor<2x12x2x16xf32>, tensor<2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x12x12xf32>, tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg44: tensor<2x2x12x12xf32>, %arg45: tensor<2x2x12x12xi1>, %arg46: tensor<2x2x12x12xf32>):
    %100 = "stablehlo.select"(%arg45, %arg44, %arg46) : (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    "func.return"(%100) : (tensor<2x2x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x12x32xf32>, tensor<2x12x32xf32>, tensor<i32>) -> tensor<3x2x12x32xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg41: tensor<3x2x12x32xf32>, %arg42: tensor<2x12x32xf32>, %arg43: tensor<i32>):
    %95 = "stablehlo.broadcast_in_dim"(%arg42) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x12x32xf32>) -> tensor<1x2x12x32xf32>
    %96 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %97 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %98 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %99 = "stablehlo.dynamic_update_slice"(%arg41, %95, %arg43, %96, %97, %98) : (tensor<3x2x12x32xf32>, tensor<1x2x12x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x12x32xf32>
    "func.return"(%99) : (tensor<3x2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<i32>) -> tensor<3x2x12x2x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<3x2x12x2x16xf32>, %arg39: tensor<2x12x2x16xf32>, %arg40: tensor<i32>):
    %89 = "stablehlo.broadcast_in_dim"(%arg39) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x12x2x16xf32>) -> tensor<1x2x12x2x16xf32>
    %90 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %91 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %92 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %93 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %94 = "stablehlo.dynamic_update_slice"(%arg38, %89, %arg40, %90, %91, %92, %93) : (tensor<3x2x12x2x16xf32>, tensor<1x2x12x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x12x2x16xf32>
    "func.return"(%94) : (tensor<3x2x12x2x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x2x12x12xf32>, tensor<2x2x12x12xf32>, tensor<i32>) -> tensor<3x2x2x12x12xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<3x2x2x12x12xf32>, %arg36: tensor<2x2x12x12xf32>, %arg37: tensor<i32>):
    %83 = "stablehlo.broadcast_in_dim"(%arg36) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x12x12xf32>) -> tensor<1x2x2x12x12xf32>
    %84 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %85 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %86 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %87 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %88 = "stablehlo.dynamic_update_slice"(%arg35, %83, %arg37, %84, %85, %86, %87) : (tensor<3x2x2x12x12xf32>, tensor<1x2x2x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x2x12x12xf32>
    "func.return"(%88) : (tensor<3x2x2x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x2x12x1xf32>, tensor<2x2x12x1xf32>, tensor<i32>) -> tensor<3x2x2x12x1xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<3x2x2x12x1xf32>, %arg33: tensor<2x2x12x1xf32>, %arg34: tensor<i32>):
    %77 = "stablehlo.broadcast_in_dim"(%arg33) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x12x1xf32>) -> tensor<1x2x2x12x1xf32>
    %78 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %79 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %82 = "stablehlo.dynamic_update_slice"(%arg32, %77, %arg34, %78, %79, %80, %81) : (tensor<3x2x2x12x1xf32>, tensor<1x2x2x12x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x2x12x1xf32>
    "func.return"(%82) : (tensor<3x2x2x12x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x12x32xf32>, tensor<i32>) -> tensor<2x12x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_4", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<3x2x12x32xf32>, %arg31: tensor<i32>):
    %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %73 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %75 = "stablehlo.dynamic_slice"(%arg30, %arg31, %72, %73, %74) <{slice_sizes = array<i64: 1, 2, 12, 32>}> : (tensor<3x2x12x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x12x32xf32>
    %76 = "stablehlo.reshape"(%75) : (tensor<1x2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%76) : (tensor<2x12x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x12x2x16xf32>, tensor<i32>) -> tensor<2x12x2x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_5", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<3x2x12x2x16xf32>, %arg29: tensor<i32>):
    %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %67 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %68 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %69 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %70 = "stablehlo.dynamic_slice"(%arg28, %arg29, %66, %67, %68, %69) <{slice_sizes = array<i64: 1, 2, 12, 2, 16>}> : (tensor<3x2x12x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x12x2x16xf32>
    %71 = "stablehlo.reshape"(%70) : (tensor<1x2x12x2x16xf32>) -> tensor<2x12x2x16xf32>
    "func.return"(%71) : (tensor<2x12x2x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x2x12x12xf32>, tensor<i32>) -> tensor<2x2x12x12xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg26: tensor<3x2x2x12x12xf32>, %arg27: tensor<i32>):
    %60 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %62 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %64 = "stablehlo.dynamic_slice"(%arg26, %arg27, %60, %61, %62, %63) <{slice_sizes = array<i64: 1, 2, 2, 12, 12>}> : (tensor<3x2x2x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x12x12xf32>
    %65 = "stablehlo.reshape"(%64) : (tensor<1x2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    "func.return"(%65) : (tensor<2x2x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x2x12x1xf32>, tensor<i32>) -> tensor<2x2x12x1xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_7", sym_visibility = "private"}> ({
  ^bb0(%arg24: tensor<3x2x2x12x1xf32>, %arg25: tensor<i32>):
    %54 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %57 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %58 = "stablehlo.dynamic_slice"(%arg24, %arg25, %54, %55, %56, %57) <{slice_sizes = array<i64: 1, 2, 2, 12, 1>}> : (tensor<3x2x2x12x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x12x1xf32>
    %59 = "stablehlo.reshape"(%58) : (tensor<1x2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    "func.return"(%59) : (tensor<2x2x12x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x2x12x12xi1>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<2x12x2x16xf32>, tensor<2x12x2x16xf32>, tensor<2x2x12x12xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x1xf32>, tensor<2x2x12x12xf32>, tensor<2x12x2x16xf32>, tensor<32x32xf32>, tensor<2x12x32xf32>) -> (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>), res_attrs = [{}, {}, {}, {}, {}], sym_name = "closed_call_8", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<2x2x12x12xi1>, %arg6: tensor<2x12x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<2x12x32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32x32xf32>, %arg11: tensor<2x12x2x16xf32>, %arg12: tensor<2x12x2x16xf32>, %arg13: tensor<2x2x12x12xf32>, %arg14: tensor<2x2x12x1xf32>, %arg15: tensor<2x2x12x1xf32>, %arg16: tensor<2x2x12x12xf32>, %arg17: tensor<2x12x2x16xf32>, %arg18: tensor<32x32xf32>, %arg19: tensor<2x12x32xf32>):
    %7 = "stablehlo.dot_general"(%arg6, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %8 = "stablehlo.transpose"(%7) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %9 = "stablehlo.dot_general"(%arg6, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %10 = "stablehlo.reshape"(%9) : (tensor<2x12x32xf32>) -> tensor<2x12x2x16xf32>
    %11 = "stablehlo.transpose"(%10) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x12x2x16xf32>) -> tensor<2x2x16x12xf32>
    %12 = "stablehlo.dot_general"(%11, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x12xf32>, tensor<2x12x2x16xf32>) -> tensor<2x2x12x12xf32>
    %13 = "stablehlo.dot_general"(%11, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x16x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x16x12xf32>
    %14 = "stablehlo.transpose"(%13) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x16x12xf32>) -> tensor<2x12x2x16xf32>
    %15 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %16 = "stablehlo.multiply"(%12, %15) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %17 = "stablehlo.multiply"(%16, %arg13) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.reduce"(%17, %18) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %53 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%53) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %20 = "stablehlo.reshape"(%19) : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %21 = "stablehlo.negate"(%20) : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x1xf32>
    %22 = "stablehlo.broadcast_in_dim"(%arg14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %23 = "stablehlo.divide"(%12, %22) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%21, %24) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %52 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%52) : (tensor<f32>) -> ()
    }) : (tensor<2x2x12x1xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x12xf32>) -> tensor<2x2x12x12xf32>
    %27 = "stablehlo.add"(%23, %26) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %28 = "stablehlo.multiply"(%27, %arg13) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %29 = "func.call"(%arg5, %28) <{callee = @_where_9}> : (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %30 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %32 = "stablehlo.multiply"(%29, %31) : (tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    %33 = "stablehlo.dot_general"(%32, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x12x12xf32>, tensor<2x12x2x16xf32>) -> tensor<2x2x12x16xf32>
    %34 = "stablehlo.transpose"(%33) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x12x16xf32>) -> tensor<2x12x2x16xf32>
    %35 = "stablehlo.dot_general"(%32, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x2x12x12xf32>, tensor<2x12x2x16xf32>) -> tensor<2x2x12x16xf32>
    %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x12x16xf32>) -> tensor<2x12x2x16xf32>
    %37 = "stablehlo.reshape"(%14) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %38 = "stablehlo.dot_general"(%37, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %39 = "stablehlo.transpose"(%38) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %40 = "stablehlo.dot_general"(%37, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %41 = "stablehlo.add"(%arg6, %40) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %42 = "stablehlo.reshape"(%34) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %43 = "stablehlo.dot_general"(%42, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %44 = "stablehlo.transpose"(%43) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %45 = "stablehlo.dot_general"(%42, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %46 = "stablehlo.add"(%41, %45) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    %47 = "stablehlo.reshape"(%36) : (tensor<2x12x2x16xf32>) -> tensor<2x12x32xf32>
    %48 = "stablehlo.dot_general"(%47, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<32x32xf32>
    %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 1, 0>}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %50 = "stablehlo.dot_general"(%47, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %51 = "stablehlo.add"(%46, %50) : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x32xf32>
    "func.return"(%51, %49, %44, %39, %8) : (tensor<2x12x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>, res_attrs = [{}], sym_name = "_where_9", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x2x12x12xi1>, %arg4: tensor<2x2x12x12xf32>):
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %6 = "stablehlo.select"(%arg3, %arg4, %5) : (tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>, tensor<2x2x12x12xf32>) -> tensor<2x2x12x12xf32>
    "func.return"(%6) : (tensor<2x2x12x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<3x32x32xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_10", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x32x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x32xf32>) -> tensor<1x32x32xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<3x32x32xf32>, tensor<1x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x32xf32>
    "func.return"(%3) : (tensor<3x32x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
