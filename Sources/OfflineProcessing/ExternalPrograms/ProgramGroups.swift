import Glibc
import Synchronization

/// Process groups of the running programs, for a program that exits at once.
///
/// A program has its own group, so that all processes that it has started end with it. The signal of Ctrl-C at a
/// terminal does not reach that group.
public enum ProgramGroups {
  /// Largest number of groups; further programs end only with the end of their input.
  private static let capacity = 256

  // SAFETY: allocated once and never freed; every cell is atomic. 0: free. Pairs with nothing: numbers alone.
  nonisolated(unsafe) private static let cells: UnsafeMutablePointer<Atomic<pid_t>> = {
    let cells = UnsafeMutablePointer<Atomic<pid_t>>.allocate(capacity: capacity)
    for index in 0..<capacity { (cells + index).initialize(to: Atomic(0)) }
    return cells
  }()

  /// Creates the table, so that a signal handler never has to.
  public static func prepare() { _ = cells }

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

  /// Ends all groups. After `prepare`, a signal handler may call it (signal-safety(7)).
  public static func endAll() {
    for index in 0..<capacity {
      let group = cells[index].load(ordering: .relaxed)
      if group > 0 { kill(-group, SIGKILL) }
    }
  }
}
