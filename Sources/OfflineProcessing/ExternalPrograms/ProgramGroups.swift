import Glibc
import Synchronization

/// The process groups of the programs that run, for whoever leaves at once.
///
/// A program has a group of its own, so that all that it has started ends with it; what ^C at a terminal sends does not
/// reach it there.
package enum ProgramGroups {
  /// Those beyond are ended by the end of their input alone.
  private static let capacity = 256

  // SAFETY: allocated once and never freed; every cell is atomic. 0: free. Pairs with nothing: numbers alone.
  nonisolated(unsafe) private static let cells: UnsafeMutablePointer<Atomic<pid_t>> = {
    let cells = UnsafeMutablePointer<Atomic<pid_t>>.allocate(capacity: capacity)
    for index in 0..<capacity { (cells + index).initialize(to: Atomic(0)) }
    return cells
  }()

  /// Makes the table, so that no handler of a signal is the one that does.
  package static func prepare() { _ = cells }

  static func add(_ group: pid_t) {
    for index in 0..<capacity {
      if cells[index].compareExchange(expected: 0, desired: group, ordering: .relaxed).exchanged { return }
    }
  }

  static func remove(_ group: pid_t) {
    for index in 0..<capacity {
      if cells[index].compareExchange(expected: group, desired: 0, ordering: .relaxed).exchanged { return }
    }
  }

  /// Ends all of them. Once `prepare` was called, a signal's handler may call it (signal-safety(7)).
  package static func endAll() {
    for index in 0..<capacity {
      let group = cells[index].load(ordering: .relaxed)
      if group > 0 { kill(-group, SIGKILL) }
    }
  }
}
