import AudioGraph

extension AudioFileReader {
  /// Opens the file at `path`; with `raw`, as samples without a header.
  ///
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - raw: Format of samples without a header; nil: the file has one.
  ///   - isCancelled: Called while a pipe has nothing to give; true ends the wait. Thread: any.
  /// - Throws: The fault and the remedy; `AudioFileError.category` is a command's exit code.
  public static func open(
    path: String, raw: RawFormat? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) -> AudioFileReader {
    try open(try InputDescriptor.open(path: path, isCancelled: isCancelled), raw: raw)
  }

  /// Reads from a descriptor, such as the standard input, from its present position on.
  ///
  /// A regular file may be of any kind; a pipe is WAV, or `raw`. The caller closes the descriptor, and keeps it open
  /// for as long as the reader lives.
  public static func open(
    descriptor: Int32, name: String = "standard input", raw: RawFormat? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(AudioFileError) -> AudioFileReader {
    try open(
      InputDescriptor(descriptor: descriptor, path: name, ownsDescriptor: false, isCancelled: isCancelled), raw: raw)
  }

  static func open(_ input: InputDescriptor, raw: RawFormat?) throws(AudioFileError)
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

  /// Returns whether a pipe's first bytes are those of WAV. The bytes stay to be read. The WAV parser handles an empty
  /// pipe.
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

  private static func openEncoded(
    _ input: InputDescriptor, _ container: AudioContainer
  ) throws(AudioFileError) -> AudioFileReader {
    guard input.start == 0 else {
      // The library counts offsets from the beginning of the file.
      throw AudioFileError(.pipeNeedsWAV, path: input.path)
    }
    let soundSize = container == .caf ? ContainerExtent.soundSize(input) : nil
    let (file, contents, tags) = try decoder(
      of: input, container,
      view: LibraryChannel.View(
        length: container == .w64 ? ContainerExtent.soundEnd(input) : nil,
        patch: soundSize?.patch))
    let hasVorbisOrder =
      container == .ogg || container == .opus && OpusHeader.hasLoudspeakers(input.bytes(0..<OpusHeader.longestPage))
    let named = container == .aiff || container == .caf ? contents.speakers : nil
    let order =
      hasVorbisOrder
      ? ChannelOrder(ofVorbisChannels: contents.channelCount) : named.flatMap { ChannelOrder(ofSpeakers: $0) }
    let mask = named?.reduce(0, |) ?? StoredSpeakers.mask(input, container) ?? 0
    let isShort = soundSize?.isShort == true || ContainerExtent.isCutShort(input, container)
    let source = try EncodedSource(file, contents, isShort: isShort, order: order, input: input)
    let reader = AudioFileReader(
      path: input.path, container: container,
      format: try format(contents.sampleRate, contents.channelCount, path: input.path),
      sampleFormat: contents.sampleFormat, source: source, input: input,
      speakers: Downmix.isKnown(mask, channelCount: contents.channelCount) ? mask : 0)
    reader.tags = tags
    reader.warnOfSpeakers(mask)
    if isShort { reader.warnOfShortness() }
    reader.warnOfRounding(validBits: contents.sampleFormat.bitDepth)
    return reader
  }

  /// Opens the file with the library that decodes its kind, which comes to the right sample of any place. libsndfile
  /// does not for MP3, Vorbis and Opus.
  private static func decoder(
    of input: InputDescriptor, _ container: AudioContainer, view: LibraryChannel.View
  ) throws(AudioFileError) -> (file: any EncodedFile, contents: EncodedContents, tags: AudioTags) {
    switch container {
    case .mp3:
      // First, for both libraries move the position of the descriptor.
      let tags = SndFile.tags(descriptor: input.descriptor, path: input.path)
      let start = MPEGFrame.first(of: input)
      guard
        let (file, contents) = MPEGFile.open(
          descriptor: input.descriptor, start: start, isScanned: MP3Length(of: input) == nil)
      else { break }
      return (file, contents, tags)
    case .ogg:
      let length = ChainedStreams.secondOggStream(in: input)
      guard let (file, contents) = VorbisFile.open(descriptor: input.descriptor, length: length) else { break }
      return (file, contents, file.tags)
    case .opus:
      let length = ChainedStreams.secondOggStream(in: input)
      guard let (file, contents) = OpusFile.open(descriptor: input.descriptor, length: length) else { break }
      return (file, contents, file.tags)
    case .wav, .flac, .aiff, .au, .caf, .w64, .raw:
      let (file, contents) = try SndFile.open(descriptor: input.descriptor, path: input.path, view: view)
      return (file, contents, file.tags)
    }
    throw AudioFileError(
      .decoder("it has no sound that can be decoded; copy or download the file again"), path: input.path)
  }

  static func format(_ rate: Int, _ channels: Int, path: String) throws(AudioFileError) -> AudioFormat {
    do {
      return try AudioFormat(sampleRate: rate, channelCount: channels)
    } catch {
      throw AudioFileError(.format(error.description), path: path)
    }
  }
}
