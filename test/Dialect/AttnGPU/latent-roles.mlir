// Four roles of latent heads: groups of a key's columns have rings of their own, so that the role
// with the softmax begins its first MMA when the first group has arrived, and the ring of
// probabilities lies in the slots of the columns that are dead then. The roles that read
// probabilities hold these slots until they have read them.

// RUN: attn-opt %S/../../Programs/latent-roles.mlir -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --implicit-check-not=remark:
// DEFINE: %{change} =
// DEFINE: %{message} =
// DEFINE: %{refused} = sed '%{change}' %S/../../Programs/latent-roles.mlir | not attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=%{message} --implicit-check-not=error:
// REDEFINE: %{change} = s/attn_tile.dot .passed, .kj1/attn_tile.dot \x25odd_rounded, \x25kj1/; s/^ *.passed = /\x25odd = attn_tile.dot \x25qi2, \x25kj2, \x25zero transpose_rhs : !rqueries, !rkeys, !scores\n\x25odd_rounded = arith.truncf \x25odd : !scores to !rounded\n&/
// REDEFINE: %{message} = OTHER
// RUN: %{refused}

// Without a multiplier, probabilities stay in registers.
// RUN: sed 's/roles = [^]]*]/roles = producer_consumer/; s/overlap = true, //' %S/../../Programs/latent-roles.mlir | attn-opt -attn-to-gpu=chip=sm_90a | FileCheck %s --check-prefix=TOGETHER

// CHECK-LABEL: attn_gpu.kernel @latent_roles_tma(
// CHECK: %[[A:.+]] = attn_gpu.ring at {{.+}} : <2, tensor<64x256xf16, #attn_gpu.swizzled>>
// CHECK: %[[B:.+]] = attn_gpu.ring at {{.+}} : <2, tensor<64x256xf16, #attn_gpu.swizzled>>
// CHECK: %[[DEAD:.+]] = attn_gpu.ring at [[PLACE:[0-9]+]] barriers {{.+}} : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: %[[P:.+]] = attn_gpu.ring at [[PLACE]] barriers {{.+}} : <2, tensor<64x64xf16, #attn_gpu.swizzled>>
// CHECK: %[[ALPHA:.+]] = attn_gpu.ring {{.+}} each_warp : <2, tensor<64xf32, #attn_gpu.shared<padding = 0>>>
// CHECK: attn_gpu.init_ring %[[A]] readers 3 :
// CHECK: attn_gpu.init_ring %[[B]] readers 3 :
// CHECK: attn_gpu.init_ring %[[DEAD]] readers 3 :
// CHECK: attn_gpu.init_ring %[[P]] readers 2 writers 4 :
// CHECK: attn_gpu.roles warpgroups [2, 1, 1] registers [160, 168, 24] elected [false, false, true]

// Both accumulators are rescaled before the first MMA.
// CHECK: %[[HELD:.+]], %{{.+}} = attn_gpu.acquire %[[DEAD]][
// CHECK: %[[READ:.+]], %{{.+}} = attn_gpu.acquire %[[P]][
// CHECK: %[[PUT:.+]] = attn_tile.reuse %[[READ]] over %[[HELD]]
// CHECK: attn_gpu.acquire %[[ALPHA]][
// CHECK-COUNT-2: = scf.if
// CHECK: attn_gpu.mma %[[PUT]],
// CHECK-NOT: scf.if
// CHECK: attn_gpu.mma %[[PUT]],
// CHECK: attn_gpu.mma_wait 1,
// CHECK: attn_gpu.mma_wait 0,
// CHECK-DAG: attn_gpu.release %[[P]][
// CHECK-DAG: attn_gpu.release %[[DEAD]][

// Each MMA of scores waits for its group alone.
// CHECK: }, {
// CHECK: %[[FIRST:.+]], %{{.+}} = attn_gpu.acquire %[[A]][
// CHECK-NEXT: {{.+}} arith.addi
// CHECK-NEXT: %[[S0:.+]] = attn_gpu.mma %{{.+}}, %[[FIRST]], %{{.+}} transpose_rhs
// CHECK-NOT: = attn_gpu.mma %
// CHECK: %[[SECOND:.+]], %{{.+}} = attn_gpu.acquire %[[B]][
// CHECK-NEXT: %[[S1:.+]] = attn_gpu.mma %{{.+}}, %[[SECOND]], %[[S0]] transpose_rhs
// CHECK-NEXT: %[[THIRD:.+]], %{{.+}} = attn_gpu.acquire %[[DEAD]][
// CHECK-NEXT: attn_gpu.mma %{{.+}}, %[[THIRD]], %[[S1]] transpose_rhs
// CHECK: attn_gpu.mma_wait 0,
// CHECK: attn_gpu.put %{{.+}} to %[[P]][{{.+}}] meets :

// OTHER: error: 'attn_tile.dot' op expected only products of the role "scores" to read the tile whose memory this role reuses, found this

// TOGETHER-NOT: attn_tile.reuse
// TOGETHER-NOT: attn_gpu.put
// TOGETHER: attn_gpu.roles warpgroups [2, 1]
