import Glibc

/// Reads stored, interleaved samples: the sound of a WAV file, or raw samples.
final class PCMSource: SampleSource {
  /// Bytes that one system call reads at most, however few are asked for: a call costs as much as copying 3 KiB. The
  /// second cache holds this much beside what the samples become.
  static let blockBytes = 128 * 1024

  let samplesPerChannel: Int?
  private(set) var nonFiniteSamples = 0

  private let input: InputDescriptor
  private let sampleFormat: SampleFormat
  private let channelCount: Int
  private let blockAlign: Int
  private let dataOffset: Int
  private let staging: UnsafeMutableRawPointer
  private var position = 0
  /// Bytes of `staging` that have been decoded, and that have been read.
  private var taken = 0
  private var staged = 0
  private var isCutShort = false
  private let promisedBytes: UInt64?

  /// The samples from the input's present position on, which is `dataOffset`.
  ///
  /// - Parameters:
  ///   - samplesPerChannel: Where to stop; nil: at the end of the input.
  ///   - promisedBytes: What a header promised, where the input's end is not known to keep it.
  init(
    _ input: InputDescriptor, sampleFormat: SampleFormat, channelCount: Int, dataOffset: Int,
    samplesPerChannel: Int?, promisedBytes: UInt64?
  ) {
    self.input = input
    self.sampleFormat = sampleFormat
    self.channelCount = channelCount
    self.dataOffset = dataOffset
    self.samplesPerChannel = samplesPerChannel
    self.promisedBytes = promisedBytes
    blockAlign = channelCount * sampleFormat.bytesPerSample
    staging = .allocate(byteCount: Self.blockBytes + SampleDecoder.slack, alignment: 64)
    // The bytes of the slack are loaded, though never used.
    (staging + Self.blockBytes).initializeMemory(as: UInt8.self, repeating: 0, count: SampleDecoder.slack)
  }

  deinit { staging.deallocate() }

  var isSeekable: Bool { input.isSeekable }

  func read(
    into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int
  ) throws(AudioFileError) -> Int {
    let count = min(maximumCount, samplesPerChannel.map { $0 - position } ?? maximumCount)
    var done = 0
    while done < count {
      if staged - taken < blockAlign {
        // A pipe may be slow: what has come is better given now.
        if done > 0, !input.isSeekable { break }
        guard try stage() else {
          try reachedEnd(after: done)
          break
        }
        continue
      }
      let samples = min(count - done, (staged - taken) / blockAlign)
      nonFiniteSamples += SampleDecoder.decode(
        staging + taken, as: sampleFormat, channelCount: channelCount, count: samples, into: base + done,
        stride: stride)
      taken += samples * blockAlign
      done += samples
      position += samples
    }
    return done
  }

  func seek(to position: Int) throws(AudioFileError) {
    let target = min(max(0, position), samplesPerChannel ?? 0)
    try input.seek(to: dataOffset + target * blockAlign)
    self.position = target
    (taken, staged) = (0, 0)
  }

  /// Reads the next bytes behind the part of a sample that is left, as many as fit, but none that are not sound.
  ///
  /// Returns: false at the end.
  private func stage() throws(AudioFileError) -> Bool {
    let left = staged - taken
    if left > 0 { memmove(staging, staging + taken, left) }
    (taken, staged) = (0, left)
    let remaining = samplesPerChannel.map { ($0 - position) * blockAlign - left } ?? Self.blockBytes
    let got = try input.readSome(staging + left, count: min(remaining, Self.blockBytes - left))
    staged += got
    return got > 0
  }

  func warningsAtEnd() -> [String] {
    guard isCutShort else { return [] }
    let found = position * blockAlign
    guard let promisedBytes else {
      return ["the file was cut short to \(found) bytes of sound while it was read"]
    }
    return [WAVExtent.Doubt.cutShort(promised: promisedBytes, found: found).description]
  }

  private func reachedEnd(after done: Int) throws(AudioFileError) {
    guard let samplesPerChannel, position < samplesPerChannel else { return }
    if position == 0, let promisedBytes {
      throw AudioFileError(.header(.noSamples(promised: promisedBytes)), path: input.path)
    }
    isCutShort = true
  }
}
