// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @rows_of_parts(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                         %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.fill' op expected parts of a multiple of 8 rows, found 16 of 'tensor<64x64xf16, #attn_gpu.swizzled>'}}
  attn_gpu.fill %ring from %map[%i, %i] parts 16 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @many_parts(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                      %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.fill' op expected parts of a multiple of 8 rows, found 2305843009213693952 of}}
  attn_gpu.fill %ring from %map[%i, %i] parts 2305843009213693952 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @no_parts(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                    %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.prefetch' op expected parts of a multiple of 8 rows, found 0 of}}
  attn_gpu.prefetch %ring from %map[%i, %i] parts 0 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @maps_of_parts(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                         %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.fill' op expected one map, or one for each of 4 parts, found 2}}
  attn_gpu.fill %ring from %map, %map[%i, %i, %i, %i] parts 4 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @maps_of_panels(%ring: !attn_gpu.ring<2, tensor<64x192xf16, #attn_gpu.swizzled>>,
                          %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.fill' op expected one map, or one for each of 2 parts or 6 panels, found 3}}
  attn_gpu.fill %ring from %map, %map, %map[%i, %i, %i, %i] parts 2 : !attn_gpu.ring<2, tensor<64x192xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @no_map(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %i: i32) {
  // expected-error@below {{'attn_gpu.prefetch' op expected one map, or one for each of 1 parts, found 0}}
  attn_gpu.prefetch %ring from [%i, %i] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @coordinates_of_parts(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>,
                                %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.fill' op expected as many coordinates for each of 2 parts, found 5}}
  attn_gpu.fill %ring from %map[%i, %i, %i, %i, %i] parts 2 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @map_and_view(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %map: !attn_nv.tensor_map, %k: memref<?x64xf16>, %i: i32, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected a tensor map or a view, found both}}
  attn_gpu.fill %ring from %map[%i, %i] of %k[%j, %j] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>
  return
}

// -----

func.func @coordinates_of_view(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %i: i32, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected a tensor map or a view, found both}}
  "attn_gpu.fill"(%ring, %i, %k, %j, %j) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 1, 2, 0, 0>}> : (!attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, i32, memref<?x64xf16>, index, index) -> ()
  return
}

// -----

func.func @no_source(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %i: i32) {
  // expected-error@below {{'attn_gpu.fill' op expected one map, or one for each of 1 parts, found 0}}
  attn_gpu.fill %ring[%i] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @aligned_map(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.fill' op expected 'aligned', 'by' and 'rows' of copies of a view, found one with a tensor map}}
  attn_gpu.fill %ring from %map[%i, %i] aligned : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @views_of_parts(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected a view for each of 2 parts, found 1}}
  attn_gpu.fill %ring of %k[%j, %j, %j, %j] parts 2 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>
  return
}

// -----

func.func @more_views_than_parts(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected a view for each of 1 parts, found 2}}
  attn_gpu.fill %ring of %k, %k[%j, %j, %j, %j] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>, memref<?x64xf16>
  return
}

// -----

func.func @rows_of_views(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected parts of a multiple of 8 rows, found 3 of 'tensor<64x64xf16, #attn_gpu.swizzled>'}}
  attn_gpu.fill %ring of %k, %k, %k[%j, %j, %j, %j, %j, %j] parts 3 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>, memref<?x64xf16>, memref<?x64xf16>
  return
}

// -----

func.func @indices_of_parts(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected as many indices for each of 2 parts, found 3}}
  attn_gpu.fill %ring of %k, %k[%j, %j, %j] parts 2 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>, memref<?x64xf16>
  return
}

// -----

func.func @indices_of_view(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected 2 indices, one for each dimension of 'memref<?x64xf16>', found 1}}
  attn_gpu.fill %ring of %k[%j] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>
  return
}

// -----

func.func @indices_of_second_view(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %l: memref<?x?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected 3 indices, one for each dimension of 'memref<?x?x64xf16>', found 2}}
  attn_gpu.fill %ring of %k, %l[%j, %j, %j, %j] parts 2 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>, memref<?x?x64xf16>
  return
}

// -----

func.func @elements_of_view(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xbf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected the tile's element type to be 'bf16', as the memref's, found 'f16'}}
  attn_gpu.fill %ring of %k[%j, %j] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xbf16>
  return
}

// -----

func.func @rank_of_view(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected a memref of rank 2 or more for a tile of type 'tensor<64x64xf16>', found rank 1}}
  attn_gpu.fill %ring of %k[%j] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<64xf16>
  return
}

// -----

func.func @padded_elements(%ring: !attn_gpu.ring<2, tensor<64x64xf32, #attn_gpu.shared<padding = 16>>>, %k: memref<?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected the tile's element type to be 'f16', as the memref's, found 'f32'}}
  attn_gpu.fill %ring of %k[%j, %j] aligned : !attn_gpu.ring<2, tensor<64x64xf32, #attn_gpu.shared<padding = 16>>>, memref<?x64xf16>
  return
}

// -----

func.func @no_threads(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op attribute 'threads' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  attn_gpu.fill %ring of %k[%j, %j] by 0 after 128 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>
  return
}

// -----

func.func @negative_first_thread(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %k: memref<?x64xf16>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op attribute 'first_thread' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  attn_gpu.fill %ring of %k[%j, %j] by 128 after -1 : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, memref<?x64xf16>
  return
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
func.func @fill_listed_by_map(%ring: !ring, %map: !attn_nv.tensor_map, %l: memref<?xi32>, %i: i32, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected 'aligned', 'by' and 'rows' of copies of a view, found one with a tensor map}}
  attn_gpu.fill %ring from %map[%i, %i] rows %l[%j] : !ring, memref<?xi32>
  return
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
func.func @fill_listed_parts(%ring: !ring, %k: memref<?x64xf16>, %l: memref<?xi32>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected one part beside a list of rows, found 2}}
  attn_gpu.fill %ring of %k, %k[%j, %j, %j, %j] rows %l[%j] parts 2 : !ring, memref<?x64xf16>, memref<?x64xf16>, memref<?xi32>
  return
}

// -----

!ring = !attn_gpu.ring<2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
func.func @fill_listed_vector(%ring: !ring, %k: memref<?x64xf32>, %l: memref<?xi32>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected a tile of rank 2 beside a list of rows, found 'tensor<64xf32, #attn_gpu.shared<padding = 0>>'}}
  attn_gpu.fill %ring of %k[%j, %j] rows %l[%j] : !ring, memref<?x64xf32>, memref<?xi32>
  return
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
func.func @fill_list_of_floats(%ring: !ring, %k: memref<?x64xf16>, %l: memref<?xf32>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op operand #4 must be list of rows (strided memref of i32, rank 1), but got 'memref<?xf32>'}}
  attn_gpu.fill %ring of %k[%j, %j] rows %l[%j] : !ring, memref<?x64xf16>, memref<?xf32>
  return
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
func.func @fill_list_untyped(%ring: !ring, %k: memref<?x64xf16>, %l: memref<?xi32>, %j: index) {
  // expected-error@below {{expected the type of the list of rows}}
  attn_gpu.fill %ring of %k[%j, %j] rows %l[%j] : !ring
  return
}

// -----

!ring = !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
func.func @fill_list_alone(%ring: !ring, %k: memref<?x64xf16>, %l: memref<?xi32>, %j: index) {
  // expected-error@below {{'attn_gpu.fill' op expected a list of rows and a position in it, found one without the other}}
  "attn_gpu.fill"(%ring, %k, %j, %j, %l) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1, 2, 1, 0>}>
      : (!ring, memref<?x64xf16>, index, index, memref<?xi32>) -> ()
  return
}

// -----

func.func @no_coordinates(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %map: !attn_nv.tensor_map) {
  // expected-error@below {{'attn_gpu.fill' op expected from 2 to 5 coordinates of each part, found 0}}
  attn_gpu.fill %ring from %map[] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @many_coordinates(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>, %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.prefetch' op expected from 2 to 5 coordinates of each part, found 6}}
  attn_gpu.prefetch %ring from %map[%i, %i, %i, %i, %i, %i] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.swizzled>>
  return
}

// -----

func.func @padded(%ring: !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>, %map: !attn_nv.tensor_map, %i: i32) {
  // expected-error@below {{'attn_gpu.fill' op expected tiles of layout swizzled, as TMA writes them, found 'tensor<64x64xf16, #attn_gpu.shared<padding = 16>>'}}
  attn_gpu.fill %ring from %map[%i, %i] : !attn_gpu.ring<2, tensor<64x64xf16, #attn_gpu.shared<padding = 16>>>
  return
}

// -----

func.func @chunks(%ring: !attn_gpu.ring<2, tensor<64x4xf16, #attn_gpu.shared<padding = 16>>>, %k: memref<?x4xf16>, %i: index) {
  // expected-error@below {{'attn_gpu.fill' op expected rows of a multiple of 16 bytes beside 'aligned', found 'tensor<64x4xf16, #attn_gpu.shared<padding = 16>>'}}
  attn_gpu.fill %ring of %k[%i, %i] aligned : !attn_gpu.ring<2, tensor<64x4xf16, #attn_gpu.shared<padding = 16>>>, memref<?x4xf16>
  return
}
