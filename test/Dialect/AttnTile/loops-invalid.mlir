// RUN: attn-opt %s -split-input-file -verify-diagnostics

func.func @grid_few_steps(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected a step for each of 2 sizes, found 1}}
  attn_tile.grid (%i, %j) to (%n, %n) step [64] {
  }
  return
}

// -----

func.func @grid_sizes(%n: index) {
  // expected-error@below {{expected 2 operands}}
  attn_tile.grid (%i, %j) to (%n) step [64, 64] {
  }
  return
}

// -----

func.func @grid_step_0(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected steps of at least 1, found [64, 0]}}
  attn_tile.grid (%i, %j) to (%n, %n) step [64, 0] {
  }
  return
}

// -----

func.func @grid_negative_step(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected steps of at least 1, found [-64]}}
  attn_tile.grid (%i) to (%n) step [-64] {
  }
  return
}

// -----

func.func @grid_limit(%n: index, %limit: memref<2x2xi32>) {
  // expected-error@below {{'attn_tile.grid' op operand #1 must be 1D memref of 32-bit signless integer values, but got 'memref<2x2xi32>'}}
  attn_tile.grid (%i) to (%n) step [64] limit %limit : memref<2x2xi32> {
  }
  return
}

// -----

func.func @grid_few_points(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected an index in the body for each of 2 sizes}}
  "attn_tile.grid"(%n, %n) <{operandSegmentSizes = array<i32: 2, 0, 0>, steps = array<i64: 1, 64>}> ({
  ^bb0(%i: index):
    attn_tile.yield
  }) : (index, index) -> ()
  return
}

// -----

func.func @grid_point_type(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected an index in the body for each of 1 sizes}}
  "attn_tile.grid"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0>, steps = array<i64: 64>}> ({
  ^bb0(%i: i32):
    attn_tile.yield
  }) : (index) -> ()
  return
}

// -----

func.func @grid_yields(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected a body that yields nothing}}
  attn_tile.grid (%i) to (%n) step [64] {
    attn_tile.yield %i : index
  }
  return
}

// -----

func.func @yield_parent(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    // expected-error@below {{'attn_tile.yield' op expects parent op to be one of 'attn_tile.grid, attn_tile.for_blocks'}}
    attn_tile.yield
  }
  return
}

// -----

// expected-error@below {{expected blocks of at least one column, found 0}}
func.func private @domain_type_0(!attn_tile.domain<0>)

// -----

// expected-error@below {{expected blocks of at least one column, found -64}}
func.func private @domain_type_negative(!attn_tile.domain<-64>)

// -----

func.func @domain_arguments(%r: index) {
  // expected-error@below {{'attn_tile.domain' op expected a region of two indices, a range of rows, found ('index')}}
  %0 = attn_tile.domain rows %r to %r {
  ^bb0(%first: index):
    attn_tile.domain_yield %r to %r full %r to %r
  } : !attn_tile.domain<64>
  return
}

// -----

func.func @domain_argument_types(%r: index) {
  // expected-error@below {{'attn_tile.domain' op expected a region of two indices, a range of rows, found ('index', 'i32')}}
  %0 = attn_tile.domain rows %r to %r {
  ^bb0(%first: index, %last: i32):
    attn_tile.domain_yield %r to %r full %r to %r
  } : !attn_tile.domain<64>
  return
}

// -----

func.func @domain_terminator(%r: index) {
  // expected-error@below {{'attn_tile.domain' op expected a region that ends with attn_tile.domain_yield}}
  %0 = attn_tile.domain rows %r to %r {
  ^bb0(%first: index, %last: index):
    llvm.unreachable
  } : !attn_tile.domain<64>
  return
}

// -----

func.func @domain_yield_parent(%r: index) {
  // expected-error@below {{'attn_tile.domain_yield' op expects parent op 'attn_tile.domain'}}
  attn_tile.domain_yield %r to %r full %r to %r
}

// -----

func.func @domain_list_elements(%m: memref<?xi64>, %n: index) {
  // expected-error@below {{'attn_tile.domain_list' op operand #0 must be 1D memref of 32-bit signless integer values, but got 'memref<?xi64>'}}
  %0 = attn_tile.domain_list %m, %m count %n : memref<?xi64>, memref<?xi64> -> !attn_tile.domain<64>
  return
}

// -----

func.func @domain_list_rank(%m: memref<?xi32>, %p: memref<?x?xi32>, %n: index) {
  // expected-error@below {{'attn_tile.domain_list' op operand #1 must be 1D memref of 32-bit signless integer values, but got 'memref<?x?xi32>'}}
  %0 = attn_tile.domain_list %m, %p count %n : memref<?xi32>, memref<?x?xi32> -> !attn_tile.domain<64>
  return
}

// -----

func.func @for_blocks_names(%d: !attn_tile.domain<64>) {
  // expected-error@below {{custom op 'attn_tile.for_blocks' expected a position and whether it is partial, found 1 arguments}}
  attn_tile.for_blocks (%j) of %d : !attn_tile.domain<64> {
  }
  return
}

// -----

func.func @for_blocks_carried(%d: !attn_tile.domain<64>, %n: index) {
  // expected-error@below {{expected as many types as initial values, 1, found 2}}
  %0:2 = attn_tile.for_blocks (%j, %p) of %d iter_args(%a = %n) -> (index, index) : !attn_tile.domain<64> {
    attn_tile.yield %a, %a : index, index
  }
  return
}

// -----

func.func @for_blocks_domain(%d: index) {
  // expected-error@below {{'attn_tile.for_blocks' op operand #0 must be blocks of columns that rows of a tile need, but got 'index'}}
  attn_tile.for_blocks (%j, %p) of %d : index {
  }
  return
}

// -----

func.func @for_blocks_arguments(%d: !attn_tile.domain<64>) {
  // expected-error@below {{'attn_tile.for_blocks' op expected a body of ('index', 'i1'), found ('index', 'index')}}
  "attn_tile.for_blocks"(%d) ({
  ^bb0(%j: index, %p: index):
    attn_tile.yield
  }) : (!attn_tile.domain<64>) -> ()
  return
}

// -----

func.func @for_blocks_argument_type(%d: !attn_tile.domain<64>, %n: index) {
  // expected-error@below {{'attn_tile.for_blocks' op 0-th init and 0-th region iter_arg have different type: 'index' != 'i32'}}
  %0 = "attn_tile.for_blocks"(%d, %n) ({
  ^bb0(%j: index, %p: i1, %a: i32):
    attn_tile.yield %n : index
  }) : (!attn_tile.domain<64>, index) -> index
  return
}

// -----

func.func @for_blocks_results(%d: !attn_tile.domain<64>, %n: index) {
  // expected-error@below {{'attn_tile.for_blocks' op failed to verify that all of {inits, results} have same type}}
  %0 = "attn_tile.for_blocks"(%d, %n) ({
  ^bb0(%j: index, %p: i1, %a: index):
    attn_tile.yield %n : index
  }) : (!attn_tile.domain<64>, index) -> i32
  return
}

// -----

func.func @for_blocks_yields_nothing(%d: !attn_tile.domain<64>, %n: index) {
  %0 = attn_tile.for_blocks (%j, %p) of %d iter_args(%a = %n) -> (index) : !attn_tile.domain<64> {
    // expected-error@below {{'attn_tile.yield' op expected to yield ('index'), found ()}}
    attn_tile.yield
  }
  return
}

// -----

func.func @for_blocks_yields(%d: !attn_tile.domain<64>, %n: index) {
  // expected-error@below {{'attn_tile.for_blocks' op 0-th region iter_arg and 0-th yielded value have different type: 'index' != 'i1'}}
  %0 = attn_tile.for_blocks (%j, %p) of %d iter_args(%a = %n) -> (index) : !attn_tile.domain<64> {
    attn_tile.yield %p : i1
  }
  return
}

// -----

func.func @no_dimensions() {
  // expected-error@below {{expected at least one dimension, found none}}
  attn_tile.grid () to () step [] {
  }
  return
}

// -----

func.func @few_arguments(%d: !attn_tile.domain<64>) {
  // expected-error@below {{expected a body of ('index', 'i1'), found ('index')}}
  "attn_tile.for_blocks"(%d) ({
  ^bb0(%j: index):
    attn_tile.yield
  }) : (!attn_tile.domain<64>) -> ()
  return
}

// -----

func.func @grid_size_inside(%n: index) {
  // expected-error@below {{use of undeclared SSA value name}}
  attn_tile.grid (%i) to (%d) step [1] {
    %d = arith.addi %n, %n : index
    attn_tile.yield
  }
  return
}

// -----

func.func @domain_inside(%n: index) {
  // expected-error@below {{use of undeclared SSA value name}}
  attn_tile.for_blocks (%i, %p) of %d : !attn_tile.domain<64> {
    %d = builtin.unrealized_conversion_cast %n : index to !attn_tile.domain<64>
    attn_tile.yield
  }
  return
}

// -----

func.func @shared_rows(%n: index) {
  // expected-error@below {{'attn_tile.grid' op expected shared dimensions before the last one, found 1}}
  attn_tile.grid (%h, %i) to (%n, %n) step [1, 64] shared [0, 1] {
  }
  return
}

// -----

func.func @longest(%n: index) {
  // expected-error@below {{expected 'first' or 'last', found 'middle'}}
  attn_tile.grid (%i) to (%n) step [64] longest middle {
  }
  return
}
