public import Platform

/// Pitch of a voice over time, and of the whole sound.
public struct PitchMeasurement: Sendable {
  /// Pitch over time, a row every 10 ms; empty if rows were not kept.
  public let rows: SpooledRows<PitchRow>
  /// Share of the rows that have a pitch, 0 to 1; 0 for an empty sound.
  public let voicedShare: Double
  /// Median of all pitches, in Hz, to 0.01 Hz; nil if there are none.
  public let medianHertz: Double?
  /// Range of the voice, in Hz: a twentieth of all pitches lies below it, and a twentieth above; nil if there are none.
  public let rangeHertz: ClosedRange<Double>?

  init(rows: SpooledRows<PitchRow>, counts: PitchHistogram) {
    self.rows = rows
    voicedShare = counts.voicedShare
    medianHertz = counts.quantile(percent: 50)
    rangeHertz = counts.quantile(percent: 5).flatMap { low in counts.quantile(percent: 95).map { low...$0 } }
  }
}
