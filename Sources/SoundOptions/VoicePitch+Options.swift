package import CommandLineKit
import Effects
package import Engine

extension VoicePitch {
  /// Reads `--pitch`, `--pitch-mode` and `--keep-formants`; nil without `--pitch`.
  ///
  /// - Parameters:
  ///   - parsed: the command line.
  ///   - option: name of `--pitch` on it.
  /// - Throws: a usage failure.
  package init?(_ parsed: ParsedArguments, named option: String = "pitch") throws(CommandFailure) {
    guard let text = parsed.text(option) else {
      for name in ["pitch-mode", "keep-formants"] where parsed.has(name) {
        throw .usage("--\(name) says how --\(option) works, which was not given; add --\(option)")
      }
      return nil
    }
    let isDistance = text.hasSuffix("st")
    if !isDistance, text.hasPrefix("+") || text.hasPrefix("-"), Double(text) != nil {
      throw .usage(
        "option '--\(option)' cannot take '\(text)'; a ratio has no sign, and semitones end in st: \(text)st")
    }
    let (ratios, semitones) = (PitchRatio.range, PitchRatio.semitoneRange)
    if let number = Int(text), Double(number) > ratios.upperBound, semitones.contains(Double(number)) {
      throw .usage(
        "option '--\(option)' cannot take '\(text)'; it needs a number from 0.5 to 2, or semitones such as +\(text)st")
    }
    let parser = ValueParser(subject: isDistance ? "the distance of option '--\(option)'" : "option '--\(option)'")
    let range = isDistance ? semitones : ratios
    guard case .number(let value) = try parser.parse(text, as: .number(range, unit: isDistance ? "st" : nil)),
      let ratio = isDistance ? try? PitchRatio(semitones: value) : try? PitchRatio(value)
    else { preconditionFailure("the value has the kind and the range asked for") }
    self.init(
      ratio, mode: parsed.text("pitch-mode").flatMap(PitchShiftMode.init(rawValue:)) ?? .quality,
      keepsFormants: parsed.has("keep-formants"))
  }
}
