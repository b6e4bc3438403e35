import CountingAllocator

/// What calls have allocated and freed on the thread that made them.
struct HeapUse {
  private(set) var allocations = 0
  private(set) var frees = 0

  var text: String { "\(allocations) allocations, \(frees) frees" }
  var isNone: Bool { allocations + frees == 0 }

  /// Makes a call and adds what it does, where `isCounted`.
  mutating func add(isCounted: Bool = true, _ body: () -> Void) {
    counting_arm()
    body()
    let found = counting_disarm()
    guard isCounted else { return }
    allocations += found.calls
    frees += found.frees
  }
}
