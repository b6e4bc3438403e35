import Engine
import JSON
import Metering

/// Loudness over time in results: a row for each interval; the time is the end of both windows.
enum LoudnessRows {
  static let schema = RowSchema<Loudness.Moment>(
    name: "loudness",
    columns: [
      .number("time_s", decimals: 3) { $0.timeSeconds }, .number("momentary_lufs", decimals: 2) { $0.momentary },
      .number("shortterm_lufs", decimals: 2) { $0.shortTerm },
    ])

  /// Writes the values of the whole sound into an object.
  static func writeSummary(_ json: inout JSONWriter, _ loudness: Loudness) {
    for (name, value) in [
      ("integrated_lufs", loudness.integrated), ("range_lu", loudness.range), ("true_peak_dbtp", loudness.truePeak),
    ] {
      json.key(name)
      if let value { json.value(value, decimals: 2) } else { json.null() }
    }
  }

  /// Returns a line for the terminal.
  static func summary(_ loudness: Loudness) -> String {
    func text(_ value: Double?, _ unit: String) -> String {
      value.map { "\(JSONWriter.digits($0, 1)) \(unit)" } ?? "none"
    }
    return
      "\(loudness.integrated == nil ? "loudness " : "")\(text(loudness.integrated, "LUFS")), range \(text(loudness.range, "LU")), "
      + "true peak \(text(loudness.truePeak, "dBTP"))"
  }
}
