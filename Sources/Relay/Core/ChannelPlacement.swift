/// Choice of the forwarder for a new channel: the one with the fewest packets.
///
/// A new channel counts for packets that have hardly begun. Of equal forwarders the channel's name chooses.
///
/// Thread: one at a time.
struct ChannelPlacement {
  /// Packets in a second that a new channel is taken for: two users with packets of 20 ms.
  static let newChannelPackets = 100
  /// Time for which a channel is new: by then its own packets have been counted for a second.
  private static let newNanoseconds = 2_000_000_000
  private static let intervalNanoseconds = 1_000_000_000

  /// Packets of each forwarder, in and out, at the last look.
  private var packets: [Int]
  /// Packets of each forwarder in the second before the last look.
  private var rates: [Int]
  private var lookNanoseconds: Int?
  /// New channels: their forwarders and times, the oldest first.
  private var recent: [(forwarder: Int, nanoseconds: Int)] = []
  /// Forwarders of channels with a preload, and the preloads' counts.
  private var preloads: [ChannelKey: (forwarder: Int, count: Int)] = [:]

  init(forwarderCount: Int) {
    packets = Array(repeating: 0, count: forwarderCount)
    rates = packets
  }

  /// Whether `note` has something to take.
  func needsLook(_ nowNanoseconds: Int) -> Bool {
    packets.count > 1 && lookNanoseconds.map { nowNanoseconds &- $0 >= Self.intervalNanoseconds } ?? true
  }

  /// Takes the packets of each forwarder so far.
  mutating func note(_ packets: [Int], nowNanoseconds now: Int) {
    if let lookNanoseconds {
      let milliseconds = max(1, (now &- lookNanoseconds) / 1_000_000)
      rates = zip(packets, self.packets).map { ($0 - $1) * 1_000 / milliseconds }
    }
    self.packets = packets
    lookNanoseconds = now
  }

  /// Returns the forwarder for a channel that has none.
  mutating func place(_ key: ChannelKey, _ now: Int) -> Int {
    if let preload = preloads[key] { return preload.forwarder }
    guard rates.count > 1 else { return 0 }
    recent.removeAll { now &- $0.nanoseconds >= Self.newNanoseconds }
    var loads = rates
    for channel in recent { loads[channel.forwarder] += Self.newChannelPackets }
    let least = loads.min() ?? 0
    let equal = loads.indices.filter { loads[$0] == least }
    let index = equal[Int(Self.hash(key) % UInt64(equal.count))]
    recent.append((index, now))
    return index
  }

  /// Keeps the forwarder of a channel for a preload.
  mutating func add(preloadOf key: ChannelKey, at forwarder: Int) {
    preloads[key, default: (forwarder, 0)].count += 1
  }

  /// Takes the end of a preload.
  mutating func remove(preloadOf key: ChannelKey) {
    guard let entry = preloads[key] else { return }
    preloads[key] = entry.count > 1 ? (entry.forwarder, entry.count - 1) : nil
  }

  /// FNV-1a, which is the same in every process. Source: draft-eastlake-fnv.
  private static func hash(_ key: ChannelKey) -> UInt64 {
    "\(key.app)\0\(key.name)".utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
