import CWebSockets

/// The library's only callback: passes everything to the context's loop.
let webSocketLoopCallback:
  @convention(c) @Sendable (
    OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int
  ) -> Int32 = { handle, reason, user, input, length in
    guard let handle, let context = lws_get_context(handle), let loop = lws_context_user(context) else { return 0 }
    // SAFETY: the loop outlives its context.
    return Unmanaged<WebSocketLoop>.fromOpaque(loop).takeUnretainedValue()
      .handle(reason, on: handle, user: user, UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length))
  }

extension WebSocketLoop {
  /// Handles one callback.
  ///
  /// - Returns: 0, or -1 to end the connection.
  fileprivate func handle(
    _ reason: lws_callback_reasons, on handle: OpaquePointer, user: UnsafeMutableRawPointer?,
    _ input: UnsafeRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: execute()
    case LWS_CALLBACK_RAW_RX_FILE: accept(from: handle)
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS: return useServerContext(OpaquePointer(user))
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_CLIENT_VERIFY_CERTS: return useClientContext(OpaquePointer(user))
    default:
      guard let connection = connection(of: handle) else { return 0 }
      return self.handle(reason, on: connection, handle, input)
    }
    return 0
  }

  private func handle(
    _ reason: lws_callback_reasons, on connection: WebSocketLoopConnection, _ handle: OpaquePointer,
    _ input: UnsafeRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirmUpgrade(connection, handle, to: input)
    case LWS_CALLBACK_HTTP: return answerRequest(connection, handle, target: input)
    case LWS_CALLBACK_HTTP_WRITEABLE: return writeAnswer(connection, handle)
    case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH: return checkSubprotocol(connection, handle)
    case LWS_CALLBACK_ESTABLISHED, LWS_CALLBACK_CLIENT_ESTABLISHED: open(connection, handle)
    case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE: return receive(input, connection, handle)
    case LWS_CALLBACK_RECEIVE_PONG, LWS_CALLBACK_CLIENT_RECEIVE_PONG: connection.lastReceived = now
    case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE: return write(connection, handle)
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
      connection.peerCode = input.count >= 2 ? UInt16(input[0]) << 8 | UInt16(input[1]) : 1005
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL, LWS_CALLBACK_WS_CLIENT_DROP_PROTOCOL:
      noteViolation(connection, handle)
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      fail(connection, text: String(decoding: input.prefix { $0 != 0 }, as: UTF8.self))
    case LWS_CALLBACK_CLOSED, LWS_CALLBACK_CLIENT_CLOSED: end(connection)
    case LWS_CALLBACK_WSI_DESTROY:
      end(connection)
      connections[handle] = nil
      pauses.all.remove(handle)
      pauses.own.remove(handle)
    default: break
    }
    return 0
  }

  private func connection(of handle: OpaquePointer) -> WebSocketLoopConnection? {
    if let connection = connections[handle] { return connection }
    guard let connection = connecting, connection.handle == nil else { return nil }
    register(connection, handle)
    return connection
  }

  /// Connects the library's handle with the state of its connection.
  func register(_ connection: WebSocketLoopConnection, _ handle: OpaquePointer) {
    connection.handle = handle
    connections[handle] = connection
  }
}
