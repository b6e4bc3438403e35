import TestSupport
import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(10))) struct TruePeakMeterTests {
  private static let margin = 64

  @Test("a block that is called below a limit never measures above it")
  func boundsHold() {
    var meter = TruePeakMeter()
    var generator = SeededGenerator(seed: 11)
    var cleared = 0
    for round in 0..<2_000 {
      let count = 2 * Self.margin + TruePeakMeter.blockCount
      let frequency = Double.random(in: 0...0.5, using: &generator)
      let phase = Double.random(in: 0...6, using: &generator)
      var samples = Signals.sine(count: count, cyclesPerSample: frequency, phase: phase)
      let amplitude = Float.random(in: 0...1, using: &generator)
      let noise = Signals.noise(count: count, amplitude: amplitude, seed: UInt64(round))
      for index in samples.indices { samples[index] = samples[index] * Float.random(in: 0...1, using: &generator) }
      if round % 2 == 0 { samples = Signals.sine(count: count, cyclesPerSample: frequency / 8, phase: phase) }
      if round % 3 == 0 { samples = noise }
      let limit = Float.random(in: 0.5...2, using: &generator)
      var peaks = [Float](repeating: 0, count: TruePeakMeter.blockCount)
      let isBelow = samples.withUnsafeBufferPointer { buffer in
        let start = buffer.baseAddress! + Self.margin
        meter.measure(start, raising: &peaks, continues: false)
        return meter.isBelow(limit, start)
      }
      if isBelow {
        cleared += 1
        #expect(peaks.max()! <= limit, "round \(round)")
      }
    }
    #expect(cleared > 400)
  }

  @Test("a sine's peak is right within -0.1 and +0.2 dB up to 0.43 of the rate")
  func sines() {
    var meter = TruePeakMeter()
    for step in 1...43 {
      for phase in 0..<8 {
        let frequency = Double(step) / 100
        let samples = Signals.sine(count: 3_000, cyclesPerSample: frequency, phase: Double(phase) * 0.4)
        var highest: Float = 0
        samples.withUnsafeBufferPointer { buffer in
          for block in 0..<80 {
            var peaks = [Float](repeating: 0, count: TruePeakMeter.blockCount)
            let start = buffer.baseAddress! + (Self.margin + block * TruePeakMeter.blockCount)
            meter.measure(start, raising: &peaks, continues: block > 0)
            highest = max(highest, peaks.max()!)
          }
        }
        #expect(highest > 0.9886 && highest < 1.0233, "\(frequency) of the rate, phase \(phase)")
      }
    }
  }
}
