import AudioGraph
import Foundation
import Resampling
import TestSupport
import Testing

/// Real audio through every pair: 10 s, or 10 hours where AUDIOPIPE_LONG=1 is set. The long run takes hours;
/// AUDIOPIPE_FROM=22050,48000 keeps to the pairs that begin at these rates, so that it can be shared out.
// With AUDIOPIPE_LONG=1 it takes hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct LongConversionTests {
  static let rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
  static let environment = ProcessInfo.processInfo.environment
  static let inputRates = environment["AUDIOPIPE_FROM"].map { $0.split(separator: ",").compactMap { Int($0) } } ?? rates
  static let seconds = LongRun.isWanted ? 36_000 : 10

  @Test(
    "every call gives its exact count, and the sine stays aligned to 100 dB",
    arguments: RatePair.all(from: inputRates, to: rates), ConversionQuality.allCases)
  func exactThroughout(pair: RatePair, quality: ConversionQuality) throws {
    let schedule = FrameSchedule(sampleRate: pair.from)
    var converter = try RateConverter(
      from: pair.from, to: pair.to, channelCount: 1, quality: quality,
      maximumInputCount: schedule.maximumSamplesPerChannel)
    // A whole number of periods a second, so that one second can be repeated.
    let second = sine(997, rate: pair.from, count: pair.from)
    var output = [Float](repeating: .nan, count: 2 * pair.to)
    var (given, wrong) = (0, 0)
    second.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        for index in 0..<(Self.seconds * 100) {
          let (elapsed, frame) = index.quotientAndRemainder(dividingBy: 100)
          let begin = schedule.position(ofFrame: frame)
          let end = schedule.position(ofFrame: frame + 1)
          let place = given % pair.to
          let count = converter.process(
            source.baseAddress! + begin, inputCount: end - begin, output: target.baseAddress! + place)
          let due = (elapsed * pair.from + end) * pair.to / pair.from - given
          if count != due { wrong += 1 }
          given += count
        }
      }
    }
    #expect(wrong == 0)
    #expect(given == Self.seconds * pair.to)
    #expect(converter.insertedCount == 0)
    // The last second lies at the front, since each second began there.
    let ratio = signalToNoise(output, 997, rate: pair.to, delay: converter.delay, in: 0..<pair.to)
    #expect(ratio >= 100, "\(ratio) dB")
    // All pairs take hours: what is done so far can be seen.
    if LongRun.isWanted { print("\(pair.testDescription), \(quality): \(given) samples, \(wrong) wrong, \(ratio) dB") }
  }
}
