import AudioGraph

/// Remembers the headers of frames until the blocks made of them have left.
///
/// Everything is counted in samples of the observer's rate, on a line of its own that never jumps: the block's first
/// sample is looked up there, and its header tells where the frame's stream was.
struct HeaderQueue: ~Copyable {
  private struct Entry: BitwiseCopyable {
    var start: Int
    /// What leads from the line to positions in the stream.
    var offset: Int
    var header: FrameHeader
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let capacity: Int
  private let sampleRate: Int
  private var first = 0
  private var count = 0

  /// Room for `capacity` frames; the oldest is forgotten when there is none.
  init(capacity: Int, sampleRate: Int) {
    self.capacity = capacity
    self.sampleRate = sampleRate
    entries = .allocate(capacity: capacity)
    let empty = FrameHeader(samplePosition: 0, samplesPerChannel: 0)
    entries.initialize(repeating: Entry(start: 0, offset: 0, header: empty), count: capacity)
  }

  deinit { entries.deallocate() }

  /// Adds a frame that begins at `start` of the line and, by its header, at `position` of its stream.
  ///
  /// A stream that goes on keeps its offset: two roundings would make positions waver by one.
  @_noLocks
  mutating func append(_ header: FrameHeader, start: Int, position: Int, isContinuous: Bool) {
    let newest = entries[(first &+ count &+ capacity &- 1) % capacity]
    let offset = isContinuous && count > 0 ? newest.offset : position &- start
    if count == capacity { drop() }
    entries[(first &+ count) % capacity] = Entry(start: start, offset: offset, header: header)
    count &+= 1
  }

  /// The header of a block whose first sample lies at `start` of the line; frames before it are forgotten.
  @_noLocks
  mutating func header(at start: Int) -> FrameHeader {
    while count > 1, entries[(first &+ 1) % capacity].start <= start { drop() }
    let entry = entries[first]
    var header = entry.header
    header.samplePosition = start &+ entry.offset
    header.captureTimeNanoseconds &+= (start &- entry.start) &* 1_000_000_000 / sampleRate
    // Before the first frame there was no packet.
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
