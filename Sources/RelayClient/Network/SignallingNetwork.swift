package import NetworkIO

/// Network of a session's messages: one WebSocket at a time.
///
/// Thread: one at a time.
package protocol SignallingNetwork: AnyObject {
  /// Opens a WebSocket, in place of an earlier one, which closes behind its messages.
  ///
  /// - Throws: `WebSocketError` for an address that cannot be used.
  func open(_ relay: String, nowNanoseconds now: Int) throws(WebSocketError)
  /// Queues a text message.
  func send(_ message: String)
  /// Closes the WebSocket behind its queued messages.
  func close(nowNanoseconds now: Int)
  /// Returns the next event of the WebSocket; nil if there is none.
  func takeEvent(nowNanoseconds now: Int) -> SignallingEvent?
  /// Descriptors that are readable while events wait.
  var descriptors: [Int32] { get }
  /// Whether the last messages of closed WebSockets are still under way.
  var isClosing: Bool { get }
  /// Ends everything at once.
  func stop()
}

extension SignallingNetwork {
  package var descriptors: [Int32] { [] }
}

/// Event of a session's WebSocket.
package enum SignallingEvent: Hashable, Sendable {
  /// The WebSocket is open.
  case opened
  /// A text message.
  case message(String)
  /// The WebSocket has ended.
  case closed
  /// The WebSocket could not be opened.
  case failed(WebSocketError)
}
