import Foundation
import NetworkIO
import Platform
import TestSupport
import Testing

/// Threads and descriptors, counted in a process of its own: other tests change them.
@Suite(.timeLimit(.minutes(10))) struct WebSocketResourceTests {
  private static func counts() -> [Int] {
    ["fd", "task"].map { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\($0)").count) ?? -1 }
  }

  /// Opens connections in several ways, and ends them all.
  private static func round(_ files: TLSFiles?) throws {
    let server = try makeServer(at: ["127.0.0.1:0", "[::1]:0"], tls: files)
    let log = EventLog(server)
    let url = try server.url(scheme: files == nil ? "ws" : "wss")
    let roots = files.map { TLSVerification.roots(file: $0.certificateChain) } ?? .systemRoots
    let clients = try (0..<10).map { _ in try makeClient(url, verification: roots) }
    precondition(log.wait { $0.opened.count == 10 })
    let raw = RawConnection(to: server.localAddresses[0])
    raw.send("GET /other HTTP/1.1\r\n")
    server.close(log.opened[0])
    clients[1].close()
    precondition(log.wait { $0.closed.count == 2 })
    // A refused port, a refused certificate, and a server that stops before its clients.
    let refused = try makeClient(try WebSocketURL("wss://127.0.0.1:\(server.localAddresses[0].port)/"))
    precondition((try? refused.waitUntilOpen()) == nil)
    if let files { try server.reloadCertificates(files) }
    server.stop()
    let late = try makeClient(url, verification: roots)
    precondition((try? late.waitUntilOpen()) == nil)
    precondition((try? makeServer(at: ["192.0.2.1:1"])) == nil)
    for client in clients { client.stop() }
  }

  @Test("threads and descriptors are as before when all is closed", .enabled { isInstalled("openssl") })
  func counts() async throws {
    await #expect(processExitsWith: .success) {
      try withTemporaryFolder { folder in
        let files = try Certificates(folder: folder).make("a")
        // The first round makes what a process keeps.
        for identity in [nil, files] { try Self.round(identity) }
        let start = Self.counts()
        for identity in [nil, files, files] { try Self.round(identity) }
        precondition(eventually { Self.counts() == start }, "\(start), then \(Self.counts())")
      }
    }
  }

  @Test("SIGPIPE keeps its meaning for the process")
  func signals() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      signal(SIGPIPE, SIG_DFL)
      let server = try makeServer()
      server.stop()
      raise(SIGPIPE)
    }
  }
}
