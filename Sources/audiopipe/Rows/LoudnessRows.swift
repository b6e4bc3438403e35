import Engine

/// The loudness over time as other programs read it.
enum LoudnessRows {
  /// A table, a row for each interval; the time is the end of both windows.
  static func table(_ loudness: Loudness?) -> TableLines {
    TableLines(
      header: "time_s,momentary_lufs,shortterm_lufs",
      rows: (loudness?.moments ?? StoredRows()).lazy.map { moment in
        [(moment.timeSeconds, 3), (moment.momentary, 2), (moment.shortTerm, 2)].map { VolumeRows.fixed($0, $1) }
      })
  }

  /// What holds for the whole, within an object.
  static func writeSummary(_ json: inout JSONWriter, _ loudness: Loudness) {
    json.field("integrated_lufs", loudness.integrated, decimals: 2)
    json.field("range_lu", loudness.range, decimals: 2)
    json.field("true_peak_dbtp", loudness.truePeak, decimals: 2)
  }

  /// Its course as an array, under `loudness`.
  static func write(_ json: inout JSONWriter, _ loudness: Loudness) {
    json.array("loudness") { json in
      for moment in loudness.moments {
        json.object { json in
          json.field("time_s", moment.timeSeconds, decimals: 3)
          json.field("momentary_lufs", moment.momentary, decimals: 2)
          json.field("shortterm_lufs", moment.shortTerm, decimals: 2)
        }
      }
    }
  }
}
