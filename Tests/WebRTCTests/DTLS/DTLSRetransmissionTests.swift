import TestSupport
import Testing
import WebRTC

@Suite("DTLS on a virtual clock with loss", .timeLimit(.minutes(10)))
struct DTLSRetransmissionTests {
  private static let second = DTLSLink.second

  /// RFC 6347, section 4.2.4: every flight is lost once.
  ///
  ///     0 s  ClientHello lost
  ///     1 s  ClientHello again; the server's flight lost
  ///     2 s  the server's flight again; the client's second flight lost
  ///     3 s  the client's flight again: the server is finished; its last flight lost
  ///     5 s  the client's flight again, 2 s later: the server's last flight again
  @Test("a handshake of which every flight is lost once ends at 5 s")
  func everyFlight() {
    // The limit of the server's answers has its own tests.
    let link = DTLSLink(checkByteCount: 10_000)
    var firstTimes: [Int: Int] = [:]
    link.rule = { [unowned link] datagram in
      let flight = Self.flight(datagram, isServerFinished: link.serverConnected != nil)
      let first = firstTimes[flight] ?? datagram.time
      firstTimes[flight] = first
      return first == datagram.time ? [] : [(datagram.bytes, datagram.time)]
    }
    link.run()
    #expect(link.serverConnected == 3 * Self.second)
    #expect(link.clientConnected == 5 * Self.second)
    #expect(keyTexts(link.client) == keyTexts(link.server).reversed())
  }

  /// Number of a datagram's flight, 0...3.
  private static func flight(_ datagram: DTLSLink.Sent, isServerFinished: Bool) -> Int {
    guard datagram.isFromClient else { return isServerFinished ? 3 : 1 }
    // A handshake message in the clear of type 1.
    let isHello = datagram.bytes[0] == 22 && datagram.bytes[4] == 0 && datagram.bytes[13] == 1
    return isHello ? 0 : 2
  }

  @Test("an unanswered client repeats at 1, 3, 7 and 15 s and fails at 30 s")
  func silence() {
    let link = DTLSLink()
    link.rule = { _ in [] }
    link.run()
    #expect(link.sent.map(\.time) == [0, 1, 3, 7, 15].map { $0 * Self.second })
    #expect(link.client.state == .failed(.timeout))
    #expect(link.now == 30 * Self.second)
    #expect(link.client.nextDeadlineNanoseconds == nil)
  }

  @Test("intervals grow to 60 s, and OpenSSL ends after 12 repetitions")
  func long() {
    let link = DTLSLink(clientOptions: DTLSOptions(handshakeNanoseconds: 3_600 * Self.second))
    link.rule = { _ in [] }
    link.run(until: 3_600 * Self.second)
    let times = [0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363, 423]
    #expect(link.sent.map(\.time) == times.map { $0 * Self.second })
    #expect(link.client.state == .failed(.timeout))
    #expect(link.now == 483 * Self.second)
  }

  @Test("a handshake with random loss, delay and duplicates connects", arguments: 0..<60)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let options = DTLSOptions(handshakeNanoseconds: 400 * Self.second)
    let link = DTLSLink(clientOptions: options, serverOptions: options)
    let loss = Double.random(in: 0...0.3, using: &random)
    link.rule = { datagram in
      guard Double.random(in: 0..<1, using: &random) >= loss else { return [] }
      return (0..<Int.random(in: 1...2, using: &random)).map { _ in
        (datagram.bytes, datagram.time + Int.random(in: 0...300_000_000, using: &random))
      }
    }
    link.run()
    #expect(link.clientConnected != nil && link.serverConnected != nil, "seed \(seed)")
    #expect(keyTexts(link.client) == keyTexts(link.server).reversed(), "seed \(seed)")
  }

  @Test("a delay below a second causes no retransmission")
  func delay() {
    let link = DTLSLink(delay: 450_000_000)
    link.run()
    #expect(link.sent.count == 4)
    #expect(link.clientConnected == 4 * 450_000_000)
    #expect(link.client.counters.retransmissions + link.server.counters.retransmissions == 0)
  }
}
