import AudioGraph

/// Stores the headers of frames until the blocks made of them have left.
///
/// All counts are samples at the observer's rate, on a separate timeline that never jumps. The queue looks up the
/// block's first sample there, and the header found gives the position in the frame's stream.
struct HeaderQueue: ~Copyable {
  private struct Entry: BitwiseCopyable {
    var start: Int
    /// Difference between a position in the stream and its time on the timeline.
    var offset: Int
    var header: FrameHeader
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let capacity: Int
  private let sampleRate: Int
  private var first = 0
  private var count = 0

  /// Creates a queue with a capacity of `capacity` frames; when it is full, the oldest is forgotten.
  init(capacity: Int, sampleRate: Int) {
    self.capacity = capacity
    self.sampleRate = sampleRate
    entries = .allocate(capacity: capacity)
    let empty = FrameHeader(samplePosition: 0, samplesPerChannel: 0)
    entries.initialize(repeating: Entry(start: 0, offset: 0, header: empty), count: capacity)
  }

  deinit { entries.deallocate() }

  /// Adds a frame that begins at `start` of the timeline and, by its header, at `position` of its stream.
  ///
  /// A stream that continues keeps its offset: two roundings would make positions waver by one.
  @_noLocks
  mutating func append(_ header: FrameHeader, start: Int, position: Int, isContinuous: Bool) {
    let newest = entries[(first &+ count &+ capacity &- 1) % capacity]
    let offset = isContinuous && count > 0 ? newest.offset : position &- start
    if count == capacity { drop() }
    entries[(first &+ count) % capacity] = Entry(start: start, offset: offset, header: header)
    count &+= 1
  }

  /// Returns the header of a block with its first sample at `start` of the timeline; frames before it are forgotten.
  @_noLocks
  mutating func header(at start: Int) -> FrameHeader {
    while count > 1, entries[(first &+ 1) % capacity].start <= start { drop() }
    let entry = entries[first]
    var header = entry.header
    header.samplePosition = start &+ entry.offset
    header.captureTimeNanoseconds &+= (start &- entry.start) &* 1_000_000_000 / sampleRate
    // Samples before the first frame came without a packet.
    if start < entry.start { header.rtpTimestamp = nil }
    return header
  }

  /// Forgets every frame.
  @_noLocks
  mutating func clear() { (first, count) = (0, 0) }

  @_noLocks
  private mutating func drop() {
    first = (first &+ 1) % capacity
    count &-= 1
  }
}
