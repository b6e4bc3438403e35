import AudioGraph

/// Origins of the samples that wait to be played, in order.
///
/// Real-time: wait-free.
struct SegmentQueue: ~Copyable {
  private static var capacity: Int { @_noLocks get { 128 } }

  private let segments: UnsafeMutablePointer<PlayoutSegment>
  private var head = 0
  private var count = 0
  /// Concealed samples; of them, `frozenCount` are silence because no packet has come for long.
  private(set) var concealedCount = 0
  private(set) var frozenCount = 0

  init() {
    segments = .allocate(capacity: SegmentQueue.capacity)
    segments.initialize(repeating: PlayoutSegment(count: 0, provenance: .silence), count: SegmentQueue.capacity)
  }

  deinit { segments.deallocate() }

  /// Oldest samples; nil if there are none.
  var front: PlayoutSegment? { @_noLocks get { count > 0 ? segments[head] : nil } }

  /// Adds samples behind all others. If the queue is full of short pieces, the last one grows.
  @_noLocks
  mutating func append(_ segment: PlayoutSegment) {
    if segment.count == 0 { return }
    defer { countNewest(segment.count) }
    if count > 0 {
      let last = segments + (head &+ count &- 1) % SegmentQueue.capacity
      let isAlike =
        last.pointee.arrival == segment.arrival && last.pointee.timestamp == segment.timestamp
        && last.pointee.isFrozen == segment.isFrozen
      if count == SegmentQueue.capacity || isAlike && isSame(last.pointee.provenance, segment.provenance) {
        last.pointee.count &+= segment.count
        return
      }
    }
    segments[(head &+ count) % SegmentQueue.capacity] = segment
    count &+= 1
  }

  /// Takes at most `limit` samples of one origin off the front.
  ///
  /// - Returns: the taken samples; nil if there are none.
  @_noLocks
  mutating func take(upTo limit: Int) -> PlayoutSegment? {
    guard count > 0, limit > 0 else { return nil }
    var taken = segments[head]
    if taken.count > limit {
      segments[head].count &-= limit
      taken.count = limit
    } else {
      head = (head &+ 1) % SegmentQueue.capacity
      count &-= 1
    }
    count(taken, 0 &- taken.count)
    return taken
  }

  /// Makes the oldest samples more.
  @_noLocks
  mutating func growFront(by samples: Int) {
    if count == 0 { return }
    segments[head].count &+= samples
    count(segments[head], samples)
  }

  /// Keeps only `kept` of the oldest samples.
  @_noLocks
  mutating func truncate(to kept: Int) {
    var left = kept
    var index = 0
    while index < count {
      let segment = segments + (head &+ index) % SegmentQueue.capacity
      let stays = min(left, segment.pointee.count)
      count(segment.pointee, stays &- segment.pointee.count)
      segment.pointee.count = stays
      left &-= stays
      index &+= 1
    }
    while count > 0, segments[(head &+ count &- 1) % SegmentQueue.capacity].count == 0 { count &-= 1 }
  }

  /// Turns frozen samples into idle silence: the supposed loss has been a pause.
  @_noLocks
  mutating func excuseFrozen() {
    for index in 0..<count {
      let segment = segments + (head &+ index) % SegmentQueue.capacity
      guard segment.pointee.isFrozen else { continue }
      segment.pointee.isFrozen = false
      segment.pointee.provenance = .silence
      concealedCount &-= segment.pointee.count
      frozenCount &-= segment.pointee.count
    }
  }

  /// Forgets everything.
  @_noLocks
  mutating func removeAll() {
    count = 0
    concealedCount = 0
    frozenCount = 0
  }

  /// Counts samples that have been added to the newest segment.
  @_noLocks
  private mutating func countNewest(_ samples: Int) {
    count(segments[(head &+ count &- 1) % SegmentQueue.capacity], samples)
  }

  @_noLocks
  private mutating func count(_ segment: PlayoutSegment, _ samples: Int) {
    if case .concealed = segment.provenance { concealedCount &+= samples }
    if segment.isFrozen { frozenCount &+= samples }
  }

  @_noLocks
  private func isSame(_ one: Provenance, _ other: Provenance) -> Bool {
    switch (one, other) {
    case (.captured, .captured), (.decoded, .decoded), (.concealed, .concealed), (.recovered, .recovered),
      (.silence, .silence):
      true
    default: false
    }
  }
}
