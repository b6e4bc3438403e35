import DataStreams
import Effects
import Engine
import NetworkSimulation
import Playback
import RelayClient
import Signalling

/// Creates an event from its JSON object.
struct ScriptEventParser {
  let fields: ScriptFields
  let loadTrace: (String) throws -> DelayTrace

  private static let longestSeconds = 30.0 * 86_400
  /// Ten years.
  private static let longestStep = 315_360_000.0
  private static let longestMilliseconds = 60_000.0

  func event() throws -> ScriptEvent {
    // The name comes first, because the other keys of the object depend on it.
    guard fields.has("name") else {
      try fields.check(["time_s", "name"] + ScriptActionName.allCases.flatMap(\.keys), of: "an event")
      throw ScriptError(
        "the key 'name' is missing", event: fields.event, allowedWords: ScriptActionName.allCases.map(\.rawValue))
    }
    let word = try fields.text("name")!
    guard let name = ScriptActionName(rawValue: word) else {
      throw ScriptError(
        "'\(word)' is not an action", event: fields.event, unknownWord: word,
        allowedWords: ScriptActionName.allCases.map(\.rawValue))
    }
    try fields.check(["time_s", "name"] + name.keys, of: word)
    let seconds = try fields.required("time_s", fields.number("time_s", in: 0...Self.longestSeconds))
    return ScriptEvent(seconds: seconds, action: try action(name))
  }

  private func action(_ name: ScriptActionName) throws -> ScriptAction {
    switch name {
    case .mute, .unmute: .mute(name == .mute, user: try user(), listener: try fields.user("listener"))
    case .recordingVolume: .recordingVolume(try volume(in: 0...400), user: try user())
    case .playbackVolume: .playbackVolume(try volume(in: 0...400), listener: try listener())
    case .userVolume: .userVolume(try volume(in: 0...100), user: try user(), listener: try listener())
    case .position:
      .position(
        pan: try fields.required("pan", fields.number("pan", in: -1...1)),
        gain: try fields.integer("gain", in: 0...100) ?? 100, user: try user(), listener: try listener())
    case .playEffect: .playEffect(try soundID(), try effect(), user: try user())
    case .stopEffect: .stopEffect(try soundID(), user: try user())
    case .startMusic: .startMusic(try music(), user: try user())
    case .pauseMusic: .pauseMusic(user: try user())
    case .resumeMusic: .resumeMusic(user: try user())
    case .stopMusic: .stopMusic(user: try user())
    case .network: .network(try changes(), from: try fields.user("from"), to: try fields.user("to"))
    case .join:
      .join(
        user: try user(), channel: try channel(), publishes: try fields.flag("publish") ?? true, role: try role())
    case .role: try newRole()
    case .preload: .preload(user: try user(), channel: try channel())
    case .leave: .leave(user: try user(), channel: try channel())
    case .sendStreamMessage: try message()
    case .startMediaRelay: .relayMedia(try destinations(), user: try user(), channel: try channel())
    case .stopMediaRelay: .relayMedia([], user: try user(), channel: try channel())
    case .pauseMediaRelay, .resumeMediaRelay:
      .pauseMediaRelay(name == .pauseMediaRelay, user: try user(), channel: try channel())
    case .stopRelay: .stopRelay
    case .startRelay: .startRelay
    case .stepRelayClock:
      .stepRelayClock(
        try fields.required("step_s", fields.number("step_s", in: -Self.longestStep...Self.longestStep)))
    case .changeAddress: .changeAddress(user: try user(), isNewNetwork: try fields.flag("new_network") ?? false)
    case .prepare:
      .prepare(
        user: try user(), room: try channel("room"),
        timeoutMilliseconds: try fields.integer("timeout_ms", in: 0...3_600_000) ?? 15_000,
        text: try fields.text("text"))
    case .call:
      .call(user: try user(), to: try fields.required("to", fields.user("to")), text: try fields.text("text"))
    case .accept: .accept(user: try user())
    case .reject: .reject(user: try user(), reason: try fields.text("reason"))
    case .hangup: .hangup(user: try user(), reason: try fields.text("reason"))
    case .cancel: .cancel(user: try user())
    case .reportActiveSpeaker:
      .reportActiveSpeaker(
        intervalMilliseconds: try fields.integer("interval_ms", in: 0...60_000) ?? 200, listener: try listener())
    }
  }

  private func user() throws(ScriptError) -> UInt32 { try fields.required("user", fields.user("user")) }
  private func listener() throws(ScriptError) -> UInt32 { try fields.required("listener", fields.user("listener")) }

  private func channel(_ key: String = "channel") throws(ScriptError) -> ChannelName? {
    guard let text = try fields.text(key) else { return nil }
    guard let name = ChannelName(text) else {
      throw fields.error("'\(key)' has \(ChannelName.rule); \(ChannelName.fault(in: text))")
    }
    return name
  }

  /// Channels of a relay to other channels: at least one, each once, without the user's own.
  private func destinations() throws(ScriptError) -> [ChannelName] {
    let texts = try fields.required("channels", fields.texts("channels"))
    let own = try channel() ?? CallScript.channel
    var names: [ChannelName] = []
    for text in texts {
      guard let name = ChannelName(text) else {
        throw fields.error("a name of 'channels' has \(ChannelName.rule); \(ChannelName.fault(in: text))")
      }
      guard name != own, !names.contains(name) else {
        throw fields.error("'channels' has other channels than the user's own, each once; '\(name)' is not one")
      }
      names.append(name)
    }
    guard (1...Token.maximumRelayDestinations).contains(names.count) else {
      throw fields.error("'channels' has 1 to \(Token.maximumRelayDestinations) names; this one has \(names.count)")
    }
    return names
  }

  private func role() throws(ScriptError) -> ClientRole {
    guard let text = try fields.text("role") else { return .broadcaster }
    guard let role = ClientRole.allCases.first(where: { $0.name == text }) else {
      throw ScriptError(
        "'\(text)' is not a role", event: fields.event, unknownWord: text,
        allowedWords: ClientRole.allCases.map(\.name))
    }
    return role
  }

  private func newRole() throws(ScriptError) -> ScriptAction {
    let (role, latency) = (try fields.required("role", fields.has("role") ? role() : nil), try latency())
    if role == .broadcaster, latency == .low {
      throw fields.error("'latency' low is for an audience; a broadcaster hears with ultra-low latency")
    }
    return .role(role, latency: latency, user: try user(), channel: try channel())
  }

  private func message() throws(ScriptError) -> ScriptAction {
    let text = try fields.required("text", fields.text("text"))
    guard (1...DataLimits.messageByteCount).contains(text.utf8.count) else {
      throw fields.error("'text' has 1 to \(DataLimits.messageByteCount) bytes; this one has \(text.utf8.count)")
    }
    return .sendStreamMessage(
      text, isReliable: try fields.flag("reliable") ?? true, isOrdered: try fields.flag("ordered") ?? true,
      user: try user(), channel: try channel())
  }

  private func latency() throws(ScriptError) -> AudienceLatencyLevel? {
    let levels: [(name: String, level: AudienceLatencyLevel)] = [("low", .low), ("ultra-low", .ultraLow)]
    guard let text = try fields.text("latency") else { return nil }
    guard let level = levels.first(where: { $0.name == text }) else {
      throw ScriptError(
        "'\(text)' is not a latency level", event: fields.event, unknownWord: text, allowedWords: levels.map(\.name))
    }
    return level.level
  }

  private func volume(in range: ClosedRange<Int>) throws(ScriptError) -> Int {
    try fields.required("volume", fields.integer("volume", in: range))
  }

  private func soundID() throws(ScriptError) -> Int {
    try fields.required("id", fields.integer("id", in: 0...Int(Int32.max)))
  }

  private func file() throws(ScriptError) -> String { try fields.required("file", fields.text("file")) }

  private func start() throws(ScriptError) -> Duration {
    .milliseconds(try fields.integer("start_ms", in: 0...Int(Int32.max)) ?? 0)
  }

  private func effect() throws -> SoundEffect {
    let loops = try fields.integer("loops", in: -1...1_000_000) ?? 0
    return SoundEffect(
      path: try file(), repetition: loops < 0 ? .forever : .times(loops + 1),
      pitch: try PitchRatio(try fields.number("pitch", in: 0.5...2) ?? 1),
      panning: try Panning(try fields.number("pan", in: -1...1) ?? 0),
      gain: try Volume(Double(try fields.integer("gain", in: 0...100) ?? 100), in: Volume.attenuationRange),
      isPublished: try fields.flag("publish") ?? true, start: try start())
  }

  private func music() throws(ScriptError) -> ScriptMusic {
    let cycles = try fields.integer("cycles", in: -1...1_000_000) ?? 1
    guard cycles != 0 else { throw fields.error("'cycles' is 1 or more, or -1 for ever, not 0") }
    return ScriptMusic(
      path: try file(), isLoopback: !(try fields.flag("publish") ?? true),
      replacesVoice: try fields.flag("replace") ?? false, repetition: cycles < 0 ? .forever : .times(cycles),
      start: try start())
  }

  private func changes() throws -> [NetworkChange] {
    for (key, main) in [
      ("loss_burst", "loss_percent"), ("jitter_gamma_ms", "jitter_ms"), ("spikes_min_ms", "spikes_per_s"),
      ("spikes_max_ms", "spikes_per_s"), ("reorder_by_ms", "reorder_percent"), ("queue_ms", "bandwidth_kbit"),
    ] where fields.has(key) && !fields.has(main) {
      throw fields.error("'\(key)' needs '\(main)' beside it")
    }
    var changes: [NetworkChange] = []
    if let loss = try loss() { changes.append(.loss(loss)) }
    if let delay = try milliseconds("delay_ms") { changes.append(.delay(delay)) }
    if let jitter = try jitter() { changes.append(.jitter(jitter)) }
    if let rate = try fields.number("spikes_per_s", in: 0...1_000) { changes.append(.spikes(try spikes(rate))) }
    if let percent = try fields.number("reorder_percent", in: 0...100) {
      let reordering = Reordering(
        probability: percent / 100, heldBack: try milliseconds("reorder_by_ms") ?? .milliseconds(30))
      changes.append(.reordering(percent > 0 ? reordering : nil))
    }
    if let percent = try fields.number("duplicate_percent", in: 0...100) { changes.append(.duplication(percent / 100)) }
    if let kilobits = try fields.number("bandwidth_kbit", in: 0...100_000_000) {
      changes.append(.bottleneck(try bottleneck(kilobits)))
    }
    guard !changes.isEmpty else {
      throw ScriptError(
        "'network' changes nothing", event: fields.event,
        allowedWords: ScriptActionName.network.keys.filter { $0 != "from" && $0 != "to" })
    }
    return changes
  }

  private func loss() throws(ScriptError) -> LossModel? {
    guard let percent = try fields.number("loss_percent", in: 0...100) else { return nil }
    let burst = try fields.number("loss_burst", in: 1...1_000)
    guard percent > 0 else { return LossModel.none }
    // A link that loses everything has no bursts.
    guard let burst, percent < 100 else { return .bernoulli(probability: percent / 100) }
    if let needed = GilbertElliott.neededBurst(meanLossRate: percent / 100, insteadOf: burst) {
      throw fields.error(
        "so much 'loss_percent' comes in runs of \(needed) packets and more; use 'loss_burst' \(needed), or less loss")
    }
    return .gilbertElliott(GilbertElliott(meanLossRate: percent / 100, meanBurstLength: burst))
  }

  private func jitter() throws -> JitterModel? {
    if let path = try fields.text("delay_trace") {
      guard !fields.has("jitter_ms") else {
        throw fields.error("'delay_trace' and 'jitter_ms' contradict each other; use one of them")
      }
      return .trace(try loadTrace(path))
    }
    guard let mean = try milliseconds("jitter_ms") else { return nil }
    let deviation = try fields.number("jitter_gamma_ms", in: 0.001...Self.longestMilliseconds)
    if let deviation { return .gamma(mean: mean, standardDeviation: Self.duration(deviation)) }
    return mean > .zero ? .uniform(plusMinus: mean) : JitterModel.none
  }

  private func spikes(_ rate: Double) throws(ScriptError) -> DelaySpikes? {
    let (smallest, largest) = (try milliseconds("spikes_min_ms"), try milliseconds("spikes_max_ms"))
    guard rate > 0 else { return nil }
    let upper = largest ?? max(.milliseconds(240), smallest ?? .zero)
    return DelaySpikes(perSecond: rate, smallest: smallest ?? min(.milliseconds(120), upper), largest: upper)
  }

  private func bottleneck(_ kilobits: Double) throws(ScriptError) -> Bottleneck? {
    let queue = try milliseconds("queue_ms")
    guard kilobits > 0 else { return nil }
    return Bottleneck(bitsPerSecond: Int(kilobits * 1_000), queueDuration: queue ?? .milliseconds(200))
  }

  private func milliseconds(_ key: String) throws(ScriptError) -> Duration? {
    try fields.number(key, in: 0...Self.longestMilliseconds).map(Self.duration)
  }

  private static func duration(_ milliseconds: Double) -> Duration { .nanoseconds(Int((milliseconds * 1e6).rounded())) }
}
