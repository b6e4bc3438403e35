import AudioGraph

/// Fades a path out when an observer requests silence, and in again afterwards.
///
/// If the path lags behind the observer's frames, a wish waits until its samples arrive and takes effect at the exact
/// sample. A frame's border may lie anywhere in the observer's frames. Times count the samples of the path since it was
/// made; positions in headers may jump.
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
  /// Gain that is reached when no more `steps` are left.
  private var target: Float = 1
  private var step: Float = 0
  private var steps = 0
  private let fadeLength: Int

  /// Creates the envelope. Fades take 10 ms, rounded down so that a fade ends within the frame that it begins with.
  init(sampleRate: Int) {
    fadeLength = sampleRate / FrameSchedule.framesPerSecond
    wishes = .allocate(capacity: Self.capacity)
    wishes.initialize(repeating: Wish(time: 0, isMuted: false), count: Self.capacity)
  }

  deinit { wishes.deallocate() }

  /// Stores the observer's wish from the sample at `time` on.
  @_noLocks
  mutating func wish(_ isMuted: Bool, at time: Int) {
    if isMuted == lastWish { return }
    lastWish = isMuted
    // At most one wish a call, and a path lags behind by little more than a call: the list cannot fill up. If it did,
    // the newest wish counts.
    if count == Self.capacity { count &-= 1 }
    wishes[(first &+ count) % Self.capacity] = Wish(time: time, isMuted: isMuted)
    count &+= 1
  }

  /// Applies the due wishes to a frame with its first sample at `time` of the path.
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
