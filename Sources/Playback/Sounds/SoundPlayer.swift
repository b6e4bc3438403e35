package import AudioFiles
package import AudioGraph
package import Effects

/// Plays a sound into the graph: once, several times or for ever, from a file or from memory.
///
///     file, memory ▶ repeat ▶ [rate] ▶ [pitch] ──ring──▶ node     audio thread
///
/// Thread: control, but for what `AudioSource` says of its members.
package final class SoundPlayer: AudioSource {
  /// What is played, in words.
  let path: String
  package let channelCount: Int
  package var sampleRate: Int { schedule.sampleRate }
  /// Rate of the sound itself, in Hz.
  package let soundRate: Int
  /// Samples per channel of the sound at its own rate; nil where only its end will tell.
  package let samplesPerChannel: Int?
  private let player: PlayerNode
  private let feed: Guarded<PlayerFeed>
  private let state = Guarded(State())
  private let schedule: FrameSchedule
  private let onNeed: @Sendable () -> Void

  private struct State {
    var generation: UInt32 = 0
    /// Passes of this generation; nil for ever.
    var plays: Int? = 0
    var isEndless: Bool { plays == nil }
    var hasToldNonFinite = false
    /// Commands that the node has no room for yet.
    var waiting: [PlayerCommand] = []
  }

  /// Blocks that are there before a start or a seek is heard. Prefetching leaves room for them: what a seek makes
  /// useless leaves the ring with the next tick only.
  private let headStart: Int

  /// - Parameters:
  ///   - pitch: what its pitch is multiplied by, on the way into the ring.
  ///   - capacity: blocks that are read ahead, of 10 ms or, as a block ends with its pass, of a shorter sound.
  ///   - onNeed: asked, between ticks, to fill the ring.
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
    let ring = PlayerRing(capacity: max(capacity, headStart + 3 * blocksPerTick), format: blockFormat)
    player = PlayerNode(reading: ring.takeConsumer(), format: blockFormat, speakers: sound.speakers)
    feed = Guarded(PlayerFeed(sound, pitch: pitch, blocks: ring.takeProducer(), sampleRate: sampleRate))
  }

  package var node: any AudioNode { player }

  /// A sound of which the first samples have been read.
  package struct Loaded {
    fileprivate let generation: UInt32
    fileprivate let position: Int
  }

  /// Reads what is heard first, from a position of the sound in samples of its own rate.
  ///
  /// - Parameter plays: how often; nil for ever.
  /// - Throws: where a damaged file has no way there; what plays goes on.
  package func load(plays: Int?, from position: Int = 0) throws -> Loaded {
    let generation = state.withLock { state in
      // Two at a time: a player that ends by itself takes the number between.
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
  /// - Parameter graphPosition: where in the graph's time the first sample lies; 0 for at once.
  package func start(_ loaded: Loaded, at graphPosition: Int = 0) {
    send(.start(generation: loaded.generation, atPosition: graphPosition, fadesIn: loaded.position > 0))
    announce(loaded.position)
  }

  /// Goes on at another position of the sound, in samples of its own rate. Throws: as `load`.
  package func seek(to position: Int) throws {
    // What is read ahead is not heard yet.
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

  /// Why the sound ended before its end; nil when it did not.
  package var failure: AudioFileError? { feed.withLock { $0.failure } }

  /// Whether `takeWarning` has something to say.
  package var owesWarning: Bool {
    feed.withLock { $0.nonFiniteSamples > 0 } && state.withLock { !$0.hasToldNonFinite }
  }

  /// How many samples of the sound were NaN or infinite and became 0, in words, once; nil where none were. After a
  /// pass.
  package func takeWarning() -> String? {
    let count = feed.withLock { $0.nonFiniteSamples }
    guard count > 0 else { return nil }
    return state.withLock { state in
      defer { state.hasToldNonFinite = true }
      return state.hasToldNonFinite ? nil : AudioFileWarning.notFinite(count)
    }
  }

  /// The oldest event that has not been taken.
  package func takeEvent() -> PlayerEvent? { player.takeEvent() }

  /// Where the sound's samples have gone: repeated, read, then played. After the last tick and the last `prefetch`.
  ///
  /// The ring is filled first: what waits in it is then the same in every run.
  package func edges(of name: String) -> [LedgerEdge] {
    feed.withLock { feed in
      feed.fill()
      return feed.edges(of: name, into: player)
    }
  }

  /// Fills the ring. Returns: true when there was something to fill. Thread: any.
  func prefetch() -> Bool {
    state.withLock { sendWaiting(&$0) }
    return feed.withLock { $0.fill(leaving: headStart) }
  }

  package var isReady: Bool { readyTicks > 0 }
  package var readyTicks: Int { player.readyTicks(of: schedule.maximumSamplesPerChannel) }
  /// What plays for ever does not keep a job from ending.
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

  /// Until the tick has obeyed, a position is where it was told to be.
  private func announce(_ position: Int) { player.announce(position: position * schedule.sampleRate / soundRate) }
}
