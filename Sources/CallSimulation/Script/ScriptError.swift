public import AudioFiles
import Engine

/// What is wrong with a script: where, what, and what would be right.
public struct ScriptError: Error, Hashable, CustomStringConvertible {
  /// The event, counted from 0; nil where it is the script as a whole.
  public let eventIndex: Int?
  /// What is wrong, without the words that are allowed.
  public let message: String
  /// The word that is not known, where that is what is wrong.
  public let unknownWord: String?
  /// The words that could stand there instead.
  public let allowedWords: [String]
  /// Where a file that an event names is what is wrong.
  public let cause: AudioFileError?

  init(
    _ message: String, event: Int? = nil, unknownWord: String? = nil, allowedWords: [String] = [],
    cause: AudioFileError? = nil
  ) {
    eventIndex = event
    self.message = message
    self.unknownWord = unknownWord
    self.allowedWords = allowedWords
    self.cause = cause
  }

  /// The sentence, and behind it what `ending` says in place of the allowed words.
  public func sentence(ending: String?) -> String {
    let place = eventIndex.map { "event \($0): " } ?? ""
    let allowed = allowedWords.isEmpty ? "" : "; use \(allowedWords.joined(separator: ", "))"
    return place + message + (ending ?? allowed)
  }

  public var description: String { sentence(ending: nil) }
}
