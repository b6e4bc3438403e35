public import AudioGraph
import Glibc

/// Writes FLAC, Ogg Vorbis, Opus, MP3, AIFF, AU, CAF and W64.
///
/// Integers are rounded and dithered here, so that they are the same as a WAV file's. The headers of AIFF, AU, CAF and
/// W64 follow the file's growth; a compressed file is whole once it is finished.
public final class SndFileWriter: AudioFileWriter {
  /// Samples per channel that one call encodes at most: the Vorbis encoder keeps a call's samples on its stack.
  private static let blockLength = 4096

  public let format: AudioFormat
  public let sampleFormat: SampleFormat
  public private(set) var samplesPerChannel = 0
  public var clippedSamples: Int { encoder.clippedSamples }
  public private(set) var warnings: [AudioFileWarning] = []

  private let container: AudioContainer
  private let file: OutputFile
  private let sound: SndFile
  private let layout: SampleEncoder.Layout
  private var encoder: SampleEncoder
  /// Order of the file's channels; nil if it is WAV's.
  private let order: ChannelOrder?
  private let staging: UnsafeMutableRawPointer
  private let shift: Bool
  private var failure: AudioFileError?
  private var isFinished = false

  /// Begins a file of this kind at `path`.
  ///
  /// - Throws: `unsupported`, a usage error, if this kind cannot hold such samples.
  public convenience init(
    path: String, container: AudioContainer, format: AudioFormat, options: OutputOptions,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) {
    try self.init(
      path: path, container: container, format: format, options: options, faults: OutputFaults(),
      isCancelled: isCancelled)
  }

  /// Begins a file with faults for a test.
  package convenience init(
    path: String, container: AudioContainer, format: AudioFormat, options: OutputOptions, faults: OutputFaults,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) {
    try self.init(container: container, format: format, options: options, path: path) { () throws(AudioFileError) in
      try OutputFile(
        path: path, placement: options.placement, overwrite: options.overwrite, faults: faults,
        isCancelled: isCancelled)
    }
  }

  /// Begins a file behind a descriptor that the caller closes: a regular file, empty and open for reading and writing.
  package convenience init(
    descriptor: Int32, name: String, container: AudioContainer, format: AudioFormat, options: OutputOptions
  ) throws(AudioFileError) {
    try self.init(container: container, format: format, options: options, path: name) {
      OutputFile(descriptor: descriptor, name: name)
    }
  }

  /// - Parameter open: Opens the output, once it is known that this kind can hold the samples: an output that cannot be
  ///   written must not cost an existing file.
  private init(
    container: AudioContainer, format: AudioFormat, options: OutputOptions, path: String,
    open: () throws(AudioFileError) -> OutputFile
  ) throws(AudioFileError) {
    let stored = Self.storedFormat(options.sampleFormat, in: container)
    self.format = format
    self.container = container
    sampleFormat = stored ?? .int16
    guard SndFile.canHold(container, sampleFormat, format.sampleRate, format.channelCount) else {
      throw Self.refusal(container, format, options, path: path)
    }
    file = try open()
    guard !file.isStream else { throw AudioFileError(.outputNeedsFile, path: path) }
    try file.begin(with: UnsafeRawBufferPointer(start: nil, count: 0))
    let (made, code) = SndFile.create(
      file, container: container, sampleFormat: sampleFormat, sampleRate: format.sampleRate,
      channelCount: format.channelCount)
    guard let made else {
      file.remove()
      throw code == 0
        ? Self.refusal(container, format, options, path: path) : AudioFileError(.write(code), path: path)
    }
    sound = made
    made.setTags(options.tags)
    let hasVorbisOrder = container == .ogg || container == .opus
    order = hasVorbisOrder ? ChannelOrder(ofVorbisChannels: format.channelCount) : nil
    // Eight bits go as the upper half of 16, 24 as the upper bytes of 32.
    shift = stored == .uint8
    layout =
      switch stored {
      case .uint8, .int16: .int16
      case .int24: .int24High
      case .int32: .int32
      case .float32, .float64, nil: .float32
      }
    encoder = SampleEncoder(
      layout: stored == .uint8 ? .uint8 : layout, channelCount: format.channelCount,
      ditherSeed: options.ditherSeed, ditherStart: options.ditherStart)
    let usual = Downmix.usualSpeakers(format.channelCount)
    let speakers = options.speakers == 0 ? usual : options.speakers
    let isSaid =
      switch container {
      case .aiff, .caf: made.setSpeakers(speakers)
      case .ogg, .opus: ChannelOrder.vorbisHolds(speakers, channelCount: format.channelCount)
      default: false
      }
    // ffmpeg takes channels of W64 for other loudspeakers if there are 3, 4 or 7.
    let isGuessedAlike = container != .w64 || ![3, 4, 7].contains(format.channelCount)
    if !isSaid, speakers != usual || !isGuessedAlike {
      let mask = String(speakers, radix: 16, uppercase: true)
      let message =
        "the \(container.rawValue) file does not say that its channels are for the loudspeakers of mask 0x\(mask): other "
        + "programs take them for the usual ones of \(format.channelCount); write WAV to keep them"
      warnings.append(AudioFileWarning(.speakers, message, at: 0))
    }
    staging = .allocate(
      byteCount: Self.blockLength * format.channelCount * 4 + SampleEncoder.slack, alignment: 64)
  }

  deinit {
    if !isFinished { sound.close() }
    staging.deallocate()
  }

  public func setFirstSample(_ first: FirstSample) throws(AudioFileError) {
    precondition(samplesPerChannel == 0 && !isFinished, "samples are written already")
    sound.setTags(first.tags(for: container))
  }

  public func write(_ base: UnsafePointer<Float>, stride: Int, count: Int) throws(AudioFileError) {
    precondition(!isFinished, "the file is finished")
    if let failure { throw failure }
    var done = 0
    while done < count {
      let block = min(count - done, Self.blockLength)
      encoder.encode(base + done, stride: stride, count: block, into: staging)
      if samplesPerChannel == 0, container == .ogg || container == .opus {
        sound.setOggSerial(from: UnsafeRawBufferPointer(start: staging, count: block * format.channelCount * 4))
      }
      guard put(block) else { throw fail() }
      done += block
      samplesPerChannel += block
    }
  }

  public func finish() throws(AudioFileError) {
    guard !isFinished else { return }
    try complete()
    try file.commit(length: 0)
  }

  public func breakOff() throws(AudioFileError) -> AudioFileError.Remains? {
    if !isFinished { try complete() }
    return file.leave()
  }

  /// Makes the library complete the file.
  ///
  /// - Throws: The error, after the file is closed.
  private func complete() throws(AudioFileError) {
    isFinished = true
    sound.close()
    if failure == nil, sound.systemError != 0 { _ = fail() }
    if failure == nil, samplesPerChannel == 0, container.needsSound {
      file.remove()
      throw AudioFileError(.noSound(container.rawValue), path: file.path)
    }
    guard let failure else { return }
    file.close()
    throw failure
  }

  public func abandon() {
    guard !isFinished else { return }
    isFinished = true
    sound.close()
    file.remove()
  }

  private func put(_ count: Int) -> Bool {
    switch layout {
    case .int16:
      let samples = staging.assumingMemoryBound(to: Int16.self)
      if shift {
        // From the end, as 16 bits take the place of two samples of 8.
        for index in stride(from: count * format.channelCount - 1, through: 0, by: -1) {
          let value = Int16(staging.load(fromByteOffset: index, as: UInt8.self)) - 128
          samples[index] = value << 8
        }
      }
      return sound.write(samples, count: count)
    case .int24High, .int32:
      return sound.write(staging.assumingMemoryBound(to: Int32.self), count: count)
    default:
      order?.fromWAV(staging.assumingMemoryBound(to: Float.self), count: count)
      return sound.write(staging.assumingMemoryBound(to: Float.self), count: count)
    }
  }

  private func fail() -> AudioFileError {
    // The library's last bytes, such as a table or the last pages, are missing.
    let error = AudioFileError(
      .write(sound.systemError == 0 ? EIO : sound.systemError), path: file.path,
      remains: file.remainingPath.map { .incomplete(path: $0) })
    failure = error
    return error
  }

  private static func refusal(
    _ container: AudioContainer, _ format: AudioFormat, _ options: OutputOptions, path: String
  ) -> AudioFileError {
    if let rates = container.sampleRates, !rates.contains(format.sampleRate) {
      let words = rates.dropLast().map(String.init).joined(separator: ", ") + " or \(rates.last!)"
      return AudioFileError(
        .unsupported(
          "\(container.rawValue) files have \(words) Hz, not \(format.sampleRate); ask for one of these with --rate"),
        path: path)
    }
    let samples = storedFormat(options.sampleFormat, in: container).map { "\($0.name) samples at " } ?? ""
    return AudioFileError(
      .unsupported("\(container.rawValue) cannot hold \(samples)\(format); choose another kind of output"),
      path: path)
  }

  /// Returns the format in which the file keeps samples of `format`; nil: the codec is lossy.
  private static func storedFormat(_ format: SampleFormat, in container: AudioContainer) -> SampleFormat? {
    switch container {
    case .ogg, .opus, .mp3, .raw: nil
    // FLAC has integers of up to 24 bits here.
    case .flac: format.bytesPerSample > 3 ? .int24 : format
    // The library counts the padding of an odd number of bytes as a sample; with 16 bits there is none.
    case .aiff: format == .uint8 ? .int16 : format
    default: format
    }
  }
}
