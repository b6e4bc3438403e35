/// Packets one after the other that all take much longer than is waited for, and about equally long: the way has become longer by
/// seconds, or the sender stood still and goes on without a gap.
///
/// Real-time: wait-free.
struct Detour: BitwiseCopyable {
  /// What is longer by less is a delay like any other.
  private static var leastExcess: Int { @_noLocks get { 200_000_000 } }
  /// What a standstill has held up comes with ever less delay; packets of a longer way stay this near to each other.
  private static var largestSpread: Int { @_noLocks get { 100_000_000 } }
  /// It is known as one after so many packets and so long.
  private static var packetCount: Int { @_noLocks get { 16 } }
  private static var duration: Int { @_noLocks get { 300_000_000 } }

  private var count = 0
  private var begin = 0
  /// What was waited for before.
  private var aim = 0
  /// The shortest and the longest transit of these packets.
  private(set) var least = 0
  private(set) var most = 0

  @_noLocks
  init() {}

  /// Whether the newest packet was one of them.
  var isOpen: Bool { @_noLocks get { count > 0 } }

  /// Whether there is no doubt any more.
  @_noLocks
  func isKnown(at arrival: Int) -> Bool { count >= Detour.packetCount && arrival &- begin >= Detour.duration }

  /// Takes note of a packet.
  ///
  /// - Parameter aim: the transit that is waited for now.
  @_noLocks
  mutating func observe(_ transit: Int, arrival: Int, aim newest: Int) {
    if count == 0 { aim = newest }
    guard transit &- aim > Detour.leastExcess else {
      count = 0
      return
    }
    if count > 0, max(most, transit) &- min(least, transit) <= Detour.largestSpread {
      least = min(least, transit)
      most = max(most, transit)
      count &+= 1
    } else {
      (least, most, begin, count) = (transit, transit, arrival, 1)
    }
  }

  /// Lets all have taken so much longer.
  @_noLocks
  mutating func shift(by nanoseconds: Int) {
    aim &+= nanoseconds
    least &+= nanoseconds
    most &+= nanoseconds
  }
}
