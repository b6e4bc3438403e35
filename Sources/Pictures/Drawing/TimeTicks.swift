/// The ticks of a time axis that begins at 0: in seconds, minutes and seconds, or hours and minutes.
package struct TimeTicks: Hashable, Sendable {
  /// Values in seconds.
  package let values: [Double]
  /// Unit of the labels.
  package let unit: String
  private let step: Double
  private let longest: Double

  /// Creates ticks for an axis of `seconds`, at most `maximum` of them.
  package init(seconds: Double, atMost maximum: Int) {
    longest = seconds
    let least = seconds / Double(max(1, maximum))
    // Above a second, clocks do not count in tens.
    let clock: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000, 36_000]
    step = least <= 0.5 ? Ticks.roundedUp(least) : clock.first { $0 >= least } ?? 3_600 * Ticks.roundedUp(least / 3_600)
    values = Ticks.multiples(of: step, in: 0...seconds)
    unit = longest < 60 ? "seconds" : longest < 3_600 ? "minutes:seconds" : "hours:minutes:seconds"
  }

  package func label(_ seconds: Double) -> String {
    if longest < 60 { return seconds.plainText }
    let whole = Int(seconds.rounded())
    let padded = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    guard longest >= 3_600 else { return "\(whole / 60):\(padded(whole % 60))" }
    return "\(whole / 3_600):\(padded(whole / 60 % 60)):\(padded(whole % 60))"
  }
}
