import Engine

/// The level over time, as results have it.
enum VolumeRows {
  /// A table, a row for each interval.
  static func table(_ levels: StoredRows<LevelInterval>) -> TableLines {
    TableLines(
      header: "time_s,volume,rms_dbfs,peak_dbfs,vad",
      rows: levels.lazy.map { level in
        [
          fixed(level.timeSeconds, 3), "\(level.volume)", fixed(level.rmsDBFS, 2), fixed(level.peakDBFS, 2),
          level.isVoice ? "1" : "0",
        ]
      })
  }

  /// The same as the array `volume` of an object.
  static func write(_ json: inout JSONWriter, _ levels: StoredRows<LevelInterval>) {
    json.array("volume") { json in
      for level in levels {
        json.object { json in
          json.field("time_s", level.timeSeconds, decimals: 3)
          json.field("volume", level.volume)
          json.field("rms_dbfs", level.rmsDBFS, decimals: 2)
          json.field("peak_dbfs", level.peakDBFS, decimals: 2)
          json.field("vad", level.isVoice ? 1 : 0)
        }
      }
    }
  }

  /// A number as JSON would have it.
  static func fixed(_ number: Double, _ decimals: Int) -> String {
    var json = JSONWriter()
    json.value(number, decimals: decimals)
    return json.text
  }
}
