import Engine
import NetworkIO
import Platform
import Signalling
import WebRTC

/// A membership of a channel with its network and its sound.
///
/// Thread: one at a time, under the lock of the loop.
final class ActiveChannel {
  let membership: ChannelMembership
  /// Datagrams; nil once the channel has failed for good.
  private(set) var network: (any MediaNetwork)?
  let media: ChannelMedia
  /// Session that serves the channel.
  let session: ActiveSession
  /// Preload that the channel has borrowed for its join.
  private var preload: ActivePreload?
  private var isStarted = false
  private let report: (ChannelEvent) -> Void
  private var route: RouteWatch
  private var states = StreamStates()
  /// Whether the state of a stream may be another than reported.
  private var hasNews = false

  private static let longestBurst = 1_000

  init(
    _ membership: ChannelMembership, of session: ActiveSession, _ media: ChannelMedia, _ network: any MediaNetwork,
    preload: ActivePreload?, route: RouteWatch, report: @escaping (ChannelEvent) -> Void
  ) {
    self.membership = membership
    self.session = session
    self.media = media
    self.network = network
    self.preload = preload
    self.route = route
    self.report = report
  }

  /// Whether the program has left the channel, so that it ends with its last message.
  var isLeft = false

  /// Whether nothing is left to do.
  var isOver: Bool { isLeft && membership.isIdle }

  /// Joins the channel.
  func start(_ now: Int) {
    isStarted = true
    applySettings()
    membership.start(preload: preload?.preload, nowNanoseconds: now)
  }

  /// Gives the preload back and closes the sockets, if the channel has ended for good.
  func release(_ now: Int) {
    guard isStarted, membership.isIdle else { return }
    preload?.takeBack(now)
    preload = nil
    if !membership.isAwaitingToken { network = nil }
  }

  /// Takes the datagrams that have come.
  func receive(_ now: Int) {
    // Bounded, so that a flood does not keep the thread here.
    guard let network else { return }
    for _ in 0..<Self.longestBurst where !network.receive({ take($0, from: $1, now) }) { break }
  }

  /// Sends the membership's datagrams, and reports its events.
  ///
  /// - Returns: Whether there were any events.
  func flush() -> Bool {
    membership.flush(to: network) { event in
      hasNews = true
      apply(event)
      report(event)
    }
  }

  /// Brings the settings to the sound.
  func applySettings() {
    hasNews = true
    let settings = membership.settings
    do throws(EngineError) {
      try media.setSending(
        settings.isPublishing && !settings.isSilent && !isLeft && membership.state != .failed
          && membership.state != .disconnected,
        settings.sentParts, ssrc: membership.ownSSRC)
    } catch {
      report(.failed(ChannelError(.general, error.message)))
    }
    media.minimumDelayNanoseconds = settings.roleOptions.audienceLatencyLevel.minimumDelayNanoseconds
    for uid in membership.users.keys.sorted() { media.setMuted(uid, !settings.hears(uid)) }
  }

  /// Sends as many channels as the local voice has.
  func followLocalChannels(_ now: Int) {
    guard media.needsWiderSender else { return }
    sendMedia(now)
    do throws(EngineError) { try media.widenSender(now: now) } catch {
      report(.failed(ChannelError(.general, error.message)))
    }
  }

  /// Ends the sound of the channel.
  func endMedia() {
    hasNews = true
    media.end()
  }

  /// Time of the next `sendMedia`; `Int.max` if none is needed.
  func mediaDeadlineNanoseconds(_ now: Int) -> Int {
    membership.canSend ? media.nextDeadlineNanoseconds(now) : .max
  }

  /// Sends the packets and reports that are due.
  func sendMedia(_ now: Int) {
    guard membership.canSend, let network, let address = membership.remoteAddress else { return }
    let isFirst = media.pump(
      now: now,
      protect: { membership.protect($0, byteCount: $1, isRTCP: $2, nowNanoseconds: now) },
      send: { network.send($0, to: address) })
    guard isFirst else { return }
    hasNews = true
    report(.published(elapsedMilliseconds: membership.elapsedMilliseconds(now)))
  }

  /// Reports another kind of network on the route, and the changes of the streams' states.
  func reportStates(_ now: Int) {
    if !membership.isIdle, let type = route.look(toward: membership.mediaAddress, nowNanoseconds: now) {
      report(.networkTypeChanged(type))
    }
    guard hasNews else { return }
    hasNews = false
    let isJoined = !isLeft && (membership.state == .connected || membership.state == .reconnecting)
    if let event = states.note(isJoined ? media.publishState : .idle, nowNanoseconds: now) { report(event) }
    let users = isJoined ? membership.users : [:]
    for uid in states.uids where users[uid] == nil {
      if let event = states.note(.idle, of: uid, nowNanoseconds: now) { report(event) }
    }
    for uid in users.keys.sorted() {
      let state = media.subscribeState(of: uid, isMuted: !membership.settings.hears(uid))
      if let event = states.note(state, of: uid, nowNanoseconds: now) { report(event) }
    }
  }

  // MARK: Private

  private func take(_ datagram: UnsafeRawBufferPointer, from source: SocketAddress, _ now: Int) {
    withUnsafeTemporaryAllocation(byteCount: datagram.count, alignment: 16) { bytes in
      bytes.copyMemory(from: datagram)
      switch membership.receive(bytes, from: source.unmapped, nowNanoseconds: now) {
      case .nothing: break
      case .rtp(let count):
        if media.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count]), now: now) { hasNews = true }
      case .rtcp(let count): media.receiveReports(UnsafeRawBufferPointer(rebasing: bytes[..<count]), now: now)
      }
    }
  }

  /// Brings an event to the sound.
  private func apply(_ event: ChannelEvent) {
    switch event {
    case .userJoined(let user, _):
      setSource(user.ssrc, of: user.uid)
    case .userSource(let uid, let ssrc): setSource(ssrc, of: uid)
    case .userMusic(let uid, let isPlaying): media.note(uid, playsMusic: isPlaying)
    case .userMuted(let uid, _), .userPublishes(let uid, _): noteSilence(of: uid)
    case .userLeft(let uid, _): media.remove(uid)
    case .ownSource, .granted, .refused: applySettings()
    case .left: media.end()
    case .stateChanged(.failed, _), .stateChanged(.disconnected, _): media.end()
    default: break
    }
  }

  private func setSource(_ ssrc: UInt32?, of uid: UInt32) {
    do throws(EngineError) {
      try media.setSource(
        ssrc, of: uid, isMuted: !membership.settings.hears(uid), reportSSRC: membership.reportSSRC)
      noteSilence(of: uid)
      if let user = membership.users[uid] { media.note(uid, playsMusic: user.music) }
    } catch {
      report(.failed(ChannelError(.general, "user \(uid) cannot be heard: \(error.message)")))
    }
  }

  /// Notes whether a user sends no audio: it has muted it, or does not publish. Otherwise the lack of its packets would
  /// be a fault of the network.
  private func noteSilence(of uid: UInt32) {
    guard let user = membership.users[uid] else { return }
    media.note(uid, hasMutedItself: user.muted || !user.publishes)
  }
}
