import Synchronization

/// Counts the calls of all observers, on whatever thread.
final class CallCount: Sendable {
  private let calls = Atomic<Int>(0)
  private let sum = Atomic<Int>(0)

  /// Counts a call that saw `sample`.
  func add(_ sample: Int16) {
    calls.wrappingAdd(1, ordering: .relaxed)
    sum.wrappingAdd(Int(sample), ordering: .relaxed)
  }

  var value: Int { calls.load(ordering: .relaxed) }
}
