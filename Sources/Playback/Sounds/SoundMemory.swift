package import AudioFiles
package import AudioGraph

/// A sound decoded into memory, at its own rate.
package final class SoundMemory: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): written by init only.

  package let path: String
  package let format: AudioFormat
  /// The loudspeakers of the sound's channels, as in a frame's header.
  package let speakers: UInt32
  package let samplesPerChannel: Int
  /// Samples that were NaN or infinite and became 0.
  package let nonFiniteSamples: Int
  /// Whether the file ended early; the last 5 ms before that point are then faded.
  package let isCutShort: Bool
  private let stride: Int
  private let samples: UnsafeMutablePointer<Float>

  /// Reads the whole file.
  ///
  /// - Parameter path: path of the file.
  /// - Throws: an error of the file; `.invalidArgument` for more than 10 minutes, which only streaming players take.
  package convenience init(path: String) throws { try self.init(try AudioFileReader.open(path: path)) }

  /// Reads the rest of a file or a pipe.
  ///
  /// - Parameter reader: reader of the file or the pipe.
  /// - Throws: an error of the file; `.invalidArgument` for more than 10 minutes.
  package init(_ reader: AudioFileReader) throws {
    let channelCount = reader.format.channelCount
    let limit = reader.format.sampleRate * 600
    // The length that a pipe's header states is not reliable.
    let promised = reader.isSeekable ? reader.samplesPerChannel : nil
    guard promised ?? 0 <= limit else { throw Self.tooLong(reader.path) }
    var capacity = promised ?? reader.format.sampleRate * 10
    var samples = Self.memory(channelCount, capacity)
    var filled = 0
    let sound = TruncationFade(reader)
    do {
      while true {
        if filled == capacity, promised == nil {
          // One sample above the limit shows that the sound is too long.
          let larger = min(2 * capacity, limit + 1)
          samples = Self.moved(samples, channelCount, from: capacity, to: larger)
          capacity = larger
        }
        let got = sound.read(into: samples + filled, stride: capacity, maximumCount: capacity - filled)
        if got == 0 { break }
        filled += got
        guard filled <= limit else { throw Self.tooLong(reader.path) }
      }
      if let failure = sound.failure, failure.reason != .shrunk { throw failure }
    } catch {
      samples.deallocate()
      throw error
    }
    path = reader.path
    format = reader.format
    speakers = reader.speakers
    self.samples = samples
    samplesPerChannel = filled
    nonFiniteSamples = reader.nonFiniteSamples
    stride = capacity
    isCutShort = sound.failure != nil
  }

  deinit { samples.deallocate() }

  /// Copies samples from `position` on.
  ///
  /// - Parameters:
  ///   - position: first sample to copy.
  ///   - base: start of the first channel's plane.
  ///   - stride: distance between two planes, in samples.
  ///   - maximumCount: largest number of samples per channel.
  /// - Returns: samples per channel; 0 at the end.
  package func read(
    from position: Int, into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int
  ) -> Int {
    let count = max(0, min(maximumCount, samplesPerChannel - position))
    for channel in 0..<format.channelCount {
      copySamples(from: samples + channel * self.stride + position, to: base + channel * stride, count: count)
    }
    return count
  }

  private static func tooLong(_ path: String) -> EngineError {
    EngineError(
      .invalidArgument, "\(path): more than 10 minutes are not kept in memory; play it from a file, without preloading")
  }

  private static func memory(_ channelCount: Int, _ capacity: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, capacity * channelCount))
    memory.initialize(repeating: 0, count: max(1, capacity * channelCount))
    return memory
  }

  private static func moved(
    _ samples: UnsafeMutablePointer<Float>, _ channelCount: Int, from capacity: Int, to larger: Int
  ) -> UnsafeMutablePointer<Float> {
    let memory = memory(channelCount, larger)
    for channel in 0..<channelCount {
      copySamples(from: samples + channel * capacity, to: memory + channel * larger, count: capacity)
    }
    samples.deallocate()
    return memory
  }
}
