// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @odd_columns(%a: memref<2x?x127xi4>) {
  // expected-error@below {{'attn_tile.bytes' op expected an array of i4 with contiguous columns, and an even number of them, offset and other strides, found 'memref<2x?x127xi4>'}}
  %0 = attn_tile.bytes %a : memref<2x?x127xi4> to memref<2x?x64xi8>
  return
}

// -----

func.func @bytes_of_bytes(%a: memref<2x?x128xi8>) {
  // expected-error@below {{'attn_tile.bytes' op expected an array of i4}}
  %0 = attn_tile.bytes %a : memref<2x?x128xi8> to memref<2x?x64xi8>
  return
}

// -----

func.func @other_type(%a: memref<2x?x128xi4>) {
  // expected-error@below {{'attn_tile.bytes' op expected a result of type 'memref<2x?x64xi8>', found 'memref<2x?x128xi8>'}}
  %0 = attn_tile.bytes %a : memref<2x?x128xi4> to memref<2x?x128xi8>
  return
}

// -----

func.func @columns(%a: tensor<32x64xi8>) {
  // expected-error@below {{'attn_tile.unpack' op expected a result of 32x128, two numbers a byte, found 'tensor<32x64xf16>'}}
  %0 = attn_tile.unpack %a : tensor<32x64xi8> -> tensor<32x64xf16>
  return
}

// -----

func.func @elements(%a: tensor<32x64xi8>) {
  // expected-error@below {{'attn_tile.unpack' op expected numbers of f16, bf16 or f32, found 'i8'}}
  %0 = attn_tile.unpack %a : tensor<32x64xi8> -> tensor<32x128xi8>
  return
}

// -----

func.func @floats(%a: tensor<32x64xf16>) {
  // expected-error@below {{'attn_tile.unpack' op expected bytes of i8, found 'f16'}}
  %0 = attn_tile.unpack %a : tensor<32x64xf16> -> tensor<32x128xf16>
  return
}
