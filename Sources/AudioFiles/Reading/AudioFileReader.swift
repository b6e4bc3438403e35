public import AudioGraph
import Glibc

/// Reads sound as planar Float32, from a file or a pipe.
///
/// ```
/// path ──▶ first bytes ─┬▶ WAV: own header check, own conversion ─┐
///                       └▶ FLAC, Ogg, Opus, MP3, AIFF, AU, CAF, W64: libsndfile ─▶ planes of Float32
/// pipe ──▶ WAV, or raw samples of a stated format ────────────────┘
/// ```
/// 8-, 16- and 24-bit samples come out exactly as n / 2^(bits - 1), floats as they are; NaN and infinities become 0
/// and are counted, denormals become 0. 32-bit integers and 64-bit floats are rounded, and `warnings` says so.
///
/// Memory: at most 256 KiB, whatever the file's length and whatever its header says.
/// Thread: one at a time; calls read from the disk and may wait, so never on the audio thread.
public final class AudioFileReader {
  /// The path, or the name that was given to the stream.
  public let path: String
  /// What kind of file it is.
  public let container: AudioContainer
  /// Rate and channels.
  public let format: AudioFormat
  /// The loudspeakers of its channels, bit by bit as WAVEFORMATEXTENSIBLE has them; 0 where it does not say them, or
  /// they can be neither mixed down nor measured.
  public let speakers: UInt32
  /// How the file stores its samples; for a lossy codec `int16`.
  public let sampleFormat: SampleFormat
  /// What to tell the user; complete once `read` has returned 0.
  public private(set) var warnings: [AudioFileWarning] = []
  /// Samples per channel that were read so far, since the beginning or the last `seek`'s target.
  public private(set) var position = 0

  private let source: any SampleSource
  /// Tags of the file; empty for a pipe of WAV.
  public private(set) var tags = AudioTags()
  /// Chunks of a WAV file that say something of the sound and that no output keeps, such as `bext` and `cue`.
  public private(set) var droppedChunks: [String] = []
  private var isKnownToBeCutShort = false
  private let input: InputDescriptor
  private var isAtEnd = false
  /// Why nobody knows which sample comes next.
  private var lost: AudioFileError?

  private init(
    path: String, container: AudioContainer, format: AudioFormat, sampleFormat: SampleFormat,
    source: any SampleSource, input: InputDescriptor, speakers: UInt32 = 0
  ) {
    self.speakers = speakers
    self.input = input
    self.path = path
    self.container = container
    self.format = format
    self.sampleFormat = sampleFormat
    self.source = source
  }

  /// Samples per channel of the whole file; nil where only the end will tell.
  ///
  /// For a pipe it is what the header promises; for MP3 it may be off by the encoder's padding.
  public var samplesPerChannel: Int? { source.samplesPerChannel }

  /// Samples so far that were NaN or infinite and became 0.
  public var nonFiniteSamples: Int { source.nonFiniteSamples }

  /// True where there are fewer samples than the file promises: known from the first of them on, or once `read` has
  /// returned 0.
  package var isCutShort: Bool { isKnownToBeCutShort || source.isCutShort }

  /// Whether `seek` works: in files, not in pipes.
  public var isSeekable: Bool { source.isSeekable }

  /// Reads up to `maximumCount` samples of each channel into planes that begin `stride` samples apart at `base`.
  ///
  /// A file gives all that is asked for until its end; a pipe gives what has come, at least one sample.
  /// Cost: about 0.35 ns a sample of 16 bit, of which the kernel takes two thirds. Short calls cost little more: the
  /// file is read in large blocks.
  /// Returns: samples per channel; 0 at the end.
  public func read(
    into base: UnsafeMutablePointer<Float>, stride: Int, maximumCount: Int
  ) throws(AudioFileError) -> Int {
    guard maximumCount > 0 else { return 0 }
    if let lost { throw lost }
    let count = try source.read(into: base, stride: stride, maximumCount: maximumCount)
    position += count
    if count == 0, !isAtEnd {
      isAtEnd = true
      tellPlaceOfShortness()
      warnings += source.warningsAtEnd()
      tellOfJoinedFiles()
      tellOfUnreadEnd()
      if nonFiniteSamples > 0 {
        let message = AudioFileWarning.notFinite(nonFiniteSamples)
        warnings.append(AudioFileWarning(.notFinite, message, at: source.firstNonFinite ?? 0))
      }
    }
    return count
  }

  /// Lets a `read` that waits for a pipe throw `cancelled`. Thread: any.
  public func cancel() { input.cancel() }

  /// Goes to the sample at `position`, counted from the first of each channel, at most to the end.
  ///
  /// Only where `isSeekable`. Throws: where a damaged file has no way there. `read` then goes on where it
  /// was, or throws the same where that is lost as well.
  public func seek(to position: Int) throws(AudioFileError) {
    precondition(isSeekable, "a pipe cannot go back")
    precondition(position >= 0, "a position is not negative")
    let target = min(position, samplesPerChannel ?? position)
    do {
      try source.seek(to: target)
    } catch {
      // What reads goes on where it was; where that cannot be had either, it is told so.
      lost = (try? source.seek(to: self.position)) == nil ? error : nil
      throw error
    }
    lost = nil
    self.position = target
  }
}

extension AudioFileReader {
  /// Opens the file at `path`; with `raw`, as samples without a header.
  ///
  /// - Parameter isCancelled: asked while a pipe has nothing to give; true ends the wait. Thread: any.
  /// - Throws: what is wrong and what to do; `AudioFileError.category` is what a command exits with.
  public static func open(
    path: String, raw: RawFormat? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) -> AudioFileReader {
    try open(try InputDescriptor.open(path: path, isCancelled: isCancelled), raw: raw)
  }

  /// Reads from a descriptor, such as the standard input, from its present position on.
  ///
  /// A regular file may be of any kind; a pipe is WAV, or `raw`. The descriptor stays the caller's to close, and must
  /// stay open for as long as the reader lives.
  public static func open(
    descriptor: Int32, name: String = "standard input", raw: RawFormat? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) -> AudioFileReader {
    try open(
      InputDescriptor(descriptor: descriptor, path: name, ownsDescriptor: false, isCancelled: isCancelled), raw: raw)
  }

  private static func open(_ input: InputDescriptor, raw: RawFormat?) throws(AudioFileError)
    -> AudioFileReader
  {
    if let raw { return openRaw(input, raw) }
    if !input.isSeekable {
      guard try !isWAV(input) else { return try openWAV(input) }
      return try open(SpooledPipe.copy(input), raw: nil)
    }
    let container = try ContainerProbe.container(of: input)
    return container == .wav ? try openWAV(input) : try openEncoded(input, container)
  }

  /// Looks at the first bytes of a pipe, which stay to be read. An empty one is left to the parser of WAV.
  private static func isWAV(_ input: InputDescriptor) throws(AudioFileError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4)
    let got = try input.readAll(&bytes, count: 4)
    input.putBack(bytes[..<got])
    return got < 4 || ["RIFF", "RIFX", "RF64", "BW64"].contains { bytes.elementsEqual($0.utf8) }
  }

  private static func openRaw(_ input: InputDescriptor, _ raw: RawFormat) -> AudioFileReader {
    let blockAlign = (raw.companding == nil ? raw.sampleFormat.bytesPerSample : 1) * raw.format.channelCount
    let available = input.fileSize.map { max(0, $0 - input.start) }
    let source = PCMSource(
      input, sampleFormat: raw.sampleFormat, companding: raw.companding, channelCount: raw.format.channelCount,
      dataOffset: input.start,
      samplesPerChannel: available.map { $0 / blockAlign }, promisedBytes: nil,
      remainder: available.map { $0 % blockAlign }, remainderAdvice: "check the format of --raw")
    let reader = AudioFileReader(
      path: input.path, container: .raw, format: raw.format, sampleFormat: raw.sampleFormat, source: source,
      input: input)
    reader.warnOfRounding(validBits: raw.sampleFormat.bitDepth)
    return reader
  }

  private static func openWAV(_ input: InputDescriptor) throws(AudioFileError) -> AudioFileReader {
    let header = try readHeader(input)
    let isFollowedByChunks = header.declaredDataBytes == 0 ? try TrailingChunks.follow(header, in: input) : false
    let extent: WAVExtent
    do {
      let sound = input.start + header.dataOffset
      extent = try header.extent(
        available: input.fileSize.map { max(0, $0 - sound) }, isFollowedByChunks: isFollowedByChunks)
    } catch {
      throw AudioFileError(.header(error), path: input.path)
    }
    let source = PCMSource(
      input, sampleFormat: header.sampleFormat, companding: header.companding, isBigEndian: header.isBigEndian,
      channelCount: header.channelCount,
      dataOffset: input.start + header.dataOffset, samplesPerChannel: extent.samplesPerChannel,
      promisedBytes: input.isSeekable ? nil : header.declaredDataBytes,
      remainder: extent.samplesPerChannel == nil ? nil : extent.remainder,
      remainderAdvice: "its writer may have been stopped, or the file be damaged")
    let reader = AudioFileReader(
      path: input.path, container: .wav,
      format: try format(header.sampleRate, header.channelCount, path: input.path),
      sampleFormat: header.sampleFormat, source: source, input: input, speakers: header.speakers)
    let metadata = WAVMetadata(input, isBigEndian: header.isBigEndian)
    (reader.tags, reader.droppedChunks) = (metadata.tags, metadata.dropped)
    reader.warnOfSpeakers(header.channelMask)
    if header.isAmbisonic {
      let message =
        "the channels are ambisonics (B-format), not loudspeakers: mixed down, and for their loudness, they are taken for "
        + "the usual ones of \(header.channelCount); decode them with another program to hear them in place"
      reader.warnings.append(AudioFileWarning(.speakers, message, at: 0))
    }
    if let wrong = header.wrongBlockAlign {
      let message =
        "the header says \(wrong) bytes a sample of all channels, but its other fields make \(header.blockAlign): read by "
        + "those"
      reader.warnings.append(AudioFileWarning(.length, message, at: 0))
    }
    if let doubt = extent.doubt {
      reader.warnings.append(AudioFileWarning(.length, doubt.description, at: extent.samplesPerChannel ?? 0))
      if case .cutShort = doubt { reader.isKnownToBeCutShort = true }
    }
    if let message = TrailingChunks.leftOut(behind: header, in: input, isFollowed: isFollowedByChunks) {
      reader.warnings.append(AudioFileWarning(.length, message, at: extent.samplesPerChannel ?? 0))
    }
    reader.warnOfRounding(validBits: header.validBits)
    return reader
  }

  private static func readHeader(_ input: InputDescriptor) throws(AudioFileError) -> WAVHeader {
    var parser = WAVHeaderParser()
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: WAVHeaderParser.maximumRead)
    defer { bytes.deallocate() }
    while true {
      switch parser.step {
      case .done(let header): return header
      case .skip(let count):
        let passed = try input.skip(count)
        guard passed == count else {
          throw AudioFileError(.header(parser.errorAtEnd(extra: Int(passed))), path: input.path)
        }
        parser.skipped()
      case .read(let count):
        let got = try input.readAll(bytes.baseAddress!, count: count)
        guard got == count else {
          throw AudioFileError(.header(parser.errorAtEnd(extra: got)), path: input.path)
        }
        do {
          try parser.consume(Span(_unsafeElements: UnsafeBufferPointer(rebasing: bytes[..<count])))
        } catch {
          let isForeign = error == .notRIFF && !input.isSeekable
          throw AudioFileError(isForeign ? .pipeNeedsWAV : .header(error), path: input.path)
        }
      }
    }
  }

  private static func openEncoded(
    _ input: InputDescriptor, _ container: AudioContainer
  ) throws(AudioFileError) -> AudioFileReader {
    guard input.start == 0 else {
      // The library counts offsets from the beginning of the file.
      throw AudioFileError(.pipeNeedsWAV, path: input.path)
    }
    let shortSound = container == .caf ? EncodedExtent.shortSound(input) : nil
    let opus = container == .opus ? OpusHeader(input.bytes(0..<OpusHeader.longestPage)) : nil
    let (file, contents) = try SndFile.open(
      descriptor: input.descriptor, path: input.path,
      patch: shortSound ?? opus.map { SndFile.Patch(offset: 0, bytes: $0.pageOf48kHz) },
      length: container == .w64 ? EncodedExtent.soundEnd(input) : nil)
    let hasVorbisOrder = container == .ogg || opus?.hasLoudspeakers == true
    let named = container == .aiff || container == .caf ? contents.speakers : nil
    let order =
      hasVorbisOrder
      ? ChannelOrder(ofVorbisChannels: contents.channelCount) : named.flatMap { ChannelOrder(ofSpeakers: $0) }
    let mask = named?.reduce(0, |) ?? StoredSpeakers.mask(input, container) ?? 0
    let isLengthKnown = container != .mp3 || MP3Length(of: input) != nil
    let isShort = shortSound != nil || EncodedExtent.isCutShort(input, container)
    let source = try SndFileSource(
      file, contents, isLengthKnown: isLengthKnown, isShort: isShort, order: order, input: input)
    let reader = AudioFileReader(
      path: input.path, container: container,
      format: try format(contents.sampleRate, contents.channelCount, path: input.path),
      sampleFormat: contents.sampleFormat, source: source, input: input,
      speakers: Downmix.isKnown(mask, channelCount: contents.channelCount) ? mask : 0)
    reader.tags = file.tags
    reader.warnOfSpeakers(mask)
    if isShort {
      reader.isKnownToBeCutShort = true
      reader.warnings.append(AudioFileWarning(.length, Self.shortness, at: contents.samplesPerChannel ?? 0))
    }
    if !isLengthKnown { reader.warnings.append(AudioFileWarning(.length, Self.guessedLength, at: 0)) }
    reader.warnOfRounding(validBits: contents.sampleFormat.bitDepth)
    return reader
  }

  /// Until its end is reached.
  private static let guessedLength =
    "the file does not say how long it is, and may be read short of its end; let a program such as ffmpeg copy it anew"
  private static let shortness = "the file is shorter than it says: read to the end"

  private func tellOfJoinedFiles() {
    guard JoinedFiles.follow(in: input, container) else { return }
    let message =
      "another stream follows the first and is left out, as where files were joined; take it out with a program such as ffmpeg"
    warnings.append(AudioFileWarning(.length, message, at: position))
  }

  private func tellOfUnreadEnd() {
    if let guessed = warnings.firstIndex(where: { $0.message == Self.guessedLength }), let fileSize = input.fileSize {
      warnings.remove(at: guessed)
      let unread = fileSize - input.position
      if unread > 0 {
        let message =
          "the file does not say how long it is, and \(unread) bytes at its end were not read; let a program such as ffmpeg "
          + "copy it anew"
        warnings.append(AudioFileWarning(.length, message, at: position))
      }
    }
    if container == .flac, let samplesPerChannel, position == samplesPerChannel,
      let last = FLACExtent.samplesBeforeLastFrame(input), last >= samplesPerChannel
    {
      let message =
        "the header promises \(samplesPerChannel) samples a channel, but there are more than \(last): those behind are left "
        + "out; let a program such as flac or ffmpeg copy the file anew"
      warnings.append(AudioFileWarning(.length, message, at: position))
    }
  }

  /// Before the end of a file of Ogg nobody knows where that is.
  private func tellPlaceOfShortness() {
    guard let index = warnings.firstIndex(where: { $0.message == Self.shortness }) else { return }
    let hundredths = (position * 100 + format.sampleRate / 2) / format.sampleRate
    let seconds = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    warnings[index] = AudioFileWarning(
      .length, "\(Self.shortness), at \(seconds) s, behind \(position) samples a channel", at: position)
  }

  private static func format(_ rate: Int, _ channels: Int, path: String) throws(AudioFileError) -> AudioFormat {
    do {
      return try AudioFormat(sampleRate: rate, channelCount: channels)
    } catch {
      throw AudioFileError(.format(error.description), path: path)
    }
  }

  private func warnOfSpeakers(_ stored: UInt32) {
    guard format.channelCount > 2, stored != speakers else { return }
    let mask = String(stored, radix: 16, uppercase: true)
    let message =
      "the channels are for other loudspeakers than can be told apart (mask 0x\(mask)): mixed down, and for their "
      + "loudness, they are taken for the usual ones of \(format.channelCount)"
    warnings.append(AudioFileWarning(.speakers, message, at: 0))
  }

  private func warnOfRounding(validBits: Int) {
    guard !sampleFormat.isExactInFloat32, sampleFormat.isFloat || validBits > 24 else { return }
    let kind = sampleFormat.isFloat ? "64-bit floats" : "32-bit integers"
    warnings.append(
      AudioFileWarning(
        .rounded, "samples are \(kind) and are rounded to 32-bit floats, which keep 24 bits", at: 0))
  }
}
