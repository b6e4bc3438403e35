import RTP
import Testing

@Suite(.timeLimit(.minutes(10))) struct SenderClockTests {
  private let report = SenderReport(
    ssrc: 1, ntp: NTPTimestamp(rawValue: 0xB44D_B705_2000_0000), rtpTimestamp: 100, packetCount: 0, octetCount: 0)

  @Test("RFC 3550's example yields a round trip of 6.125 s")
  func roundTripExample() {
    // A = 46864.500 s, LSR = 46853.125 s, DLSR = 5.250 s.
    let block = ReportBlock(
      ssrc: 1, fractionLost: 0, cumulativeLost: 0, extendedHighestSequenceNumber: 0, jitter: 0,
      lastSenderReport: 0xB705_2000, delaySinceLastSenderReport: 0x0005_4000)
    let arrival = NTPTimestamp(rawValue: 0xB44D_B710_8000_0000)
    #expect(arrival.middle32 == 0xB710_8000)
    #expect(block.roundTripNanoseconds(arrival: arrival) == 6_125_000_000)
  }

  @Test("a round trip needs a report, is never negative and survives a wrap")
  func roundTripEdges() {
    func roundTrip(_ last: UInt32, _ delay: UInt32, _ arrival: UInt32) -> Int? {
      ReportBlock(
        ssrc: 1, fractionLost: 0, cumulativeLost: 0, extendedHighestSequenceNumber: 0, jitter: 0,
        lastSenderReport: last, delaySinceLastSenderReport: delay
      ).roundTripNanoseconds(arrival: NTPTimestamp(rawValue: UInt64(arrival) << 16))
    }
    #expect(roundTrip(0, 0, 0x1_0000) == nil)
    #expect(roundTrip(0x1_0000, 0x1_0001, 0x2_0000) == 0)
    #expect(roundTrip(0xFFFF_8000, 0x8000, 0x0000_8000) == 500_000_000)
  }

  @Test("nanoseconds become an NTP timestamp and the same nanoseconds again")
  func nanoseconds() {
    for nanoseconds in [0, 1, 999_999_999, 1_000_000_000, 1_234_567_891_234_567_891, 4_294_967_295_999_999_999] {
      #expect(NTPTimestamp(nanoseconds: nanoseconds).nanoseconds == nanoseconds)
    }
    #expect(NTPTimestamp(nanoseconds: 1_500_000_000).rawValue == 0x1_8000_0000)
    // RFC 3550's figure: 10 November 1995, 11:33:25.125 UTC.
    let unixSeconds = 816_003_205
    let ntp = NTPTimestamp(nanoseconds: (unixSeconds + NTPTimestamp.unixEpochSeconds) * 1_000_000_000 + 125_000_000)
    #expect(ntp.rawValue == 0xB44D_B705_2000_0000)
  }

  @Test("timestamps and times advance together from the report's")
  func mapping() {
    let clock = SenderClock(report)
    for seconds in [0, 1, -1, 3600, -3600, 40_000] {
      let time = clock.time(ofTimestamp: UInt32(truncatingIfNeeded: 100 + seconds * 48_000))
      #expect(time.rawValue == report.ntp.rawValue &+ UInt64(bitPattern: Int64(seconds) << 32))
      #expect(clock.timestamp(at: time) == UInt32(truncatingIfNeeded: 100 + seconds * 48_000))
    }
  }

  @Test("every timestamp comes back from its time", arguments: [8000, 44_100, 48_000])
  func roundTrip(clockRate: Int) {
    let clock = SenderClock(report, clockRate: clockRate)
    for timestamp in stride(from: UInt32(0), to: 4_000_000_000, by: 99_991) {
      #expect(clock.timestamp(at: clock.time(ofTimestamp: timestamp)) == timestamp)
    }
  }
}
