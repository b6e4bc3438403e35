import AudioGraph

/// What headerless samples on stdin are, written `s16:48000:2`: interleaved, little endian.
struct RawFormat: Hashable, Sendable {
  let sampleFormat: SampleFormat
  /// Samples per second and channel, in Hz.
  let sampleRate: Int
  let channelCount: Int

  /// Throws: a usage failure that names the part which is wrong.
  init(_ text: String) throws(CommandFailure) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else {
      throw .usage(
        "option '--raw' cannot take '\(text)'; write FORMAT:RATE:CHANNELS, for instance s16:48000:2")
    }
    func part(_ index: Int, _ name: String, _ kind: ValueKind) throws(CommandFailure) -> OptionValue {
      try ValueParser(subject: "the \(name) of option '--raw'").parse(parts[index], as: kind)
    }
    let words = SampleFormat.allCases.map(\.rawValue)
    guard case .text(let word) = try part(0, "sample format", .choice(words)),
      let format = SampleFormat(rawValue: word),
      case .integer(let rate) = try part(1, "rate", .integer(AudioFormat.sampleRates)),
      case .integer(let channels) = try part(2, "channel count", .integer(AudioFormat.channelCounts))
    else { preconditionFailure("the parts have the kinds asked for") }
    sampleFormat = format
    sampleRate = rate
    channelCount = channels
  }
}
