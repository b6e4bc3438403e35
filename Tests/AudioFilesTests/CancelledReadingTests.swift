import AudioFiles
import AudioGraph
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct CancelledReadingTests {
  /// The ends of a pipe into which nobody writes.
  private func emptyPipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  @Test("opening a pipe without a header can be cancelled")
  func opening() throws {
    let ends = try emptyPipe()
    defer { for end in [ends.reading, ends.writing] { close(end) } }
    let questions = Atomic<Int>(0)
    let error = #expect(throws: AudioFileError.self) {
      _ = try AudioFileReader.open(descriptor: ends.reading, name: "pipe") {
        questions.wrappingAdd(1, ordering: .relaxed).newValue == 2
      }
    }
    #expect(error?.reason == .cancelled && questions.load(ordering: .relaxed) == 2)
  }

  @Test("a read that waits for a pipe can be cancelled from another thread")
  func reading() throws {
    let ends = try emptyPipe()
    defer { for end in [ends.reading, ends.writing] { close(end) } }
    let raw = RawFormat(sampleFormat: .int16, format: try AudioFormat(sampleRate: 8_000, channelCount: 1))
    // SAFETY: `cancel` may be called from any thread.
    nonisolated(unsafe) let reader = try AudioFileReader.open(descriptor: ends.reading, name: "pipe", raw: raw)
    let thread = try BackgroundThread(named: "cancel") { reader.cancel() }
    var samples: [Float] = [0]
    let error = #expect(throws: AudioFileError.self) {
      try samples.withUnsafeMutableBufferPointer {
        _ = try reader.read(into: $0.baseAddress!, stride: 1, maximumCount: 1)
      }
    }
    thread.join()
    #expect(error?.reason == .cancelled)
  }
}
