import AudioGraph
package import DSP

/// Checked description of the sound of a WAV file, from its header.
///
/// Source: Multimedia Programming Interface 1.0 (RIFF), mmreg.h (WAVE_FORMAT_EXTENSIBLE), EBU Tech 3306 (RF64), ITU-R
/// BS.2088 (BW64).
package struct WAVHeader: Hashable, Sendable {
  /// Sample rate in Hz, 8000 to 192 000.
  package let sampleRate: Int
  /// Count of channels, 1 to 8.
  package let channelCount: Int
  /// Stored format of a sample.
  package let sampleFormat: SampleFormat
  /// Code of a sample's bytes for those of `sampleFormat`; nil: they are those.
  package var companding: Companding?
  /// Blocks of coded samples; nil if the samples are not coded in blocks.
  package var blocks: CodedBlocks?
  /// Samples per channel by the `fact` chunk; nil: there is none, or the samples are not coded in blocks.
  package var factSamples: Int?
  /// Whether the highest byte of a number comes first (RIFX).
  package var isBigEndian = false
  /// Whether the channels are those of ambisonics in B-format (W, X, Y, Z and so on), not of loudspeakers.
  package var isAmbisonic = false
  /// Bytes of one sample of all channels in the header, if that is wrong; else nil.
  package var wrongBlockAlign: Int?
  /// Bits of a sample that carry sound, left-justified in the stored ones.
  package let validBits: Int
  /// Loudspeaker positions; 0 if the header does not say.
  package let channelMask: UInt32
  /// Bytes from the beginning of the file to its first sample.
  package let dataOffset: Int
  /// Bytes of sound in the header; nil if the header says that it does not know (0xFFFFFFFF).
  package let declaredDataBytes: UInt64?
  /// Bytes of the whole file in the header; nil if the header says that it does not know.
  package let declaredFileBytes: UInt64?

  /// Loudspeakers of `channelMask` if they can be mixed down and measured; 0 if the header does not say or they are
  /// unknown.
  package var speakers: UInt32 { Downmix.isKnown(channelMask, channelCount: channelCount) ? channelMask : 0 }

  /// Bytes of one sample of all channels, or of a block of coded ones.
  package var blockAlign: Int {
    blocks?.bytes ?? channelCount * (companding == nil ? sampleFormat.bytesPerSample : 1)
  }

  /// Returns the samples per channel in so many bytes of sound.
  private func samples(inBytes bytes: Int) -> Int {
    let all = bytes / blockAlign * (blocks?.samples ?? 1)
    // The last block may hold fewer.
    guard let blocks, let factSamples, factSamples > all - blocks.samples else { return all }
    return min(all, factSamples)
  }

  /// Whether the data size is the one that sox writes if it cannot go back: 0x7FFFF000, cut to whole blocks.
  private var isPipePlaceholder: Bool {
    declaredDataBytes == UInt64(0x7FFF_F000 / blockAlign * blockAlign)
  }
}

/// Count of samples behind a WAV header, by the header and by the bytes that are there.
package struct WAVExtent: Hashable, Sendable {
  /// Difference between the length and the header.
  package enum Doubt: Hashable, Sendable {
    /// The header says 0 bytes, but this many follow: its writer was stopped.
    case unfinished(Int)
    /// The header promises more bytes than there are.
    case cutShort(promised: UInt64, found: Int)
  }

  /// Samples per channel to read; nil: up to the end of the stream.
  package var samplesPerChannel: Int?
  /// Reason for a warning; nil if there is none.
  package var doubt: Doubt?
  /// Bytes of sound behind the last whole sample of all channels, if the header has the end of the sound.
  package var remainder: Int

  /// Creates an extent from its parts.
  package init(samplesPerChannel: Int? = nil, doubt: Doubt? = nil, remainder: Int = 0) {
    self.samplesPerChannel = samplesPerChannel
    self.doubt = doubt
    self.remainder = remainder
  }
}

extension WAVHeader {
  /// Returns the count of samples to read.
  ///
  /// - Parameters:
  ///   - available: Bytes of the file after the header; nil: a pipe.
  ///   - isFollowedByChunks: Whether chunks follow, and no sound, so that a data size of 0 is true.
  /// - Throws: `noSamples` if at least one sample is promised and not one is there.
  package func extent(
    available: Int?, isFollowedByChunks: Bool = false
  ) throws(WAVHeaderError) -> WAVExtent {
    guard let available else {
      if declaredDataBytes == 0, isFollowedByChunks { return WAVExtent(samplesPerChannel: 0) }
      // The end of a pipe shows the length; many programs write 0 there for an unknown one.
      guard let declared = declaredDataBytes, declared > 0, !isPipePlaceholder else { return WAVExtent() }
      return extent(bytes: Int(clamping: declared))
    }
    let present = available / blockAlign
    guard let declared = declaredDataBytes else { return extent(bytes: available) }
    if declared == 0 {
      if present == 0 || isFollowedByChunks { return WAVExtent(samplesPerChannel: 0) }
      return WAVExtent(samplesPerChannel: samples(inBytes: available), doubt: .unfinished(available))
    }
    // If not one sample is promised the bytes behind the header do not matter: a pipe is not checked either.
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
      "the header promises no sound, but \(found) bytes follow it: read to the end"
    case .cutShort(let promised, let found):
      "the header promises \(promised) bytes of sound, but there are \(found): read to the end"
    }
  }
}
