import Calls
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
  /// Event of a channel, or news of one-to-one calls.
  enum News: Sendable {
    case channel(ChannelName, ChannelEvent)
    case calls(CallNews)
  }

  /// Kind of a data stream in a channel.
  private struct StreamKind: Hashable {
    let channel: ChannelName
    let isReliable: Bool
    let isOrdered: Bool
  }

  /// Channels that the user has joined and not left.
  private(set) var channels: Set<ChannelName> = []
  /// The newest connection to each channel.
  private var connections: [ChannelName: RtcConnection] = [:]
  private let engine: RtcEngine
  private let uid: UInt32
  private let role: ClientRole
  /// Channel of the join that the engine carries out now.
  private let joining: Guarded<ChannelName>
  /// The one-to-one calls; nil before the first preparation.
  private var calls: UserCalls?
  /// Rooms of one-to-one calls in which the user is.
  private var rooms: Set<ChannelName> = []
  private let work = Guarded<[@Sendable () -> Void]>([])
  private let news = Guarded<[News]>([])
  private var streams: [StreamKind: Int] = [:]
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
    options.executor = { [work] call in work.withLock { $0.append(call) } }
    options.onEvent = { [news] channel, event in
      guard let name = ChannelName(channel) else { return }
      news.withLock { $0.append(.channel(name, event)) }
    }
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
  func connection(_ channel: ChannelName) -> RtcConnection? {
    rooms.contains(channel) ? engine.further(channel: channel.text) : connections[channel]
  }

  /// Whether a channel is joined, by its name.
  func isConnected(_ channel: String) -> Bool { ChannelName(channel).flatMap(connection)?.state == .connected }

  /// Whether the script has joined a channel; false for a room of a one-to-one call.
  func hasJoined(_ channel: ChannelName) -> Bool { connections[channel] != nil }

  /// Carries out an action of one-to-one calls.
  func applyCall(_ action: ScriptAction) {
    let calls = calls ?? UserCalls(uid, engine) { [news] new in news.withLock { $0.append(.calls(new)) } }
    self.calls = calls
    calls.apply(action)
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
      applyMutes(to: connection)
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

  func send(_ text: String, isReliable: Bool, isOrdered: Bool, in channel: ChannelName) throws {
    guard let connection = connections[channel] else { return }
    let kind = StreamKind(channel: channel, isReliable: isReliable, isOrdered: isOrdered)
    let stream = try streams[kind] ?? connection.createDataStream(reliable: isReliable, ordered: isOrdered)
    streams[kind] = stream
    try connection.sendStreamMessage(stream, data: Array(text.utf8))
  }

  /// Lets the user be heard in other channels, with tokens for them; none ends it.
  func relayMedia(to others: [ChannelName], in channel: ChannelName) throws {
    guard let connection = connections[channel] else { return }
    guard !others.isEmpty else { return try connection.stopChannelMediaRelay() }
    let source = SimulatedRelay.makeToken(of: uid, for: .channel(channel), role: .broadcaster, relaysTo: others)
    try connection.startOrUpdateChannelMediaRelay(
      ChannelMediaRelayConfiguration(
        sourceToken: source.text,
        destinations: others.map { other in
          ChannelMediaInfo(
            channel: other.text, token: SimulatedRelay.makeToken(of: uid, in: other, role: .broadcaster).text)
        }), completion: nil)
  }

  func pauseMediaRelay(_ isPaused: Bool, in channel: ChannelName) throws {
    guard let connection = connections[channel] else { return }
    if isPaused { try connection.pauseAllChannelMediaRelay() } else { try connection.resumeAllChannelMediaRelay() }
  }

  func leave(_ channel: ChannelName) {
    streams = streams.filter { $0.key.channel != channel }
    connections[channel]?.leave()
    channels.remove(channel)
  }

  /// Mutes the user's own voice in every channel, now and later.
  func setMuted(_ isMuted: Bool) {
    self.isMuted = isMuted
    engine.muteLocalAudio(isMuted)
    for channel in others { connection(channel)?.muteLocalAudio(isMuted) }
  }

  /// Mutes another user in every channel, now and later.
  func setMuted(_ isMuted: Bool, user: UInt32) {
    if isMuted { mutedUsers.insert(user) } else { mutedUsers.remove(user) }
    engine.muteRemote(user, isMuted)
    for channel in others { connection(channel)?.muteRemote(user, isMuted) }
  }

  /// Mutes in another channel than the main one: the engine keeps the mutes of that one alone.
  private func applyMutes(to connection: RtcConnection) {
    if isMuted { connection.muteLocalAudio(true) }
    for user in mutedUsers.sorted() { connection.muteRemote(user, true) }
  }

  func destroy() { engine.destroy() }

  /// Channels besides the main one, in the order of their names.
  private var others: [ChannelName] {
    channels.filter { $0 != CallScript.channel }.union(rooms).sorted { $0.text < $1.text }
  }

  // MARK: Steps

  /// Time at which `pump` is due without news of the network, by the user's own time; nil if it is not.
  var nextDeadlineNanoseconds: Int? {
    [engine.nextDeadlineNanoseconds, calls?.nextDeadlineNanoseconds].compactMap(\.self).min()
  }

  func pump() {
    calls?.step()
    engine.pump()
  }

  func complete(untilNanoseconds time: Int) { engine.complete(untilNanoseconds: time) }

  /// Returns the news since the last call.
  func takeNews() -> [News] {
    while true {
      let due = work.withLock { work in
        defer { work = [] }
        return work
      }
      if due.isEmpty { break }
      for call in due { call() }
    }
    let taken = news.withLock { news in
      defer { news = [] }
      return news
    }
    for case .channel(let channel, let event) in taken where !hasJoined(channel) { noteRoom(channel, event) }
    return taken
  }

  private func noteRoom(_ room: ChannelName, _ event: ChannelEvent) {
    switch event {
    case .joined:
      rooms.insert(room)
      connection(room).map(applyMutes)
    case .left, .failed: rooms.remove(room)
    default: break
    }
  }
}
