import CommandLineKit
import OfflineProcessing

extension LoudnessTarget {
  /// Declarations of the options.
  static let declarations = [
    OptionDeclaration(
      "loudness-target", .number(integratedRange, unit: "LUFS"), group: "Output",
      help: "Integrated loudness of the output (EBU R 128), within 0.1 LU; a gain and a limiter behind the mix"),
    OptionDeclaration(
      "true-peak", .number(truePeakRange, unit: "dBTP"), group: "Output", default: "-1 with --loudness-target",
      help: "Largest true peak of the output; without --loudness-target, only a limiter"),
  ]

  /// Creates the target of a command line; nil without one.
  init?(_ parsed: ParsedArguments) {
    let (integrated, truePeak) = (parsed.number("loudness-target"), parsed.number("true-peak"))
    guard integrated != nil || truePeak != nil else { return nil }
    self.init(integrated: integrated, truePeak: truePeak ?? -1)
  }
}
