package import PitchDetection

/// A pitch track in memory that does not grow with it.
package struct PitchCourse: Sendable {
  /// The time from one row to the next.
  package static let secondsPerRow = 0.01

  package private(set) var envelope = Envelope<PitchCell>(capacity: SoundCourse.capacity)
  /// When the first row was.
  package private(set) var start = 0.0
  /// Of all rows with a voice, in Hz; nil where there are none.
  package private(set) var range: ClosedRange<Float>?

  package init() {}

  package mutating func append(_ row: PitchPoint) {
    if envelope.count == 0 { start = row.seconds }
    envelope.append(PitchCell(row.estimate))
    guard row.estimate.isVoiced else { return }
    let hertz = row.estimate.hertz
    range = min(range?.lowerBound ?? hertz, hertz)...max(range?.upperBound ?? hertz, hertz)
  }

  /// The time of a row, or of a place between two, in seconds.
  package func seconds(ofRow row: Double) -> Double { start + row * Self.secondsPerRow }
}
