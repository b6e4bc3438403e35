import AudioGraph
import Foundation
import Resampling
import TestSupport
import Testing

/// Looks at the heap in a process of its own, where no other test allocates.
///
/// It sees what the libraries could do, which is to let a buffer grow; blocks of less than 1 KiB may come from
/// the allocator's cache and are left to the counting allocator.
@Suite(.timeLimit(.minutes(10))) struct AllocationTests {
  @Test("after init no call of a low-cost converter lets the heap grow")
  func lowCost() async {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try reportHeapGrowth(.lowCost)
    }
    #expect(ended.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
  }

  @Test("after init no call of a low-delay converter lets the heap grow")
  func lowDelay() async {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try reportHeapGrowth(.lowDelay)
    }
    #expect(ended.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
  }

  @Test("one planted buffer of 16 KiB is seen, and nothing else")
  func plantedFault() async {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try reportHeapGrowth(.lowDelay, planted: 16_384)
    }
    let report = ended.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(report.hasPrefix("8000 to 44100 Hz, 1 channels, calls of 80: grew by 164"))
  }
}

/// Writes to standard error for which rates, channels and lengths the heap grows.
private func reportHeapGrowth(_ quality: ConversionQuality, planted: Int = 0) throws {
  let few = [8_000, 44_100, 48_000]
  let rates = quality == .lowCost ? few + [11_025, 16_000, 96_000] : few
  let meter = HeapMeter()
  for pair in RatePair.all(from: rates, to: rates) {
    for (channels, longest) in [(1, pair.from / 100), (2, pair.from / 100 + 1), (1, 2_000)] {
      // What a converter does is the same each time; what the process does besides (threads that end, the
      // language's own tables) is not.
      var least = Int.max
      for _ in 0..<3 where least > 0 {
        let growth = try heapGrowth(
          pair, quality, channels: channels, longest: longest, planted: planted, meter: meter)
        least = min(least, growth)
      }
      if least <= 0 { continue }
      let call = "\(pair.testDescription), \(channels) channels, calls of \(longest)"
      FileHandle.standardError.write(Data("\(call): grew by \(least) bytes\n".utf8))
    }
  }
}

/// The bytes by which the heap grows in calls of random lengths to a new converter.
private func heapGrowth(
  _ pair: RatePair, _ quality: ConversionQuality, channels: Int, longest: Int, planted: Int, meter: HeapMeter
) throws -> Int {
  var random = SeededGenerator(seed: UInt64(pair.from + pair.to))
  let input = sine(997, rate: pair.from, count: longest, channelCount: channels)
  var converter = try RateConverter(
    from: pair.from, to: pair.to, channelCount: channels, quality: quality, maximumInputCount: longest)
  var output = [Float](repeating: 0, count: (longest * pair.to / pair.from + 1) * channels)
  let before = meter.bytesInUse()
  for call in 0..<(quality == .lowCost ? 3_000 : 300) {
    // Whole frames for a time, then any length.
    let count = call % 200 < 100 ? longest : Int.random(in: 0...longest, using: &random)
    _ = converter.process(input, inputCount: count, output: &output)
  }
  let extra = planted > 0 ? malloc(planted) : nil
  defer { free(extra) }
  return meter.bytesInUse() - before
}
