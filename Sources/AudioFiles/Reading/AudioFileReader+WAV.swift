import AudioGraph

extension AudioFileReader {
  static func openWAV(_ input: InputDescriptor) throws(AudioFileError) -> AudioFileReader {
    let header = try readHeader(input)
    if let blocks = header.blocks, !input.isSeekable || header.dataOffset < blocks.headerBytes {
      return try openCopy(input, header, blocks)
    }
    let isFollowedByChunks = header.declaredDataBytes == 0 ? try TrailingChunks.follow(header, in: input) : false
    let extent: WAVExtent
    do {
      let sound = input.start + header.dataOffset
      extent = try header.extent(
        available: input.fileSize.map { max(0, $0 - sound) }, isFollowedByChunks: isFollowedByChunks)
    } catch {
      throw AudioFileError(.header(error), path: input.path)
    }
    let source =
      if let blocks = header.blocks {
        try blockSource(input, header, blocks, extent)
      } else {
        pcmSource(input, header, extent) as any SampleSource
      }
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

  private static func pcmSource(_ input: InputDescriptor, _ header: WAVHeader, _ extent: WAVExtent) -> PCMSource {
    PCMSource(
      input, sampleFormat: header.sampleFormat, companding: header.companding, isBigEndian: header.isBigEndian,
      channelCount: header.channelCount,
      dataOffset: input.start + header.dataOffset, samplesPerChannel: extent.samplesPerChannel,
      promisedBytes: input.isSeekable ? nil : header.declaredDataBytes,
      remainder: extent.samplesPerChannel == nil ? nil : extent.remainder,
      remainderAdvice: "its writer may have been stopped, or the file be damaged")
  }

  /// Creates a source of blocks that the library decodes behind a header of ours.
  private static func blockSource(
    _ input: InputDescriptor, _ header: WAVHeader, _ blocks: CodedBlocks, _ extent: WAVExtent
  ) throws(AudioFileError) -> EncodedSource {
    let count = extent.samplesPerChannel ?? 0
    let dataBytes = (count + blocks.samples - 1) / blocks.samples * blocks.bytes
    let image = blocks.header(
      sampleRate: header.sampleRate, channelCount: header.channelCount, dataBytes: UInt32(clamping: dataBytes))
    var (file, contents) = try SndFile.open(
      descriptor: input.descriptor, path: input.path,
      view: LibraryChannel.View(
        start: input.start + header.dataOffset - image.count, length: image.count + dataBytes,
        patch: LibraryChannel.Patch(offset: 0, bytes: image)))
    contents.samplesPerChannel = count
    return try EncodedSource(
      file, contents, isShort: false, limit: count, order: nil, input: input)
  }

  /// Opens a copy that holds a header of ours and the blocks. Pipes need it, and files with a header shorter than ours.
  private static func openCopy(
    _ input: InputDescriptor, _ header: WAVHeader, _ blocks: CodedBlocks
  ) throws(AudioFileError) -> AudioFileReader {
    let dataBytes = UInt32(clamping: header.declaredDataBytes ?? .max)
    let image = blocks.header(
      sampleRate: header.sampleRate, channelCount: header.channelCount, factSamples: header.factSamples,
      dataBytes: dataBytes)
    input.putBack(image[...])
    return try open(try SpooledPipe.copy(input), raw: nil)
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
}
