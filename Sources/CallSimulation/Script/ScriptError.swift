public import AudioFiles
import Engine

/// An error in a script: its place, the mistake and the correction.
public struct ScriptError: Error, Hashable, CustomStringConvertible {
  /// Index of the event, from 0; nil for the script as a whole.
  public let eventIndex: Int?
  /// Description of the mistake, without the allowed words.
  public let message: String
  /// The unknown word; nil for other mistakes.
  public let unknownWord: String?
  /// Words that are allowed in its place.
  public let allowedWords: [String]
  /// The error of a file that an event names; nil for other mistakes.
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

  /// Returns the sentence with `ending` at its end in place of the allowed words; nil keeps them.
  public func sentence(ending: String?) -> String {
    let place = eventIndex.map { "event \($0): " } ?? ""
    let allowed = allowedWords.isEmpty ? "" : "; use \(allowedWords.joined(separator: ", "))"
    return place + message + (ending ?? allowed)
  }

  public var description: String { sentence(ending: nil) }
}
