public import AudioGraph
package import DSP

/// Format of samples without a header, as in `s16:48000:2`.
public struct RawFormat: Hashable, Sendable {
  /// Stored format of a sample; for A-law and mu-law the decoded one, of 16 bits.
  public let sampleFormat: SampleFormat
  /// Sample rate and channels.
  public let format: AudioFormat
  /// Code of bytes for samples of 16 bits; nil: samples are stored as they are.
  package let companding: Companding?

  /// Creates a description of raw samples.
  public init(sampleFormat: SampleFormat, format: AudioFormat) {
    self.sampleFormat = sampleFormat
    self.format = format
    companding = nil
  }

  /// Reads `FORMAT:RATE:CHANNELS`; a trailing `le`, as in `s16le`, is allowed. A format is also `alaw` or `mulaw`.
  ///
  /// - Throws: `rawFormat` for another form, `unsupported` for a rate or a count out of range; both are usage errors.
  public init(parsing text: String) throws(AudioFileError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let rate = Int(parts[1]), let channels = Int(parts[2]) else {
      throw AudioFileError(.rawFormat, path: text)
    }
    let name = parts[0].hasSuffix("le") ? parts[0].dropLast(2) : parts[0]
    companding = Companding(rawValue: String(parts[0]))
    guard let sampleFormat = companding == nil ? SampleFormat(rawValue: String(name)) : .int16 else {
      throw AudioFileError(.rawFormat, path: text)
    }
    do {
      format = try AudioFormat(sampleRate: rate, channelCount: channels)
    } catch {
      throw AudioFileError(.unsupported(error.description), path: text)
    }
    self.sampleFormat = sampleFormat
  }
}

extension RawFormat: CustomStringConvertible {
  public var description: String {
    "\(companding?.rawValue ?? sampleFormat.name):\(format.sampleRate):\(format.channelCount)"
  }
}
