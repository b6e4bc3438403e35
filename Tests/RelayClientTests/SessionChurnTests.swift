import Foundation
import Relay
import RelayClient
import Signalling
import TestSupport
import Testing

/// Users that join and leave for a day, on a virtual clock.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct SessionChurnTests {
  /// Eight users in up to three channels each. Every few seconds one of them joins, leaves, leaves everything, or loses
  /// its WebSocket. At the end of each hour all leave.
  ///
  /// The test has a process of its own, so that no other test's memory counts.
  @Test(
    "hours of joins and leaves leave no session and no memory behind", .shows("C9", "C12"))
  func churn() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let rig = SessionRig(seed: 3)
      let users = (1...8).map { rig.user(.uid(UInt32($0))) }
      var random = SeededGenerator(seed: 3)
      let meter = HeapMeter()
      var (joinCount, bytes) = (0, [Int]())
      for hour in 1...(LongRun.isWanted ? 24 : 1) {
        joinCount += Self.churn(rig, users, until: hour * 3_600_000 - 60_000, &random)
        for user in users { Self.leaveAll(user, rig) }
        rig.run(to: hour * 3_600_000)
        for user in users { user.forgetLeft() }
        let core = rig.core!
        require(core.sessionCount == 0, "hour \(hour): \(core.sessionCount) sessions")
        require(core.transportCount == 0, "hour \(hour): \(core.transportCount) media connections")
        require(core.routeCount == 0, "hour \(hour): \(core.routeCount) addresses")
        let isIdle = users.allSatisfy { $0.channels.isEmpty && $0.session.nextDeadlineNanoseconds == nil }
        require(isIdle, "hour \(hour): a user is not idle")
        bytes.append(meter.bytesInUse())
      }
      report("\(joinCount) joins; bytes in use after each hour: \(bytes)")
      require(joinCount > 200 * bytes.count, "\(joinCount) joins")
      // The first hour sizes tables. 16 bytes lost with each join would be 200 KB in a day.
      require(bytes.allSatisfy { $0 - bytes[0] < 100_000 }, "\(bytes)")
    }
    print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
  }

  /// - Returns: Number of joins.
  private static func churn(
    _ rig: SessionRig, _ users: [SessionUser], until end: Int, _ random: inout SeededGenerator
  ) -> Int {
    let rooms = ["a", "b", "c"]
    var joinCount = 0
    while rig.now / 1_000_000 < end {
      rig.run(to: min(end, rig.now / 1_000_000 + .random(in: 100...6_000, using: &random)))
      let user = users.randomElement(using: &random)!
      user.forgetLeft()
      switch Int.random(in: 0..<10, using: &random) {
      case 0: user.cutSocket()
      case 1: leaveAll(user, rig)
      case 2, 3, 4: user.channels.randomElement(using: &random)?.membership.leave(nowNanoseconds: rig.now)
      default:
        let room = rooms.randomElement(using: &random)!
        guard !user.channels.contains(where: { $0.membership.channel.text == room }) else { continue }
        user.join(room)
        joinCount += 1
      }
    }
    return joinCount
  }

  private static func leaveAll(_ user: SessionUser, _ rig: SessionRig) {
    for channel in user.channels { channel.membership.leave(nowNanoseconds: rig.now) }
  }
}

/// Ends the process with a report unless a condition holds.
private func require(_ condition: Bool, _ fault: @autoclosure () -> String) {
  guard !condition else { return }
  report(fault())
  exit(1)
}

private func report(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
