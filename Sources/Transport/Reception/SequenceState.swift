/// Tells the packets of a source from stray ones, and counts wraps.
///
/// Source: RFC 3550, appendix A.1; names and constants are the RFC's.
struct SequenceState: Sendable, BitwiseCopyable {
  private static var maximumDropout: UInt16 { @_noLocks get { 3000 } }
  private static var maximumMisorder: UInt16 { @_noLocks get { 100 } }

  /// Packets in sequence that make a source, and how many of them are still to come.
  private let minimumSequential: Int
  private var probation: Int
  private var isEmpty = true
  private(set) var maximumSequence: UInt16 = 0
  /// Numbers passed by wraps, a multiple of 65536.
  private var cycles = 0
  private(set) var baseSequence: UInt16 = 0
  /// The packet that would show, by following a stray one, that the source has begun anew.
  private var badSequence: UInt32 = 0
  private(set) var receivedCount = 0

  @_noLocks
  init(minimumSequential: Int) {
    self.minimumSequential = minimumSequential
    probation = minimumSequential
  }

  var extendedHighest: UInt32 { @_noLocks get { UInt32(truncatingIfNeeded: cycles &+ Int(maximumSequence)) } }

  /// Packets that should have come since the first.
  var expectedCount: Int { @_noLocks get { cycles &+ Int(maximumSequence) &- Int(baseSequence) &+ 1 } }

  @_noLocks
  mutating func update(_ sequence: UInt16) -> ReceptionStatistics.Verdict {
    if isEmpty {
      isEmpty = false
      start(sequence)
      maximumSequence = sequence &- 1
      probation = minimumSequential
    }
    let distance = sequence &- maximumSequence
    if probation > 0 {
      if distance == 1 {
        probation = probation &- 1
        maximumSequence = sequence
        if probation == 0 {
          start(sequence)
          receivedCount = 1
          return .started
        }
      } else {
        probation = minimumSequential &- 1
        maximumSequence = sequence
      }
      return .probation
    }
    if distance == 0 || distance > UInt16(0) &- SequenceState.maximumMisorder {
      receivedCount = receivedCount &+ 1
      return .lateOrDuplicate
    }
    if distance < SequenceState.maximumDropout {
      if sequence < maximumSequence { cycles = cycles &+ 0x1_0000 }
      maximumSequence = sequence
      receivedCount = receivedCount &+ 1
      return .inOrder
    }
    guard UInt32(sequence) == badSequence else {
      badSequence = UInt32(sequence &+ 1)
      return .stray
    }
    start(sequence)
    receivedCount = 1
    return .started
  }

  @_noLocks
  private mutating func start(_ sequence: UInt16) {
    baseSequence = sequence
    maximumSequence = sequence
    badSequence = 0x1_0001
    cycles = 0
    receivedCount = 0
  }
}
