import Devices
import Foundation
import GraphTestSupport
import TestSupport
import Testing

/// What happens around stalls: the sound returns within two periods, besides the constant delay of the path.
@Suite(.timeLimit(.minutes(10))) struct DeviceFaultTests {
  private static let spans: [Duration] = [.milliseconds(5), .milliseconds(20), .milliseconds(100), .milliseconds(500)]
  private static let drift = DriftCase(skew: 300, sampleRate: 48_000, hasJitter: true)

  /// Blocks of a gap are 5 ms long.
  private static let resolution = 0.005

  @Test("a stalled microphone heals within two periods", .shows("devices: faults"), arguments: spans)
  func captureStall(_ span: Duration) throws {
    let lab = try CaptureLab(Self.drift.device(.capture))
    lab.run(.seconds(3))
    lab.devices.stall("a", for: span)
    // Lost time that the buffer hides is noticed within two seconds, and made up slowly.
    lab.run(.seconds(12))
    try checkCapture(lab, faultEnd: 3 + span / .seconds(1))
  }

  @Test("a thread of a microphone that sleeps heals within two periods", .shows("devices: faults"), arguments: spans)
  func captureSleep(_ span: Duration) throws {
    let lab = try CaptureLab(Self.drift.device(.capture))
    lab.run(.seconds(3))
    lab.devices.delayWakes(of: "a", by: span)
    lab.run(.seconds(2))
    try checkCapture(lab, faultEnd: 3 + span / .seconds(1))
  }

  @Test("a microphone that is plugged in again is heard within two periods", .shows("devices: faults"))
  func captureUnplug() throws {
    let lab = try CaptureLab(Self.drift.device(.capture))
    lab.run(.seconds(3))
    lab.devices.unplug("a")
    lab.run(.milliseconds(730))
    lab.devices.plug(Self.drift.device(.capture))
    lab.run(.seconds(2))
    try checkCapture(lab, faultEnd: 3.73)
  }

  private func checkCapture(_ lab: CaptureLab, faultEnd: Double) throws {
    let delay = Double(lab.source.report.delayNanoseconds) * 1e-9
    let gaps = Sounding.gaps(lab.samples, level: 0.5) { Double($0) / 48_000 }.filter { $0.lowerBound > 1 }
    #expect(gaps.allSatisfy { $0.lowerBound > 2.99 && $0.upperBound < faultEnd + delay + 0.02 + Self.resolution })
    #expect(gaps.count <= 1)
    // The delay is that of before.
    #expect(abs(delay - 0.031) < 0.003)
    // No click: a tone of 1 kHz moves by 0.065 a sample, and twice that in a crossfade.
    #expect(Signals.largestStep(lab.samples) < 0.14)
  }

  @Test("a stalled loudspeaker heals within two periods", .shows("devices: faults"), arguments: spans)
  func playoutStall(_ span: Duration) throws {
    let lab = try PlayoutLab(Self.drift.device(.playout), source: PlayoutLab.tone(seconds: 8))
    lab.run(.seconds(3))
    lab.devices.stall("a", for: span)
    lab.run(.seconds(2))
    checkPlayout(lab, faultEnd: 3 + span / .seconds(1))
  }

  @Test("a thread of a loudspeaker that sleeps heals within two periods", .shows("devices: faults"), arguments: spans)
  func playoutSleep(_ span: Duration) throws {
    let lab = try PlayoutLab(Self.drift.device(.playout), source: PlayoutLab.tone(seconds: 8))
    lab.run(.seconds(3))
    lab.devices.delayWakes(of: "a", by: span)
    lab.run(.seconds(2))
    // The buffer has run empty meanwhile: that end is not ours.
    checkPlayout(lab, faultEnd: 3 + span / .seconds(1), isClean: false)
  }

  @Test("ticks that come late, all at once, are heard within two periods", .shows("devices: faults"), arguments: spans)
  func lateTicks(_ span: Duration) throws {
    let lab = try PlayoutLab(Self.drift.device(.playout), source: PlayoutLab.tone(seconds: 8))
    lab.run(.seconds(3))
    lab.stallTicks(span)
    lab.run(.seconds(2))
    checkPlayout(lab, faultEnd: 3 + span / .seconds(1))
  }

  @Test("a loudspeaker that is plugged in again is heard within two periods", .shows("devices: faults"))
  func playoutUnplug() throws {
    let lab = try PlayoutLab(Self.drift.device(.playout), source: PlayoutLab.tone(seconds: 8))
    lab.run(.seconds(3))
    lab.devices.unplug("a")
    lab.run(.milliseconds(730))
    lab.devices.plug(Self.drift.device(.playout))
    lab.run(.seconds(2))
    checkPlayout(lab, faultEnd: 3.73, isClean: false)
  }

  @Test(
    "a device that moves in bursts is heard without a gap after a while", .shows("devices: faults"), arguments: [2, 5])
  func bursts(_ periods: Int) throws {
    let microphone = VirtualDevice(
      id: "a", direction: .capture, skewPartsPerMillion: 200, lateness: .milliseconds(2), periodsPerBurst: periods)
    let capture = try CaptureLab(microphone)
    let loudspeaker = VirtualDevice(
      id: "a", direction: .playout, skewPartsPerMillion: -200, lateness: .milliseconds(2), periodsPerBurst: periods)
    let playout = try PlayoutLab(loudspeaker, source: PlayoutLab.tone(seconds: 20))
    capture.run(.seconds(20))
    playout.run(.seconds(20))
    let gaps = Sounding.gaps(Array(capture.samples.suffix(480_000)), level: 0.5) { Double($0) / 48_000 }
    #expect(gaps.isEmpty, "\(gaps)")
    let times = playout.times
    let heard = Sounding.gaps(playout.samples, level: 0.5) { times[$0] }.filter { $0.lowerBound > 10 }
    #expect(heard.isEmpty, "\(heard)")
  }

  private func checkPlayout(_ lab: PlayoutLab, faultEnd: Double, isClean: Bool = true) {
    let delay = Double(lab.sink.report.delayNanoseconds) * 1e-9
    let times = lab.times
    let gaps = Sounding.gaps(lab.samples, level: 0.5) { times[$0] }.filter { $0.lowerBound > 1 }
    #expect(
      gaps.allSatisfy { $0.lowerBound > 2.99 && $0.upperBound < faultEnd + delay + 0.02 + Self.resolution },
      "\(gaps), delay \(delay)")
    #expect(abs(delay - 0.021) < 0.003)
    if isClean { #expect(Signals.largestStep(lab.samples) < 0.14) }
  }
}
