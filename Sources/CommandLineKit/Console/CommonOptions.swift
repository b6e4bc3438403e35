/// Options of every subcommand, and options that several share.
package struct CommonOptions: Hashable, Sendable {
  package static let group = "Common"

  /// Options of every subcommand.
  package static let declarations: [OptionDeclaration] = [
    json,
    OptionDeclaration("quiet", short: "q", group: group, help: "Write only errors to stderr"),
    OptionDeclaration("verbose", short: "v", group: group, help: "Write debug messages to stderr"),
    OptionDeclaration(
      "log-level", .choice(LogLevel.allCases.map(\.name)), group: group, default: LogLevel.info.name,
      help: "Lowest level of messages to write"),
    OptionDeclaration(
      "log-format", .choice(LogFormat.allCases.map(\.rawValue)), group: group,
      default: LogFormat.text.rawValue,
      help: "Format of messages; json is one JSON object per line"),
    version,
    help,
  ]

  package static let help = OptionDeclaration("help", short: "h", group: group, help: "Show this help")
  package static let version = OptionDeclaration(
    "version", group: group, help: "Show the version; with --json, also the versions of the linked libraries")

  /// Option for one object on stdout: every command has results that a program may want to read.
  package static let json = OptionDeclaration(
    "json", group: group, help: "Write the result to stdout as one JSON object")

  package let logLevel: LogLevel
  package let logFormat: LogFormat
  /// Whether the user wants silence, without progress.
  package let isQuiet: Bool

  /// Returns the form of messages that unchecked words ask for.
  package static func logFormat(in words: [String]) -> LogFormat {
    let option = "--log-format"
    for (index, word) in words.enumerated().reversed() {
      if word == option, index + 1 < words.count { return LogFormat(rawValue: words[index + 1]) ?? .text }
      if word.hasPrefix("\(option)=") { return LogFormat(rawValue: String(word.dropFirst(option.count + 1))) ?? .text }
    }
    return .text
  }

  /// Reads the options of every subcommand.
  ///
  /// - Throws: a usage failure if the options contradict each other.
  package init(_ parsed: ParsedArguments) throws(CommandFailure) {
    let levels = ["quiet", "verbose", "log-level"].filter { parsed.has($0) }
    guard levels.count <= 1 else {
      throw .usage("--\(levels[0]) and --\(levels[1]) contradict each other; give one of them")
    }
    isQuiet = parsed.has("quiet")
    if isQuiet, parsed.command.option(named: "progress") != nil, let mode = parsed.text("progress"),
      mode == ProgressMode.bar.rawValue || mode == ProgressMode.plain.rawValue
    {
      throw .usage("--quiet and --progress \(mode) contradict each other; give one of them")
    }
    logLevel =
      if isQuiet { .error } else if parsed.has("verbose") { .debug } else {
        parsed.text("log-level").flatMap(LogLevel.init(name:)) ?? .info
      }
    logFormat = parsed.text("log-format").flatMap(LogFormat.init(rawValue:)) ?? .text
  }
}
