import Devices
import Foundation
import GraphTestSupport
import TestSupport
import Testing

// A long run lets clocks drift for a day.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct PlayoutDriftTests {
  @Test(
    "a tone stays pure and keeps its frequency on a clock that drifts", .shows("devices: clocks"),
    arguments: DriftCase.all, [DeviceOptions.Quality.fast, .high])
  func purity(_ drift: DriftCase, _ quality: DeviceOptions.Quality) throws {
    let lab = try PlayoutLab(
      drift.device(.playout), options: DeviceOptions(quality: quality), source: PlayoutLab.tone(seconds: 66))
    lab.run(.seconds(66))
    let heard = lab.samples
    for second in 60..<65 {
      let window = heard[second * drift.sampleRate..<(second + 1) * drift.sampleRate]
      let fit = SineFit(window, sampleRate: drift.trueRate, near: 1_000)
      #expect(fit.residualDecibels < -90, "\(drift), \(quality), second \(second)")
      #expect(abs(fit.frequency - 1_000) < 0.001, "\(drift), \(quality), second \(second)")
      #expect(abs(20 * log10(fit.amplitude / 0.5)) < 0.01, "\(drift), \(quality), second \(second)")
    }
  }

  @Test("the delay stays within 5 ms without an interruption", .shows("devices: clocks"), arguments: DriftCase.watched)
  func delay(_ drift: DriftCase) throws {
    let lab = try PlayoutLab(
      drift.device(.playout), options: DeviceOptions(quality: .fast), keeps: false,
      source: PlayoutLab.tone(seconds: 1))
    var (least, most) = (Int.max, 0)
    lab.run(DriftCase.watchedDuration) {
      guard lab.tick > 10 else { return }
      let delay = lab.sink.report.delayNanoseconds
      (least, most) = (min(least, delay), max(most, delay))
    }
    #expect(most - least < 5_000_000, "\(drift)")
    #expect(lab.sink.report.underrunCount == 0 && lab.sink.report.xrunCount == 0, "\(drift)")
    #expect(lab.sink.report.droppedSampleCount == 0, "\(drift)")
    #expect(abs(lab.sink.report.skewPartsPerMillion - drift.skew) < 1, "\(drift)")
  }

  @Test(
    "a tone keeps its rate within 50 ppm behind a wandering sound server",
    .shows("devices: clocks"), arguments: [-30.0, 30], [1, 2] as [UInt64])
  func server(skew: Double, seed: UInt64) throws {
    var device = VirtualDevice(id: "a", direction: .playout, skewPartsPerMillion: skew)
    device.wander = .microseconds(500)
    device.lateness = .milliseconds(2)
    let lab = try PlayoutLab(device, seed: seed, source: PlayoutLab.tone(seconds: 20))
    lab.run(.seconds(20))
    let rate = 48_000 * (1 + skew * 1e-6)
    // The start, in which the server's phase is found, has no sound.
    for second in 1..<19 {
      let window = lab.samples[second * 48_000..<(second + 1) * 48_000]
      let fit = SineFit(window, sampleRate: rate, near: 1_000)
      #expect(abs(fit.frequency - 1_000) < 0.05, "second \(second): \(fit.frequency) Hz")
      #expect(fit.residualDecibels < -50, "second \(second): \(fit.residualDecibels) dB")
    }
    #expect(lab.sink.report.underrunCount == 0 && lab.sink.report.xrunCount == 0)
  }

  @Test("mono is played on both channels of a stereo device", .shows("devices: clocks"))
  func channels() throws {
    var device = VirtualDevice(id: "a", direction: .playout)
    device.channelCount = 2
    let lab = try PlayoutLab(device, source: PlayoutLab.tone(seconds: 1))
    lab.run(.seconds(1))
    let (left, right) = (lab.samples, lab.lastChannel)
    #expect(left == right && left.contains { abs($0) > 0.4 })
  }
}
