import Platform

/// The highest index so far, and which of the indices below it have been used.
///
/// Source: RFC 3711, section 3.3.2.
struct IndexWindow: ~Copyable {
  /// Position of an index.
  enum Position {
    case new
    case used
    /// Below the window, so that nobody knows.
    case old
  }

  /// Highest index; nil before the first.
  private(set) var highest: UInt64?
  /// A bit for each index, at the index modulo the number of bits.
  /// Written with `=` alone: with `|=`, Swift 6.3 cannot compile for the thread sanitizer.
  private let words: UnsafeMutablePointer<UInt64>
  /// Highest remainder of an index by the number of bits.
  private let mask: UInt64
  private let count: UInt64

  /// Creates the window of a number of indices.
  init(count: Int) {
    self.count = UInt64(count)
    // A power of two, so that a bit is found without a division.
    let wordCount = max(1, (1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)) >> 6)
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0, count: wordCount)
    mask = UInt64(wordCount * 64 - 1)
  }

  deinit { words.deallocate() }

  /// Address of the next index's bit.
  var nextAddress: UnsafeRawPointer { UnsafeRawPointer(words + Int(((highest ?? 0) &+ 1) & mask) / 64) }

  /// Returns the position of an index.
  func position(of index: UInt64) -> Position {
    guard let highest, index <= highest else { return .new }
    guard highest &- index < count else { return .old }
    let bit = index & mask
    return words[Int(bit >> 6)] >> (bit & 63) & 1 == 0 ? .new : .used
  }

  /// Notes an index whose position is `new`.
  mutating func insert(_ index: UInt64) {
    let bit = index & mask
    if let highest, index > highest {
      // Most packets are the next ones.
      if index == highest &+ 1 {
        words[Int(bit >> 6)] = words[Int(bit >> 6)] & ~(1 << (bit & 63))
      } else {
        clear(from: highest &+ 1, to: index)
      }
    }
    if index >= highest ?? 0 { highest = index }
    words[Int(bit >> 6)] = words[Int(bit >> 6)] | (1 << (bit & 63))
  }

  /// Clears the bits of the indices that the window takes in.
  private mutating func clear(from first: UInt64, to last: UInt64) {
    if last &- first >= mask {
      words.update(repeating: 0, count: Int(mask / 64) + 1)
      return
    }
    var index = first
    while index <= last {
      let bit = index & mask
      if bit & 63 == 0, last &- index >= 63 {
        ReachPoints.note(.replayWindowJumped)
        words[Int(bit >> 6)] = 0
        index &+= 64
      } else {
        words[Int(bit >> 6)] = words[Int(bit >> 6)] & ~(1 << (bit & 63))
        index &+= 1
      }
    }
  }
}
