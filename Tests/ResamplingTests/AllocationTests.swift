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
      try heapMustStayStill(.lowCost)
    }
    #expect(ended.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
  }

  @Test("after init no call of a low-delay converter lets the heap grow")
  func lowDelay() async {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try heapMustStayStill(.lowDelay)
    }
    #expect(ended.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
  }

  @Test("one planted buffer of 16 KiB is seen")
  func plantedFault() async {
    await #expect(processExitsWith: .exitCode(3)) { try heapMustStayStill(.lowDelay, leaking: true) }
  }
}

/// Ends the process with code 3 when the heap is not the same after calls of random lengths.
private func heapMustStayStill(_ quality: ConversionQuality, leaking: Bool = false) throws {
  let rates =
    quality == .lowCost ? [8_000, 11_025, 16_000, 44_100, 48_000, 96_000] : [8_000, 44_100, 48_000]
  _ = heapInUse()
  for pair in RatePair.all(from: rates, to: rates) {
    for (channels, longest) in [(1, pair.from / 100), (2, pair.from / 100 + 1), (1, 2_000)] {
      var random = SeededGenerator(seed: UInt64(pair.from + pair.to))
      let input = sine(997, rate: pair.from, count: longest, channelCount: channels)
      var converter = try RateConverter(
        from: pair.from, to: pair.to, channelCount: channels, quality: quality, maximumInputCount: longest)
      var output = [Float](repeating: 0, count: (longest * pair.to / pair.from + 1) * channels)
      let before = heapInUse()
      for call in 0..<(quality == .lowCost ? 3_000 : 300) {
        // Whole frames for a time, then any length.
        let count = call % 200 < 100 ? longest : Int.random(in: 0...longest, using: &random)
        _ = converter.process(input, inputCount: count, output: &output)
      }
      let planted = leaking ? malloc(16_384) : nil
      let after = heapInUse()
      if after != before {
        let report = "\(pair), \(channels) channels, calls of \(longest): \(before) bytes became \(after)\n"
        FileHandle.standardError.write(Data(report.utf8))
        exit(3)
      }
      free(planted)
    }
  }
}

@_silgen_name("malloc_info")
private func mallocInfo(_ options: Int32, _ stream: UnsafeMutableRawPointer) -> Int32

/// Bytes that the allocator has given out: the system's share less what is free, and what is mapped directly.
private func heapInUse() -> Int {
  var report = [CChar](repeating: 0, count: 65_536)
  let written: Int = report.withUnsafeMutableBufferPointer { buffer in
    guard let stream = fmemopen(buffer.baseAddress, buffer.count - 1, "w") else { return 0 }
    _ = mallocInfo(0, UnsafeMutableRawPointer(stream))
    fflush(stream)
    let position = ftell(stream)
    fclose(stream)
    return position
  }
  precondition(written > 0 && written < report.count - 1, "the allocator's report did not fit")
  // The totals of all heaps come last, after the list of each.
  let text = String(decoding: report[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let totals = text.components(separatedBy: "</heap>").last ?? ""
  func size(_ tag: String) -> Int {
    guard let line = totals.split(separator: "\n").first(where: { $0.contains(tag) }),
      let value = line.components(separatedBy: "size=\"").last?.prefix(while: { $0.isNumber })
    else { return 0 }
    return Int(value) ?? 0
  }
  return size("<system type=\"current\"") - size("type=\"fast\"") - size("type=\"rest\"")
    + size("type=\"mmap\"")
}
