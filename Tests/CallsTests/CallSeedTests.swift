import Foundation
import TestSupport
import Testing

@testable import Calls

/// Calls under every kind of trouble.
@Suite(.timeLimit(.minutes(10))) struct CallSeedTests {
  private static let isLong = ProcessInfo.processInfo.environment["AUDIOPIPE_LONG"] != nil

  @Test("nobody is stuck, and both sides agree on the call", .shows("K3", "K8", "K10"))
  func seeds() {
    var paths: Set<CallWorld.Path> = []
    for seed in 1...UInt64(Self.isLong ? 2_000 : 40) {
      let world = CallWorld(seed: seed)
      world.run()
      #expect(world.faults.isEmpty, "seed \(seed): \(world.faults.prefix(3))")
      paths.formUnion(world.paths)
    }
    // Rare paths that no seed reaches are not tested.
    #expect(Set(CallWorld.Path.allCases).subtracting(paths).isEmpty)
  }
}
