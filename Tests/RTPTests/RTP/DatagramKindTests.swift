import RTP
import Testing

@Suite(.timeLimit(.minutes(10))) struct DatagramKindTests {
  private func kind(_ bytes: [UInt8]) -> DatagramKind { bytes.withUnsafeBytes { DatagramKind($0) } }

  @Test("every first byte belongs to the protocol that RFC 7983's table says")
  func table() {
    for first in UInt8.min...UInt8.max {
      let expected: DatagramKind =
        switch first {
        case 0...3: .stun
        case 16...19: .zrtp
        case 20...63: .dtls
        case 64...79: .turnChannel
        case 128...191: .rtp
        default: .unknown
        }
      #expect(kind([first, 0, 0, 0]) == expected, "first byte \(first)")
    }
  }

  @Test("a second byte of 192 to 223 means RTCP, any other RTP")
  func rtcp() {
    for second in UInt8.min...UInt8.max {
      #expect(kind([0x80, second]) == ((192...223).contains(second) ? .rtcp : .rtp), "second byte \(second)")
    }
    // Opus at its usual payload type with a marker is RTP; reports and feedback are not.
    #expect(kind([0x80, 0x80 | 111]) == .rtp)
    for type in 200...207 as ClosedRange<UInt8> { #expect(kind([0x81, type]) == .rtcp) }
  }

  @Test("a datagram too short to classify is unknown")
  func short() {
    #expect(kind([]) == .unknown)
    #expect(kind([0x80]) == .unknown)
  }
}
