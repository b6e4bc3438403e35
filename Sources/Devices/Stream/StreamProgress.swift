import Synchronization

/// Figures of a device stream, for reports. They order nothing.
struct StreamProgress: ~Copyable {
  /// Delay between the device's converter and the tick, in nanoseconds. Stored by the audio thread.
  let delay = Atomic<Int>(0)
  /// Stored by the thread that fills in silence.
  let underruns = Atomic<Int>(0)
  let inserted = Atomic<Int>(0)
  let dropped = Atomic<Int>(0)
  /// Stored by the device thread.
  let xruns = Atomic<Int>(0)
  let moved = Atomic<Int>(0)
  let opened = Atomic<Int>(0)
  let lost = Atomic<Int>(0)
  let sampleRate = Atomic<Int>(0)
  /// Skew of the device's clock, in parts per 10^12.
  let skew = Atomic<Int>(0)

  init() {}

  var report: DeviceReport {
    var report = DeviceReport()
    report.sampleRate = sampleRate.load(ordering: .relaxed)
    report.skewPartsPerMillion = Double(skew.load(ordering: .relaxed)) * 1e-6
    report.delayNanoseconds = delay.load(ordering: .relaxed)
    report.xrunCount = xruns.load(ordering: .relaxed)
    report.underrunCount = underruns.load(ordering: .relaxed)
    report.insertedSampleCount = inserted.load(ordering: .relaxed)
    report.droppedSampleCount = dropped.load(ordering: .relaxed)
    report.movedSampleCount = moved.load(ordering: .relaxed)
    report.openCount = opened.load(ordering: .relaxed)
    report.lossCount = lost.load(ordering: .relaxed)
    return report
  }
}
