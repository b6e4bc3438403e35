import AudioGraph

/// Fades a path out over the frame in which an observer asks for silence, and in again when it no longer does.
///
/// Where the path lags behind what the observer saw, the wish waits until its samples come by.
struct MuteEnvelope: ~Copyable {
  private struct Wish: BitwiseCopyable {
    var position: Int
    var isMuted: Bool
  }

  private static var capacity: Int { @_noLocks get { 64 } }
  private let wishes: UnsafeMutablePointer<Wish>
  private var first = 0
  private var count = 0
  private var lastWish = false
  private var gain: Float = 1
  private var target: Float = 1

  init() {
    wishes = .allocate(capacity: Self.capacity)
    wishes.initialize(repeating: Wish(position: 0, isMuted: false), count: Self.capacity)
  }

  deinit { wishes.deallocate() }

  /// Notes what the observer wants from the sample at `position` on.
  @_noLocks
  mutating func wish(_ isMuted: Bool, at position: Int) {
    if isMuted == lastWish { return }
    lastWish = isMuted
    // A wish a call and at most ten seconds of delay: where the list is full, the newest wish is what counts.
    if count == Self.capacity { count &-= 1 }
    wishes[(first &+ count) % Self.capacity] = Wish(position: position, isMuted: isMuted)
    count &+= 1
  }

  /// Applies the wishes that have come due to a frame whose position is its first sample's.
  @_noLocks
  mutating func apply(to frame: Frame) {
    let end = frame.header.pointee.samplePosition &+ frame.samplesPerChannel
    while count > 0, wishes[first].position < end {
      target = wishes[first].isMuted ? 0 : 1
      first = (first &+ 1) % Self.capacity
      count &-= 1
    }
    if gain == 1, target == 1 { return }
    let ramp = Ramp(from: gain, to: target)
    gain = target
    if ramp.start == 0, ramp.end == 0 { return frame.silence() }
    let step = ramp.step(over: frame.samplesPerChannel)
    for channel in 0..<frame.channelCount {
      let plane = frame.channel(channel)
      for index in 0..<frame.samplesPerChannel { plane[index] *= ramp.start + step * Float(index &+ 1) }
    }
  }
}
