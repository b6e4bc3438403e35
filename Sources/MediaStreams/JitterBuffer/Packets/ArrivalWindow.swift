/// Arrivals of the newest sequence numbers: a duplicate is known even if its packet was played long ago, and lost
/// packets can be counted.
///
/// Real-time: wait-free.
struct ArrivalWindow: ~Copyable {
  /// Sequence numbers that are remembered: more than `SourceArbiter.maximumJump`, so that no packet of the stream is
  /// older.
  static var span: Int { @_noLocks get { 4_096 } }

  private let words: UnsafeMutablePointer<UInt64>
  private var firstSequence: Int?
  private var highest = 0
  /// Different packets that have come, in all.
  private(set) var uniqueCount = 0

  init() {
    words = .allocate(capacity: ArrivalWindow.span / 64)
    words.initialize(repeating: 0, count: ArrivalWindow.span / 64)
  }

  deinit { words.deallocate() }

  /// Packets between the first and the highest that have not come.
  var missingCount: Int {
    @_noLocks get { firstSequence == nil ? 0 : highest &- firstSequence! &+ 1 &- uniqueCount }
  }

  /// Highest number that has come; nil before any.
  var highestSequence: Int? { @_noLocks get { firstSequence == nil ? nil : highest } }

  /// Returns the missing packets below a number.
  @_noLocks
  func missingCount(below sequence: Int) -> Int {
    guard let first = firstSequence else { return 0 }
    var count = missingCount
    // Packets from before the window were given up long ago.
    var candidate = max(sequence, max(first, highest &- ArrivalWindow.span &+ 1))
    while candidate < highest {
      if !contains(candidate) { count &-= 1 }
      candidate &+= 1
    }
    return count
  }

  /// Notes a packet.
  ///
  /// - Returns: false if the packet had come before, or is older than the window.
  @_noLocks
  mutating func insert(_ sequence: Int) -> Bool {
    guard let first = firstSequence else {
      firstSequence = sequence
      highest = sequence
      uniqueCount = 1
      set(sequence, true)
      return true
    }
    if sequence > highest {
      var cleared = highest &+ 1
      if sequence &- highest > ArrivalWindow.span { cleared = sequence &- ArrivalWindow.span }
      while cleared < sequence {
        set(cleared, false)
        cleared &+= 1
      }
      highest = sequence
      set(sequence, true)
      uniqueCount &+= 1
      return true
    }
    guard sequence > highest &- ArrivalWindow.span else { return false }
    // A packet sent before the first one that came belongs to the stream as well.
    if sequence < first { firstSequence = sequence }
    if contains(sequence) { return false }
    set(sequence, true)
    uniqueCount &+= 1
    return true
  }

  /// Returns whether a packet of the newest `span` numbers has come.
  @_noLocks
  func contains(_ sequence: Int) -> Bool {
    let bit = sequence & (ArrivalWindow.span &- 1)
    return words[bit &>> 6] & (1 &<< UInt64(bit & 63)) != 0
  }

  /// Forgets everything.
  @_noLocks
  mutating func reset() {
    for index in 0..<(ArrivalWindow.span / 64) { words[index] = 0 }
    firstSequence = nil
    uniqueCount = 0
    highest = 0
  }

  @_noLocks
  private func set(_ sequence: Int, _ value: Bool) {
    let bit = sequence & (ArrivalWindow.span &- 1)
    let mask: UInt64 = 1 &<< UInt64(bit & 63)
    if value { words[bit &>> 6] |= mask } else { words[bit &>> 6] &= ~mask }
  }
}
