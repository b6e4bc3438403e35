package import AudioFiles
package import AudioGraph
package import Effects

/// Plays a sound into the graph: once, several times or forever, from a file or from memory.
///
///     file, memory ▶ repeat ▶ [rate] ▶ [pitch] ──ring──▶ node     audio thread
///
/// Thread: control, except for members to which `AudioSource` assigns another thread.
package final class SoundPlayer: AudioSource {
  /// Name of the sound, for messages.
  let path: String
  package let channelCount: Int
  package var sampleRate: Int { schedule.sampleRate }
  /// Rate of the sound itself, in Hz.
  package let soundRate: Int
  /// Samples per channel of the sound at its own rate; nil if unknown before the end.
  package let samplesPerChannel: Int?
  private let player: PlayerNode
  private let feed: Guarded<PlayerFeed>
  private let state = Guarded(State())
  private let schedule: FrameSchedule
  private let onNeed: @Sendable () -> Void

  private struct State {
    var generation: UInt32 = 0
    /// Passes of this generation; nil for endless repetition.
    var plays: Int? = 0
    var isEndless: Bool { plays == nil }
    var hasToldNonFinite = false
    /// Commands that wait for a free slot in the node's queue.
    var waiting: [PlayerCommand] = []
  }

  /// Number of blocks read before a start or a seek is heard.
  ///
  /// Prefetching leaves that many slots free, because blocks that a seek makes useless leave the ring only with the
  /// next tick.
  private let headStart: Int

  /// - Parameters:
  ///   - sound: sound to play.
  ///   - sampleRate: the graph's rate, in Hz.
  ///   - pitch: factor of the pitch, applied before the ring.
  ///   - capacity: blocks to read ahead, of 10 ms or, since a block ends with its pass, of a shorter sound.
  ///   - onNeed: called between ticks to request that the ring be filled.
  package init(
    _ sound: RepeatingReader.Sound, sampleRate: Int, pitch: PitchRatio = .unchanged, capacity: Int = 24,
    onNeed: @escaping @Sendable () -> Void
  ) throws {
    path = sound.path
    samplesPerChannel = sound.samplesPerChannel
    channelCount = sound.format.channelCount
    soundRate = sound.format.sampleRate
    schedule = FrameSchedule(sampleRate: sampleRate)
    self.onNeed = onNeed
    let blockFormat = try AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
    let length = max(1, (samplesPerChannel ?? .max / sampleRate) * sampleRate / soundRate)
    let blocksPerTick = (schedule.maximumSamplesPerChannel - 1) / length + 1
    headStart = max(8, 2 * blocksPerTick + 2)
    let ring = PlayerRing(capacity: max(capacity, headStart + 6 * blocksPerTick), format: blockFormat)
    player = PlayerNode(reading: ring.takeConsumer(), format: blockFormat, speakers: sound.speakers)
    feed = Guarded(PlayerFeed(sound, pitch: pitch, blocks: ring.takeProducer(), sampleRate: sampleRate))
  }

  package var node: any AudioNode { player }

  /// A sound after its first samples have been read.
  package struct Loaded {
    fileprivate let generation: UInt32
    fileprivate let position: Int
  }

  /// Reads the first samples to be heard.
  ///
  /// - Parameters:
  ///   - plays: number of passes; nil for endless repetition.
  ///   - position: first sample, in samples of the sound's own rate.
  /// - Returns: value for `start`.
  /// - Throws: an error if a damaged file cannot be read from there; the present sound continues.
  package func load(plays: Int?, from position: Int = 0) throws -> Loaded {
    let generation = state.withLock { state in
      // Adds 2: a player that ends by itself takes the number between.
      state.generation &+ 2
    }
    try feed.withLock { feed in
      try feed.begin(generation: generation, plays: plays, from: position)
      feed.fill(atMost: headStart)
    }
    state.withLock { state in
      state.generation = generation
      state.plays = plays
    }
    return Loaded(generation: generation, position: position)
  }

  /// Begins to play.
  ///
  /// - Parameters:
  ///   - loaded: result of `load`.
  ///   - graphPosition: the graph's position of the first sample; 0 to start at once.
  package func start(_ loaded: Loaded, at graphPosition: Int = 0) {
    send(.start(generation: loaded.generation, atPosition: graphPosition, fadesIn: loaded.position > 0))
    announce(loaded.position)
  }

  /// Continues at another position of the sound.
  ///
  /// - Parameter position: next sample, in samples of the sound's own rate.
  /// - Throws: an error if a damaged file cannot be read from there; the present sound continues.
  package func seek(to position: Int) throws {
    // Samples read ahead are not heard yet.
    let left = state.withLock { state in state.plays.map { max(1, $0 - player.passesPlayed(of: state.generation)) } }
    send(.seek(generation: try load(plays: left, from: position).generation))
    announce(position)
  }

  package func pause() { send(.pause) }
  package func resume() { send(.resume) }
  package func stop() { send(.stop) }

  /// Position in the sound of the next sample, in samples of its own rate.
  package var position: Int { player.position * soundRate / schedule.sampleRate }

  /// Samples per channel that were missing and became silence.
  var underrunCount: Int { player.underrunCount }

  /// Reason for an early end of the sound; nil if it did not end early.
  package var failure: AudioFileError? { feed.withLock { $0.failure } }

  /// Whether `takeWarning` has a warning.
  package var owesWarning: Bool {
    feed.withLock { $0.nonFiniteSamples > 0 } && state.withLock { !$0.hasToldNonFinite }
  }

  /// Returns a warning with the number of samples that were NaN or infinite and became 0, once; nil if there were none.
  ///
  /// Known after a pass.
  package func takeWarning() -> String? {
    let count = feed.withLock { $0.nonFiniteSamples }
    guard count > 0 else { return nil }
    return state.withLock { state in
      defer { state.hasToldNonFinite = true }
      return state.hasToldNonFinite ? nil : AudioFileWarning.notFinite(count)
    }
  }

  /// Takes the oldest event that has not been taken; nil if there is none.
  package func takeEvent() -> PlayerEvent? { player.takeEvent() }

  /// Returns the sample counts of the sound: repeated, read, then played. Call it after the last tick and last
  /// `prefetch`.
  ///
  /// It fills the ring first, so that the ring holds the same samples in every run.
  package func edges(of name: String) -> [LedgerEdge] {
    feed.withLock { feed in
      feed.fill()
      return feed.edges(of: name, into: player)
    }
  }

  /// Fills the ring. Thread: any.
  ///
  /// - Returns: true if it wrote any block.
  func prefetch() -> Bool {
    state.withLock { sendWaiting(&$0) }
    return feed.withLock { $0.fill(leaving: headStart) }
  }

  package var isReady: Bool { readyTicks > 0 }
  package var readyTicks: Int { player.readyTicks(of: schedule.maximumSamplesPerChannel) }
  /// Whether a job may end: the player is not active, or the sound is repeated forever.
  package var isExhausted: Bool { !player.isActive || state.withLock { $0.isEndless } }
  package func requestMore() { onNeed() }
  package var endPosition: Int? { state.withLock { $0.isEndless } ? 0 : player.endPosition }

  private func send(_ command: PlayerCommand) {
    state.withLock { state in
      state.waiting.append(command)
      sendWaiting(&state)
    }
  }

  private func sendWaiting(_ state: inout State) {
    while let command = state.waiting.first, player.send(command) { state.waiting.removeFirst() }
  }

  /// Sets the position that programs read until the tick has obeyed the command.
  private func announce(_ position: Int) { player.announce(position: position * schedule.sampleRate / soundRate) }
}
