import AudioGraph

/// Decoded samples of one stream: those that wait to be played, and behind them the newest past.
///
///     past, at least `historyCount` | read ▶ held | room
///
/// Shape: one plane for each channel. Real-time: wait-free; now and then everything moves to the front.
struct SampleBuffer: ~Copyable {
  /// Samples of the past that can be read: two periods of the lowest voice, and a crossfade.
  static var historyCount: Int { @_noLocks get { 2_048 } }
  /// Newest samples of the past that stay as they were played, even if playout jumps.
  static var keptPast: Int { @_noLocks get { 16 } }

  /// Samples per channel within which the buffer stays while no more than usual waits, so that the rest of its memory
  /// is never touched.
  private static var usualCount: Int { @_noLocks get { 8_192 } }

  let channelCount: Int
  private let planes: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var read: Int
  private var end: Int

  /// Creates a buffer for `heldCount` samples per channel that wait; its past is silent.
  init(channelCount: Int, heldCount: Int) {
    self.channelCount = channelCount
    // The capacity is so large that moving to the front is rare.
    capacity = 2 * SampleBuffer.historyCount + heldCount + 4_096
    planes = .allocate(capacity: capacity * channelCount)
    for channel in 0..<channelCount {
      (planes + channel * capacity).initialize(repeating: 0, count: SampleBuffer.historyCount)
    }
    read = SampleBuffer.historyCount
    end = read
  }

  deinit { planes.deallocate() }

  /// Samples per channel that wait.
  var held: Int { @_noLocks get { end &- read } }

  /// Samples per channel that `append` takes, and `expand` replays, at least.
  var room: Int { @_noLocks get { capacity &- SampleBuffer.historyCount &- held } }

  /// Returns the next sample of a channel that will be played; `held` follow, `historyCount` lie before it.
  @_noLocks
  func next(_ channel: Int) -> UnsafeMutablePointer<Float> { planes + (channel &* capacity &+ read) }

  /// Adds interleaved samples behind all others.
  ///
  /// - Returns: address of the first channel's new samples.
  @_noLocks @discardableResult
  mutating func append(interleaved samples: UnsafePointer<Float>, count: Int) -> UnsafeMutablePointer<Float> {
    makeRoom(count)
    for channel in 0..<channelCount {
      let target = planes + (channel &* capacity &+ end)
      if channelCount == 1 {
        copySamples(from: samples, to: target, count: count)
      } else {
        for index in 0..<count { target[index] = samples[index &* channelCount &+ channel] }
      }
    }
    end &+= count
    return planes + (end &- count)
  }

  /// Adds silence behind all others.
  @_noLocks
  mutating func appendSilence(_ count: Int) {
    makeRoom(count)
    for channel in 0..<channelCount {
      let target = planes + (channel &* capacity &+ end)
      for index in 0..<count { target[index] = 0 }
    }
    end &+= count
  }

  /// Adds `count` samples that repeat the newest `lag` over and over.
  @_noLocks
  mutating func appendRepetition(_ count: Int, lag: Int) {
    makeRoom(count)
    for channel in 0..<channelCount {
      let target = planes + (channel &* capacity &+ end)
      for index in 0..<count { target[index] = target[index &- lag] }
    }
    end &+= count
  }

  /// Multiplies `count` samples by a gain that goes in a straight line; the first of them is the newest but `newest`.
  @_noLocks
  mutating func scale(from newest: Int, _ count: Int, _ ramp: Ramp) {
    let step = ramp.step(over: count)
    for channel in 0..<channelCount {
      let samples = planes + (channel &* capacity &+ end &- newest)
      var gain = ramp.start
      for index in 0..<count {
        gain += step
        samples[index] *= gain
      }
    }
  }

  /// Makes the first `count` samples the past.
  @_noLocks
  mutating func consume(_ count: Int) {
    precondition(count <= held, "more samples consumed than wait")
    read &+= count
  }

  /// Continues `lag` samples later, faded over `fade`. Both together are no more than wait.
  @_noLocks
  mutating func accelerate(_ lag: Int, fade: Int) {
    precondition(lag >= 0 && lag &+ fade <= held, "more samples skipped than wait")
    let step = 1 / Float(fade &+ 1)
    for channel in 0..<channelCount {
      let samples = next(channel)
      // The loop goes backward, since a lag shorter than the fade writes to samples that it still has to read.
      var index = fade &- 1
      while index >= 0 {
        let share = Float(index &+ 1) * step
        samples[index &+ lag] = samples[index] * (1 - share) + samples[index &+ lag] * share
        index &-= 1
      }
      movePast(of: samples, by: lag)
    }
    read &+= lag
  }

  /// Goes back by `lag` samples, for which there is capacity, and plays them again. They are faded over `fade` samples,
  /// which wait at least.
  @_noLocks
  mutating func expand(_ lag: Int, fade: Int) {
    precondition(
      lag >= 0 && lag &+ SampleBuffer.keptPast <= SampleBuffer.historyCount && fade <= held && lag <= room,
      "more samples replayed than are there, or than the buffer holds")
    if read < SampleBuffer.historyCount &+ lag { moveBack(to: SampleBuffer.historyCount &+ lag) }
    let step = 1 / Float(fade &+ 1)
    for channel in 0..<channelCount {
      let samples = next(channel)
      movePast(of: samples, by: 0 &- lag)
      for index in 0..<fade {
        let share = Float(index &+ 1) * step
        samples[index &- lag] = samples[index] * (1 - share) + samples[index &- lag] * share
      }
    }
    read &-= lag
  }

  /// Makes the newest `count` samples begin like the sound `lag` samples before them, faded over `fade`.
  @_noLocks
  mutating func blendNewest(_ count: Int, lag: Int, fade: Int) {
    precondition(fade <= count && lag <= SampleBuffer.historyCount, "more samples blended than are new")
    let step = 1 / Float(fade &+ 1)
    for channel in 0..<channelCount {
      let samples = planes + (channel &* capacity &+ end &- count)
      for index in 0..<fade {
        let share = Float(index &+ 1) * step
        samples[index] = samples[index &- lag] * (1 - share) + samples[index] * share
      }
    }
  }

  /// Leaves out all waiting samples but the first `count`.
  @_noLocks
  mutating func truncate(to count: Int) { end = read &+ min(count, held) }

  /// Returns whether none of the `count` samples from `offset` on is as large as `peak`.
  @_noLocks
  func isQuiet(from offset: Int, count: Int, below peak: Float) -> Bool {
    for channel in 0..<channelCount {
      let samples = next(channel) + offset
      for index in 0..<count where samples[index].magnitude >= peak { return false }
    }
    return true
  }

  @_noLocks
  private mutating func makeRoom(_ count: Int) {
    precondition(count <= room, "more samples than the buffer holds")
    let end = end &+ count
    if end <= SampleBuffer.usualCount { return }
    // If many samples wait, not at every step.
    if end <= capacity, read &- SampleBuffer.historyCount < SampleBuffer.usualCount / 4 { return }
    move(to: SampleBuffer.historyCount)
  }

  /// Moves the last played samples to before the place at which playout continues, for filters that read across it.
  @_noLocks
  private func movePast(of samples: UnsafeMutablePointer<Float>, by lag: Int) {
    let count = SampleBuffer.keptPast
    moveSamples(from: samples - count, to: samples + (lag &- count), count: count)
  }

  /// Makes the past longer, with silence at its far end.
  @_noLocks
  private mutating func moveBack(to position: Int) {
    if end &+ position &- read > capacity { move(to: SampleBuffer.historyCount) }
    let count = position &- read
    for channel in 0..<channelCount {
      let plane = planes + channel &* capacity
      moveSamples(from: plane, to: plane + count, count: end)
      for index in 0..<count { plane[index] = 0 }
    }
    read &+= count
    end &+= count
  }

  @_noLocks
  private mutating func move(to position: Int) {
    let shift = read &- position
    if shift <= 0 { return }
    for channel in 0..<channelCount {
      let plane = planes + channel &* capacity
      moveSamples(from: plane + shift, to: plane, count: end &- shift)
    }
    read &-= shift
    end &-= shift
  }
}
