import CWebSockets
import Platform

extension WebSocketLoop {
  /// Notes that the handshake is complete.
  func open(_ connection: WebSocketLoopConnection, _ handle: OpaquePointer) {
    connection.phase = .open
    connection.lastReceived = now
    connection.lastPing = connection.lastReceived
    mailbox.count(\.opened)
    mailbox.post(.opened(connection.id, peerAddress(of: connection, handle)))
    if connection.nextMessage != nil || connection.closing != nil { lws_callback_on_writable(handle) }
  }

  /// Joins the fragments of a message.
  func receive(
    _ bytes: UnsafeRawBufferPointer, _ connection: WebSocketLoopConnection, _ handle: OpaquePointer
  ) -> Int32 {
    connection.lastReceived = now
    guard connection.phase == .open, connection.ownCode == nil else { return 0 }
    guard lws_frame_is_binary(handle) == 0 else {
      return refuse(connection, handle, code: 1003, "messages are text", counter: \.binaryMessages)
    }
    guard bytes.count <= limits.maximumMessageByteCount - connection.incoming.count else {
      return refuse(
        connection, handle, code: 1009, "at most \(limits.maximumMessageByteCount) bytes", counter: \.longMessages)
    }
    connection.incoming.append(contentsOf: bytes)
    guard lws_is_final_fragment(handle) != 0 else { return 0 }
    // A server may send as much as it likes to its own clients.
    if case .server = purpose, !connection.messageRate.allows(at: connection.lastReceived) {
      return refuse(connection, handle, code: 1008, "too many messages", counter: \.overMessageRate)
    }
    let message = connection.incoming
    connection.incoming = []
    mailbox.count(\.receivedMessages)
    switch mailbox.post(.message(connection.id, message)) {
    case .all: pause(handle)
    case .own: if pauses.own.insert(handle).inserted { lws_rx_flow_control(handle, 0) }
    case nil: break
    }
    return 0
  }

  /// Closes a connection because of its peer's message.
  ///
  /// `write` sends the close frame later. An end in the midst of arriving bytes makes the library lose its place among
  /// the frames, and take the next bytes for another violation.
  private func refuse(
    _ connection: WebSocketLoopConnection, _ handle: OpaquePointer, code: UInt16, _ reason: String,
    counter: any WritableKeyPath<WebSocketCounters, Int> & Sendable
  ) -> Int32 {
    mailbox.count(counter)
    mailbox.endSending(to: connection.id)
    connection.incoming = []
    connection.outgoing = []
    connection.outgoingIndex = 0
    beginClose(connection, code: code, reason: reason)
    connection.ownCode = code
    return 0
  }

  /// Closes a connection behind its queued messages.
  func beginClose(_ connection: WebSocketLoopConnection, code: UInt16, reason: String) {
    guard connection.closing == nil, connection.ownCode == nil else { return }
    connection.closing = (code, reason)
    connection.closingStart = now
    if connection.phase == .open { lws_callback_on_writable(connection.handle) }
  }

  /// Writes as much as the network takes: a ping, messages, and then the close frame.
  func write(_ connection: WebSocketLoopConnection, _ handle: OpaquePointer) -> Int32 {
    // The library calls between the close frame and its answer, too.
    guard !connection.hasCloseFrame else { return 0 }
    // Everything that the library held has been passed on.
    if connection.heldByteCount > 0 {
      mailbox.noteSent(connection.heldByteCount, messages: 1, on: connection.id)
      connection.heldByteCount = 0
    }
    if connection.wantsPing {
      connection.wantsPing = false
      // The library does not report a pong without content.
      guard write([0x70, 0x69, 0x6E, 0x67], LWS_WRITE_PING, handle) else { return -1 }
    }
    while let message = connection.nextMessage, lws_partial_buffered(handle) == 0, lws_send_pipe_choked(handle) == 0 {
      connection.removeFirstMessage()
      guard write(message, LWS_WRITE_TEXT, handle) else { return -1 }
      if lws_partial_buffered(handle) == 0 {
        mailbox.noteSent(message.count, messages: 1, on: connection.id)
      } else {
        connection.heldByteCount = message.count
      }
    }
    let isHeld = connection.heldByteCount > 0
    guard let closing = connection.closing, connection.nextMessage == nil, !isHeld, lws_partial_buffered(handle) == 0
    else {
      if connection.nextMessage != nil || isHeld || connection.closing != nil { lws_callback_on_writable(handle) }
      return 0
    }
    setCloseFrame(connection, handle, code: closing.code, reason: closing.reason)
    return -1
  }

  private func write(_ message: [UInt8], _ kind: lws_write_protocol, _ handle: OpaquePointer) -> Bool {
    let start = Int(cwebsockets_prefix())
    let target = UnsafeMutableRawBufferPointer(rebasing: scratch[start...])
    guard message.count <= target.count, let base = target.baseAddress else { return false }
    target.copyBytes(from: message)
    return lws_write(handle, base.assumingMemoryBound(to: UInt8.self), message.count, kind) >= 0
  }

  private func setCloseFrame(
    _ connection: WebSocketLoopConnection, _ handle: OpaquePointer, code: UInt16, reason: String
  ) {
    connection.ownCode = code
    connection.hasCloseFrame = true
    var bytes = Array(reason.utf8)
    lws_close_reason(handle, lws_close_status(UInt32(code)), &bytes, bytes.count)
  }

  /// Notes a close frame of the library's own: code 1002 or 1007 for a peer's mistake.
  func noteViolation(_ connection: WebSocketLoopConnection, _ handle: OpaquePointer) {
    guard connection.phase == .open, connection.ownCode == nil, connection.peerCode == nil,
      lws_get_close_length(handle) >= 2, let payload = lws_get_close_payload(handle)
    else { return }
    connection.ownCode = UInt16(payload[0]) << 8 | UInt16(payload[1])
    mailbox.count(\.violations)
  }

  /// Reports the end of a connection, once.
  func end(_ connection: WebSocketLoopConnection) {
    guard connection.phase != .ended else { return }
    let wasOpen = connection.phase == .open
    connection.phase = .ended
    handles[connection.id] = nil
    if wasOpen {
      mailbox.count(\.closed)
      mailbox.post(.closed(connection.id, connection.ownCode ?? connection.peerCode ?? 1006))
      return
    }
    if connection.answer == nil, connection.failure != .timeout { mailbox.count(\.failedHandshakes) }
    if case .client = purpose {
      let reason = connection.failure ?? .violation("the connection ended")
      mailbox.post(.failed(connection.id, WebSocketError(reason, place)))
    } else {
      mailbox.forget(connection.id)
    }
  }
}
