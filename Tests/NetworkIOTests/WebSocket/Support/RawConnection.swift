import Glibc
import Platform

/// A TCP connection that sends and reads bytes as a test says, and nothing else.
struct RawConnection: ~Copyable {
  private let descriptor: Int32

  /// Connects to an address of this machine.
  init(to address: SocketAddress, receiveBufferByteCount: Int32? = nil) {
    descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if var count = receiveBufferByteCount {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &count, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    _ = address.withSystemAddress { connect(descriptor, $0, $1) }
  }

  deinit { close(descriptor) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var bytes = bytes
    _ = Glibc.send(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Sends the request for a WebSocket, and reads the first bytes of the answer.
  func upgrade(host: String = "localhost", origin: String? = nil, then frames: [UInt8] = []) -> String {
    let page = origin.map { "Origin: \($0)\r\n" } ?? ""
    let request =
      "GET / HTTP/1.1\r\nHost: \(host)\r\n\(page)Upgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: audiopipe.v1\r\n\r\n"
    send(Array(request.utf8) + frames)
    return receive()
  }

  /// Waits for bytes; an empty text at the end of the connection, or after 20 s.
  func receive() -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Reads to the end of the connection.
  func receiveAll() -> String {
    var text = ""
    while case let part = receive(), !part.isEmpty { text += part }
    return text
  }
}
