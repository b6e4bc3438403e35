import AudioGraph
import Foundation
import Resampling
import Testing

/// Looks at the heap in a process of its own, where no other test allocates.
///
/// It sees what the libraries could do, which is to let a buffer grow; blocks of less than 1 KiB may come from
/// the allocator's cache and are left to the counting allocator.
@Suite struct AllocationTests {
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
    #expect(report.hasPrefix("8000 to 44100 Hz, 1 channels, calls of 80: grew by 16400 bytes\n"))
  }
}

/// Writes to standard error when the heap is not the same after calls of random lengths.
private func reportHeapGrowth(_ quality: ConversionQuality, planted: Int = 0) throws {
  let rates =
    quality == .lowCost ? [8_000, 11_025, 16_000, 44_100, 48_000, 96_000] : [8_000, 44_100, 48_000]
  let meter = HeapMeter()
  let pairs = RatePair.all(from: rates, to: rates)
  // The first round is not looked at: it brings the language's own tables into memory.
  for (round, pair) in ([pairs[0]] + pairs).enumerated() {
    for (channels, longest) in [(1, pair.from / 100), (2, pair.from / 100 + 1), (1, 2_000)] {
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
      let after = meter.bytesInUse()
      if after != before && round > 0 {
        let call = "\(pair.testDescription), \(channels) channels, calls of \(longest)"
        let report = "\(call): grew by \(after - before) bytes\n"
        FileHandle.standardError.write(Data(report.utf8))
      }
      free(extra)
    }
  }
}

@_silgen_name("malloc_info")
private func mallocInfo(_ options: Int32, _ stream: UnsafeMutableRawPointer) -> Int32

/// Reads the allocator's own report without allocating, once it is made.
private struct HeapMeter {
  private static let size = 65_536
  private let report = UnsafeMutablePointer<CChar>.allocate(capacity: size)
  private let stream: UnsafeMutablePointer<FILE>

  init() {
    stream = fmemopen(report, Self.size, "w")!
    _ = bytesInUse()
  }

  /// Bytes given out: the system's share less what is free, and what is mapped directly.
  func bytesInUse() -> Int {
    rewind(stream)
    _ = mallocInfo(0, UnsafeMutableRawPointer(stream))
    fflush(stream)
    // The totals of all heaps come last, after the list of each.
    var totals = report
    while let next = strstr(totals, "</heap>") { totals = next + 1 }
    let free = number(in: totals, after: "type=\"fast\" ") + number(in: totals, after: "type=\"rest\" ")
    let mapped = number(in: totals, after: "type=\"mmap\" ")
    return number(in: totals, after: "<system type=\"current\" ") - free + mapped
  }

  private func number(in text: UnsafeMutablePointer<CChar>, after tag: String) -> Int {
    guard let line = strstr(text, tag), let value = strstr(line, "size=\"") else { return 0 }
    return strtol(value + 6, nil, 10)
  }
}
