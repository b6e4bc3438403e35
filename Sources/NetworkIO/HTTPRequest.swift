import Glibc
import Platform

/// A GET request over plain TCP, for small texts such as metrics.
package struct HTTPRequest: Hashable, Sendable, CustomStringConvertible {
  private let url: WebSocketURL

  /// Most bytes of an answer, with its head.
  private static let largestByteCount = 4 << 20

  /// Reads a URL `http://HOST:PORT/PATH`.
  ///
  /// - Throws: `HTTPRequestError` for `https://` and every other form.
  package init(_ text: String) throws(HTTPRequestError) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard scheme != "https" else { throw HTTPRequestError(.encrypted, text) }
    // Both kinds of URL have the same form behind the scheme.
    guard scheme == "http", let url = try? WebSocketURL("ws" + text.dropFirst(scheme.utf8.count)) else {
      throw HTTPRequestError(.url, text)
    }
    self.url = url
  }

  package var description: String { "http" + url.description.dropFirst(2) }

  /// Sends the request, and waits for the whole answer. The lookup of a name may take as long as the resolver does.
  ///
  /// - Returns: Body of the answer.
  /// - Throws: `HTTPRequestError` without an answer within the limit, or for another status than 200.
  package func body(limitNanoseconds: Int = 2_000_000_000) throws(HTTPRequestError) -> [UInt8] {
    let end = SystemClock().nowNanoseconds + limitNanoseconds
    let addresses: [SocketAddress]
    do { addresses = try SocketAddress.all(ofHost: url.host) } catch { throw failure(.unreachable("\(error)")) }
    var newest = HTTPRequestError.Reason.limit
    for address in addresses {
      do throws(HTTPRequestError) { return try body(at: address.withPort(url.port), until: end) } catch {
        guard case .unreachable = error.reason else { throw error }
        newest = error.reason
      }
    }
    throw failure(newest)
  }

  // MARK: Private

  private func failure(_ reason: HTTPRequestError.Reason) -> HTTPRequestError { HTTPRequestError(reason, description) }

  private func systemFailure() -> HTTPRequestError { failure(.unreachable(String(cString: strerror(errno)))) }

  private func body(at address: SocketAddress, until end: Int) throws(HTTPRequestError) -> [UInt8] {
    let descriptor = socket(
      address.family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw systemFailure() }
    defer { close(descriptor) }
    if address.withSystemAddress({ connect(descriptor, $0, $1) }) != 0 {
      guard errno == EINPROGRESS || errno == EINTR else { throw systemFailure() }
      try wait(for: POLLOUT, descriptor, until: end)
      var (code, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
      guard code == 0 else { throw failure(.unreachable(String(cString: strerror(code)))) }
    }
    try send(descriptor, until: end)
    return try answer(descriptor, until: end)
  }

  private func send(_ descriptor: Int32, until end: Int) throws(HTTPRequestError) {
    // HTTP/1.0 has neither chunks nor connections that stay.
    var bytes = Array("GET \(url.target) HTTP/1.0\r\nHost: \(url.authority)\r\nConnection: close\r\n\r\n".utf8)
    while !bytes.isEmpty {
      try wait(for: POLLOUT, descriptor, until: end)
      let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw systemFailure() }
      bytes.removeFirst(max(0, count))
    }
  }

  private func answer(_ descriptor: Int32, until end: Int) throws(HTTPRequestError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16_384)
    var answer: (status: Int, start: Int, end: Int)?
    while answer == nil || bytes.count < answer!.end {
      try wait(for: POLLIN, descriptor, until: end)
      let count = recv(descriptor, &block, block.count, 0)
      guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw systemFailure() }
      if count == 0 { break }
      bytes += block[..<max(0, count)]
      guard bytes.count <= Self.largestByteCount else { throw failure(.answer("it is too long")) }
      answer = answer ?? Self.head(of: bytes)
    }
    guard let answer, answer.end == .max || bytes.count >= answer.end else {
      throw failure(.answer("it ends too early"))
    }
    guard answer.status == 200 else { throw failure(.answer("its status is \(answer.status)")) }
    return Array(bytes[answer.start..<min(bytes.count, answer.end)])
  }

  /// Reads the head of an answer: its status, and the range of the body; nil for a head that is not complete.
  private static func head(of bytes: [UInt8]) -> (status: Int, start: Int, end: Int)? {
    let mark = Array("\r\n\r\n".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }).map({ $0 + 4 }) else {
      return nil
    }
    // CR LF is one character.
    let lines = String(decoding: bytes[..<start], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    let length = lines.lazy.compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
      return Int(parts[1].drop { $0 == " " })
    }.first
    let isHTTP = words.count > 1 && words[0].hasPrefix("HTTP/1.")
    return (
      isHTTP ? Int(words[1]) ?? 0 : 0, start, length.map { start + max(0, min($0, largestByteCount)) } ?? .max
    )
  }

  private func wait(for events: Int32, _ descriptor: Int32, until end: Int) throws(HTTPRequestError) {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let rest = end - SystemClock().nowNanoseconds
      guard rest > 0 else { throw failure(.limit) }
      // Rounded up, so that the last wait is not a busy one.
      if poll(&entry, 1, Int32(clamping: rest / 1_000_000 + 1)) > 0 { return }
    }
  }
}
