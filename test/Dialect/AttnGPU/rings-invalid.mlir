// RUN: attn-opt %s -split-input-file -verify-diagnostics

// expected-error@below {{expected from 1 to 16 stages, found 0}}
func.func private @stages_0(!attn_gpu.ring<0, tensor<128x64xf16, #attn_gpu.swizzled>>)

// -----

// expected-error@below {{expected from 1 to 16 stages, found 17}}
func.func private @stages_17(!attn_gpu.ring<17, tensor<128x64xf16, #attn_gpu.swizzled>>)

// -----

// expected-error@below {{expected tiles of layout swizzled or shared, or vectors of layout shared without padding, found 'tensor<128x64xf16>'}}
func.func private @ring_of_plain_tiles(!attn_gpu.ring<2, tensor<128x64xf16>>)

// -----

// expected-error@below {{expected tiles of layout swizzled or shared, or vectors of layout shared without padding, found 'tensor<64x64xf16, #attn_gpu.mma<warps = 4>>'}}
func.func private @ring_of_registers(!attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.mma<warps = 4>>>)

// -----

// expected-error@below {{expected a tile of rank 2 and a multiple of 8 rows for layout #attn_gpu.swizzled, found shape [64]}}
func.func private @swizzled_rank(tensor<64xf16, #attn_gpu.swizzled>)

// -----

// expected-error@below {{expected a tile of rank 2 and a multiple of 8 rows for layout #attn_gpu.swizzled, found shape [12, 64]}}
func.func private @swizzled_rows(tensor<12x64xf16, #attn_gpu.swizzled>)

// -----

// expected-error@below {{expected non-function type}}
func.func private @swizzled_nothing(tensor<16x64x, #attn_gpu.swizzled>)

// -----

// expected-error@below {{expected elements of f16, bf16, f8E4M3FN, f8E5M2 or i8 for layout #attn_gpu.swizzled, found 'f32'}}
func.func private @swizzled_elements(tensor<64x64xf32, #attn_gpu.swizzled>)

// -----

func.func @start_k(%a: tensor<64x128xf16>, %b: tensor<64x32xf16>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_gpu.mma' op expected equal contraction sizes, found 128 in lhs and 64 in rhs}}
  %0 = attn_gpu.mma %a, %b, %c : tensor<64x128xf16>, tensor<64x32xf16>, tensor<64x32xf32>
  return
}

// -----

func.func @start_accumulator(%a: tensor<64x128xf16>, %b: tensor<32x128xf16>, %c: tensor<64x64xf32>) {
  // expected-error@below {{'attn_gpu.mma' op expected an accumulator of 64x32, found 64x64}}
  %0 = attn_gpu.mma %a, %b, %c transpose_rhs : tensor<64x128xf16>, tensor<32x128xf16>, tensor<64x64xf32>
  return
}

// -----

func.func @start_mix(%a: tensor<64x128xf16>, %b: tensor<128x32xbf16>, %c: tensor<64x32xf32>) {
  // expected-error@below {{'attn_gpu.mma' op expected rhs elements of 'f16', as lhs, found 'bf16'}}
  %0 = attn_gpu.mma %a, %b, %c : tensor<64x128xf16>, tensor<128x32xbf16>, tensor<64x32xf32>
  return
}

// -----

func.func @start_acc_f16(%a: tensor<64x128xf16>, %b: tensor<128x32xf16>, %c: tensor<64x32xf16>) {
  // expected-error@below {{'attn_gpu.mma' op expected accumulator elements of f32, found 'f16'}}
  %0 = attn_gpu.mma %a, %b, %c : tensor<64x128xf16>, tensor<128x32xf16>, tensor<64x32xf16>
  return
}

// -----

func.func @wait_pending(%a: tensor<64x32xf32>) {
  // expected-error@below {{'attn_gpu.mma_wait' op attribute 'pending' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = attn_gpu.mma_wait -1, %a : tensor<64x32xf32>
  return
}

// -----

func.func @wait_result(%a: tensor<64x32xf32>) {
  // expected-error@below {{'attn_gpu.mma_wait' op failed to verify that all of {mma, result} have same type}}
  %0 = "attn_gpu.mma_wait"(%a) <{pending = 0 : i64}> : (tensor<64x32xf32>) -> tensor<32x64xf32>
  return
}

// -----

func.func @ring_offset() {
  // expected-error@below {{'attn_gpu.ring' op attribute 'offset' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = attn_gpu.ring at -1024 barriers 0 : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @ring_barriers() {
  // expected-error@below {{'attn_gpu.ring' op attribute 'barriers' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = attn_gpu.ring at 0 barriers -8 : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @ring_follows() {
  // expected-error@below {{'attn_gpu.ring' op expected barriers and 'each_warp' beside 'follows', which is about their releases}}
  %0 = attn_gpu.ring at 0 barriers 32768 follows : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @ring_follows_without_barriers() {
  // expected-error@below {{'attn_gpu.ring' op expected barriers and 'each_warp' beside 'follows', which is about their releases}}
  %0 = attn_gpu.ring at 0 each_warp follows : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @init_readers(%r: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>) {
  // expected-error@below {{'attn_gpu.init_ring' op attribute 'readers' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  attn_gpu.init_ring %r readers 0 : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @acquire_tile(%r: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>, %i: i32) {
  // expected-error@below {{'attn_gpu.acquire' op expected a tile of type 'tensor<128x64xf16, #attn_gpu.swizzled>', found 'tensor<64x64xf16, #attn_gpu.swizzled>'}}
  %0, %n = attn_gpu.acquire %r[%i] : !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>> -> tensor<64x64xf16, #attn_gpu.swizzled>
  return
}

// -----

func.func @scheduler_readers() {
  // expected-error@below {{'attn_gpu.init_scheduler' op attribute 'readers' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  attn_gpu.init_scheduler at 0 readers 0
  return
}

// -----

func.func @store_through(%t: tensor<128x64xf16, #attn_gpu.mma<warps = 8>>, %i: i32, %map: !attn_nv.tensor_map) {
  // expected-error@below {{'attn_gpu.store_async' op attribute 'offset' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  attn_gpu.store_async %t to %map[%i, %i, %i] through -1024 : tensor<128x64xf16, #attn_gpu.mma<warps = 8>>
  return
}

// -----

func.func @store_rank(%t: tensor<128xf16>, %i: i32, %map: !attn_nv.tensor_map) {
  // expected-error@below {{'attn_gpu.store_async' op operand #0 must be tile of rank 2, but got 'tensor<128xf16>'}}
  attn_gpu.store_async %t to %map[%i, %i, %i] through 0 : tensor<128xf16>
  return
}

// -----

func.func @combine_rank(%s: tensor<64x32xf32>) {
  // expected-error@below {{'attn_gpu.combine_quad' op operand #0 must be tile of rank 1, but got 'tensor<64x32xf32>'}}
  %0 = attn_gpu.combine_quad add %s : tensor<64x32xf32>
  return
}

// -----

func.func @any_rank(%c: tensor<64x32xi1>) {
  // expected-error@below {{'attn_gpu.vote_any' op operand #0 must be tile of rank 1, but got 'tensor<64x32xi1>'}}
  %0 = attn_gpu.vote_any %c : tensor<64x32xi1>
  return
}

// -----

func.func @vote_elements(%c: tensor<64xf32, #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 8, copies = 2>>>) {
  // expected-error@below {{'attn_gpu.vote_warps' op expected elements of i1, found 'f32'}}
  %0 = attn_gpu.vote_warps %c : tensor<64xf32, #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 8, copies = 2>>>
  return
}

// -----

func.func @vote_layout(%c: tensor<64xi1>) {
  // expected-error@below {{'attn_gpu.vote_warps' op expected a vector of layout slice along axis 1, found 'tensor<64xi1>'}}
  %0 = attn_gpu.vote_warps %c : tensor<64xi1>
  return
}

// -----

func.func @combine_elements(%c: tensor<64xf16>) {
  // expected-error@below {{'attn_gpu.combine_warps' op expected add or maxnum of f32, found add of 'f16'}}
  %0 = attn_gpu.combine_warps add %c at 0 : tensor<64xf16>
  return
}

// -----

func.func @combine_columns(%c: tensor<64xf32, #attn_gpu.slice<axis = 0, parent = #attn_gpu.mma<warps = 8, warps_n = 2>>>) {
  // expected-error@below {{'attn_gpu.combine_warps' op expected a vector of layout slice along axis 1, found}}
  %0 = attn_gpu.combine_warps add %c at 0 : tensor<64xf32, #attn_gpu.slice<axis = 0, parent = #attn_gpu.mma<warps = 8, warps_n = 2>>>
  return
}

// -----

func.func @any_elements(%c: tensor<64xf32>) {
  // expected-error@below {{'attn_gpu.vote_any' op expected elements of i1, found 'f32'}}
  %0 = attn_gpu.vote_any %c : tensor<64xf32>
  return
}

// -----

func.func @partial_columns(%s: tensor<64x32xf32>) {
  // expected-error@below {{'attn_gpu.reduce_thread' op expected axis 1, found 0}}
  %0 = attn_gpu.reduce_thread add %s along 0 : tensor<64x32xf32> -> tensor<32xf32>
  return
}

// -----

func.func @conditions_of_a_thread(%s: tensor<64x32xf32>) {
  // expected-error@below {{'attn_gpu.reduce_thread' op expected elements of i1 for and, found 'f32'}}
  %0 = attn_gpu.reduce_thread and %s along 1 : tensor<64x32xf32> -> tensor<64xf32>
  return
}

// -----

func.func @conditions_of_a_quad(%s: tensor<64xf32>) {
  // expected-error@below {{'attn_gpu.combine_quad' op expected elements of i1 for or, found 'f32'}}
  %0 = attn_gpu.combine_quad or %s : tensor<64xf32>
  return
}

// -----

func.func @conditions_of_columns(%s: tensor<64x32xf32, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{'attn_gpu.reduce_columns' op expected add or maxnum, found or}}
  %0 = attn_gpu.reduce_columns or %s at 0 : tensor<64x32xf32, #attn_gpu.mma<warps = 4>>
    -> tensor<32xf32, #attn_gpu.slice<axis = 0, parent = #attn_gpu.mma<warps = 4>>>
  return
}

// -----

func.func @skip_nothing(%n: index) {
  // expected-error@below {{'attn_gpu.skip' op expected at least one ring, found none}}
  "attn_gpu.skip"(%n) : (index) -> ()
  return
}

// -----

func.func @put_of_another_shape(%ring: !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>,
                                %ds: tensor<64x64xf16, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{expected a tile with the shape and element type of 'tensor<128x64xf16, #attn_gpu.swizzled>', or of elements of 8 or 4 bits to extend, found 'tensor<64x64xf16, #attn_gpu.mma<warps = 4>>'}}
  attn_gpu.put %ds to %ring : tensor<64x64xf16, #attn_gpu.mma<warps = 4>>,
      !attn_gpu.ring<2, tensor<128x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @columns_of_half_a_panel(%k: tensor<128x128xf16, #attn_gpu.swizzled>) {
  // expected-error@below {{expected whole panels of 64 columns, found 64 from 32 on}}
  %0 = attn_gpu.columns %k from 32 : tensor<128x128xf16, #attn_gpu.swizzled>
      -> tensor<128x64xf16, #attn_gpu.swizzled>
  return
}

// -----

func.func @columns_of_other_rows(%k: tensor<128x128xf16, #attn_gpu.shared<padding = 16>>) {
  // expected-error@below {{expected tiles of layout swizzled, of layout shared with rows as far apart, or of one layout mma whose warps have all columns of their rows, found}}
  %0 = attn_gpu.columns %k from 64 : tensor<128x128xf16, #attn_gpu.shared<padding = 16>>
      -> tensor<128x64xf16, #attn_gpu.shared<padding = 16>>
  return
}

// -----

func.func @columns_of_half_a_unit(%k: tensor<128x128xf16, #attn_gpu.shared<padding = 16>>) {
  // expected-error@below {{expected a multiple of 8 columns, found 64 from 4 on}}
  %0 = attn_gpu.columns %k from 4 : tensor<128x128xf16, #attn_gpu.shared<padding = 16>>
      -> tensor<128x64xf16, #attn_gpu.shared<padding = 144>>
  return
}

// -----

func.func @columns_beyond(%k: tensor<128x128xf16, #attn_gpu.swizzled>) {
  // expected-error@below {{expected columns of 'tensor<128x128xf16, #attn_gpu.swizzled>', found 'tensor<128x128xf16, #attn_gpu.swizzled>' from 64 on}}
  %0 = attn_gpu.columns %k from 64 : tensor<128x128xf16, #attn_gpu.swizzled>
      -> tensor<128x128xf16, #attn_gpu.swizzled>
  return
}

// -----

func.func @columns_far_beyond(%k: tensor<128x128xf16, #attn_gpu.swizzled>) {
  // expected-error@below {{expected columns of 'tensor<128x128xf16, #attn_gpu.swizzled>', found 'tensor<128x64xf16, #attn_gpu.swizzled>' from 9223372036854775744 on}}
  %0 = attn_gpu.columns %k from 9223372036854775744 : tensor<128x128xf16, #attn_gpu.swizzled>
      -> tensor<128x64xf16, #attn_gpu.swizzled>
  return
}

// -----

// expected-error@below {{expected 'first_warp' to be from 0 to 24, found 9223372036854775807}}
func.func private @warps_far_beyond(tensor<128x64xf16, #attn_gpu.mma<warps = 8, first_warp = 9223372036854775807>>)

// -----

// expected-error@below {{expected 'first_warp' to be from 0 to 24, found 28}}
func.func private @warps_beyond(tensor<128x64xf16, #attn_gpu.mma<warps = 8, first_warp = 28>>)

// -----

func.func @padded_put(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>,
                      %t: tensor<64x64xf16, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{'attn_gpu.put' op expected a ring of swizzled tiles, found 'tensor<64x64xf16, #attn_gpu.shared<padding = 16>>'}}
  attn_gpu.put %t to %ring
      : tensor<64x64xf16, #attn_gpu.mma<warps = 4>>, !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
  return
}

// -----

func.func @swizzled_offset() {
  // expected-error@below {{'attn_gpu.ring' op expected tiles at a multiple of 1024 bytes, found 512}}
  %0 = attn_gpu.ring at 512 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @padded_offset() {
  // expected-error@below {{'attn_gpu.ring' op expected tiles at a multiple of 16 bytes, found 8}}
  %0 = attn_gpu.ring at 8 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
  return
}

// -----

func.func @barrier_offset() {
  // expected-error@below {{'attn_gpu.ring' op expected barriers at a multiple of 8 bytes, found 32772}}
  %0 = attn_gpu.ring at 0 barriers 32772 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @no_barriers(%i: i32) {
  // expected-note@below {{the ring is here}}
  %0 = attn_gpu.ring at 0 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  // expected-error@below {{'attn_gpu.release' op expected a ring with barriers, found one without}}
  attn_gpu.release %0[%i] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @fill_no_barriers(%map: !attn_nv.tensor_map, %i: i32) {
  // expected-note@below {{the ring is here}}
  %0 = attn_gpu.ring at 0 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  // expected-error@below {{'attn_gpu.fill' op expected a ring with barriers, found one without}}
  attn_gpu.fill %0[%i] from %map[%i, %i] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @skip_no_barriers(%n: index) {
  // expected-note@below {{the ring is here}}
  %0 = attn_gpu.ring at 0 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  // expected-error@below {{'attn_gpu.skip' op expected a ring with barriers, found one without}}
  attn_gpu.skip %n of %0 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @init_no_barriers() {
  // expected-note@below {{the ring is here}}
  %0 = attn_gpu.ring at 0 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  // expected-error@below {{'attn_gpu.init_ring' op expected a ring with barriers, found one without}}
  attn_gpu.init_ring %0 readers 1 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @store_nowhere(%t: tensor<64x64xf16, #attn_gpu.mma<warps = 4>>, %map: !attn_nv.tensor_map) {
  // expected-error@below {{'attn_gpu.store_async' op expected from 2 to 5 coordinates of each part, found 0}}
  attn_gpu.store_async %t to %map[] through 0 : tensor<64x64xf16, #attn_gpu.mma<warps = 4>>
  return
}

// -----

func.func @put_of_wider_elements(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                                 %t: tensor<64x64xf32, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{expected a tile with the shape and element type of 'tensor<64x64xf16, #attn_gpu.swizzled>', or of elements of 8 or 4 bits to extend, found 'tensor<64x64xf32, #attn_gpu.mma<warps = 4>>'}}
  attn_gpu.put %t to %ring : tensor<64x64xf32, #attn_gpu.mma<warps = 4>>,
      !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @put_of_floats(%ring: !attn_gpu.ring<2, tensor<64x64xi8, #attn_gpu.swizzled>>,
                         %t: tensor<64x64xf8E5M2, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{or of elements of 8 or 4 bits to extend, found 'tensor<64x64xf8E5M2, #attn_gpu.mma<warps = 4>>'}}
  attn_gpu.put %t to %ring : tensor<64x64xf8E5M2, #attn_gpu.mma<warps = 4>>,
      !attn_gpu.ring<2, tensor<64x64xi8, #attn_gpu.swizzled>>
  return
}

// -----

func.func @put_of_indices(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                          %t: tensor<64x64xindex, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{or of elements of 8 or 4 bits to extend, found 'tensor<64x64xindex, #attn_gpu.mma<warps = 4>>'}}
  attn_gpu.put %t to %ring : tensor<64x64xindex, #attn_gpu.mma<warps = 4>>,
      !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @put_of_conditions(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                             %t: tensor<64x64xi1, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{or of elements of 8 or 4 bits to extend, found 'tensor<64x64xi1, #attn_gpu.mma<warps = 4>>'}}
  attn_gpu.put %t to %ring : tensor<64x64xi1, #attn_gpu.mma<warps = 4>>,
      !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @put_of_bytes(%ring: !attn_gpu.ring<2, tensor<64x64xf8E4M3FN, #attn_gpu.swizzled>>,
                        %t: tensor<64x64xi8, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{or of elements of 8 or 4 bits to extend, found 'tensor<64x64xi8, #attn_gpu.mma<warps = 4>>'}}
  attn_gpu.put %t to %ring : tensor<64x64xi8, #attn_gpu.mma<warps = 4>>,
      !attn_gpu.ring<2, tensor<64x64xf8E4M3FN, #attn_gpu.swizzled>>
  return
}

// -----

#rows = #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 8, copies = 2>>
func.func @put_copies(%ring: !attn_gpu.ring<2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>, %v: tensor<64xf32, #rows>) {
  // expected-error@below {{'attn_gpu.put' op expected a vector of layout slice along axis 1, of warps that divide rows, found}}
  attn_gpu.put %v to %ring : tensor<64xf32, #rows>, !attn_gpu.ring<2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
  return
}

// -----

#rows = #attn_gpu.slice<axis = 1, parent = #attn_gpu.mma<warps = 4>>
func.func @put_other_vector(%ring: !attn_gpu.ring<2, tensor<128xf32, #attn_gpu.shared<padding = 0>>>, %v: tensor<64xf32, #rows>) {
  // expected-error@below {{'attn_gpu.put' op expected a vector with the shape and element type of}}
  attn_gpu.put %v to %ring : tensor<64xf32, #rows>, !attn_gpu.ring<2, tensor<128xf32, #attn_gpu.shared<padding = 0>>>
  return
}

// -----

func.func @columns_in_registers(%t: tensor<64x64xf16, #attn_gpu.mma<warps = 4>>) {
  // expected-error@below {{'attn_gpu.columns' op expected a multiple of 8 columns, found 32 from 12 on}}
  %0 = attn_gpu.columns %t from 12 : tensor<64x64xf16, #attn_gpu.mma<warps = 4>> -> tensor<64x32xf16, #attn_gpu.mma<warps = 4>>
  return
}

// -----

func.func @columns_of_divided_rows(%t: tensor<64x64xf16, #attn_gpu.mma<warps = 8, warps_n = 2>>) {
  // expected-error@below {{'attn_gpu.columns' op expected tiles of layout swizzled, of layout shared with rows as far apart, or of one layout mma whose warps have all columns of their rows, found}}
  %0 = attn_gpu.columns %t from 32 : tensor<64x64xf16, #attn_gpu.mma<warps = 8, warps_n = 2>> -> tensor<64x32xf16, #attn_gpu.mma<warps = 8, warps_n = 2>>
  return
}
