/// Turns the levels of each tick into reports and events.
///
///     levels of tick k ──▶ sums ── every interval ──▶ [local report] [remote report] [active speaker]
///
/// It has no clock and no thread: time is the count of ticks, so that the same levels give the same events at the same
/// ticks, live and offline. A report comes with the tick that completes its interval.
///
/// Thread: one at a time.
public struct VolumeIndicator: Sendable {
  /// Milliseconds for which a remote user that has muted stays in reports, and for which reports continue once all
  /// have.
  public static let lingeringMilliseconds = 20_000

  /// One tick of the local user.
  public struct LocalLevels: Sendable {
    /// Level of the user's voice alone.
    public var voice: FrameLevel
    /// Level of all sound that the user sends, including music.
    public var sent: FrameLevel

    /// Creates levels from their parts.
    public init(voice: FrameLevel, sent: FrameLevel) {
      self.voice = voice
      self.sent = sent
    }
  }

  /// One tick of a remote user.
  public struct RemoteLevel: Sendable {
    /// Identity of the user.
    public var id: SpeakerID
    /// Level of the user; nil while the user is muted.
    public var level: FrameLevel?

    /// Creates a level of a user.
    public init(id: SpeakerID, level: FrameLevel?) {
      self.id = id
      self.level = level
    }
  }

  private struct RemoteUser {
    let id: SpeakerID
    var sum = LevelAccumulator()
    var smoother = VolumeSmoother()
    var isPublishing = false
    /// The tick in which the user was muted, or came.
    var silentSince: Int
    /// Whether the last report named the user.
    var isReported = false

    var meanSquare: Double { isPublishing ? sum.meanSquare : 0 }
  }

  private static let millisecondsPerTick = 10
  private static let lingeringTicks = lingeringMilliseconds / millisecondsPerTick

  /// Settings of the reports.
  public let settings: VolumeIndicationSettings
  private let channelID: String
  private let startTick: Int
  private var lastReport: Int
  private var nextDue: Int
  private var voice = LevelAccumulator()
  private var sent = LevelAccumulator()
  private var voiceSmoother = VolumeSmoother()
  private var sentSmoother = VolumeSmoother()
  private var totalSmoother = VolumeSmoother()
  private var users: [RemoteUser] = []
  private var activeSpeaker = ActiveSpeaker()

  /// Creates an indicator that starts with tick `startTick`; `channelID` is the local user's.
  public init(_ settings: VolumeIndicationSettings, startTick: Int = 0, channelID: String = "") {
    self.settings = settings
    self.channelID = channelID
    self.startTick = startTick
    lastReport = startTick
    nextDue = settings.intervalMilliseconds
  }

  /// Advances by one tick; ticks come in order, without gaps.
  ///
  /// - Parameters:
  ///   - tick: Number of the tick.
  ///   - local: Levels of the local user; nil while it sends nothing.
  ///   - hasLocalUser: Whether the local user could speak, muted or not.
  ///   - remotes: Every remote user, in the order in which they came.
  ///   - voicePitch: Returns the newest pitch of the local voice in Hz, 0 for none; called for each local report.
  /// - Returns: The events at the end of the tick, in order.
  public mutating func advance(
    tick: Int, local: LocalLevels?, hasLocalUser: Bool, remotes: [RemoteLevel], voicePitch: () -> Double = { 0 }
  ) -> [VolumeEvent] {
    add(local)
    add(remotes, tick: tick)
    let now = tick + 1
    guard (now - startTick) * Self.millisecondsPerTick >= nextDue else { return [] }
    let next = nextDue.addingReportingOverflow(settings.intervalMilliseconds)
    nextDue = next.overflow ? .max : next.partialValue
    let elapsed = (now - lastReport) * Self.millisecondsPerTick
    lastReport = now
    var events: [VolumeEvent] = []
    if let report = localReport(elapsed, voicePitch) { events.append(.volumes(report)) }
    if let report = remoteReport(elapsed, now: now) { events.append(.volumes(report)) }
    if users.count + (hasLocalUser ? 1 : 0) >= 2 {
      if let id = activeSpeaker.closePeriod(users: users.lazy.map(\.id)) { events.append(.activeSpeaker(id)) }
    } else {
      activeSpeaker.dropVotes()
    }
    for index in users.indices { users[index].sum = LevelAccumulator() }
    (voice, sent) = (LevelAccumulator(), LevelAccumulator())
    return events
  }

  private mutating func add(_ local: LocalLevels?) {
    if let local {
      voice.add(local.voice)
      sent.add(local.sent)
    } else {
      // Muted: the interval has no report, and the next one restarts.
      (voice, sent) = (LevelAccumulator(), LevelAccumulator())
      voiceSmoother.reset()
      sentSmoother.reset()
    }
  }

  private mutating func add(_ remotes: [RemoteLevel], tick: Int) {
    if !users.elementsEqual(remotes, by: { $0.id == $1.id }) { takeOver(remotes, tick: tick) }
    var loudest: (index: Int, meanSquare: Double)?
    for (index, remote) in remotes.enumerated() {
      guard let level = remote.level else {
        if users[index].isPublishing {
          users[index].isPublishing = false
          users[index].silentSince = tick
        }
        continue
      }
      if !users[index].isPublishing {
        users[index].isPublishing = true
        users[index].sum = LevelAccumulator()
      }
      users[index].sum.add(level)
      if level.meanSquare > loudest?.meanSquare ?? 0 { loudest = (index, level.meanSquare) }
    }
    if let loudest { activeSpeaker.vote(loudest: users[loudest.index].id, meanSquare: loudest.meanSquare) }
  }

  /// Updates the list after users have come or gone.
  private mutating func takeOver(_ remotes: [RemoteLevel], tick: Int) {
    var known: [SpeakerID: RemoteUser] = [:]
    for user in users { known[user.id] = user }
    users = remotes.map { known.removeValue(forKey: $0.id) ?? RemoteUser(id: $0.id, silentSince: tick) }
    for id in known.keys { activeSpeaker.remove(id) }
  }

  private mutating func localReport(_ elapsed: Int, _ voicePitch: () -> Double) -> VolumeReport? {
    guard !voice.isEmpty else { return nil }
    let volume = follow(&voiceSmoother, voice.meanSquare, elapsed)
    let speaker = SpeakerVolume(
      uid: 0, channelID: channelID, volume: volume,
      vad: settings.reportsVoiceActivity && voice.isVoice ? 1 : 0, voicePitch: voicePitch())
    return VolumeReport(
      side: .local, speakers: [speaker], totalVolume: follow(&sentSmoother, sent.meanSquare, elapsed))
  }

  private mutating func remoteReport(_ elapsed: Int, now: Int) -> VolumeReport? {
    let volumes = users.indices.map { follow(&users[$0].smoother, users[$0].meanSquare, elapsed) }
    guard users.isEmpty || users.contains(where: { isRecent($0, now: now) }) else {
      totalSmoother.reset()
      return nil
    }
    let candidates = users.indices.filter {
      users[$0].isPublishing || (users[$0].isReported && isRecent(users[$0], now: now))
    }
    // Loudest first; among equals, publishing users first, then in the order in which they came.
    let order = candidates.sorted { one, other in
      let (first, second) = (users[one], users[other])
      if first.meanSquare != second.meanSquare { return first.meanSquare > second.meanSquare }
      if first.isPublishing != second.isPublishing { return first.isPublishing }
      return one < other
    }.prefix(settings.maximumSpeakerCount)
    let listed = Set(order)
    for index in users.indices { users[index].isReported = listed.contains(index) }
    return VolumeReport(
      side: .remote,
      speakers: order.map {
        SpeakerVolume(uid: users[$0].id.uid, channelID: users[$0].id.channelID, volume: volumes[$0])
      },
      totalVolume: follow(&totalSmoother, order.reduce(0) { $0 + users[$1].meanSquare }, elapsed))
  }

  private func isRecent(_ user: RemoteUser, now: Int) -> Bool {
    user.isPublishing || now - user.silentSince < Self.lingeringTicks
  }

  private func follow(_ smoother: inout VolumeSmoother, _ meanSquare: Double, _ elapsed: Int) -> Int {
    smoother.follow(
      meanSquare: meanSquare, elapsedMilliseconds: elapsed,
      timeConstantMilliseconds: settings.timeConstantMilliseconds)
  }
}
