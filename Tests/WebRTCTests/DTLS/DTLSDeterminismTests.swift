import Cryptography
import TestSupport
import Testing
import WebRTC

/// Each test has a process of its own, whose other threads draw nothing.
@Suite("DTLS with a seeded generator", .timeLimit(.minutes(10)))
struct DTLSDeterminismTests {
  /// All datagrams of a handshake, the close and the keys, with everything made anew.
  private static func handshake(seed: UInt64) -> (datagrams: [[UInt8]], keys: [String]) {
    SeededRandom.install(seed: seed)
    defer { SeededRandom.remove() }
    let (first, second) = (DTLSCertificate(unixSeconds: 1_700_000_000), DTLSCertificate(unixSeconds: 1_700_000_000))
    let link = DTLSLink(
      DTLSConnection(.client, first, remoteFingerprints: [second.fingerprint]),
      DTLSConnection(.server, second, remoteFingerprints: [first.fingerprint]))
    link.run()
    let keys = keyTexts(link.client)
    link.client.close(nowNanoseconds: 0)
    link.run()
    return (link.sent.map(\.bytes), keys)
  }

  @Test("two handshakes of one seed are equal in every byte")
  func equal() async {
    await #expect(processExitsWith: .success) {
      let first = Self.handshake(seed: 7)
      let second = Self.handshake(seed: 7)
      precondition(first.datagrams.count == 6 && first.keys.count == 2)
      precondition(first.datagrams == second.datagrams, "datagrams differ")
      precondition(first.keys == second.keys, "keys differ")
    }
  }

  @Test("handshakes of two seeds differ")
  func different() async {
    await #expect(processExitsWith: .success) {
      let first = Self.handshake(seed: 7)
      let second = Self.handshake(seed: 8)
      precondition(first.datagrams[0] != second.datagrams[0])
      precondition(first.keys != second.keys)
    }
  }
}
