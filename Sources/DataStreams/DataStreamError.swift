/// Refusal of a data stream or of a message.
package enum DataStreamError: Error, Hashable, Sendable {
  /// The user has as many streams as it may.
  case tooManyStreams
  /// The user has no stream with this number.
  case unknownStream(Int)
  /// The message has no bytes, or too many.
  case byteCount(Int)
  /// The user sends too many messages, or too many wait for the connection.
  case tooOften
}
