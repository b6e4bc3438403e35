import AudioFiles
import AudioGraph
import Effects
import Resampling

/// Puts a sound's blocks into a player's ring. Thread: one at a time, never the audio thread.
struct PlayerFeed: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): its files and rings are its own; it is reached through a lock.

  private var blocks: RingProducer<PlayerBlock>
  private let sound: RepeatingReader.Sound
  private let sampleRate: Int
  private let blockCount: Int
  private var reader: RepeatingReader?
  private let pitch: PitchRatio
  private var stage: (any SoundConversionStage)?
  private var generation: UInt32 = 0
  /// Samples written of this generation; `passBegin` is the number of them in earlier passes.
  private var given = 0
  private var passBegin = 0
  /// Position in the sound at which the present pass began.
  private var passOrigin = 0
  private(set) var isDone = true
  /// Samples of all generations that have been put into the ring.
  private var givenInAll = 0
  /// Samples of the sound that were NaN or infinite and became 0; known once a pass is over.
  var nonFiniteSamples: Int { reader?.nonFiniteSamples ?? 0 }
  /// Reason for an early end of the sound; nil if it did not end early.
  private(set) var failure: AudioFileError?

  init(
    _ sound: RepeatingReader.Sound, pitch: PitchRatio, blocks: consuming RingProducer<PlayerBlock>, sampleRate: Int
  ) {
    self.sound = sound
    self.pitch = pitch
    self.blocks = blocks
    self.sampleRate = sampleRate
    blockCount = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
  }

  /// Begins a generation at a position of the sound.
  ///
  /// - Parameters:
  ///   - generation: number of the generation.
  ///   - plays: number of passes; nil for endless repetition.
  ///   - position: first sample, in samples per channel of the sound's own rate.
  /// - Throws: an error if a damaged file cannot be read from there; the generation before continues.
  mutating func begin(generation: UInt32, plays: Int?, from position: Int) throws {
    let format = sound.format
    let repeating = try RepeatingReader(
      sound, plays: plays, from: position,
      stopsBetweenPasses: format.sampleRate == sampleRate && pitch == .unchanged)
    let converter = try ConvertingReader(repeating, sampleRate: sampleRate)
    stage =
      pitch == .unchanged
      ? converter
      : PitchedReader(
        converter, ratio: pitch,
        format: try AudioFormat(sampleRate: sampleRate, channelCount: format.channelCount))
    reader = repeating
    self.generation = generation
    failure = nil
    given = 0
    passBegin = 0
    passOrigin = position * sampleRate / format.sampleRate
    isDone = false
  }

  /// Fills the ring with up to `limit` blocks, and leaves `reserve` slots free.
  ///
  /// - Parameters:
  ///   - limit: largest number of blocks to write.
  ///   - reserve: slots to leave free.
  /// - Returns: true if it wrote any block.
  @discardableResult
  mutating func fill(atMost limit: Int = .max, leaving reserve: Int = 0) -> Bool {
    var filled = 0
    while filled < limit, !isDone, blocks.freeCount > reserve, let slot = blocks.reserve() {
      fillBlock(slot)
      blocks.commit(1)
      filled += 1
    }
    return filled > 0
  }

  /// Returns the sample counts of this generation, and those of all blocks in the ring that `node` has played.
  ///
  /// Call it after the last tick and the last `fill`.
  mutating func edges(of name: String, into node: PlayerNode) -> [LedgerEdge] {
    guard let reader, let stage else { return [] }
    var ledger = Ledger()
    ledger.input = givenInAll
    ledger.output = node.playedSampleCount
    ledger.held = node.heldSampleCount
    ledger.removed[.skip] = node.skippedSampleCount
    let stretches = stage.edges(of: name)
    return [reader.edge(named: "\(name): repeat")] + stretches
      + [LedgerEdge("\(name): play", from: sampleRate, to: sampleRate, ledger)]
  }

  private mutating func fillBlock(_ slot: UnsafeMutablePointer<PlayerBlock>) {
    guard let reader, let stage else { return }
    var count = 0
    do throws(AudioFileError) {
      try stage.prepare()
      // A block does not reach beyond the end of a pass.
      let limit = nextPassEnd.map { min(blockCount, $0 - given) } ?? blockCount
      let frame = slot.pointee.frame
      count = limit > 0 ? try stage.readSome(into: frame.channel(0), stride: frame.planeStride, count: limit) : 0
    } catch {
      failure = error
      isDone = true
    }
    slot.pointee.count = count
    slot.pointee.generation = generation
    slot.pointee.position = passOrigin + given - passBegin
    given += count
    givenInAll += count
    let endsPass = nextPassEnd == given
    if endsPass {
      reader.passEnds.removeFirst()
      passBegin = given
      passOrigin = 0
    }
    if hasGivenAll { isDone = true }
    slot.pointee.endsPass = endsPass && !hasGivenAll
    slot.pointee.isLast = isDone
    if failure == nil { failure = reader.failure }
  }

  /// Whether the last pass is in the ring.
  private var hasGivenAll: Bool { reader.map { $0.isAtEnd && $0.passEnds.isEmpty } ?? false }

  /// Samples of this generation up to the end of the present pass; nil if the reader has not reached it.
  private var nextPassEnd: Int? {
    guard let reader, let end = reader.passEnds.first else { return nil }
    return end * sampleRate / reader.format.sampleRate
  }
}
