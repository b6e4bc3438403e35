import AudioGraph
import Engine
public import MediaStreams
public import NetworkSimulation
public import OpusCodec

/// Several files as users of one channel. Each user hears all others over links that lose, delay and jitter from one
/// seed.
///
///     user ▶ RECORD ▶ sender ═ packets ═▶ link ═▶ receiver ▶ BEFORE MIXING ▶ PLAYBACK of another user
///
/// Every user has a pipeline of its own, the same as in live calls. Each direction between two users has a link and a
/// receiver. Time is virtual: the same call gives the same samples and the same results, and runs as fast as the
/// machine allows.
///
/// ```swift
/// let conditions = try NetworkConditions(loss: .bernoulli(probability: 0.05), delay: .milliseconds(30))
/// let call = SimulatedCall(
///   users: [CallUser(uid: 1, path: "alice.wav"), CallUser(uid: 2, path: "bob.wav")], conditions: conditions, seed: 7)
/// let result = try call.run()
/// print(result.listeners.count)
/// ```
public struct SimulatedCall: Sendable {
  /// Users that take part.
  public var users: [CallUser]
  /// Connections between the users.
  public var topology: CallTopology
  /// Conditions of every link; with a relay, of each user's uplink and of each downlink.
  public var conditions: NetworkConditions
  /// Codec of the voices.
  public var codec: SenderCodec
  /// Whether reports of listeners change the codec's settings: bitrate, FEC and packet duration.
  public var adapts: Bool
  /// Whether lost packets are requested and retransmitted, if they can arrive in time.
  public var resendsPackets: Bool
  /// Seed of all random numbers.
  public var seed: UInt64
  /// Whether keys and nonces of a call through a relay come from the seed, too, so that two runs encrypt to the same
  /// bytes. While it runs, all keys that its thread makes are known to everybody.
  public var seedsEncryption: Bool
  /// Users that a listener hears at the same time through a relay: the loudest ones; 0 for all.
  public var maximumSpeakerCount: Int
  /// Duration of the call, in seconds; nil to end 1 s after the longest file.
  public var durationSeconds: Double?
  /// Events besides speech.
  public var script: CallScript
  /// Files to write.
  public var outputs: CallOutputs
  /// Whether the log of events has the statistics that pipelines report every 2 s.
  public var logsStatistics: Bool

  /// Creates a call from its parts.
  public init(
    users: [CallUser], topology: CallTopology = .direct, conditions: NetworkConditions = .perfect,
    codec: SenderCodec = .opus(OpusOptions()),
    adapts: Bool = false, resendsPackets: Bool = true, seed: UInt64 = 1, seedsEncryption: Bool = false,
    durationSeconds: Double? = nil, script: CallScript = CallScript(),
    outputs: CallOutputs = CallOutputs(), logsStatistics: Bool = false,
    maximumSpeakerCount: Int = 0
  ) {
    self.maximumSpeakerCount = maximumSpeakerCount
    self.users = users
    self.topology = topology
    self.conditions = conditions
    self.codec = codec
    self.adapts = adapts
    self.resendsPackets = resendsPackets
    self.seed = seed
    self.seedsEncryption = seedsEncryption
    self.durationSeconds = durationSeconds
    self.script = script
    self.outputs = outputs
    self.logsStatistics = logsStatistics
  }
}
