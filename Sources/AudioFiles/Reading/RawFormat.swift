public import AudioGraph

/// What samples without a header are, as in `s16:48000:2`.
public struct RawFormat: Hashable, Sendable {
  /// How a sample is stored.
  public let sampleFormat: SampleFormat
  /// Rate and channels.
  public let format: AudioFormat

  /// Raw samples of this format.
  public init(sampleFormat: SampleFormat, format: AudioFormat) {
    self.sampleFormat = sampleFormat
    self.format = format
  }

  /// Reads `FORMAT:RATE:CHANNELS`; a trailing `le`, as in `s16le`, is allowed.
  ///
  /// Throws: `rawFormat` for another form, `unsupported` for a rate or a count out of range; both are usage errors.
  public init(parsing text: String) throws(AudioFileError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let rate = Int(parts[1]), let channels = Int(parts[2]) else {
      throw AudioFileError(.rawFormat, path: text)
    }
    let name = parts[0].hasSuffix("le") ? parts[0].dropLast(2) : parts[0]
    guard let sampleFormat = SampleFormat(rawValue: String(name)) else {
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
  public var description: String { "\(sampleFormat.name):\(format.sampleRate):\(format.channelCount)" }
}
