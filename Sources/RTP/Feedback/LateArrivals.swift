/// Losses of intervals, without the packets that were only late.
///
/// A packet that another one overtakes is missing in the report between them, and received by the next: that report's
/// interval has a loss below 0, which is subtracted from the losses of later intervals.
///
/// Real-time: wait-free.
public struct LateArrivals: Sendable, BitwiseCopyable {
  /// Packets that may be late at once: 160 ms of packets of 10 ms. A receiver that counts duplicates as received
  /// reports losses below 0 for ever, and they must not hide many real ones.
  private static var mostLate: Int { @_noLocks get { 16 } }

  /// Packets that were lost by former reports, and have been received since.
  private var count = 0

  /// Creates a count of none.
  @_noLocks
  public init() {}

  /// Takes the loss of an interval by its reports, which may be below 0.
  ///
  /// - Returns: the packets of the interval that are really missing, 0 or more.
  @_noLocks
  public mutating func subtract(from lost: Int) -> Int {
    let rest = lost < -LateArrivals.mostLate ? -LateArrivals.mostLate : lost &- count
    count = rest >= 0 ? 0 : rest < -LateArrivals.mostLate ? LateArrivals.mostLate : -rest
    return rest >= 0 ? rest : 0
  }
}
