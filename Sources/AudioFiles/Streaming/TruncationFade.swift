package import AudioGraph

/// Reads a file a little ahead: if it breaks off, its last 5 ms fade out instead of ending in a step.
///
///     file ──▶ [5 ms and more, held back until the next samples are known] ──▶ player
///
/// A file that ends at its proper end is given bit by bit. An error ends the sound like a missing rest does. It is not
/// thrown but kept in `failure`, so that the samples in a rate converter are heard.
///
/// Thread: one at a time, never the audio thread; `cancel` any.
package final class TruncationFade: PlaneReader {
  /// Samples of each channel that are read at once, besides those held back.
  private static let blockCount = 4_096

  /// Error that breaks the sound off; nil until its last sample has been read, and at a proper end.
  package private(set) var failure: AudioFileError?

  private let reader: AudioFileReader
  private let fadeLength: Int
  private let capacity: Int
  private let planes: UnsafeMutablePointer<Float>
  /// Beginning of the samples that were read and not given; their end is `end`.
  private var begin = 0
  private var end = 0
  private var isAtEnd = false

  package init(_ reader: AudioFileReader) {
    self.reader = reader
    // As long as a stop takes.
    fadeLength = reader.format.sampleRate / 200
    capacity = fadeLength + Self.blockCount
    planes = .allocate(capacity: capacity * reader.format.channelCount)
    planes.initialize(repeating: 0, count: capacity * reader.format.channelCount)
  }

  deinit { planes.deallocate() }

  package var format: AudioFormat { reader.format }

  package func read(into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int) -> Int {
    while !isAtEnd, end - begin <= fadeLength { refill() }
    let count = min(maximumCount, isAtEnd ? end - begin : end - begin - fadeLength)
    for channel in 0..<format.channelCount {
      copySamples(from: planes + channel * capacity + begin, to: base + channel * stride, count: count)
    }
    begin += count
    return count
  }

  /// Goes to a sample of the file, counted from the first.
  package func seek(to position: Int) throws(AudioFileError) {
    try reader.seek(to: position)
    (begin, end) = (0, 0)
    isAtEnd = false
    failure = nil
  }

  package func cancel() { reader.cancel() }

  private func refill() {
    let held = end - begin
    for channel in 0..<format.channelCount {
      let plane = planes + channel * capacity
      for index in 0..<held { plane[index] = plane[begin + index] }
    }
    (begin, end) = (0, held)
    do throws(AudioFileError) {
      let got = try reader.read(into: planes + end, stride: capacity, maximumCount: capacity - end)
      if got > 0 {
        end += got
        return
      }
      if reader.isCutShort { failure = AudioFileError(.shrunk, path: reader.path) }
    } catch {
      failure = error
    }
    isAtEnd = true
    if failure != nil { fade() }
  }

  /// Fades out the samples held back, which were read last.
  private func fade() {
    let length = min(fadeLength, end)
    for channel in 0..<format.channelCount {
      let last = planes + channel * capacity + end - length
      for index in 0..<length { last[index] *= Float(length - 1 - index) / Float(length) }
    }
  }
}
