package import Devices
package import JSON

/// Figures of a device at the end of a command, for people and programs.
package struct DeviceFigures {
  package let report: DeviceReport

  package init(report: DeviceReport) { self.report = report }

  /// Warning about interruptions; nil if there were none.
  package var warning: String? {
    let count = report.underrunCount + report.xrunCount
    let rate = Double(max(1, report.sampleRate))
    let lost = Double(report.droppedSampleCount) / rate
    guard count > 0 || lost > 0.05 || report.lossCount > 0 else { return nil }
    let silent = Double(report.insertedSampleCount) / rate
    let advice =
      report.lossCount > 0
      ? "the device was lost \(report.lossCount == 1 ? "once" : "\(report.lossCount) times"); check its cable, or the log of "
        + "its sound server"
      : "a larger --buffer, or a real-time priority (audiopipe doctor), helps on a busy machine"
    return "the sound was interrupted \(count == 1 ? "once" : "\(count) times"): \(JSONWriter.digits(silent, 2)) s of "
      + "silence, and \(JSONWriter.digits(lost, 2)) s left out; \(advice)"
  }

  /// Note for a machine that does not grant priority.
  package static let priorityNote =
    "the audio thread has no real-time priority, so a busy machine can interrupt the sound; audiopipe doctor says how"

  /// Writes the fields of a report.
  package func write(_ json: inout JSONWriter) {
    json.object("device") { json in
      json.field("sample_rate", report.sampleRate)
      json.field("skew_ppm", report.skewPartsPerMillion, decimals: 2)
      json.field("delay_ms", Double(report.delayNanoseconds) / 1e6, decimals: 2)
      json.field("xruns", report.xrunCount)
      json.field("underruns", report.underrunCount)
      json.field("inserted_samples", report.insertedSampleCount)
      json.field("dropped_samples", report.droppedSampleCount)
      json.field("opened", report.openCount)
    }
  }
}
