import Foundation
import Metering
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct GatedLoudnessTests {
  /// Integrated loudness of a tone of 1 kHz in both channels, at each of these levels in dBFS for so many seconds.
  private func integrated(_ levels: [(dBFS: Double, seconds: Double)], hasTruePeak: Bool = true) throws -> Double? {
    let rate = 48_000
    let meter = try LoudnessMeter(sampleRate: rate, channelCount: 2, measuresTruePeak: hasTruePeak)
    for (level, seconds) in levels {
      let amplitude = pow(10, level / 20)
      let samples = (0..<Int(seconds * Double(rate))).flatMap { index -> [Float] in
        let value = Float(amplitude * sin(2 * Double.pi * 1_000 * Double(index) / Double(rate)))
        return [value, value]
      }
      try meter.add(samples, samplesPerChannel: samples.count / 2)
    }
    return meter.integrated
  }

  @Test("the signals of EBU Tech 3341 have the loudness that it specifies", .shows("loudness CSV"))
  func minimumRequirements() throws {
    let signals: [([(Double, Double)], Double)] = [
      ([(-23, 5)], -23), ([(-33, 5)], -33), ([(-36, 3), (-23, 15), (-36, 3)], -23),
      ([(-72, 3), (-36, 3), (-23, 15), (-36, 3), (-72, 3)], -23), ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
    ]
    for (levels, loudness) in signals {
      let measured = try #require(try integrated(levels))
      // It allows 0.1 LU; windows across two levels take 0.07 of it.
      #expect(abs(measured - loudness) <= (levels.count > 1 ? 0.1 : 0.03), "\(levels): \(measured) LUFS")
    }
  }

  @Test("a steady tone is not rounded to a step, with or without the true peak", arguments: [true, false])
  func unrounded(hasTruePeak: Bool) throws {
    let reference = try #require(try integrated([(-23, 2)], hasTruePeak: hasTruePeak))
    for difference in [0.013, 0.05, 0.087] {
      let measured = try #require(try integrated([(-23 + difference, 2)], hasTruePeak: hasTruePeak))
      #expect(abs(measured - reference - difference) < 0.002)
    }
  }

  @Test("silence, less than 400 ms, and sound below -70 LUFS have no loudness", .shows("loudness: none"))
  func none() throws {
    #expect(try integrated([(-20, 0.39)]) == nil && integrated([(-75, 3)]) == nil && integrated([(-200, 3)]) == nil)
    #expect(try integrated([(-20, 0.4)]) != nil)
  }
}
