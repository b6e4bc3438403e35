public import OfflineProcessing

/// A pitch track in memory that does not grow with it.
public struct PitchSeries: Sendable {
  /// Time from one row to the next, in seconds.
  package static let secondsPerRow = 0.01

  package private(set) var envelope = Envelope<PitchBin>(capacity: SoundSeries.capacity)
  /// Time of the first row, in seconds.
  package private(set) var start = 0.0
  /// Range of pitches of all rows with a voice, in Hz; nil if there are none.
  package private(set) var range: ClosedRange<Float>?

  /// Creates a series without rows.
  public init() {}

  /// Appends the next row.
  public mutating func append(_ row: PitchRow) {
    if envelope.count == 0 { start = row.seconds }
    envelope.append(PitchBin(hertz: row.hertz))
    guard row.isVoiced else { return }
    let hertz = row.hertz
    range = min(range?.lowerBound ?? hertz, hertz)...max(range?.upperBound ?? hertz, hertz)
  }

  /// Returns the time of a row, or of a position between two, in seconds.
  package func seconds(ofRow row: Double) -> Double { start + row * Self.secondsPerRow }
}
