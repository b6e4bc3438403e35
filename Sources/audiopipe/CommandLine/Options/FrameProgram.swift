import FrameObservers

/// A program that is given the frames of some positions as raw PCM.
struct FrameProgram: Hashable, Sendable {
  /// The words for the positions, in the order in which help lists them.
  static let positionNames = ["record", "mixed", "playback", "beforeMixing", "earMonitoring"]

  /// Which frames.
  let positions: ObserverPosition
  /// The command line, for `/bin/sh -c`.
  let command: String
  /// True where its answer replaces the frames.
  let replacesFrames: Bool

  /// Nil where no program was asked for.
  ///
  /// Throws: a usage failure where one of position and program lacks the other.
  init?(_ parsed: ParsedArguments) throws(CommandFailure) {
    let words = parsed.list("observe")
    let reader = parsed.text("observe-cmd")
    let filter = parsed.text("filter-cmd")
    guard reader == nil || filter == nil else {
      throw .usage("--observe-cmd and --filter-cmd cannot be used together; give one of them")
    }
    guard let command = reader ?? filter else {
      guard words.isEmpty else {
        throw .usage(
          "--observe needs a program for the frames; add --observe-cmd 'PROGRAM' or --filter-cmd 'PROGRAM'")
      }
      return nil
    }
    let option = filter == nil ? "--observe-cmd" : "--filter-cmd"
    guard !words.isEmpty else {
      throw .usage(
        "\(option) needs to know which frames; add --observe with one of \(Self.positionNames.joined(separator: ", "))"
      )
    }
    guard filter == nil || words.count == 1 else {
      throw .usage("--filter-cmd works at exactly one position, but --observe names \(words.count); name one")
    }
    var positions: ObserverPosition = []
    for word in words { positions.insert(Self.position(word)) }
    self.positions = positions
    self.command = command
    replacesFrames = filter != nil
  }

  private static func position(_ word: String) -> ObserverPosition {
    switch word {
    case "record": .record
    case "mixed": .mixed
    case "playback": .playback
    case "beforeMixing": .beforeMixing
    case "earMonitoring": .earMonitoring
    default: preconditionFailure("'\(word)' is not among the declared positions")
    }
  }
}
