import AudioGraph
import Synchronization

/// The part of a player that belongs to the audio thread.
struct PlayerState: ~Copyable {
  enum Phase: UInt8, BitwiseCopyable {
    case idle
    case playing
    case paused
  }

  /// Action after a fade-out.
  enum Sequel: UInt8, BitwiseCopyable {
    case none
    case pause
    case stop
    /// Plays the blocks of the present generation, without a fade-in.
    case play
    case playFadedIn
  }

  var blocks: RingConsumer<PlayerBlock>
  var commands: RingConsumer<PlayerCommand>
  var events: RingProducer<PlayerEvent>
  let gauges: UnsafePointer<PlayerGauges>
  let channelCount: Int
  let speakers: UInt32

  var phase = Phase.idle
  var sequel = Sequel.none
  var generation: UInt32 = 0
  /// Event that waits for a free slot in the queue; nil if none does.
  var owed: PlayerEvent?
  /// Whether there are events since the previous tick.
  var hasNews = false
  /// Passes of this generation that have been played to their end.
  var passes: UInt32 = 0
  /// Samples of the first block that have been played.
  var offset = 0
  /// Position of the graph at which the first block begins.
  var startPosition = 0
  var hasStarted = false
  /// Position of the graph at which the last sound ended.
  var endedAt = 0
  /// Position of the graph behind the samples rendered so far.
  var now = 0
  /// Whether this tick has reported the end of a pass already: reports of a sound of a few samples would fill the
  /// queue.
  var hasToldPass = false

  /// Samples per channel taken from the blocks to be heard; `skipped` counts those passed over.
  var played = 0
  var skipped = 0

  /// Samples in 5 ms.
  let fadeLength: Int
  /// Gain in steps of 1 / fadeLength; `direction` is its change per sample: -1, 0, 1.
  var level: Int
  var direction = 0
  /// Samples for a fade-out, copied from blocks that are gone.
  let tail: UnsafeMutablePointer<Float>
  var tailBegin = 0
  var tailEnd = 0
  /// Whether a fade-out takes its samples from the tail.
  var fadesTail = false

  init(
    blocks: consuming RingConsumer<PlayerBlock>, commands: consuming RingConsumer<PlayerCommand>,
    events: consuming RingProducer<PlayerEvent>, gauges: UnsafePointer<PlayerGauges>, format: AudioFormat,
    speakers: UInt32
  ) {
    self.blocks = blocks
    self.commands = commands
    self.events = events
    self.gauges = gauges
    channelCount = format.channelCount
    self.speakers = speakers
    fadeLength = format.sampleRate / 200
    level = fadeLength
    tail = .allocate(capacity: fadeLength * format.channelCount)
    tail.initialize(repeating: 0, count: fadeLength * format.channelCount)
  }

  deinit { tail.deallocate() }

  /// Obeys the queued commands, so that the needs of the next tick are known.
  mutating func isActive() -> Bool {
    obey()
    return phase == .playing || direction != 0
  }

  mutating func readyTicks(of count: Int) -> Int {
    guard isActive(), phase == .playing else { return .max }
    let (held, isComplete) = heldSamples()
    let ahead = max(0, startPosition - now) + held
    // At its end another sound may begin. Before that, enough samples for a fade-out must be left at any time.
    return isComplete ? max(1, (ahead + count - 1) / count) : max(0, ahead - fadeLength) / count
  }

  mutating func endPosition() -> Int? {
    guard isActive() else { return endedAt }
    guard phase == .playing else { return nil }
    let (held, isComplete) = heldSamples()
    return isComplete ? max(now, startPosition) + held : nil
  }

  /// Counts the samples ready to be played, and says whether the last of all is among them.
  private mutating func heldSamples() -> (count: Int, isComplete: Bool) {
    dropStaleBlocks()
    // The samples that fade out come first, then the blocks.
    var count = tailEnd - tailBegin - offset
    let region = blocks.peek(upTo: blocks.capacity)
    for index in 0..<region.count {
      let isFirst = index < region.first.count
      let block = isFirst ? region.first[index] : region.second[index - region.first.count]
      count += block.count
      if block.isLast { return (count, true) }
    }
    return (count, false)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    now = context.tick.samplePosition
    hasToldPass = false
    obey()
    let output = context.output(0)
    output.header.pointee.speakers = speakers
    let count = output.samplesPerChannel
    var done = 0
    var isSilent = true
    while done < count {
      let span: Int
      if hasTail {
        span = min(count &- done, tailEnd &- tailBegin)
        fade(tail + tailBegin, stride: fadeLength, to: output, at: done, count: span)
        tailBegin &+= span
        isSilent = false
      } else if isFadedOut {
        conclude()
        continue
      } else if !isAudible || now < startPosition || (!hasStarted && context.isFadingIn) {
        // If the path to the mixer is still fading in, the sound would lose its beginning.
        let isEarly = isAudible && now < startPosition
        span = isEarly ? min(count &- done, startPosition &- now) : count &- done
        silence(output, at: done, count: span)
      } else {
        span = playBlock(output, at: done, atMost: count &- done)
        if span < 0 { continue }
        if span == 0 {
          if direction < 0 {
            // No sample is left to fade out.
            level = 0
            continue
          }
          gauges.pointee.underruns.wrappingAdd(count &- done, ordering: .relaxed)
          silence(output, at: done, count: count &- done)
          now &+= count &- done
          break
        }
        isSilent = false
      }
      done &+= span
      now &+= span
    }
    if isSilent {
      output.header.pointee.isSilent = true
      output.header.pointee.provenance = .silence
    }
    if hasNews { context.notifyControl() }
    hasNews = false
  }

  /// Whether the player is heard; a paused player is silent once its fade is over.
  var isAudible: Bool {
    @_noLocks get {
      if case .playing = phase { return true }
      return false
    }
  }

  /// Whether the fade-out is over; a sound that ends before it is faded out counts as faded out.
  var isFadedOut: Bool { @_noLocks get { direction < 0 && (level == 0 || fadesTail) } }

  var hasTail: Bool { @_noLocks get { tailBegin < tailEnd } }

  /// Discards blocks of other generations, up to the oldest block of the present one.
  @_noLocks
  mutating func dropStaleBlocks() {
    while let block = blocks.peek(), block.pointee.generation != generation {
      skipped &+= block.pointee.count
      blocks.release(1)
    }
  }

  /// Plays from the first block.
  ///
  /// - Returns: samples played; 0 without a block; -1 if only its marks counted.
  @_noLocks
  private mutating func playBlock(_ output: Frame, at start: Int, atMost limit: Int) -> Int {
    dropStaleBlocks()
    guard let block = blocks.peek() else { return 0 }
    if !hasStarted {
      hasStarted = true
      emit(.started)
    }
    var span = min(limit, block.pointee.count &- offset)
    if direction != 0 { span = min(span, direction > 0 ? fadeLength &- level : level) }
    if span > 0 {
      let plane = block.pointee.frame.channel(0) + offset
      if direction == 0, level == fadeLength {
        for channel in 0..<channelCount {
          copySamples(
            from: plane + channel &* block.pointee.frame.planeStride, to: output.channel(channel) + start, count: span)
        }
      } else {
        fade(plane, stride: block.pointee.frame.planeStride, to: output, at: start, count: span)
      }
      offset &+= span
      played &+= span
    }
    gauges.pointee.position.store(block.pointee.position &+ offset, ordering: .relaxed)
    if direction > 0, level == fadeLength { direction = 0 }
    guard offset == block.pointee.count else { return span > 0 ? span : -1 }
    let (endsPass, isLast) = (block.pointee.endsPass, block.pointee.isLast)
    blocks.release(1)
    offset = 0
    let before = now
    now &+= span
    if isLast {
      end(.finished)
    } else if endsPass {
      endPass()
    }
    now = before
    return span > 0 ? span : -1
  }

  /// Moves the samples for a fade-out of 5 ms out of the blocks, before blocks of another generation take their place.
  @_noLocks
  mutating func keepTail() {
    // A fade-out in progress continues.
    if hasTail { return }
    dropStaleBlocks()
    forgetTail()
    fadesTail = true
    while tailEnd < level, let block = blocks.peek(), block.pointee.generation == generation {
      let span = min(level &- tailEnd, block.pointee.count &- offset)
      for channel in 0..<channelCount {
        copySamples(
          from: block.pointee.frame.channel(channel) + offset, to: tail + (channel &* fadeLength &+ tailEnd),
          count: span)
      }
      tailEnd &+= span
      offset &+= span
      played &+= span
      guard offset == block.pointee.count else { continue }
      blocks.release(1)
      offset = 0
    }
    leaveBlock()
  }

  /// Discards the rest of a block; the samples of it already played do not count as passed over.
  @_noLocks
  mutating func leaveBlock() {
    skipped &-= offset
    offset = 0
  }

  mutating func waitingSamples() -> Int {
    let region = blocks.peek(upTo: blocks.capacity)
    return region.first.reduce(-offset) { $0 + $1.count } + region.second.reduce(0) { $0 + $1.count }
  }

  /// Writes faded samples and advances the gain.
  @_noLocks
  private mutating func fade(
    _ source: UnsafePointer<Float>, stride: Int, to output: Frame, at start: Int, count: Int
  ) {
    let step = Float(direction) / Float(fadeLength)
    let first = Float(level) / Float(fadeLength)
    for channel in 0..<channelCount {
      let from = source + channel &* stride
      let target = output.channel(channel) + start
      for index in 0..<count { target[index] = from[index] * (first + Float(index &+ 1) * step) }
    }
    level &+= direction &* count
  }

  @_noLocks
  private func silence(_ output: Frame, at start: Int, count: Int) {
    for channel in 0..<channelCount {
      let target = output.channel(channel) + start
      for index in 0..<count { target[index] = 0 }
    }
  }
}
