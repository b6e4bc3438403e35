import LockFree
import Synchronization

/// Audio thread's half of a `SampleSourceNode`.
struct SampleSourceState: ~Copyable {
  var samples: RingConsumer<Float>
  private let channelCount: Int
  private let progress: UnsafeMutablePointer<SampleSourceProgress>
  private let sourceID: UInt32
  private var position = 0
  private var taken = 0
  private var inserted = 0
  private var fade: MirroredFade
  /// Whether the ring has held sound since the last silence; it then needs a fade-out.
  private var isSounding = false
  /// Whether any sample was played: the very first is not faded in.
  private var hasPlayed = false

  init(
    samples: consuming RingConsumer<Float>, channelCount: Int, sampleRate: Int,
    progress: UnsafeMutablePointer<SampleSourceProgress>, sourceID: UInt32
  ) {
    self.samples = samples
    self.channelCount = channelCount
    self.progress = progress
    self.sourceID = sourceID
    fade = MirroredFade(channelCount: channelCount, sampleRate: sampleRate)
  }

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
        fade.remember(output, filled)
        beginTail(fade.length)
        filled = continueTail(output, from: filled)
      }
    }
    if !isFinished { inserted &+= count &- filled }
    silence(output, from: filled)
    if fade.tailLeft == 0 { fade.remember(output, count) }
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
    let faded = isSounding ? min(count, fade.length) : 0
    copy(waiting, to: output, from: 0, count: faded)
    fade.remember(output, faded)
    fade.scale(output, from: 0, count: faded, start: fade.length, step: -1)
    progress.pointee.discardedFrom.store(taken &+ faded, ordering: .relaxed)
    progress.pointee.discardedTo.store(target, ordering: .releasing)
    samples.release(count &* channelCount)
    taken &+= count
    inserted &-= count &- faded
    if isSounding { beginTail(fade.length &- faded) }
    fade.armFadeIn(hasPlayed)
    return faded
  }

  /// Starts the rest of a fade-out, behind the newest remembered sample.
  @_noLocks
  private mutating func beginTail(_ count: Int) {
    fade.begin(count)
    isSounding = false
  }

  /// Continues a fade-out behind the sound's last sample.
  ///
  /// - Returns: Samples of the frame that are filled.
  @_noLocks
  private mutating func continueTail(_ output: Frame, from filled: Int) -> Int {
    let end = fade.continueTail(output, from: filled)
    inserted &+= end &- filled
    return end
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
    guard wanted > 0, fade.tailLeft == 0 else { return filled }
    let region = samples.peek(upTo: wanted &* channelCount)
    // A producer that pushes half a sample of all channels keeps the rest for the next tick.
    let count = region.count / channelCount
    copy(region, to: output, from: filled, count: count)
    samples.release(count &* channelCount)
    guard count > 0 else { return filled }
    taken &+= count
    isSounding = true
    hasPlayed = true
    fade.fadeIn(output, from: filled, count: count)
    return filled &+ count
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
