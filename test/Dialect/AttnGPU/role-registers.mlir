// What ptxas would say (C7512, C7507) of roles with too few registers for their accumulators is foreseen. Threads of four
// warpgroups are launched with 128 registers: an MMA of 256 columns, which needs more (C7602), is two MMAs of 128 columns.

// RUN: attn-opt %S/../../Programs/latent-roles.mlir -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=ENOUGH --implicit-check-not=warning:
// RUN: sed 's/consumer(registers = 160)/consumer(registers = 152)/' %S/../../Programs/latent-roles.mlir | attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=CONSUMER
// RUN: sed 's/registers = 168/registers = 56/' %S/../../Programs/latent-roles.mlir | attn-opt -attn-to-gpu=chip=sm_90a 2>&1 | FileCheck %s --check-prefix=MULTIPLIER
// RUN: attnc compile --target sm_90a --emit ptx %S/../../Programs/latent-roles.mlir -o - 2>/dev/null | FileCheck %s --check-prefix=PTX

// ENOUGH: attn_gpu.roles warpgroups [2, 1, 1] registers [160, 168, 24]
// CONSUMER: warning: expected more than 152 registers for each thread of the role "consumer", of which accumulators take 128, found 152: ptxas would serialise MMAs (C7512) or ignore the registers that the roles state (C7507)
// CONSUMER-NOT: warning:
// MULTIPLIER: warning: expected more than 56 registers for each thread of the role "scores", of which accumulators take 32, found 56:
// MULTIPLIER-NOT: warning:
// PTX-NOT: m64n256k16
// PTX: wgmma.mma_async.sync.aligned.m64n128k16
