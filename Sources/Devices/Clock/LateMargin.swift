/// Time by which samples may be late: the chosen margin, and an addition if interruptions repeat.
///
/// A longer delay cannot hide a single stall. From the second interruption within 10 s on, each adds 10 ms, up to
/// 100 ms. After five minutes without an interruption, the addition shrinks by 1 ms every 10 s.
///
/// Thread: the one that owns it. Real-time: wait-free.
struct LateMargin: BitwiseCopyable {
  private static let step = 10e-3
  private static let largest = 100e-3
  private static let memory = 10.0
  private static let patience = 300.0

  private let chosen: Double
  private var added = 0.0
  /// Seconds since the newest interruption.
  private var quiet = Double.infinity

  /// Creates the margin, in seconds.
  init(_ chosen: Double) { self.chosen = chosen }

  /// The present margin, in seconds.
  var seconds: Double { @_noLocks get { chosen + added } }

  /// Notes an interruption.
  @_noLocks
  mutating func noteInterruption() {
    if quiet < Self.memory { added = min(Self.largest, added + Self.step) }
    quiet = 0
  }

  /// Notes that time has passed.
  @_noLocks
  mutating func pass(_ seconds: Double) {
    quiet += seconds
    guard quiet > Self.patience else { return }
    added = max(0, added - 1e-3)
    quiet -= Self.memory
  }
}
