import Effects
import JSON
import OfflineProcessing

extension LoudnessTargetResult {
  /// Writes the fields of a report into an object.
  func write(_ json: inout JSONWriter) {
    for (name, value) in [
      ("target_lufs", target.integrated), ("ceiling_dbtp", target.truePeak), ("gain_db", gain.value),
      ("limiter_gain_db", limiterGain.value), ("integrated_lufs", integrated), ("true_peak_dbtp", truePeak),
    ] {
      json.key(name)
      if let value { json.value(value, decimals: 2) } else { json.null() }
    }
    json.field("passes", passes)
    json.key("removed_offset")
    json.value(Double(removedOffset), decimals: 4)
    json.field("reached", isReached)
  }

  /// Words for the terminal: loudness and true peak of the output, and how they came about.
  var summary: String {
    let levels = [
      integrated.map { "\(JSONWriter.digits($0, 1)) LUFS" }, truePeak.map { "\(JSONWriter.digits($0, 1)) dBTP" },
    ].compactMap(\.self)
    let limited = limiterGain.value < 0 ? ", limited by up to \(JSONWriter.digits(-limiterGain.value, 1)) dB" : ""
    let offset = removedOffset > 0 ? ", without a DC offset of \(JSONWriter.digits(Double(removedOffset), 2))" : ""
    return "\(levels.isEmpty ? "silence" : levels.joined(separator: ", ")) after \(passes) passes with "
      + "\(JSONWriter.digits(gain.value, 1)) dB\(limited)\(offset)"
  }
}
