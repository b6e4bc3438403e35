import AudioGraph
import Synchronization

/// The audio thread's half of a player.
struct PlayerState: ~Copyable {
  enum Phase: UInt8, BitwiseCopyable {
    case idle
    case playing
    case paused
  }

  /// What follows a fade-out.
  enum Sequel: UInt8, BitwiseCopyable {
    case none
    case pause
    case stop
    /// The blocks of the present generation, faded in or not.
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
  /// An event that has found no room yet.
  var owed: PlayerEvent?
  /// Passes of this generation that have been played to their end.
  var passes: UInt32 = 0
  /// Samples of the first block that have been played.
  var offset = 0
  /// Position of the graph from which on blocks are played.
  var startPosition = 0
  var hasStarted = false
  /// Position of the graph at which the last sound ended.
  var endedAt = 0
  /// Position of the graph behind what has been rendered.
  var now = 0
  /// Whether the end of a pass has been told in this tick: a sound of a few samples would leave no room for anything
  /// else.
  var hasToldPass = false

  /// Samples per channel that have left the blocks to be heard, and those that were passed over.
  var played = 0
  var skipped = 0

  /// 5 ms.
  let fadeLength: Int
  /// Gain in steps of 1 / fadeLength, and where it goes: -1, 0, 1.
  var level: Int
  var direction = 0
  /// What is left to be faded out of blocks that are gone.
  let tail: UnsafeMutablePointer<Float>
  var tailBegin = 0
  var tailEnd = 0
  /// True while a fade-out takes its samples from the tail.
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

  /// Obeys what has been asked, so that it is known what the next tick needs.
  mutating func isActive() -> Bool {
    obey()
    return phase == .playing || direction != 0
  }

  mutating func readyTicks(of count: Int) -> Int {
    guard isActive(), phase == .playing else { return .max }
    let (held, isComplete) = heldSamples()
    let ahead = max(0, startPosition - now) + held
    // With its end something else begins. Before that, what a fade-out would take must be left, whenever it is asked
    // for.
    return isComplete ? max(1, (ahead + count - 1) / count) : max(0, ahead - fadeLength) / count
  }

  mutating func endPosition() -> Int? {
    guard isActive() else { return endedAt }
    guard phase == .playing else { return nil }
    let (held, isComplete) = heldSamples()
    return isComplete ? max(now, startPosition) + held : nil
  }

  /// Samples that are there to be played, and whether the last of all is among them.
  private mutating func heldSamples() -> (count: Int, isComplete: Bool) {
    dropStaleBlocks()
    // What is being faded out comes first, then the blocks.
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
        // A sound whose way to the mixer is just being faded in would lose its beginning.
        let isEarly = isAudible && now < startPosition
        span = isEarly ? min(count &- done, startPosition &- now) : count &- done
        silence(output, at: done, count: span)
      } else {
        span = playBlock(output, at: done, atMost: count &- done)
        if span < 0 { continue }
        if span == 0 {
          if direction < 0 {
            // Nothing is left to fade out.
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
  }

  /// Paused means silent once the fade is over.
  var isAudible: Bool {
    @_noLocks get {
      if case .playing = phase { return true }
      return false
    }
  }

  /// A sound that ends before it is faded out is over as well.
  var isFadedOut: Bool { @_noLocks get { direction < 0 && (level == 0 || fadesTail) } }

  var hasTail: Bool { @_noLocks get { tailBegin < tailEnd } }

  /// The oldest block of the present generation.
  @_noLocks
  mutating func dropStaleBlocks() {
    while let block = blocks.peek(), block.pointee.generation != generation {
      skipped &+= block.pointee.count
      blocks.release(1)
    }
  }

  /// Plays from the first block. Returns: samples played; 0 when there is no block; -1 when only its marks counted.
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

  /// Moves what the fade-out of 5 ms needs out of the blocks, which are then another generation's.
  @_noLocks
  mutating func keepTail() {
    // What is being faded out goes on.
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

  /// What has been played of a block does not count as passed over when the rest of it is thrown away.
  @_noLocks
  mutating func leaveBlock() {
    skipped &-= offset
    offset = 0
  }

  mutating func waitingSamples() -> Int {
    let region = blocks.peek(upTo: blocks.capacity)
    return region.first.reduce(-offset) { $0 + $1.count } + region.second.reduce(0) { $0 + $1.count }
  }

  /// Writes faded samples and moves the gain on.
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
