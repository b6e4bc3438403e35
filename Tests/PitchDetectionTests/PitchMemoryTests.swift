import Foundation
import PitchDetection
import TestSupport
import Testing
import VoiceCorpus

/// Looks at the heap in a process of its own, where no other test allocates. What is taken and given back within a call
/// is not seen here; `Benchmarks --filter pitch` and `make real-time` count calls of the allocator.
@Suite(.timeLimit(.minutes(10))) struct PitchMemoryTests {
  @Test("neither detecting nor tracking takes memory, however long the sound", .shows("P1"))
  func steady() async {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try reportGrowth(planted: 0)
    }
    #expect(ended.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
  }

  @Test("a planted buffer is seen")
  func planted() async {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      try reportGrowth(planted: 16_384)
    }
    #expect(ended.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.hasPrefix("grew by 16") == true)
  }
}

/// Writes to standard error if the heap grows over 20 s of sound.
private func reportGrowth(planted: Int) throws {
  let voice = VoiceGenerator(Speaker.all[2], sampleRate: 16_000, seed: 7).speak(seconds: 1).samples
  var detector = try PitchDetector(sampleRate: 16_000)
  var tracker = try PitchTracker(sampleRate: 16_000)
  let meter = HeapMeter()
  var rows = 0
  var least = Int.max
  voice.withUnsafeBufferPointer { buffer in
    // What the process does besides is not the same each time.
    for _ in 0..<3 where least > 0 {
      let before = meter.bytesInUse()
      for frame in 0..<700 {
        let start = buffer.baseAddress! + frame % 100 * 160
        if detector.process(start, samplesPerChannel: 160).isVoiced { rows += 1 }
        if tracker.process(start, samplesPerChannel: 160) != nil { rows += 1 }
      }
      let extra = planted > 0 ? malloc(planted) : nil
      least = min(least, meter.bytesInUse() - before)
      free(extra)
    }
  }
  precondition(rows > 700)
  if least > 0 { FileHandle.standardError.write(Data("grew by \(least) bytes".utf8)) }
}
