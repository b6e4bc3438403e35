import AudioGraph
import Engine
public import MediaStreams
public import NetworkSimulation
public import OpusCodec

/// Several files as users of one channel, each hearing all others over links that lose, delay and jitter from one seed.
///
///     user ▶ RECORD ▶ sender ═ packets ═▶ link ═▶ receiver ▶ BEFORE MIXING ▶ PLAYBACK of another user
///
/// Every user has a pipeline of its own, the one that live calls have; there is a link and a receiver for each
/// direction between two users. Time is virtual: the same call gives the same samples and the same results, and as many
/// seconds as the machine allows go by in one.
public struct SimulatedCall: Sendable {
  /// Who takes part.
  public var users: [CallUser]
  /// What every link does to packets.
  public var conditions: NetworkConditions
  /// How voices are sent.
  public var codec: SenderCodec
  /// Whether what listeners report changes the codec's settings: bitrate, FEC and the packets' length.
  public var adapts: Bool
  /// Whether lost packets are asked for again and sent again, where that can be in time.
  public var resendsPackets: Bool
  /// What all that is random comes from.
  public var seed: UInt64
  /// How long the call lasts; nil: until the longest file has ended, and a second more.
  public var durationSeconds: Double?
  /// What happens besides talk.
  public var script: CallScript
  /// What is written.
  public var outputs: CallOutputs
  /// Whether the log of events has the statistics that pipelines tell every 2 s.
  public var logsStatistics: Bool

  /// A call from its parts.
  public init(
    users: [CallUser], conditions: NetworkConditions = .perfect, codec: SenderCodec = .opus(OpusOptions()),
    adapts: Bool = false, resendsPackets: Bool = true, seed: UInt64 = 1, durationSeconds: Double? = nil,
    script: CallScript = CallScript(),
    outputs: CallOutputs = CallOutputs(), logsStatistics: Bool = false
  ) {
    self.users = users
    self.conditions = conditions
    self.codec = codec
    self.adapts = adapts
    self.resendsPackets = resendsPackets
    self.seed = seed
    self.durationSeconds = durationSeconds
    self.script = script
    self.outputs = outputs
    self.logsStatistics = logsStatistics
  }

  /// Runs the call. Thread: the caller's.
  ///
  /// - Parameters:
  ///   - beforeWriting: called once all that is read has been opened and checked, before any output is made.
  ///   - progress: told now and then how many seconds have passed, and how many there are.
  ///   - onEvent: told what happens, in the order of time; a tick later than it does.
  ///   - shouldStop: asked every 10 ms of the call, and while a file that is a pipe has nothing to give; true ends it,
  ///     with what has come so far. Thread: any.
  /// - Throws: `CallError`, `ScriptError`, `NetworkConditionsError`, `EngineError`, `AudioFileError`.
  public func run(
    beforeWriting: () throws -> Void = {}, progress: (Double, Double) -> Void = { _, _ in },
    onEvent: (CallEvent) -> Void = { _ in }, shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> CallResult {
    try validate()
    let run = try CallRun(self, beforeWriting: beforeWriting, isCancelled: shouldStop)
    return try run.run(progress: progress, onEvent: onEvent, shouldStop: shouldStop)
  }

  private func validate() throws {
    guard !users.isEmpty else { throw CallError.tooFewUsers }
    var seen: Set<UInt32> = []
    for user in users {
      guard user.uid > 0 else { throw CallError.reservedUID }
      guard seen.insert(user.uid).inserted else { throw CallError.sameUID(user.uid) }
    }
    if let durationSeconds, !(durationSeconds > 0 && durationSeconds <= 30 * 86_400) {
      throw CallError.duration(durationSeconds)
    }
    if case .opus(let options) = codec { try options.validate() }
  }
}
