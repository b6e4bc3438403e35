import AudioGraph

/// Fades a path out where an observer asks for silence, and in again where it no longer does.
///
/// Where the path lags behind what the observer saw, a wish waits until its samples come by, and takes effect on the
/// very sample: a frame's border may lie anywhere in what the observer saw. Times count the samples of the path since
/// it was made; positions in headers may jump.
struct MuteEnvelope: ~Copyable {
  private struct Wish: BitwiseCopyable {
    var time: Int
    var isMuted: Bool
  }

  private static var capacity: Int { @_noLocks get { 64 } }
  private let wishes: UnsafeMutablePointer<Wish>
  private var first = 0
  private var count = 0
  private var lastWish = false
  /// The gain that is reached when no more `steps` are left.
  private var target: Float = 1
  private var step: Float = 0
  private var steps = 0
  private let fadeLength: Int

  /// Fades take 10 ms, rounded down so that one ends within the frame that it begins with.
  init(sampleRate: Int) {
    fadeLength = sampleRate / FrameSchedule.framesPerSecond
    wishes = .allocate(capacity: Self.capacity)
    wishes.initialize(repeating: Wish(time: 0, isMuted: false), count: Self.capacity)
  }

  deinit { wishes.deallocate() }

  /// Notes what the observer wants from the sample at `time` on.
  @_noLocks
  mutating func wish(_ isMuted: Bool, at time: Int) {
    if isMuted == lastWish { return }
    lastWish = isMuted
    // At most one wish a call, and a path lags behind by little more than a call: the list cannot fill up. If it
    // did, the newest wish is what counts.
    if count == Self.capacity { count &-= 1 }
    wishes[(first &+ count) % Self.capacity] = Wish(time: time, isMuted: isMuted)
    count &+= 1
  }

  /// Applies the wishes that have come due to a frame whose first sample is the path's at `time`.
  @_noLocks
  mutating func apply(to frame: Frame, at time: Int) {
    if count == 0, steps == 0 {
      if target == 0 { frame.silence() }
      return
    }
    var begin = 0
    while begin < frame.samplesPerChannel {
      while count > 0, wishes[first].time <= time &+ begin { takeWish() }
      let end = count > 0 ? min(frame.samplesPerChannel, wishes[first].time &- time) : frame.samplesPerChannel
      render(frame, begin, end)
      begin = end
    }
  }

  @_noLocks
  private mutating func takeWish() {
    let gain = target - step * Float(steps)
    target = wishes[first].isMuted ? 0 : 1
    step = (target - gain) / Float(fadeLength)
    steps = fadeLength
    first = (first &+ 1) % Self.capacity
    count &-= 1
  }

  @_noLocks
  private mutating func render(_ frame: Frame, _ begin: Int, _ end: Int) {
    let fading = min(steps, end &- begin)
    for channel in 0..<frame.channelCount {
      let plane = frame.channel(channel)
      for index in 0..<fading { plane[begin &+ index] *= target - step * Float(steps &- 1 &- index) }
      if target == 0 { for index in (begin &+ fading)..<end { plane[index] = 0 } }
    }
    steps &-= fading
  }
}
