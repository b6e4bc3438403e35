/// Packets that wait for an earlier one, for a limited time.
///
///     insert(number, packet) ─▶ 5 . 7 8 ─▶ next: 5, then 7 once 6 is given up
///
/// A packet leaves at once if all before it have left. Behind a gap, packets leave when the first of them has waited
/// for `waitNanoseconds`, or when the window is full; the packets of the gap are lost then.
struct PacketWindow {
  /// Outcome of an insertion.
  enum Outcome: Hashable {
    /// The packet is kept; `isReordered`: a later one has come before it.
    case kept(isReordered: Bool)
    /// The packet has come before.
    case duplicate
    /// The packet was given up before.
    case late
  }

  private struct Entry {
    let number: Int
    let arrival: Int
    /// nil for a packet without sound.
    let packet: EncodedPacket?
  }

  /// Numbers for which the window has places: 1.28 s of packets of 20 ms.
  static let capacity = 64
  let waitNanoseconds: Int
  private var entries = [Entry?](repeating: nil, count: PacketWindow.capacity)
  /// Entries that wait.
  private(set) var count = 0
  /// Number that is due; nil before the first packet.
  private var due: Int?
  private var highest = Int.min
  /// Which of the 64 numbers before `due` have left; bit 0 is the number before it.
  private var left: UInt64 = 0

  init(waitNanoseconds: Int) { self.waitNanoseconds = waitNanoseconds }

  /// Whether packets wait for an earlier one.
  var hasGap: Bool { count > 0 }

  /// Time at which the packets behind a gap leave; nil without a gap.
  var deadlineNanoseconds: Int? {
    guard count > 0 else { return nil }
    return entries.reduce(Int.max) { min($0, $1?.arrival ?? .max) } + waitNanoseconds
  }

  /// Puts a packet into its place. Before a packet that is too far ahead, others must leave: see `hasPlace`.
  mutating func insert(_ number: Int, _ packet: EncodedPacket?, arrival: Int) -> Outcome {
    let due = self.due ?? number
    self.due = due
    guard number >= due else {
      let distance = due - number
      return distance <= 64 && left >> UInt64(distance - 1) & 1 == 0 ? .late : .duplicate
    }
    let index = number & (Self.capacity - 1)
    guard entries[index] == nil else { return .duplicate }
    entries[index] = Entry(number: number, arrival: arrival, packet: packet)
    count += 1
    defer { highest = max(highest, number) }
    return .kept(isReordered: number < highest)
  }

  /// Whether a number has a place without giving up a gap.
  func hasPlace(for number: Int) -> Bool { due.map { number - $0 < Self.capacity } ?? true }

  /// Takes the next packet.
  ///
  /// - Parameters:
  ///   - now: Present time; a gap is given up if its packets are overdue.
  ///   - isForced: Whether a gap is given up in any case.
  /// - Returns: The packet, without sound nil, and the packets lost before it; nil if none leaves.
  mutating func take(_ now: Int, isForced: Bool = false) -> (packet: EncodedPacket?, lostCount: Int)? {
    guard let due, count > 0 else { return nil }
    var number = due
    if entries[due & (Self.capacity - 1)] == nil {
      guard isForced || deadlineNanoseconds! <= now else { return nil }
      repeat { number += 1 } while entries[number & (Self.capacity - 1)] == nil
    }
    let index = number & (Self.capacity - 1)
    let entry = entries[index]
    entries[index] = nil
    count -= 1
    advance(to: number)
    return (entry?.packet, number - due)
  }

  /// Gives up the numbers before another one that has no place. Nothing may wait.
  ///
  /// - Returns: Number of the packets given up.
  mutating func skip(to number: Int) -> Int {
    guard let due, number > due, count == 0 else { return 0 }
    left = number - due < 64 ? left << UInt64(number - due) : 0
    self.due = number
    return number - due
  }

  private mutating func advance(to number: Int) {
    let distance = number - due! + 1
    // The packets of the gap have not left.
    left = distance < 64 ? left << UInt64(distance) | 1 : 1
    due = number + 1
  }
}
