import Relay
import RelayClient
import RelayLoad
import Signalling
import TestSupport
import Testing

@Suite("the users of a load", .timeLimit(.minutes(10)))
struct LoadUsersTests {
  @Test("every listener receives every packet, and the counts are exact")
  func exact() {
    let rig = LoadRig(publishers: 3, listeners: 5)
    rig.measure(milliseconds: 2_000)
    let counts = rig.users.figures.counts
    #expect(rig.users.joinedCount == 8 && !rig.users.isRamping)
    // A packet each 20 ms from each of 3 publishers, to 5 listeners.
    #expect(counts.sent == 300 && counts.expected == 1_500 && counts.received == 1_500)
    #expect(counts.lost == 0 && counts.duplicated == 0 && counts.outOfOrder == 0 && counts.unsent == 0)
    #expect(rig.users.figures.delays.count == 1_500)
    #expect(rig.users.figures.lateness.maximumNanoseconds == 0)
  }

  @Test("publishers in step send at the same moments", .shows("load: in step"))
  func steps() {
    for isInStep in [false, true] {
      let rig = LoadRig(publishers: 4, listeners: 2, isInStep: isInStep)
      rig.measure(milliseconds: 1_000)
      #expect(rig.sendingPhases == (isInStep ? [0] : [0, 5_000_000, 10_000_000, 15_000_000]))
      #expect(rig.users.figures.counts.sent == 200 && rig.users.figures.counts.lost == 0)
    }
  }

  @Test("listeners of other processes are expected, too")
  func others() {
    let rig = LoadRig(publishers: 2, listeners: 2, channels: 2)
    rig.users.otherListeners = [3, 0]
    rig.measure(milliseconds: 1_000)
    // Publishers and listeners are one in each channel.
    #expect(rig.users.listeners == [1, 1])
    #expect(rig.users.figures.counts.expected == 50 * (1 + 3) + 50 && rig.users.figures.counts.received == 100)
  }

  @Test("a link that drops every tenth packet shows a loss of 10 %")
  func loss() {
    let rig = LoadRig(publishers: 1, listeners: 1)
    rig.links[1] = LoadRig.Link(lossPeriod: 10)
    rig.measure(milliseconds: 10_000)
    let counts = rig.users.figures.counts
    #expect(counts.expected == 500 && counts.lost == 50 && counts.lostPercent == 10)
    #expect(counts.rejoins == 0 && counts.outOfOrder == 0)
  }

  @Test("a link of 20 ms shows a delay of 20 ms")
  func delay() {
    let rig = LoadRig(publishers: 2, listeners: 3)
    for number in 2..<5 { rig.links[number] = LoadRig.Link(delayNanoseconds: 20 * LoadRig.millisecond) }
    rig.measure(milliseconds: 1_000)
    let delays = rig.users.figures.delays
    #expect(delays.count == 300)
    #expect([0.01, 0.5, 0.99, 1].map { delays.nanoseconds(atQuantile: $0) } == [Int](repeating: 20_000_000, count: 4))
  }

  @Test("a packet that is held back counts as out of order, not as lost")
  func order() {
    let rig = LoadRig(publishers: 1, listeners: 1)
    rig.links[1] = LoadRig.Link(holdPeriod: 10, holdNanoseconds: 30 * LoadRig.millisecond)
    rig.measure(milliseconds: 2_000)
    let counts = rig.users.figures.counts
    #expect(counts.received == 100 && counts.outOfOrder == 10 && counts.lost == 0)
    #expect(rig.users.figures.delays.maximumNanoseconds == 30_000_000)
  }

  @Test("a listener receives the publishers of its channel alone")
  func channels() {
    let rig = LoadRig(publishers: 4, listeners: 6, channels: 2)
    rig.measure(milliseconds: 1_000)
    // 2 publishers and 3 listeners in each channel.
    #expect(rig.users.figures.counts.expected == 4 * 50 * 3)
    #expect(rig.users.figures.counts.lost == 0)
  }

  @Test("refused users are counted with the relay's sentence, others measured")
  func refused() throws {
    let rig = LoadRig(publishers: 5, listeners: 2) { $0.limits.publishersPerChannel = 3 }
    rig.measure(milliseconds: 1_000)
    let failures = rig.users.failures
    #expect(failures.count == 1 && failures.first?.count == 2)
    #expect(failures.first?.error.limit?.setting == "--max-publishers", "\(failures)")
    #expect(rig.users.joinedCount == 5)
    #expect(rig.users.figures.counts.expected == 3 * 50 * 2 && rig.users.figures.counts.lost == 0)
  }

  @Test("the ramp spreads the joins, and every user leaves at the end")
  func course() {
    let rig = LoadRig(publishers: 5, listeners: 45)
    rig.run(100)
    // 100 joins a second.
    #expect(rig.users.joinedCount <= 10 && rig.users.isRamping)
    rig.run(1_000)
    #expect(rig.users.joinedCount == 50 && !rig.users.isRamping)
    rig.users.leave()
    rig.run(100)
    #expect(rig.users.isLeft)
  }

  @Test("a relay that does not answer fails the joins after 10 s")
  func silent() {
    let rig = LoadRig(publishers: 1, listeners: 1)
    for number in 0..<2 { rig.links[number] = LoadRig.Link(delayNanoseconds: 60_000 * LoadRig.millisecond) }
    rig.run(10_500)
    #expect(rig.users.joinedCount == 0 && !rig.users.isRamping)
    #expect(rig.users.failures.first?.count == 2)
  }
}
