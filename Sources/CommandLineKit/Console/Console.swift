import Glibc

/// Streams of a command: results go to stdout, messages to stderr.
package struct Console: Sendable {
  package let output: StandardOutput
  /// Style of the text on stdout.
  package let outputStyle: TerminalStyle
  package let errors: ErrorStream
  package let log: Log
  /// Whether stderr is a terminal on which a line can be redrawn.
  package let isInteractive: Bool

  private let errorStyle: TerminalStyle

  /// Creates the console of this process.
  package init() {
    let isTerminal = isatty(2) == 1
    let terminal = environmentVariable("TERM") ?? "dumb"
    self.init(
      output: StandardOutput(),
      outputStyle: TerminalStyle(isTerminal: isatty(1) == 1, environment: environmentVariable),
      errors: ErrorStream(),
      errorStyle: TerminalStyle(isTerminal: isTerminal, environment: environmentVariable),
      isInteractive: isTerminal && terminal != "dumb" && !terminal.isEmpty, level: .info, format: .text)
  }

  package init(
    output: StandardOutput, outputStyle: TerminalStyle, errors: ErrorStream, errorStyle: TerminalStyle,
    isInteractive: Bool, level: LogLevel, format: LogFormat
  ) {
    self.output = output
    self.outputStyle = outputStyle
    self.errors = errors
    self.errorStyle = errorStyle
    self.isInteractive = isInteractive
    log = Log(level: level, format: format, style: errorStyle, errors: errors)
  }

  /// Returns the same console with messages of another level and format.
  package func with(level: LogLevel, format: LogFormat) -> Console {
    Console(
      output: output, outputStyle: outputStyle, errors: errors, errorStyle: errorStyle,
      isInteractive: isInteractive,
      level: level, format: format)
  }

  /// Returns whether a bar can be drawn; not between lines of results on the same terminal.
  package func canShowBar(besideLines: Bool) -> Bool { isInteractive && !(besideLines && isatty(1) == 1) }

  /// Returns the columns of the terminal behind a descriptor; without a terminal those of `COLUMNS`, else 80.
  package static func columnCount(of descriptor: Int32) -> Int {
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return environmentVariable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }
}

/// Returns a variable of the environment.
package func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
