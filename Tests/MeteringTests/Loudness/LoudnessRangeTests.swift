import Foundation
import Metering
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LoudnessRangeTests {
  /// The loudness range of a tone of 1 kHz in both channels, at each of these levels in dBFS for so many seconds.
  private func range(_ levels: [(dBFS: Double, seconds: Int)], rate: Int = 48_000) throws -> Double? {
    let meter = try LoudnessMeter(sampleRate: rate, channelCount: 2)
    for (level, seconds) in levels {
      let amplitude = pow(10, level / 20)
      var samples = [Float](repeating: 0, count: rate * 2)
      for index in 0..<rate {
        let value = Float(amplitude * sin(2 * Double.pi * 1_000 * Double(index) / Double(rate)))
        samples[2 * index] = value
        samples[2 * index + 1] = value
      }
      for _ in 0..<seconds { try meter.add(samples, samplesPerChannel: rate) }
    }
    return meter.range
  }

  @Test(
    "the signals of EBU Tech 3342 have the ranges that it specifies", .shows("loudness CSV"),
    arguments: [48_000, 44_100])
  func minimumRequirements(rate: Int) throws {
    let signals: [(levels: [Double], range: Double)] = [
      ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
    ]
    for signal in signals {
      let range = try #require(try range(signal.levels.map { ($0, 20) }, rate: rate))
      // It allows 1 LU.
      #expect(abs(range - signal.range) <= 0.1, "\(signal.levels) dBFS: \(range) LU")
    }
  }

  @Test("a sound of less than 3 s has no loudness range", .shows("loudness: none"))
  func short() throws {
    #expect(try range([(-20, 2)]) == nil && range([(-120, 10)]) == nil)
    #expect(try range([(-20, 3)]) == 0)
    #expect(try #require(try range([(-20, 4)])) <= 0.1)
  }

  @Test("silence and sound 20 LU below the rest do not count for the range")
  func gates() throws {
    #expect(try #require(try range([(-20, 60), (-100, 40), (-20, 60)])) <= 0.5)
    #expect(try #require(try range([(-20, 40), (-60, 20)])) <= 0.5)
  }
}
