import RTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RTCPIntervalTests {
  private func seconds(
    members: Int, senders: Int, isSender: Bool, isInitial: Bool = false, bytes: Double = 100, rate: Double = 1000
  ) -> Double {
    let interval = RTCPInterval(
      rule: .bandwidth(bytesPerSecond: rate), memberCount: members, senderCount: senders, isSender: isSender,
      isInitial: isInitial, averageByteCount: bytes)
    return Double(interval.deterministicNanoseconds()) / 1e9
  }

  @Test("few members wait 5 s, or 2.5 s before their first")
  func minimum() {
    #expect(seconds(members: 2, senders: 1, isSender: true) == 5)
    #expect(seconds(members: 2, senders: 1, isSender: true, isInitial: true) == 2.5)
  }

  @Test("few senders share a quarter of the bandwidth, others three quarters")
  func shares() {
    // 1000 members, 100 of them senders, 100 bytes, 1000 bytes a second.
    #expect(seconds(members: 1000, senders: 100, isSender: true) == 100 * 100 / 250)
    #expect(seconds(members: 1000, senders: 100, isSender: false) == 900 * 100 / 750)
    // At more than a quarter all are treated alike; at a quarter they are not.
    #expect(seconds(members: 1000, senders: 251, isSender: true) == 1000 * 100 / 1000)
    #expect(seconds(members: 1000, senders: 251, isSender: false) == 1000 * 100 / 1000)
    #expect(seconds(members: 1000, senders: 250, isSender: true) == 250 * 100 / 250)
  }

  @Test("the random interval is 0.5 to 1.5 times its mean, over e - 3/2")
  func spread() {
    let interval = RTCPInterval(
      rule: .bandwidth(bytesPerSecond: 1000), memberCount: 2, senderCount: 1, isSender: true, isInitial: false,
      averageByteCount: 100)
    #expect(abs(Double(interval.nanoseconds(random: 0)) / 1e9 - 2.5 / 1.21828) < 1e-6)
    #expect(abs(Double(interval.nanoseconds(random: 0.999999999)) / 1e9 - 7.5 / 1.21828) < 1e-6)
  }

  @Test("a fixed interval is spread too, and does not depend on the members")
  func fixed() {
    let interval = RTCPInterval(
      rule: .fixed(nanoseconds: 1_000_000_000), memberCount: 10_000, senderCount: 1, isSender: true, isInitial: false,
      averageByteCount: 1000)
    #expect(interval.nanoseconds(random: 0) == 500_000_000 && interval.nanoseconds(random: 0.5) == 1_000_000_000)
  }

  /// A session in virtual time: who sends RTCP when, in seconds. Members hear one another at once.
  private func session(
    members: Int, rate: Double, seconds: Double, seed: UInt64, leave: (at: Double, left: Int)? = nil
  ) -> [Double] {
    var random = SeededGenerator(seed: seed)
    func unit() -> Double { Double.random(in: 0..<1, using: &random) }
    var timers = (0..<members).map { _ in
      RTCPTimer(
        rule: .bandwidth(bytesPerSecond: rate), averageByteCount: 100, nowNanoseconds: 0, random: unit())
    }
    var sent: [Double] = []
    // Each knows those that it has heard, and itself.
    var heard = [Set<Int>](repeating: [], count: members)
    for member in 0..<members { heard[member].insert(member) }
    var present = members
    while true {
      let member = (0..<present).min { timers[$0].deadlineNanoseconds < timers[$1].deadlineNanoseconds }!
      let now = timers[member].deadlineNanoseconds
      if let leave, present == members, Double(now) / 1e9 >= leave.at {
        present = leave.left
        let moment = Int(leave.at * 1e9)
        for other in 0..<present {
          timers[other].update(memberCount: present, senderCount: 0, isSender: false, nowNanoseconds: moment)
          heard[other] = Set(0..<present)
        }
        continue
      }
      if Double(now) / 1e9 > seconds { return sent }
      guard timers[member].expire(nowNanoseconds: now, random: unit()) else { continue }
      sent.append(Double(now) / 1e9)
      timers[member].sent(byteCount: 100, nowNanoseconds: now, random: unit())
      for other in 0..<present where other != member {
        timers[other].received(byteCount: 100)
        if heard[other].insert(member).inserted {
          timers[other].update(
            memberCount: heard[other].count, senderCount: 0, isSender: false, nowNanoseconds: now)
        }
      }
    }
  }

  @Test(
    "any number of members keeps to three quarters of the bandwidth", arguments: [20, 100, 200])
  func bandwidth(members: Int) {
    // 100 bytes a datagram and 1000 bytes a second: 7.5 datagrams a second for members that send nothing.
    let sent = session(members: members, rate: 1000, seconds: 2000, seed: 5).filter { $0 > 200 }
    let rate = Double(sent.count) / 1800
    // Or all of them every 5 s.
    let expected = min(7.5, Double(members) / 5)
    #expect(abs(rate / expected - 1) < 0.05, "\(rate) datagrams a second")
  }

  @Test("reconsideration prevents a flood when all members join at once")
  func flood() {
    let sent = session(members: 200, rate: 1000, seconds: 20, seed: 6)
    // Without it, all 200 would send in the first 3.1 s; the bandwidth has room for 27 in 3.6 s.
    #expect(sent.count { $0 < 3.6 } < 60)
  }

  @Test("remaining members do not wait for the long interval when most leave")
  func leaving() {
    // 200 members wait 26.7 s; 10 wait 5 s.
    let sent = session(members: 200, rate: 1000, seconds: 320, seed: 7, leave: (at: 300, left: 10))
    let afterwards = sent.filter { $0 > 300 }
    #expect(afterwards.count >= 20, "\(afterwards.count) datagrams of 10 members in 20 s")
    #expect(afterwards.first! < 305)
  }

  @Test("a fixed timer fires after half an interval, then once an interval")
  func fixedTimer() {
    var random = SeededGenerator(seed: 8)
    var timer = RTCPTimer(rule: .fixed(nanoseconds: 1_000_000_000), nowNanoseconds: 0, random: 0.5)
    #expect(timer.deadlineNanoseconds == 500_000_000)
    let early = timer.expire(nowNanoseconds: 499_999_999, random: 0)
    #expect(!early)
    var intervals: [Int] = []
    for _ in 0..<10_000 {
      let now = timer.deadlineNanoseconds
      let isDue = timer.expire(nowNanoseconds: now, random: 0.9)
      #expect(isDue)
      timer.sent(byteCount: 100, nowNanoseconds: now, random: .random(in: 0..<1, using: &random))
      intervals.append(timer.deadlineNanoseconds - now)
    }
    #expect(intervals.min()! >= 500_000_000 && intervals.max()! < 1_500_000_000)
    let mean = Double(intervals.reduce(0, +)) / 1e4
    let fiveErrors = 5 * 0.29e9 / 100
    #expect(abs(mean - 1e9) < fiveErrors)
  }
}
