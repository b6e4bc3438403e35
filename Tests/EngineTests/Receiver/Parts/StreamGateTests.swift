import Testing
import Transport

@testable import Engine

/// Whose stream it is when two send.
@Suite struct StreamGateTests {
  private static let millisecond = 1_000_000

  /// What becomes of a packet of 20 ms: its number in the stream, or why it has none.
  private func judge(
    _ gate: inout StreamGate, _ number: Int, of ssrc: UInt32, at milliseconds: Int, announcesPause: Bool = false
  ) -> String {
    let header = RTPHeader(
      marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
      timestamp: UInt32(truncatingIfNeeded: milliseconds * 48), ssrc: ssrc)
    switch gate.judge(header, announcesPause: announcesPause, arrival: milliseconds * Self.millisecond) {
    case .accepted: return "accepted"
    case .begins: return "begins"
    case .stray: return "stray"
    }
  }

  /// A gate at which source 1 has sent a second, the last packet of which came at 980 ms.
  private func gate(lastAnnouncesPause: Bool = false) -> StreamGate {
    var gate = StreamGate(sampleRate: 48_000)
    for number in 0..<50 {
      let verdict = judge(
        &gate, number, of: 1, at: 20 * number, announcesPause: lastAnnouncesPause && number == 49)
      #expect(verdict == (number == 0 ? "begins" : "accepted"))
    }
    return gate
  }

  @Test("a second of quiet that nobody has announced keeps the stream, and no longer")
  func quiet() {
    var gate = gate()
    // A stranger sends all the time.
    for time in stride(from: 985, through: 1_980, by: 20) {
      let verdict = judge(&gate, time, of: 2, at: time)
      #expect(verdict == "stray", "\(time) ms")
    }
    let back = judge(&gate, 50, of: 1, at: 1_980)
    #expect(back == "accepted")
    let early = judge(&gate, 7, of: 2, at: 2_980)
    let late = judge(&gate, 8, of: 2, at: 2_981)
    let old = judge(&gate, 51, of: 1, at: 2_990)
    #expect(early == "stray" && late == "begins" && old == "stray")
  }

  @Test("a pause that was announced keeps the stream for as long as it is told again, and for 2 s without a word")
  func pause() {
    var gate = gate(lastAnnouncesPause: true)
    // An encoder with DTX says so again every 400 ms; now and then that is lost.
    for time in stride(from: 1_000, to: 20_000, by: 20) {
      if time % 400 == 0, time % 1_600 != 0 {
        let verdict = judge(&gate, 50 + time / 400, of: 1, at: time, announcesPause: true)
        #expect(verdict == "accepted", "\(time) ms")
      }
      let stranger = judge(&gate, time, of: 2, at: time + 5)
      #expect(stranger == "stray", "\(time) ms")
    }
    // The last word came at 19600 ms.
    let before = judge(&gate, 1, of: 2, at: 21_600)
    let after = judge(&gate, 2, of: 2, at: 21_601)
    #expect(before == "stray" && after == "begins")
  }

  @Test("once the voice is back, a second of quiet is enough again")
  func back() {
    var gate = gate(lastAnnouncesPause: true)
    let voice = judge(&gate, 50, of: 1, at: 5_000)
    let stranger = judge(&gate, 1, of: 2, at: 6_001)
    #expect(voice == "accepted" && stranger == "begins")
  }

  @Test("after a goodbye another source begins at once, and what is still under way belongs to the old one until then")
  func goodbye() {
    var gate = gate()
    gate.leave()
    let rest = judge(&gate, 50, of: 1, at: 1_010)
    let next = judge(&gate, 1, of: 2, at: 1_020)
    let goesOn = judge(&gate, 2, of: 2, at: 1_040)
    let third = judge(&gate, 1, of: 3, at: 1_060)
    #expect(rest == "accepted" && next == "begins" && goesOn == "accepted" && third == "stray")
  }
}
