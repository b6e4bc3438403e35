import AudioGraph

/// A sound decoded into memory, at its own rate.
final class SoundMemory: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): written by init only.

  let path: String
  let format: AudioFormat
  let samplesPerChannel: Int
  /// Samples that were NaN or infinite and became 0.
  let nonFiniteSamples: Int
  private let stride: Int
  private let samples: UnsafeMutablePointer<Float>

  /// Reads the whole file. Throws: what is wrong with it; a sound of more than 10 minutes is for players that stream.
  init(path: String) throws {
    let reader = try AudioFileReader.open(path: path)
    guard reader.isSeekable, let count = reader.samplesPerChannel else {
      throw AudioFileError(.pipeNeedsWAV, path: path)
    }
    guard count <= reader.format.sampleRate * 600 else {
      throw EngineError(
        .invalidArgument, "\(path): more than 10 minutes are not kept in memory; play it without preloading")
    }
    self.path = path
    format = reader.format
    samples = .allocate(capacity: max(1, count * format.channelCount))
    samples.initialize(repeating: 0, count: max(1, count * format.channelCount))
    var filled = 0
    do {
      while filled < count {
        let got = try reader.read(into: samples + filled, stride: count, maximumCount: count - filled)
        if got == 0 { break }
        filled += got
      }
    } catch {
      samples.deallocate()
      throw error
    }
    samplesPerChannel = filled
    nonFiniteSamples = reader.nonFiniteSamples
    stride = count
  }

  deinit { samples.deallocate() }

  /// Copies from `position` on. Returns: samples per channel; 0 at the end.
  func read(
    from position: Int, into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int
  ) -> Int {
    let count = max(0, min(maximumCount, samplesPerChannel - position))
    for channel in 0..<format.channelCount {
      copySamples(from: samples + channel * self.stride + position, to: base + channel * stride, count: count)
    }
    return count
  }
}
