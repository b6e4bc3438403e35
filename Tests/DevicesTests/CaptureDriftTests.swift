import Devices
import Foundation
import TestSupport
import Testing

// A long run lets clocks drift for a day.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct CaptureDriftTests {
  @Test(
    "a tone stays pure and keeps its frequency while clocks drift", .shows("devices: clocks"),
    arguments: DriftCase.all, [DeviceOptions.Quality.fast, .high])
  func purity(_ drift: DriftCase, _ quality: DeviceOptions.Quality) throws {
    // The filter of 16 kHz passes less than 90 dB at its edge, not at 1 kHz.
    let lab = try CaptureLab(drift.device(.capture), options: DeviceOptions(quality: quality))
    lab.run(.seconds(66))
    for second in 60..<65 {
      let fit = SineFit(lab.samples[second * 48_000..<(second + 1) * 48_000], sampleRate: 48_000, near: 1_000)
      #expect(fit.residualDecibels < -90, "\(drift), \(quality), second \(second)")
      #expect(abs(fit.frequency - 1_000) < 0.001, "\(drift), \(quality), second \(second)")
      #expect(abs(20 * log10(fit.amplitude / 0.5)) < 0.01, "\(drift), \(quality), second \(second)")
    }
  }

  @Test("the delay stays within 5 ms without an interruption", .shows("devices: clocks"), arguments: DriftCase.watched)
  func delay(_ drift: DriftCase) throws {
    let lab = try CaptureLab(
      drift.device(.capture), options: DeviceOptions(quality: .fast), keeps: false, signal: { _ in 0.1 })
    var (least, most) = (Int.max, 0)
    lab.run(DriftCase.watchedDuration) {
      guard lab.tick > 10 else { return }
      let delay = lab.source.report.delayNanoseconds
      (least, most) = (min(least, delay), max(most, delay))
    }
    #expect(most - least < 5_000_000, "\(drift)")
    #expect(lab.source.report.underrunCount == 0 && lab.source.report.xrunCount == 0, "\(drift)")
    #expect(lab.source.report.droppedSampleCount == 0, "\(drift)")
    #expect(abs(lab.source.report.skewPartsPerMillion - drift.skew) < 1, "\(drift)")
  }

  @Test(
    "a tone keeps its rate within 50 ppm behind a wandering sound server",
    .shows("devices: clocks"), arguments: [-30.0, 30], [1, 2] as [UInt64])
  func server(skew: Double, seed: UInt64) throws {
    var device = VirtualDevice(id: "a", direction: .capture, skewPartsPerMillion: skew)
    device.wander = .microseconds(500)
    device.lateness = .milliseconds(2)
    let lab = try CaptureLab(device, seed: seed)
    lab.run(.seconds(20))
    for second in 1..<19 {
      let fit = SineFit(lab.samples[second * 48_000..<(second + 1) * 48_000], sampleRate: 48_000, near: 1_000)
      #expect(abs(fit.frequency - 1_000) < 0.05, "second \(second): \(fit.frequency) Hz")
      #expect(fit.residualDecibels < -50, "second \(second): \(fit.residualDecibels) dB")
    }
    #expect(lab.source.report.underrunCount == 0 && lab.source.report.xrunCount == 0)
  }

  @Test("the same seed gives the same samples, and another one others", .shows("devices: clocks"))
  func seeds() throws {
    let drift = DriftCase(skew: 250, sampleRate: 48_000, hasJitter: true)
    let samples = try [1, 1, 2].map { seed in
      let lab = try CaptureLab(drift.device(.capture), seed: UInt64(seed))
      lab.run(.seconds(3))
      return lab.samples
    }
    #expect(samples[0] == samples[1])
    #expect(samples[0] != samples[2])
  }

  @Test("a frame carries the time at which its first sample was captured", .shows("devices: clocks"))
  func captureTime() throws {
    // The signal is its own clock: a slow ramp of 0.01 a second.
    let lab = try CaptureLab(
      VirtualDevice(id: "a", direction: .capture, skewPartsPerMillion: 100), signal: { Float($0 * 0.01) })
    lab.run(.seconds(20))
    let first = lab.samples.count - 480
    let captured = Double(lab.samples[first]) / 0.01
    let tick = Double(lab.tick - 1) * 0.01
    #expect(abs(tick - captured - Double(lab.source.report.delayNanoseconds) * 1e-9) < 0.000_5)
  }
}
