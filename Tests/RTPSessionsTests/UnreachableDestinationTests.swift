import TestSupport
import Testing

@testable import RTPSessions

@Suite(.timeLimit(.minutes(10))) struct UnreachableDestinationTests {
  private static let packet = 20_000_000
  private static let second = 1_000_000_000

  /// A stream of packets every 20 ms, of which those come back that are said to.
  private func watch(seconds: Int, _ comesBack: (Int) -> Bool) -> UnreachableDestination {
    var watch = UnreachableDestination()
    for index in 0..<(seconds * Self.second / Self.packet) {
      watch.sent(nowNanoseconds: index * Self.packet)
      if comesBack(index) { watch.refused(nowNanoseconds: index * Self.packet + 1_000_000) }
    }
    return watch
  }

  @Test("a near host refuses every packet, even of a short stream")
  func near() {
    #expect(watch(seconds: 1) { _ in true }.hasRefusedAll)
    #expect(!watch(seconds: 1) { $0 > 0 }.hasRefusedAll)
    #expect(!watch(seconds: 1) { _ in false }.hasRefusedAll && !UnreachableDestination().hasRefusedAll)
  }

  @Test("a host that refuses six packets and then one a second is unreachable", .shows("rtp: destinations"))
  func limited() {
    #expect(watch(seconds: 10) { $0 < 6 || $0 % 50 == 0 }.hasRefusedAll)
  }

  @Test(
    "a host that refuses only part of the time counts as reached",
    arguments: [0..<300, 150..<500, 0..<200])
  func partly(away: Range<Int>) {
    let isInside = away == 0..<200
    let watch = watch(seconds: 10) { (away.contains($0) || isInside && $0 >= 320) && ($0 % 50 == 0 || $0 < 6) }
    #expect(watch.count > 3 && !watch.hasRefusedAll)
  }
}
