import Engine
import JSON
import Metering

/// The loudness over time, as results have it: a row for each interval; the time is the end of both windows.
enum LoudnessRows {
  static let schema = RowSchema<Loudness.Moment>(
    name: "loudness",
    columns: [
      .number("time_s", decimals: 3) { $0.timeSeconds }, .number("momentary_lufs", decimals: 2) { $0.momentary },
      .number("shortterm_lufs", decimals: 2) { $0.shortTerm },
    ])

  /// What holds for the whole, within an object.
  static func writeSummary(_ json: inout JSONWriter, _ loudness: Loudness) {
    json.field("integrated_lufs", loudness.integrated, decimals: 2)
    json.field("range_lu", loudness.range, decimals: 2)
    json.field("true_peak_dbtp", loudness.truePeak, decimals: 2)
  }
}
