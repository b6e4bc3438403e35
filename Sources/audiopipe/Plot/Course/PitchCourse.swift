import PitchDetection

/// A pitch track in memory that does not grow with it.
struct PitchCourse: Sendable {
  /// The time from one row to the next.
  static let secondsPerRow = 0.01

  private(set) var envelope = Envelope<PitchCell>(capacity: SoundCourse.capacity)
  /// When the first row was.
  private(set) var start = 0.0
  /// Of all rows with a voice, in Hz; nil where there are none.
  private(set) var range: ClosedRange<Float>?

  mutating func append(_ row: PitchPoint) {
    if envelope.count == 0 { start = row.seconds }
    envelope.append(PitchCell(row.estimate))
    guard row.estimate.isVoiced else { return }
    let hertz = row.estimate.hertz
    range = min(range?.lowerBound ?? hertz, hertz)...max(range?.upperBound ?? hertz, hertz)
  }

  /// The time of a row, or of a place between two, in seconds.
  func seconds(ofRow row: Double) -> Double { start + row * Self.secondsPerRow }
}
