package import Devices
package import JSON

/// Figures of a device at the end of a command, for people and programs.
package struct DeviceFigures {
  package let report: DeviceReport

  package init(report: DeviceReport) { self.report = report }

  /// Warning about interruptions; nil if there were none.
  package var warning: String? {
    let count = report.underrunCount + report.xrunCount
    guard count > 0 else { return nil }
    return "the sound was interrupted \(count == 1 ? "once" : "\(count) times"); a larger --buffer, or a real-time "
      + "priority (audiopipe doctor), helps on a busy machine"
  }

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
