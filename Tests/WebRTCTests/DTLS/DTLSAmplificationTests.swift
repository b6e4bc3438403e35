import TestSupport
import Testing
import WebRTC

@Suite("A DTLS server's answers to an unproven address", .timeLimit(.minutes(10)))
struct DTLSAmplificationTests {
  /// The first message of a client.
  private func hello() throws -> [UInt8] {
    let client = DTLSConnection(.client, DTLSLink.certificate)
    client.start(nowNanoseconds: 0)
    return try #require(client.takeDatagram())
  }

  private func drain(_ server: DTLSConnection) -> Int {
    var count = 0
    while let datagram = server.takeDatagram() { count += datagram.count }
    return count
  }

  @Test("a first message gets at most three times its bytes in return", arguments: [0, 60, 100, 200, 400])
  func limit(checkByteCount: Int) throws {
    let hello = try hello()
    let server = DTLSConnection(.server, DTLSLink.certificate)
    server.noteReceived(byteCount: checkByteCount)
    hello.withUnsafeBytes { server.receive($0, nowNanoseconds: 0) }
    var sent = drain(server)
    while let deadline = server.nextDeadlineNanoseconds {
      server.handleTimeout(nowNanoseconds: deadline)
      sent += drain(server)
      #expect(sent <= 3 * (hello.count + checkByteCount))
    }
    #expect(server.state == .failed(.timeout))
    #expect(server.counters.sentBytes == sent)
    #expect(server.counters.heldBackDatagrams > 0 && server.counters.heldBackBytes > 0)
  }

  @Test("a flight that was held back leaves when the client repeats itself")
  func repeated() {
    let link = DTLSLink(checkByteCount: 0)
    link.run()
    #expect(link.server.counters.heldBackDatagrams == 1)
    #expect(link.clientConnected == DTLSLink.second)
    #expect(link.serverConnected == DTLSLink.second)
  }

  @Test("bytes of a connectivity check release a flight that was held back")
  func check() throws {
    let hello = try hello()
    let server = DTLSConnection(.server, DTLSLink.certificate)
    hello.withUnsafeBytes { server.receive($0, nowNanoseconds: 0) }
    #expect(server.takeDatagram() == nil)
    server.noteReceived(byteCount: 100)
    #expect(drain(server) > 0)
  }

  @Test("a lossy handshake sends at most three times the bytes received", arguments: 0..<20)
  func lossy(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let link = DTLSLink(checkByteCount: 0)
    var (received, sent) = (0, 0)
    link.rule = { [unowned link] datagram in
      let isLost = Double.random(in: 0..<1, using: &random) < 0.4
      if datagram.isFromClient {
        if !isLost { received += datagram.bytes.count }
      } else if link.serverConnected == nil {
        sent += datagram.bytes.count
        #expect(sent <= 3 * received, "seed \(seed)")
      }
      return isLost ? [] : [(datagram.bytes, datagram.time)]
    }
    link.run()
  }

  @Test("flights are small, and a hello of 200 bytes pays for the server's")
  func sizes() throws {
    let link = try DTLSLink(checkByteCount: 200 - hello().count)
    link.run()
    let sizes = link.sent.map(\.bytes.count)
    #expect(link.clientConnected == 0)
    #expect(sizes.count == 4)
    #expect(sizes.allSatisfy { $0 <= 1200 })
    #expect(try #require(sizes.dropFirst().first) <= 600)
    #expect(link.server.counters.heldBackDatagrams == 0)
  }
}
