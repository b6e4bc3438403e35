import Synchronization

/// Adds up what observers see.
final class Counter: Sendable {
  private let total = Atomic<Int>(0)

  func add(_ value: Int) { total.wrappingAdd(value, ordering: .relaxed) }

  var value: Int { total.load(ordering: .relaxed) }
}
