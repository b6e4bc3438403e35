import LockFree
import Synchronization

/// Audio thread's half of a `SampleSourceNode`.
struct SampleSourceState: ~Copyable {
  var samples: RingConsumer<Float>
  private let channelCount: Int
  /// Samples of a fade, at most those of a frame.
  private let fadeLength: Int
  private let progress: UnsafeMutablePointer<SampleSourceProgress>
  private let sourceID: UInt32
  private var position = 0
  private var taken = 0
  private var inserted = 0
  /// The newest `fadeLength` samples of each channel, oldest first.
  private let history: UnsafeMutablePointer<Float>
  /// Samples by which a fade-out still continues the sound behind its last sample; 0 if none is under way.
  private var tailLeft = 0
  /// Samples by which the fade-out has continued the sound.
  private var tailPlayed = 0
  /// Samples still to be faded in.
  private var fadeInLeft = 0
  /// Whether the ring has held sound since the last silence; it then needs a fade-out.
  private var isSounding = false
  /// Whether any sample was played: the very first is not faded in.
  private var hasPlayed = false

  init(
    samples: consuming RingConsumer<Float>, channelCount: Int, fadeLength: Int,
    progress: UnsafeMutablePointer<SampleSourceProgress>, sourceID: UInt32
  ) {
    self.samples = samples
    self.channelCount = channelCount
    self.fadeLength = fadeLength
    self.progress = progress
    self.sourceID = sourceID
    history = .allocate(capacity: fadeLength * channelCount)
    history.initialize(repeating: 0, count: fadeLength * channelCount)
  }

  deinit { history.deallocate() }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let count = output.samplesPerChannel
    output.header.pointee.samplePosition = position
    output.header.pointee.sourceID = sourceID
    position &+= count
    var filled = 0
    let target = progress.pointee.discardTarget.load(ordering: .acquiring)
    if target > taken { filled = discard(upTo: target, output) }
    filled = continueTail(output, from: filled)
    // Read first: all samples from before the producer's end are then in the ring.
    let isFinished = samples.isFinished
    let first = filled
    filled = take(output, from: filled)
    if filled < count, !isFinished {
      progress.pointee.missing.wrappingAdd(count &- (filled &- first), ordering: .relaxed)
      if isSounding {
        remember(output, filled)
        beginTail(fadeLength)
        filled = continueTail(output, from: filled)
      }
    }
    if !isFinished { inserted &+= count &- filled }
    silence(output, from: filled)
    if tailLeft == 0 { remember(output, count) }
    progress.pointee.inserted.store(inserted, ordering: .relaxed)
    progress.pointee.taken.store(taken, ordering: .releasing)
  }

  /// Plays the next samples fading out, and discards the others up to a position.
  ///
  /// - Returns: Samples of the frame that are filled.
  @_noLocks
  private mutating func discard(upTo target: Int, _ output: Frame) -> Int {
    let waiting = samples.peek(upTo: (target &- taken) &* channelCount)
    // The producer has written all of them before it stored the target.
    let count = waiting.count / channelCount
    let faded = isSounding ? min(count, fadeLength) : 0
    copy(waiting, to: output, from: 0, count: faded)
    remember(output, faded)
    fade(output, from: 0, count: faded, start: fadeLength, step: -1)
    progress.pointee.discardedFrom.store(taken &+ faded, ordering: .relaxed)
    progress.pointee.discardedTo.store(target, ordering: .releasing)
    samples.release(count &* channelCount)
    taken &+= count
    inserted &-= count &- faded
    if isSounding { beginTail(fadeLength &- faded) }
    fadeInLeft = hasPlayed ? fadeLength : 0
    return faded
  }

  /// Starts the rest of a fade-out, behind the newest remembered sample.
  @_noLocks
  private mutating func beginTail(_ count: Int) {
    tailLeft = count
    tailPlayed = 0
    isSounding = false
  }

  /// Continues a fade-out behind the sound's last sample: the sound before it, backwards, so that no step is heard.
  ///
  /// - Returns: Samples of the frame that are filled.
  @_noLocks
  private mutating func continueTail(_ output: Frame, from filled: Int) -> Int {
    let count = min(tailLeft, output.samplesPerChannel &- filled)
    guard count > 0 else { return filled }
    for channel in 0..<channelCount {
      let newest = history + channel &* fadeLength
      let plane = output.channel(channel) + filled
      for index in 0..<count {
        let gain = Float(tailLeft &- index) / Float(fadeLength)
        plane[index] = newest[fadeLength &- 1 &- tailPlayed &- index] * gain
      }
    }
    tailLeft &-= count
    tailPlayed &+= count
    inserted &+= count
    if tailLeft == 0 { fadeInLeft = fadeLength }
    return filled &+ count
  }

  /// Fills the rest of a frame with silence.
  @_noLocks
  private func silence(_ output: Frame, from filled: Int) {
    let count = output.samplesPerChannel
    for channel in 0..<channelCount {
      let plane = output.channel(channel)
      for index in filled..<count { plane[index] = 0 }
    }
    guard filled == 0 else { return }
    output.header.pointee.isSilent = true
    output.header.pointee.provenance = .silence
  }

  /// Takes samples of the ring into the rest of a frame.
  ///
  /// - Returns: Samples of the frame that are filled.
  @_noLocks
  private mutating func take(_ output: Frame, from filled: Int) -> Int {
    let wanted = output.samplesPerChannel &- filled
    // A new sound waits until the fade-out of the one before is over.
    guard wanted > 0, tailLeft == 0 else { return filled }
    let region = samples.peek(upTo: wanted &* channelCount)
    // A producer that pushes half a sample of all channels keeps the rest for the next tick.
    let count = region.count / channelCount
    copy(region, to: output, from: filled, count: count)
    samples.release(count &* channelCount)
    guard count > 0 else { return filled }
    taken &+= count
    isSounding = true
    hasPlayed = true
    let fading = min(fadeInLeft, count)
    fade(output, from: filled, count: fading, start: fadeLength &- fadeInLeft, step: 1)
    fadeInLeft &-= fading
    return filled &+ count
  }

  /// Scales samples by `start`, `start + step`, ... of `fadeLength` parts.
  @_noLocks
  private func fade(_ output: Frame, from first: Int, count: Int, start: Int, step: Int) {
    for channel in 0..<channelCount {
      let plane = output.channel(channel) + first
      for index in 0..<count { plane[index] *= Float(start &+ step &* index) / Float(fadeLength) }
    }
  }

  /// Keeps the newest of the first `count` samples of a frame.
  @_noLocks
  private func remember(_ output: Frame, _ count: Int) {
    let kept = min(count, fadeLength)
    for channel in 0..<channelCount {
      let newest = history + channel &* fadeLength
      if kept < fadeLength { moveSamples(from: newest + kept, to: newest, count: fadeLength &- kept) }
      copySamples(from: output.channel(channel) + (count &- kept), to: newest + (fadeLength &- kept), count: kept)
    }
  }

  /// Copies the first samples of a region of the ring into a frame.
  @_noLocks
  private func copy(_ region: RingRegion<Float>, to output: Frame, from first: Int, count: Int) {
    let limit = count &* channelCount
    copy(region.first, to: output, frame: first, from: 0, limit: limit)
    copy(region.second, to: output, frame: first, from: region.first.count, limit: limit)
  }

  /// Copies one piece of the ring; its first sample is number `start` of the interleaved samples.
  @_noLocks
  private func copy(
    _ piece: UnsafeMutableBufferPointer<Float>, to output: Frame, frame first: Int, from start: Int, limit: Int
  ) {
    guard let base = piece.baseAddress else { return }
    let end = min(limit, start &+ piece.count)
    if channelCount == 1 {
      if end > start { copySamples(from: base, to: output.channel(0) + first + start, count: end &- start) }
      return
    }
    for channel in 0..<channelCount {
      let plane = output.channel(channel) + first
      // The first sample of this channel at or after `start`.
      var index = start &+ (channel &- start % channelCount &+ channelCount) % channelCount
      while index < end {
        plane[index / channelCount] = base[index &- start]
        index &+= channelCount
      }
    }
  }
}
