import Engine
import JSON
import OfflineProcessing

/// Level over time in results: a row for each interval.
enum VolumeRows {
  static let schema = RowSchema<LevelInterval>(
    name: "volume",
    columns: [
      .number("time_s", decimals: 3) { $0.timeSeconds }, .whole("volume") { $0.volume },
      .number("rms_dbfs", decimals: 2) { $0.rmsDBFS }, .number("peak_dbfs", decimals: 2) { $0.peakDBFS },
      .whole("vad") { $0.isVoice ? 1 : 0 },
    ])
}
