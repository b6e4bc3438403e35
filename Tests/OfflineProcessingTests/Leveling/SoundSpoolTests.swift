import AudioFiles
import AudioGraph
import TestSupport
import Testing

@testable import OfflineProcessing

@Suite(.timeLimit(.minutes(10))) struct SoundSpoolTests {
  @Test(
    "a spool gives back each bit, twice, and silence behind the end", arguments: [8_000, 22_050, 48_000],
    [0, 1, 700, 150_003])
  func roundTrip(rate: Int, count: Int) throws {
    let format = try AudioFormat(sampleRate: rate, channelCount: 2)
    let planes = (0..<2).map {
      Array(seededNoise(count: max(1, count), seed: UInt64($0 + 1), amplitude: 0.9)[..<count])
    }
    let spool = SoundSpool(format)
    var position = 0
    while position < count {
      let part = min(count - position, 1 + position % 5_003)
      let samples = planes.flatMap { $0[position..<position + part] }
      try spool.append(samples, stride: part, count: part)
      position += part
    }
    try spool.seal()
    #expect(spool.samplesPerChannel == count)
    let memory = FrameMemory(count: 1, format: format)
    for _ in 0..<2 {
      var read: [[Float]] = [[], []]
      for start in stride(from: 0, to: count + 3 * spool.frameLength, by: spool.frameLength) {
        try spool.read(at: start, into: memory[0])
        for channel in 0..<2 {
          read[channel] += UnsafeBufferPointer(start: memory[0].channel(channel), count: spool.frameLength)
        }
      }
      for channel in 0..<2 {
        #expect(read[channel][..<count].elementsEqual(planes[channel]))
        #expect(read[channel][count...].allSatisfy { $0 == 0 })
      }
    }
  }

  @Test("a missing spool folder is named with an input/output error")
  func noFolder() throws {
    let spool = SoundSpool(try AudioFormat(sampleRate: 8_000, channelCount: 1), folder: "/nonexistent")
    let samples = [Float](repeating: 0.5, count: 30_000)
    let error = #expect(throws: AudioFileError.self) { try spool.append(samples, stride: 0, count: 30_000) }
    #expect(error?.category == .inputOutput && error?.description.contains("/nonexistent") == true)
  }
}
