package import AudioFiles
import AudioGraph
package import CommandLineKit
import DSP
import Engine

extension RawFormat {
  package static let declaration = OptionDeclaration(
    "raw", .text, placeholder: "FORMAT:RATE:CHANNELS", group: "Input",
    help: "Format of headerless samples on stdin, such as s16:48000:2 or alaw:8000:1; ffmpeg's s16le is s16")

  /// Returns the value of `--raw` on a command line; nil without that option.
  ///
  /// - Throws: a usage failure if the value is wrong, before any contradiction between options is reported.
  package static func option(of parsed: ParsedArguments) throws(CommandFailure) -> RawFormat? {
    guard let text = parsed.text("raw") else { return nil }
    return try RawFormat(option: text)
  }

  /// Checks that stdin, which the format describes, is an input.
  ///
  /// - Throws: a usage failure if stdin is not among the inputs.
  package func check(inputs: [InputSource]) throws(CommandFailure) {
    guard inputs.contains(.standardInput) else {
      throw .usage("--raw describes stdin, which is not read; give '-' as the input")
    }
  }

  /// Reads the value of `--raw`, such as `s16:48000:2`.
  ///
  /// - Throws: a usage failure that names the wrong part.
  init(option text: String) throws(CommandFailure) {
    var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else {
      throw .usage(
        "option '--raw' cannot take '\(text)'; write FORMAT:RATE:CHANNELS, for instance s16:48000:2")
    }
    // ffmpeg's names include the order of the bytes.
    if parts[0].hasSuffix("le") { parts[0].removeLast(2) }
    if parts[0] == "ulaw" { parts[0] = Companding.muLaw.rawValue }
    func part(_ index: Int, _ name: String, _ kind: ValueKind) throws(CommandFailure) -> OptionValue {
      try ValueParser(subject: "the \(name) of option '--raw'").parse(parts[index], as: kind)
    }
    let words = SampleFormat.allCases.map(\.name) + Companding.allCases.map(\.rawValue)
    guard case .text(let word) = try part(0, "sample format", .choice(words)),
      case .integer(let rate) = try part(1, "rate", .integer(AudioFormat.sampleRates)),
      case .integer(let channels) = try part(2, "channel count", .integer(AudioFormat.channelCounts)),
      let format = try? RawFormat(parsing: "\(word):\(rate):\(channels)")
    else { preconditionFailure("the parts have the required kinds and ranges") }
    self = format
  }
}
