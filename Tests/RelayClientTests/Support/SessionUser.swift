import RelayClient
import Signalling
import TestSupport

/// A user with a session and its channels.
final class SessionUser {
  let session: RelaySession
  let identity: UserIdentity
  private(set) var channels: [SessionChannel] = []
  private(set) var preloads: [SessionPreload] = []
  /// Events of the session, each with its time in ms.
  private(set) var log: [String] = []
  /// Messages of other users, each behind its sender.
  private(set) var received: [String] = []
  /// Outcomes of the messages to other users.
  private(set) var outcomes: [MessageOutcome] = []
  /// Number of WebSockets so far.
  private(set) var socketCount = 0
  private(set) var socket: RigSocket?
  /// Whether the network carries nothing of the user: its WebSockets are dead from then on.
  var isCut = false {
    didSet {
      if isCut { socket?.isDead = true }
      for channel in channels { channel.media.isOpen = !isCut }
    }
  }
  /// Whether output may wait.
  var hasNews = true
  /// Time of the next poll.
  var deadline = 0
  private unowned let rig: SessionRig
  private var seed: UInt64

  init(_ identity: UserIdentity, _ rig: SessionRig, seed: UInt64) {
    self.identity = identity
    self.rig = rig
    self.seed = seed
    session = RelaySession(
      RelaySessionOptions(relay: "wss://relay.example/", user: identity == .uid(0) ? nil : identity),
      random: SeededGenerator(seed: seed))
  }

  /// Joins a channel with a token of its own, or the given one.
  @discardableResult
  func join(
    _ channel: String, _ credential: SessionCredential? = nil, role: ClientRole = .broadcaster,
    profile: ChannelProfile = .live, limitNanoseconds: Int? = nil
  ) -> SessionChannel {
    seed += 1
    let options = ChannelMembershipOptions(
      credential: credential ?? SessionRig.token(identity, channel: channel, at: rig.now / 1_000_000),
      channel: ChannelName(channel)!, user: identity, profile: profile,
      settings: ChannelSettings(role: role, publishes: role == .broadcaster || !profile.hasRoles),
      joinLimitNanoseconds: limitNanoseconds)
    let fitting = preloads.first { !$0.preload.isLent && $0.preload.fits(options) }
    fitting?.preload.lend(nowNanoseconds: rig.now)
    let new = SessionChannel(
      ChannelMembership(
        options, in: session, certificate: SessionRig.certificate, random: SeededGenerator(seed: seed)), of: self,
      fitting?.media ?? rig.makeMedia(), preload: fitting)
    channels.append(new)
    new.membership.start(preload: fitting?.preload, nowNanoseconds: rig.now)
    return new
  }

  /// Preloads a channel with a token of its own, or the given one.
  @discardableResult
  func preload(
    _ channel: String, _ credential: SessionCredential? = nil, profile: ChannelProfile = .live,
    limitNanoseconds: Int? = nil
  ) -> SessionPreload {
    seed += 1
    let new = SessionPreload(
      ChannelPreload(
        credential ?? SessionRig.token(identity, channel: channel, at: rig.now / 1_000_000),
        channel: ChannelName(channel)!, user: identity, profile: profile, limitNanoseconds: limitNanoseconds,
        in: session,
        certificate: SessionRig.certificate, random: SeededGenerator(seed: seed)), of: self, rig.makeMedia())
    new.preload.start(nowNanoseconds: rig.now)
    for former in preloads where former.room == channel { former.preload.end(nowNanoseconds: rig.now) }
    preloads.append(new)
    return new
  }

  /// Datagrams of all channels and preloads.
  var media: [RigMedia] {
    channels.map(\.media) + preloads.filter { !$0.preload.isLent }.map(\.media)
  }

  func makeMedia() -> RigMedia { rig.makeMedia() }

  subscript(channel: String) -> SessionChannel { channels.last { $0.membership.channel.text == channel }! }

  /// Forgets the channels that the user has left.
  func forgetLeft() {
    for channel in channels where channel.membership.isIdle { rig.remove(channel.media) }
    channels.removeAll { $0.membership.isIdle }
    (log, received, outcomes) = ([], [], [])
  }

  /// Ends the WebSocket, as a lost connection does.
  func cutSocket() {
    guard let socket else { return }
    rig.close(socket)
    socket.end()
  }

  func take(_ event: SignallingEvent, from socket: RigSocket) {
    guard socket === self.socket else { return }
    hasNews = true
    switch event {
    case .opened: session.signallingOpened(nowNanoseconds: rig.now)
    case .message(let text): session.receive(text, nowNanoseconds: rig.now)
    case .closed:
      self.socket = nil
      session.signallingClosed(nowNanoseconds: rig.now)
    case .failed(let error):
      self.socket = nil
      session.signallingFailed(error, nowNanoseconds: rig.now)
    }
  }

  func flush(_ now: Int) {
    var isActive = true
    while isActive {
      isActive = false
      while let command = session.takeCommand() {
        isActive = true
        run(command)
      }
      for channel in channels { isActive = channel.flush(now) || isActive }
      for preload in preloads { isActive = preload.flush(now) || isActive }
      while let event = session.takeEvent() {
        isActive = true
        note(event, now)
      }
    }
  }

  private func note(_ event: SessionEvent, _ now: Int) {
    switch event {
    case .message(.uid(let uid), let body): received.append("\(uid): \(body)")
    case .message(.account(let account), let body): received.append("\(account): \(body)")
    case .messageAnswered(_, let outcome): outcomes.append(outcome)
    default: log.append("\(now / 1_000_000) \(event.summary)")
    }
  }

  private func run(_ command: SignallingCommand) {
    switch command {
    case .open:
      if let socket { rig.close(socket) }
      let new = RigSocket(self)
      new.isDead = isCut
      socket = new
      socketCount += 1
      rig.open(new)
    case .send(let text): if let socket { rig.send(text, on: socket) }
    case .close:
      if let socket { rig.close(socket) }
      socket = nil
    }
  }
}

extension SessionEvent {
  /// Short text for exact lists.
  fileprivate var summary: String {
    switch self {
    case .opened(let isResumed, _): isResumed ? "opened resumed" : "opened new"
    case .interrupted: "interrupted"
    case .closed(let error): error.map { "closed \($0.code.rawValue)" } ?? "closed"
    case .message, .messageAnswered: "message"
    case .presenceAnswered(_, let isOnline): isOnline ? "online" : "offline"
    case .tokenWillExpire(let milliseconds): "expires in \(milliseconds)"
    case .tokenRequested: "token requested"
    case .tokenRenewed(let milliseconds): "renewed for \(milliseconds)"
    case .granted: "granted"
    case .refused(_, let error): "refused \(error.code.rawValue)"
    }
  }
}
