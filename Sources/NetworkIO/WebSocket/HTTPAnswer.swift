/// Answer to an HTTP request beside the WebSocket.
public struct HTTPAnswer: Hashable, Sendable {
  /// Status code, such as 200.
  public let status: Int
  /// Media type, such as `text/plain; charset=utf-8`.
  public let contentType: String
  /// Bytes of the answer.
  public let body: [UInt8]

  /// Creates an answer.
  public init(status: Int = 200, contentType: String = "text/plain; charset=utf-8", body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  /// Creates an answer of plain text.
  public init(status: Int = 200, text: String) { self.init(status: status, body: Array(text.utf8)) }
}
