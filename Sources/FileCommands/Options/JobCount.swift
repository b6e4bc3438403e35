import CommandLineKit
import Platform

/// `--jobs`: number of inputs that are processed at once.
enum JobCount {
  private static let range = 1...256

  static func option(group: String) -> OptionDeclaration {
    OptionDeclaration(
      "jobs", .integer(range), group: group, default: "one per processor",
      help: "Number of inputs processed at once; the result is the same")
  }

  static func of(_ parsed: ParsedArguments) -> Int {
    parsed.integer("jobs") ?? min(range.upperBound, max(range.lowerBound, ProcessorCount.available))
  }
}
