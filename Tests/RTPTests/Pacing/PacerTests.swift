import RTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PacerTests {
  @Test("packets leave no faster than the rate, the first at once", arguments: [64_000, 128_000, 1_000_000])
  func rate(bitsPerSecond: Int) {
    var pacer = Pacer(bitsPerSecond: bitsPerSecond)
    var (now, bytes) = (0, 0)
    for _ in 0..<100 {
      now = max(now, pacer.nextNanoseconds)
      pacer.depart(byteCount: 125, nowNanoseconds: now)
      bytes += 125
    }
    // 99 gaps of 1000 bits.
    #expect(now == 99 * (1_000 * 1_000_000_000 / bitsPerSecond))
    #expect(bytes == 12_500)
  }

  @Test(
    "a sender that polls every 10 ms keeps to the rate",
    .shows("rtp: pacing"),
    arguments: [64_000, 128_000, 1_000_000], [60, 125, 400])
  func looks(bitsPerSecond: Int, byteCount: Int) {
    var pacer = Pacer(bitsPerSecond: bitsPerSecond)
    var bytes = 0
    for look in 0..<1_000 {
      let now = look * 10_000_000
      while pacer.nextNanoseconds <= now {
        pacer.depart(byteCount: byteCount, nowNanoseconds: now)
        bytes += byteCount
      }
      let through = bitsPerSecond * look / 800
      #expect(bytes <= through + byteCount && bytes + bitsPerSecond / 800 >= through)
    }
  }

  @Test("idle time is not saved up")
  func idle() {
    var pacer = Pacer(bitsPerSecond: 8_000)
    pacer.depart(byteCount: 1, nowNanoseconds: 0)
    pacer.depart(byteCount: 1, nowNanoseconds: 1_000_000_000)
    #expect(pacer.nextNanoseconds == 1_001_000_000)
  }
}
