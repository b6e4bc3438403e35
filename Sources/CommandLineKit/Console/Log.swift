import Glibc
import JSON
import Platform

/// Messages to stderr, one line each.
///
/// Thread: any but the audio thread.
package struct Log: Sendable {
  private let level: LogLevel
  private let format: LogFormat
  private let style: TerminalStyle
  private let errors: ErrorStream
  private let secondsSince1970: @Sendable () -> Int

  package init(
    level: LogLevel = .info, format: LogFormat = .text, style: TerminalStyle, errors: ErrorStream,
    secondsSince1970: @escaping @Sendable () -> Int = { time(nil) }
  ) {
    self.level = level
    self.format = format
    self.style = style
    self.errors = errors
    self.secondsSince1970 = secondsSince1970
  }

  /// Writes a message, if its level is wanted; otherwise the text is not evaluated.
  package func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard level <= self.level else { return }
    switch format {
    case .text: errors.writeLine(text(level, message()))
    case .json:
      var json = JSONWriter()
      json.object { json in
        json.field("time", UTCTime(secondsSince1970: secondsSince1970()).secondText)
        json.field("level", level.name)
        json.field("message", message())
      }
      errors.writeLine(json.text)
    }
  }

  package func error(_ message: @autoclosure () -> String) { write(.error, message()) }
  package func warning(_ message: @autoclosure () -> String) { write(.warning, message()) }
  package func info(_ message: @autoclosure () -> String) { write(.info, message()) }
  package func debug(_ message: @autoclosure () -> String) { write(.debug, message()) }

  private func text(_ level: LogLevel, _ message: String) -> String {
    let line = Self.oneLine(message)
    return switch level {
    case .error: "audiopipe: \(style.error("error:")) \(line)"
    case .warning: "audiopipe: \(style.warning("warning:")) \(line)"
    case .info: "audiopipe: \(line)"
    case .debug: "audiopipe: \(style.faint("debug:")) \(line)"
    }
  }

  /// Returns a message as one line.
  ///
  /// A message of two lines, from a file name for instance, must not look like two messages. No quoted text may command
  /// the terminal: control characters are written as Swift and C write them.
  package static func oneLine(_ message: String) -> String {
    var line = ""
    for scalar in message.unicodeScalars {
      switch scalar {
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      case _ where scalar.commandsTerminal:
        line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}
