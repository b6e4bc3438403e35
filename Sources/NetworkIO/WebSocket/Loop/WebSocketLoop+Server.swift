import CWebSockets
import Glibc
import Platform

extension WebSocketLoop {
  /// Size of the kernel's send buffer of each connection, in bytes; the kernel doubles it.
  private static let sendBufferByteCount: Int32 = 131_072

  /// Hands the listening sockets to the library. For `init` of a server.
  func listen(on sockets: [ListeningSocket]) throws(WebSocketError) {
    for socket in sockets {
      let descriptor = socket.release()
      guard cwebsockets_adopt_listener(host, descriptor, protocols[0].name) != nil else {
        throw WebSocketError(.resources("no listener"), place)
      }
    }
  }

  /// Accepts the connections that wait at a listener.
  func accept(from listener: OpaquePointer) {
    guard case .server(_, let hasTLS, _, _) = purpose else { return }
    // A consumer that is behind gets no further connections until it has caught up.
    guard !mailbox.isFull() else { return pause(listener) }
    let now = now
    // A bound, so that the connections that are open get their turn.
    for _ in 0..<64 {
      switch ListeningSocket.accept(lws_get_socket_fd(listener), sendBufferByteCount: Self.sendBufferByteCount) {
      case .failure(let error):
        switch error.number {
        case EINTR, ECONNABORTED: continue
        // Without descriptors or memory, the next attempt comes with the next tick.
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
          mailbox.count(\.failedAccepts)
          return pause(listener)
        default: return
        }
      case .success((let descriptor, let address)):
        guard stopDeadline == nil else {
          Glibc.close(descriptor)
          continue
        }
        guard handles.count < limits.maximumConnectionCount else {
          mailbox.count(\.overConnectionCount)
          Glibc.close(descriptor)
          continue
        }
        guard rates.allows(address, at: now) else {
          mailbox.count(\.overConnectionRate)
          Glibc.close(descriptor)
          continue
        }
        guard let handle = cwebsockets_adopt(host, descriptor, hasTLS ? 1 : 0) else { continue }
        let connection = WebSocketLoopConnection(
          mailbox.makeConnection(), address: address, limits: limits, now: now)
        handles[connection.id] = connection
        register(connection, handle)
      }
    }
  }

  /// Decides about a request to become a WebSocket.
  func confirmUpgrade(
    _ connection: WebSocketLoopConnection, _ handle: OpaquePointer, to kind: UnsafeRawBufferPointer
  ) -> Int32 {
    guard case .server(let path, _, _, _) = purpose else { return -1 }
    let answer: HTTPAnswer
    if path == nil {
      answer = HTTPAnswer(status: 404, text: "there is not a WebSocket at this address\n")
    } else if header(WSI_TOKEN_UPGRADE, handle)?.lowercased() != "websocket" {
      answer = HTTPAnswer(status: 400, text: "only the upgrade to a WebSocket is known\n")
    } else if header(WSI_TOKEN_GET_URI, handle) != path {
      answer = HTTPAnswer(status: 404, text: "there is not a WebSocket at this path\n")
    } else if !offersSubprotocol(handle) {
      answer = HTTPAnswer(status: 400, text: "the subprotocol is \(subprotocol)\n")
    } else if !allowsOrigin(handle) {
      answer = HTTPAnswer(status: 403, text: "pages of this origin may not connect; see --allow-origin of the relay\n")
    } else {
      return 0
    }
    connection.answer = answer
    return writeAnswer(connection, handle)
  }

  private func allowsOrigin(_ handle: OpaquePointer) -> Bool {
    guard lws_hdr_total_length(handle, WSI_TOKEN_ORIGIN) > 0 else { return true }
    // A longer origin than `header` takes is not known.
    return limits.origins.allows(header(WSI_TOKEN_ORIGIN, handle) ?? "", host: header(WSI_TOKEN_HOST, handle))
  }

  private func offersSubprotocol(_ handle: OpaquePointer) -> Bool {
    guard let list = header(WSI_TOKEN_PROTOCOL, handle) else { return false }
    return list.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { $0 == subprotocol }
  }

  /// Prepares the answer to a request without an upgrade.
  func answerRequest(
    _ connection: WebSocketLoopConnection, _ handle: OpaquePointer, target: UnsafeRawBufferPointer
  ) -> Int32 {
    guard case .server(let path, _, _, let onRequest) = purpose else { return -1 }
    if lws_hdr_total_length(handle, WSI_TOKEN_GET_URI) > 0 {
      // A longer path than `header` takes is not known.
      let requested = header(WSI_TOKEN_GET_URI, handle) ?? ""
      if requested == path {
        connection.answer = HTTPAnswer(status: 426, text: "this path is a WebSocket\n")
      } else {
        connection.answer = onRequest(requested) ?? HTTPAnswer(status: 404, text: "not found\n")
      }
    } else {
      connection.answer = HTTPAnswer(status: 405, text: "only GET is known\n")
    }
    mailbox.count(\.requests)
    lws_callback_on_writable(handle)
    return 0
  }

  /// Writes the answer and ends the connection; the library keeps it until its last byte is sent.
  func writeAnswer(_ connection: WebSocketLoopConnection, _ handle: OpaquePointer) -> Int32 {
    guard let answer = connection.answer else { return -1 }
    let type = answer.contentType.filter { $0.isASCII && !$0.isNewline }
    let head =
      "HTTP/1.1 \(answer.status) \(Self.phrase(answer.status))\r\nContent-Type: \(type)\r\n"
      + "Content-Length: \(answer.body.count)\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n"
    let prefix = Int(cwebsockets_prefix())
    var bytes = [UInt8](repeating: 0, count: prefix) + Array(head.utf8) + answer.body
    let count = bytes.count - prefix
    bytes.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      _ = lws_write(handle, start + prefix, count, LWS_WRITE_HTTP_FINAL)
    }
    return -1
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 426: "Upgrade Required"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }

  /// A header of at most 511 bytes, with question marks for bytes beyond ASCII; nil if it is absent or longer.
  func header(_ token: lws_token_indexes, _ handle: OpaquePointer) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      let count = lws_hdr_copy(handle, buffer.baseAddress, 512, token)
      guard count > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(count)), as: UTF8.self).asciiOnly
    }
  }
}
