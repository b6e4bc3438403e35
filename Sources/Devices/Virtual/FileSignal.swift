import AudioFiles
import AudioGraph
import Platform

/// The mean of a file's channels, sample by sample, then silence.
///
/// Thread: any; the device's thread reads.
final class FileSignal: Sendable {
  /// Sample rate of the file, in Hz.
  let sampleRate: Int
  private let state: Guarded<State>

  private struct State: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): the reader is used by one thread at a time, behind the lock.
    let reader: AudioFileReader
    var block: [Float]
    var position = 0
    var count = 0
  }

  private static let blockLength = 4_096

  /// - Throws: `AudioFileError` for a file that cannot be read.
  init(_ path: String) throws(AudioFileError) {
    let reader = try AudioFileReader.open(path: path)
    sampleRate = reader.format.sampleRate
    state = Guarded(
      State(reader: reader, block: [Float](repeating: 0, count: Self.blockLength * reader.format.channelCount)))
  }

  /// Returns the next sample. A file that breaks off ends there.
  func next() -> Float {
    state.withLock { state in
      if state.position == state.count {
        state.position = 0
        state.count = Self.read(state.reader, into: &state.block)
      }
      guard state.position < state.count else { return 0 }
      var sum: Float = 0
      let channelCount = state.reader.format.channelCount
      for channel in 0..<channelCount { sum += state.block[channel * Self.blockLength + state.position] }
      state.position += 1
      return sum / Float(channelCount)
    }
  }

  private static func read(_ reader: AudioFileReader, into block: inout [Float]) -> Int {
    block.withUnsafeMutableBufferPointer { block in
      (try? reader.read(into: block.baseAddress!, stride: blockLength, maximumCount: blockLength)) ?? 0
    }
  }
}
