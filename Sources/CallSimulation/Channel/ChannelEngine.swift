import Channels
import Engine
import MediaStreams
import NetworkSimulation
import OpusCodec
import Platform
import Signalling

/// A user's engine on a simulated path: one session at the relay, and a membership of each channel.
///
/// Thread: the simulation's.
final class ChannelEngine {
  /// Channels that the user has joined and not left.
  private(set) var channels: Set<ChannelName> = []
  /// The newest connection to each channel.
  private var connections: [ChannelName: RtcConnection] = [:]
  private let engine: RtcEngine
  private let uid: UInt32
  private let role: ClientRole
  /// Channel of the join that the engine carries out now.
  private let joining: Guarded<ChannelName>
  private let calls = Guarded<[@Sendable () -> Void]>([])
  private let events = Guarded<[(channel: String, event: ChannelEvent)]>([])
  private var isMuted = false
  private var mutedUsers: Set<UInt32> = []

  /// - Parameters:
  ///   - pipeline: The user's pipeline.
  ///   - path: The user's path to the relay.
  ///   - isAudience: Whether the user only listens.
  ///   - sentChannelCount: Number of channels of sent sound.
  ///   - channelCount: Number of channels of received sound.
  ///   - time: The user's own time.
  init(
    _ pipeline: AudioPipeline, _ path: ChannelPath, isAudience: Bool, sentChannelCount: Int, channelCount: Int,
    time: VirtualClock, call: SimulatedCall
  ) throws {
    uid = path.uid
    role = isAudience ? .audience : .broadcaster
    let joining = Guarded(CallScript.channel)
    self.joining = joining
    var options = RtcEngineOptions(clock: time)
    options.receivedChannelCount = channelCount
    options.sentChannelCount = 1
    if case .opus(let opus) = call.codec { (options.codec, options.sentChannelCount) = (opus, sentChannelCount) }
    options.executor = { [calls] call in calls.withLock { $0.append(call) } }
    options.onEvent = { [events] channel, event in events.withLock { $0.append((channel, event)) } }
    let (seed, uid) = (call.seed, path.uid)
    options.environment = ChannelEnvironment(
      makeSignalling: { _ in path.makeSignalling() }, makeMedia: { path.makeMedia(in: $0) },
      // A session has the numbers of the channel that it begins with.
      makeRandom: { channel in Self.random(of: uid, in: channel ?? joining.withLock { $0 }, seed: seed) },
      unixNanoseconds: { SimulatedRelay.startUnixSeconds * 1_000_000_000 + time.nowNanoseconds },
      isStepped: true, codec: call.codec,
      sourceID: uid, adapts: call.adapts, requestsPackets: call.resendsPackets,
      onPacket: { path.note($0) })
    engine = try RtcEngine(
      appID: SimulatedRelay.app.text, relay: SimulatedRelay.url, pipeline: pipeline, options: options)
  }

  /// Random numbers of a user in a channel. Another channel of the user does not change them.
  private static func random(of uid: UInt32, in channel: ChannelName, seed: UInt64) -> RandomStream {
    guard channel != CallScript.channel else { return RandomStream(seed: seed, path: UInt64(uid), 3) }
    // Source: FNV-1a, 64 bits, draft-eastlake-fnv.
    let name = channel.text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return RandomStream(seed: seed, path: UInt64(uid), 3, name)
  }

  // MARK: Calls

  /// The newest connection to a channel; nil before the first join.
  func connection(_ channel: ChannelName) -> RtcConnection? { connections[channel] }

  /// Whether a channel is joined, by its name.
  func isConnected(_ channel: String) -> Bool {
    ChannelName(channel).flatMap { connections[$0] }?.state == .connected
  }

  /// - Parameter role: Role in the channel; nil: that of the user.
  func join(_ channel: ChannelName, publishes: Bool, role: ClientRole?, token: SecretText) throws {
    joining.withLock { $0 = channel }
    let options = ChannelMediaOptions(publishesAudio: publishes ? nil : false, role: role ?? self.role)
    if channel == CallScript.channel {
      try engine.join(
        channel: channel.text, token: token.text, user: .uid(uid), options: options, completion: nil)
      connections[channel] = engine.connection
    } else {
      let connection = try engine.joinEx(
        channel: channel.text, token: token.text, user: .uid(uid), options: options)
      connections[channel] = connection
      // The engine keeps the mutes of its main channel alone.
      if isMuted { connection.muteLocalAudio(true) }
      for user in mutedUsers.sorted() { connection.muteRemote(user, true) }
    }
    channels.insert(channel)
  }

  func setRole(_ role: ClientRole, latency: AudienceLatencyLevel?, in channel: ChannelName) throws {
    let options = latency.map { ClientRoleOptions(audienceLatencyLevel: $0) }
    if channel == CallScript.channel {
      try engine.setClientRole(role, options: options, completion: nil)
    } else {
      try connections[channel]?.setClientRole(role, options: options, completion: nil)
    }
  }

  func preload(_ channel: ChannelName, token: SecretText) throws {
    joining.withLock { $0 = channel }
    try engine.preload(channel: channel.text, token: token.text, user: .uid(uid), completion: nil)
  }

  func leave(_ channel: ChannelName) {
    connections[channel]?.leave()
    channels.remove(channel)
  }

  /// Mutes the user's own voice in every channel, now and later.
  func setMuted(_ isMuted: Bool) {
    self.isMuted = isMuted
    engine.muteLocalAudio(isMuted)
    for channel in others { connections[channel]?.muteLocalAudio(isMuted) }
  }

  /// Mutes another user in every channel, now and later.
  func setMuted(_ isMuted: Bool, user: UInt32) {
    if isMuted { mutedUsers.insert(user) } else { mutedUsers.remove(user) }
    engine.muteRemote(user, isMuted)
    for channel in others { connections[channel]?.muteRemote(user, isMuted) }
  }

  func destroy() { engine.destroy() }

  /// Channels besides the main one, in the order of their names.
  private var others: [ChannelName] {
    channels.filter { $0 != CallScript.channel }.sorted { $0.text < $1.text }
  }

  // MARK: Steps

  /// Time at which `pump` is due without news of the network, by the user's own time; nil if it is not.
  var nextDeadlineNanoseconds: Int? { engine.nextDeadlineNanoseconds }

  func pump() { engine.pump() }

  func complete(untilNanoseconds time: Int) { engine.complete(untilNanoseconds: time) }

  /// Returns the events since the last call.
  func takeEvents() -> [(channel: ChannelName, event: ChannelEvent)] {
    while true {
      let due = calls.withLock { calls in
        defer { calls = [] }
        return calls
      }
      if due.isEmpty { break }
      for call in due { call() }
    }
    let taken = events.withLock { events in
      defer { events = [] }
      return events
    }
    return taken.compactMap { channel, event in ChannelName(channel).map { ($0, event) } }
  }
}
