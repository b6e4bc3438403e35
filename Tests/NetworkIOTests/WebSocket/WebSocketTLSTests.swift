import NetworkIO
import TestSupport
import Testing

/// TLS with certificates by the `openssl` command.
@Suite(
  .enabled("needs the openssl command") { isInstalled("openssl") },
  .timeLimit(.minutes(10)))
struct WebSocketTLSTests {
  private func reason(_ url: WebSocketURL, _ verification: TLSVerification) throws -> WebSocketError.Reason? {
    let client = try makeClient(url, verification: verification)
    do throws(WebSocketError) { try client.waitUntilOpen() } catch { return error.reason }
    return nil
  }

  @Test("a certificate of a given root is accepted for its names", arguments: ["ec", "rsa:2048"])
  func roots(key: String) throws {
    try withTemporaryFolder { folder in
      let files = try Certificates(folder: folder).make("a", key: key)
      let server = try makeServer(at: ["127.0.0.1:0"], tls: files)
      let roots = TLSVerification.roots(file: files.certificateChain)
      for host in ["localhost", "127.0.0.1"] {
        #expect(try reason(try server.url(host: host, scheme: "wss"), roots) == nil)
      }
      let other = try makeServer(at: ["[::1]:0"], tls: files)
      #expect(try reason(try other.url(host: "[::1]", scheme: "wss"), roots) == nil)
    }
  }

  @Test("64 KiB pass both ways through TLS")
  func messages() throws {
    try withTemporaryFolder { folder in
      let files = try Certificates(folder: folder).make("a")
      let server = try makeServer(tls: files)
      let client = try makeClient(
        try server.url(scheme: "wss"), verification: .roots(file: files.certificateChain))
      let (there, here) = (EventLog(server), EventLog(client))
      let message = [UInt8](repeating: 0x7A, count: 65_536)
      for _ in 0..<3 { #expect(client.send(message)) }
      #expect(there.wait(onMessage: { server.send($1, to: $0) }, until: { $0.messages.count == 3 }))
      #expect(here.wait { $0.messages.count == 3 } && here.messages.allSatisfy { $0.1 == message })
    }
  }

  @Test("a certificate for another name or of another root is refused")
  func refused() throws {
    try withTemporaryFolder { folder in
      let certificates = Certificates(folder: folder)
      let (named, other) = (
        try certificates.make("a", subject: "DNS:relay.example"), try certificates.make("b")
      )
      let server = try makeServer(tls: named)
      let roots = TLSVerification.roots(file: named.certificateChain)
      #expect(try reason(try server.url(host: "localhost", scheme: "wss"), roots) == .certificate("hostname mismatch"))
      #expect(
        try reason(try server.url(host: "127.0.0.1", scheme: "wss"), roots) == .certificate("IP address mismatch"))
      for verification in [.systemRoots, TLSVerification.roots(file: other.certificateChain)] {
        guard case .certificate = try reason(try server.url(scheme: "wss"), verification) else {
          return #expect(Bool(false), "\(verification) accepts it")
        }
      }
      #expect(server.takeEvents().isEmpty)
    }
  }

  @Test("a pinned certificate is accepted under any name, and another is not")
  func pinned() throws {
    try withTemporaryFolder { folder in
      let certificates = Certificates(folder: folder)
      let files = try certificates.make("a", subject: "DNS:relay.example")
      _ = try certificates.make("b")
      let server = try makeServer(tls: files)
      let url = try server.url(scheme: "wss")
      #expect(try reason(url, .pinned(try certificates.fingerprint("a"))) == nil)
      #expect(
        try reason(url, .pinned(try certificates.fingerprint("b"))) == .certificate("its fingerprint is another one"))
    }
  }

  @Test("a reload changes later handshakes, and open connections stay")
  func reload() throws {
    try withTemporaryFolder { folder in
      let certificates = Certificates(folder: folder)
      let (first, second) = (try certificates.make("a"), try certificates.make("b", key: "rsa:2048"))
      let pins = try ["a", "b"].map { TLSVerification.pinned(try certificates.fingerprint($0)) }
      let server = try makeServer(tls: first)
      let url = try server.url(scheme: "wss")
      let client = try makeClient(url, verification: pins[0])
      try client.waitUntilOpen()
      try server.reloadCertificates(second)
      #expect(try reason(url, pins[1]) == nil && reason(url, pins[0]) != nil)
      // Files that cannot be used change nothing.
      let mixed = TLSFiles(certificateChain: first.certificateChain, privateKey: second.privateKey)
      #expect(throws: WebSocketError(.keyMismatch, second.privateKey)) { try server.reloadCertificates(mixed) }
      #expect(try reason(url, pins[1]) == nil)
      let log = EventLog(server)
      #expect(client.send([0x61]) && log.wait { $0.messages.count == 1 })
    }
  }

  @Test("a TLS handshake that does not begin is cut and counted")
  func slowHandshake() throws {
    try withTemporaryFolder { folder in
      var limits = WebSocketLimits()
      limits.handshakeNanoseconds = 200_000_000
      let server = try makeServer(tls: try Certificates(folder: folder).make("a"), limits: limits)
      let raw = RawConnection(to: server.localAddresses[0])
      #expect(raw.receiveAll() == "" && eventually { server.counters.lateHandshakes == 1 })
    }
  }

  @Test("files without a certificate or key are named")
  func files() throws {
    try withTemporaryFolder { folder in
      let certificates = Certificates(folder: folder)
      let files = try certificates.make("a")
      let none = certificates.path("none.pem")
      #expect(throws: WebSocketError(.certificateFile, none)) {
        try makeServer(tls: TLSFiles(certificateChain: none, privateKey: files.privateKey))
      }
      #expect(throws: WebSocketError(.keyFile, none)) {
        try makeServer(tls: TLSFiles(certificateChain: files.certificateChain, privateKey: none))
      }
      #expect(throws: WebSocketError(.certificateFile, none)) {
        try makeClient(try WebSocketURL("wss://localhost/"), verification: .roots(file: none))
      }
    }
  }

  @Test("the Python package and this one speak TLS with each other", .enabled { WebSocketPeer.python != nil })
  func python() throws {
    try withTemporaryFolder { folder in
      let files = try Certificates(folder: folder).make("a")
      // Python may be slow on a busy machine.
      var limits = WebSocketLimits()
      limits.handshakeNanoseconds = 60_000_000_000
      let server = try makeServer(tls: files, limits: limits)
      let log = EventLog(server)
      let url = try server.url(host: "localhost", scheme: "wss").description
      let theirs = WebSocketPeer("client", url, "echo", files.certificateChain)
      #expect(log.wait(onMessage: { server.send($1, to: $0) }, until: { $0.closed.count == 1 }))
      #expect(theirs.line() == "same audiopipe.v1")
      let peer = WebSocketPeer("server", files.certificateChain, files.privateKey)
      let client = try makeClient(
        try WebSocketURL("wss://localhost:\(peer.line())/echo"), verification: .roots(file: files.certificateChain))
      let here = EventLog(client)
      #expect(client.send([0x61]) && here.wait { $0.messages.count == 1 })
    }
  }
}
