import AudioGraph

/// What the header of a WAV file says about its sound, checked.
///
/// Source: Multimedia Programming Interface 1.0 (RIFF), mmreg.h (WAVE_FORMAT_EXTENSIBLE), EBU Tech 3306 (RF64),
/// ITU-R BS.2088 (BW64).
package struct WAVHeader: Hashable, Sendable {
  /// In Hz, 8000 to 192 000.
  package let sampleRate: Int
  /// 1 to 8.
  package let channelCount: Int
  /// How a sample is stored.
  package let sampleFormat: SampleFormat
  /// How the bytes of a sample stand for those of `sampleFormat`; nil: they are those.
  package var companding: Companding?
  /// The blocks in which the samples are coded; nil: they are not.
  package var blocks: CodedBlocks?
  /// Samples per channel that the `fact` chunk counts; nil: there is none, or the samples are not coded in blocks.
  package var factSamples: Int?
  /// RIFX: the highest byte of a number comes first.
  package var isBigEndian = false
  /// The channels are those of ambisonics in B-format (W, X, Y, Z and so on), not loudspeakers.
  package var isAmbisonic = false
  /// Bytes of one sample of all channels as the header has them, where that is wrong.
  package var wrongBlockAlign: Int?
  /// Bits of a sample that carry sound, left-justified in the stored ones.
  package let validBits: Int
  /// Loudspeaker positions, 0 where nothing is said.
  package let channelMask: UInt32
  /// Bytes from the beginning of the file to its first sample.
  package let dataOffset: Int
  /// Bytes of sound as the header has it; nil where it says that it does not know (0xFFFFFFFF).
  package let declaredDataBytes: UInt64?
  /// Bytes of the whole file as the header has it; nil where it says that it does not know.
  package let declaredFileBytes: UInt64?

  /// What of `channelMask` can be mixed down and measured; 0 where nothing is said or known.
  package var speakers: UInt32 { Downmix.isKnown(channelMask, channelCount: channelCount) ? channelMask : 0 }

  /// Bytes of one sample of all channels, or of a block of coded ones.
  package var blockAlign: Int {
    blocks?.bytes ?? channelCount * (companding == nil ? sampleFormat.bytesPerSample : 1)
  }

  /// Samples per channel in so many bytes of sound.
  private func samples(inBytes bytes: Int) -> Int {
    let all = bytes / blockAlign * (blocks?.samples ?? 1)
    // The last block may hold fewer.
    guard let blocks, let factSamples, factSamples > all - blocks.samples else { return all }
    return min(all, factSamples)
  }

  /// What sox writes as data size where it cannot go back: 0x7FFFF000, cut to whole blocks.
  private var isPipePlaceholder: Bool {
    declaredDataBytes == UInt64(0x7FFF_F000 / blockAlign * blockAlign)
  }
}

/// How many samples follow a WAV header, judged from what it says and from what is there.
package struct WAVExtent: Hashable, Sendable {
  /// What about the length was not as the header says.
  package enum Doubt: Hashable, Sendable {
    /// The header says 0 bytes, but this many follow: its writer was stopped.
    case unfinished(Int)
    /// The header promises more bytes than there are.
    case cutShort(promised: UInt64, found: Int)
  }

  /// Samples per channel to read; nil: up to the end of the stream.
  package var samplesPerChannel: Int?
  /// What to warn of.
  package var doubt: Doubt?
  /// Bytes of sound behind the last whole sample of all channels, where the header says where the sound ends.
  package var remainder: Int

  /// An extent from its parts.
  package init(samplesPerChannel: Int? = nil, doubt: Doubt? = nil, remainder: Int = 0) {
    self.samplesPerChannel = samplesPerChannel
    self.doubt = doubt
    self.remainder = remainder
  }
}

extension WAVHeader {
  /// How many samples to read, where the file goes on for `available` bytes after the header; nil: a pipe.
  ///
  /// - Parameter isFollowedByChunks: Whether chunks follow, and no sound, so that a data size of 0 is true.
  ///
  /// Throws: `noSamples` where a sample and more are promised and not one is there.
  package func extent(
    available: Int?, isFollowedByChunks: Bool = false
  ) throws(WAVHeaderError) -> WAVExtent {
    guard let available else {
      if declaredDataBytes == 0, isFollowedByChunks { return WAVExtent(samplesPerChannel: 0) }
      // A pipe's end tells; 0 is what many programs write there for want of knowing.
      guard let declared = declaredDataBytes, declared > 0, !isPipePlaceholder else { return WAVExtent() }
      return extent(bytes: Int(clamping: declared))
    }
    let present = available / blockAlign
    guard let declared = declaredDataBytes else { return extent(bytes: available) }
    if declared == 0 {
      if present == 0 || isFollowedByChunks { return WAVExtent(samplesPerChannel: 0) }
      return WAVExtent(samplesPerChannel: samples(inBytes: available), doubt: .unfinished(available))
    }
    // Where not one sample is promised it does not matter what is there: a pipe is not asked either.
    if declared <= UInt64(available) || declared < UInt64(blockAlign) { return extent(bytes: Int(declared)) }
    if isPipePlaceholder { return extent(bytes: available) }
    guard present > 0 else { throw .noSamples(promised: declared) }
    return WAVExtent(
      samplesPerChannel: samples(inBytes: available), doubt: .cutShort(promised: declared, found: available))
  }

  private func extent(bytes: Int) -> WAVExtent {
    WAVExtent(samplesPerChannel: samples(inBytes: bytes), remainder: bytes % blockAlign)
  }
}

extension WAVExtent.Doubt: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unfinished(let found):
      "the header says that there is no sound, but \(found) bytes follow it: read to the end"
    case .cutShort(let promised, let found):
      "the header promises \(promised) bytes of sound, but there are \(found): read to the end"
    }
  }
}
