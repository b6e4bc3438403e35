import Testing

@testable import Calls

/// A course of calls and news, and its exact outputs.
struct CallScenario: Sendable, CustomTestStringConvertible {
  let name: String
  let steps: @Sendable (inout MachineRig) -> Void
  let lines: [String]
  var testDescription: String { name }

  init(_ name: String, _ steps: @escaping @Sendable (inout MachineRig) -> Void, lines: () -> [String]) {
    (self.name, self.steps, self.lines) = (name, steps, lines())
  }

  /// Runs the scenario on a machine of user 5 that is prepared for the room `r1`.
  func run() -> (lines: [String], seen: SeenNumbers) {
    var rig = MachineRig()
    rig.prepare()
    _ = rig.takeLines()
    steps(&rig)
    return (rig.takeLines(), rig.seen)
  }
}
