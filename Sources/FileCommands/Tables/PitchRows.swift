import JSON
import OfflineProcessing

/// Pitch over time in results: a row every 10 ms; `f0_hz` is 0 without a voice.
enum PitchRows {
  static let schema = RowSchema<PitchRow>(
    name: "pitch",
    columns: [
      .number("time_s", decimals: 4) { $0.seconds },
      .number("f0_hz", decimals: 2) { Double($0.hertz) },
      .number("voicing", decimals: 3) { Double($0.voicing) },
    ])

  /// Writes the values of the whole sound into an object; 0 Hz without a voice.
  static func writeSummary(_ json: inout JSONWriter, _ pitch: PitchMeasurement) {
    json.field("voiced_share", pitch.voicedShare, decimals: 4)
    json.field("median_f0_hz", pitch.medianHertz ?? 0, decimals: 2)
    json.field("low_f0_hz", pitch.rangeHertz?.lowerBound ?? 0, decimals: 2)
    json.field("high_f0_hz", pitch.rangeHertz?.upperBound ?? 0, decimals: 2)
  }

  /// Returns words for the terminal.
  static func summary(_ pitch: PitchMeasurement) -> String {
    guard let median = pitch.medianHertz else { return "no voice" }
    return "voiced \(JSONWriter.digits(pitch.voicedShare * 100, 0)) %, median pitch \(JSONWriter.digits(median, 1)) Hz"
  }
}
