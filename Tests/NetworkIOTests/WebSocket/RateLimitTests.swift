import NetworkIO
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RateLimitTests {
  @Test("a burst passes at once, and then one per interval")
  func burst() {
    var limit = RateLimit(perSecond: 10, burst: 3)
    let now: Int64 = 5_000_000_000
    let offsets: [Int64] = [0, 0, 0, 0, 0, 99_999_999, 100_000_000, 100_000_000]
    let allowed = offsets.map { limit.allows(at: now + $0) }
    #expect(allowed == [true, true, true, false, false, false, true, false])
    #expect(!limit.isIdle(at: now + 399_999_999))
    #expect(limit.isIdle(at: now + 400_000_000))
  }

  @Test("a random series passes as much as a leaky bucket lets pass", arguments: [1, 2, 3])
  func oracle(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var limit = RateLimit(perSecond: 50, burst: 7)
    // The oracle: a bucket of 7, which one leaves every 20 ms.
    var (now, level, last): (Int64, Double, Int64) = (0, 0, 0)
    for _ in 0..<5_000 {
      now += Int64.random(in: 0...40, using: &generator) * 1_000_000
      level = max(0, level - Double(now - last) / 20_000_000)
      last = now
      let isAllowed = level <= 6 + 1e-6
      if isAllowed { level += 1 }
      let isPassed = limit.allows(at: now)
      #expect(isPassed == isAllowed, "seed \(seed)")
    }
  }

  @Test("addresses have rates of their own, and IPv6 shares one per /64")
  func addresses() throws {
    var rates = AddressRates(perSecond: 1, burst: 1)
    let hosts = [
      "192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1",
    ]
    let addresses = try hosts.map { try #require(SocketAddress(host: $0, port: 1)) }
    let allowed = addresses.map { rates.allows($0, at: 0) }
    #expect(allowed == [true, false, false, true, true, false, true])
    #expect(rates.count == 4)
    rates.removeIdle(at: 999_999_999)
    #expect(rates.count == 4)
    rates.removeIdle(at: 1_000_000_000)
    #expect(rates.count == 0)
  }

  @Test("a table that is full gives new addresses one shared rate")
  func full() throws {
    var rates = AddressRates(perSecond: 1, burst: 1)
    for number in 0..<65_536 {
      let address = try #require(SocketAddress(host: "10.0.\(number >> 8).\(number & 255)", port: 1))
      guard rates.allows(address, at: 0) else { return #expect(Bool(false), "\(address) is refused") }
    }
    let further = try (1...2).map { try #require(SocketAddress(host: "192.0.2.\($0)", port: 1)) }
    let allowed = further.map { rates.allows($0, at: 0) }
    #expect(allowed == [true, false] && rates.count == 65_536)
  }
}
