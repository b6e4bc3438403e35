package import CommandLineKit
import Engine
package import FrameObservers
package import OfflineProcessing

extension FrameProgram {
  /// Reads the program of a command line; nil without one.
  ///
  /// - Parameters:
  ///   - parsed: the command line.
  ///   - position: position of the frames if the line names none; nil: it must name one. A command with a default has
  ///     no filters.
  /// - Throws: a usage failure if only one of position and program is given.
  package init?(_ parsed: ParsedArguments, defaultPosition position: ObserverPosition? = nil) throws(CommandFailure) {
    var words = parsed.list("observe")
    let reader = parsed.text("observe-cmd")
    let filter = position == nil ? parsed.text("filter-cmd") : nil
    guard reader == nil || filter == nil else {
      throw .usage("--observe-cmd and --filter-cmd cannot be used together; give one of them")
    }
    guard let command = reader ?? filter else {
      if position == nil {
        try parsed.check("program-timeout", actsOn: ["observe-cmd", "filter-cmd"], lacking: "no program")
      }
      guard words.isEmpty else {
        throw .usage(
          "--observe needs a program for the frames; add --observe-cmd 'PROGRAM'"
            + (position == nil ? " or --filter-cmd 'PROGRAM'" : ""))
      }
      return nil
    }
    if words.isEmpty, let position { words = ObserverPosition.each.filter { $0 == position }.map(\.name) }
    let option = filter == nil ? "--observe-cmd" : "--filter-cmd"
    guard !words.isEmpty else {
      let names = ObserverPosition.allNames.joined(separator: ", ")
      throw .usage("\(option) needs to know which frames; add --observe with one of \(names)")
    }
    guard filter == nil || words.count == 1 else {
      throw .usage("--filter-cmd works at exactly one position, but --observe names \(words.count); name one")
    }
    let positions = ObserverPosition(words.compactMap { ObserverPosition(name: $0) })
    guard !positions.contains(.earMonitoring) || position == nil && parsed.has("local") else {
      throw .usage("earMonitoring is the listener's own voice, and there is none; add --local FILE")
    }
    self.init(command, at: positions, as: filter == nil ? .reader : .filter)
    if position == nil, let seconds = parsed.number("program-timeout") {
      answerLimitMilliseconds = Int((seconds * 1_000).rounded())
    }
    // The program's own output must not get into a result that goes to stdout, too.
    if parsed.text("output") == "-" || parsed.has("json") || parsed.has("json-lines") { standardOutput = 2 }
  }
}
