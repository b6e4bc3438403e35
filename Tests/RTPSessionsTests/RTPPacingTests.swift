import AudioGraph
import RTP
import TestSupport
import Testing

/// The rate at which packets leave, on virtual time and over real sockets.
@Suite(.timeLimit(.minutes(10))) struct RTPPacingTests {
  private static let frame = RTPRig.frame

  /// Bytes that 128 kbit/s let through in so many nanoseconds.
  private static func allowance(_ nanoseconds: Int) -> Int { nanoseconds / 62_500 }

  /// A rig whose last 20 packets never arrived, after 2 s; the receiver asks for none.
  private func rig() throws -> RTPRig {
    let rig = try RTPRig(asks: false)
    for _ in 0..<200 { rig.step { $0 >= 80 } }
    try #require(rig.lostNumbers.count >= 18)
    return rig
  }

  private func ask(_ rig: RTPRig) throws {
    for number in rig.lostNumbers.sorted() {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = try bytes.withUnsafeMutableBytes { memory in
        var writer = RTCPWriter(into: memory)
        try writer.appendNack(senderSSRC: 5, mediaSSRC: RTPRig.senderSSRC, NackPair(packetID: number, bitmask: 0))
        return writer.byteCount
      }
      rig.answer(Array(bytes[..<count]))
    }
  }

  /// From any answer to any later one there is no more than the rate lets through, ahead by the 10 ms between two
  /// looks; nor is there less, but for a packet.
  private func expectRate(_ answers: [(nanoseconds: Int, byteCount: Int)]) throws {
    let largest = try #require(answers.map(\.byteCount).max())
    for first in answers.indices {
      var sum = 0
      for last in first..<answers.count {
        let through = Self.allowance(answers[last].nanoseconds - answers[first].nanoseconds)
        #expect(sum <= through + Self.allowance(Self.frame))
        sum += answers[last].byteCount
        #expect(sum + Self.allowance(Self.frame) + largest >= through)
      }
    }
  }

  @Test("a full queue of requested packets leaves at 128 kbit/s", .shows("rtp: pacing"))
  func requests() throws {
    let rig = try rig()
    try ask(rig)
    for _ in 0..<60 { rig.step() }
    // What has waited for 100 ms is left out.
    #expect(rig.answers.count >= 14)
    #expect(rig.answers[rig.answers.count - 1].nanoseconds - rig.answers[0].nanoseconds >= 80_000_000)
    try expectRate(rig.answers)
  }

  @Test(
    "after a stall new packets leave at once, and answers at the rate",
    .shows("rtp: pacing"))
  func standstill() throws {
    let rig = try rig()
    for tick in 0..<30 {
      if tick == 5 { try ask(rig) }
      rig.step(isStalled: true)
    }
    let before = rig.firsts.count
    let resumed = rig.clock.nowNanoseconds
    for _ in 0..<60 { rig.step() }
    // 300 ms are 15 packets, and the first tick ends a packet or not.
    let burst = rig.firsts.dropFirst(before).prefix { $0.nanoseconds == resumed }
    #expect((15...16).contains(burst.count))
    #expect(rig.firsts.dropFirst(before + burst.count).allSatisfy { $0.nanoseconds > resumed })
    // What is older than 500 ms by now is not there any more.
    #expect(rig.answers.count >= 5 && rig.answers.count < rig.lostNumbers.count)
    try expectRate(rig.answers)
  }
}
