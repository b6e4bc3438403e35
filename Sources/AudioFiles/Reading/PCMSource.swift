import DSP
import Glibc

/// Reads stored, interleaved samples: the sound of a WAV file, or raw samples.
final class PCMSource: SampleSource {
  /// Bytes that one system call reads at most.
  static let blockBytes = 256 * 1024

  let samplesPerChannel: Int?
  private(set) var nonFiniteSamples = 0
  private(set) var firstNonFinite: Int?
  private(set) var isCutShort = false

  private let input: InputDescriptor
  private let sampleFormat: SampleFormat
  /// Code of the stored bytes; nil if samples are stored as `sampleFormat` says.
  private let companding: CompandingTable?
  private let isBigEndian: Bool
  private let channelCount: Int
  private let blockAlign: Int
  private let dataOffset: Int
  private let staging: UnsafeMutableRawPointer
  private var position = 0
  /// Offset of the first byte in the staging area that was read and not yet decoded; those bytes reach up to `end`.
  private var begin = 0
  private var end = 0
  private let promisedBytes: UInt64?
  /// Bytes after the last whole sample of all channels; for a pipe of unknown length, known at its end.
  private var remainder: Int
  private let countsRemainder: Bool
  private let remainderAdvice: String

  /// Creates a source of the samples from the input's present position on, which is `dataOffset`.
  ///
  /// - Parameters:
  ///   - input: File or pipe.
  ///   - sampleFormat: Format of the samples.
  ///   - companding: Code of the stored bytes; nil: samples are stored as `sampleFormat` says.
  ///   - isBigEndian: Whether the highest byte of a sample comes first.
  ///   - channelCount: Channels of the samples.
  ///   - dataOffset: Bytes before the first sample.
  ///   - samplesPerChannel: Samples to read; nil: up to the end of the input.
  ///   - promisedBytes: Promise of the header, if the input may end before it.
  ///   - remainder: Bytes that are known to follow the last sample; nil: none may follow, and a warning reports any.
  ///   - remainderAdvice: Advice about such bytes.
  init(
    _ input: InputDescriptor, sampleFormat: SampleFormat, companding: Companding? = nil, isBigEndian: Bool = false,
    channelCount: Int, dataOffset: Int,
    samplesPerChannel: Int?, promisedBytes: UInt64?, remainder: Int?, remainderAdvice: String
  ) {
    self.input = input
    self.sampleFormat = sampleFormat
    self.companding = companding.map(CompandingTable.init)
    self.isBigEndian = isBigEndian
    self.channelCount = channelCount
    self.dataOffset = dataOffset
    self.samplesPerChannel = samplesPerChannel
    self.promisedBytes = promisedBytes
    self.remainder = remainder ?? 0
    countsRemainder = remainder == nil
    self.remainderAdvice = remainderAdvice
    blockAlign = channelCount * (companding == nil ? sampleFormat.bytesPerSample : 1)
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
      if end - begin < blockAlign {
        // A pipe may be slow: the samples at hand are better given now.
        if !input.isSeekable, done > 0 { break }
        guard try fill() else {
          try reachedEnd()
          break
        }
      }
      let samples = min(count - done, (end - begin) / blockAlign)
      let found = decode(samples, into: base + done, stride: stride)
      if found > 0, firstNonFinite == nil {
        let index = SampleDecoder.firstNonFinite(
          staging + begin, as: sampleFormat, channelCount: channelCount, count: samples)
        firstNonFinite = position + (index ?? 0)
      }
      nonFiniteSamples += found
      begin += samples * blockAlign
      done += samples
      position += samples
    }
    return done
  }

  /// Decodes from `begin` on.
  ///
  /// - Returns: Count of samples that were NaN or infinite.
  private func decode(_ count: Int, into base: UnsafeMutablePointer<Float>, stride: Int) -> Int {
    let bytes = staging + begin
    if let companding {
      SampleDecoder.decode(
        bytes, through: companding.samples, channelCount: channelCount, count: count, into: base, stride: stride)
      return 0
    }
    if isBigEndian {
      SampleDecoder.swapBytes(bytes, bytesPerSample: sampleFormat.bytesPerSample, count: count * channelCount)
    }
    return SampleDecoder.decode(
      bytes, as: sampleFormat, channelCount: channelCount, count: count, into: base, stride: stride)
  }

  func seek(to position: Int) throws(AudioFileError) {
    let target = min(max(0, position), samplesPerChannel ?? 0)
    try input.seek(to: dataOffset + target * blockAlign)
    self.position = target
    begin = 0
    end = 0
  }

  func warningsAtEnd() -> [AudioFileWarning] {
    sentenceAtEnd.map { [AudioFileWarning(.length, $0, at: position)] } ?? []
  }

  private var sentenceAtEnd: String? {
    guard isCutShort else {
      guard remainder > 0 else { return nil }
      let words = remainder == 1 ? "1 byte at the end is" : "\(remainder) bytes at the end are"
      return "\(words) no whole sample of all channels and left out; \(remainderAdvice)"
    }
    let found = position * blockAlign
    guard let promisedBytes else { return "the file was cut short to \(found) bytes of sound while it was read" }
    return WAVExtent.Doubt.cutShort(promised: promisedBytes, found: found).description
  }

  /// Reads a block, however few samples the call wants: a system call costs more than they do.
  ///
  /// - Returns: Whether there were bytes; false at the end of the input.
  private func fill() throws(AudioFileError) -> Bool {
    let held = end - begin
    if held > 0 { memmove(staging, staging + begin, held) }
    begin = 0
    end = held
    let left = samplesPerChannel.map { ($0 - position) * blockAlign } ?? Self.blockBytes
    // At least one whole sample of each channel, unless the input ends within it.
    while end < blockAlign {
      let got = try input.readSome(staging + end, count: min(left, Self.blockBytes) - end)
      if got == 0 { return false }
      end += got
    }
    return true
  }

  private func reachedEnd() throws(AudioFileError) {
    if countsRemainder { remainder = end - begin }
    guard let samplesPerChannel, position < samplesPerChannel else { return }
    if position == 0, let promisedBytes {
      throw AudioFileError(.header(.noSamples(promised: promisedBytes)), path: input.path)
    }
    isCutShort = true
  }
}
