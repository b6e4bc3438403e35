import Engine
import NetworkIO
import Platform
import Signalling
import WebRTC

/// A connection with its network and its sound.
///
/// Thread: one at a time, under the engine's lock.
final class ChannelSession {
  let connection: ChannelConnection
  let network: any ChannelNetwork
  let media: ChannelMedia
  private let report: (ChannelEvent) -> Void
  private var states = StreamStates()
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: UDPSocket.maximumByteCount, alignment: 16)

  private static let longestBurst = 1_000

  init(
    _ connection: ChannelConnection, _ media: ChannelMedia, _ network: any ChannelNetwork,
    report: @escaping (ChannelEvent) -> Void
  ) {
    self.connection = connection
    self.media = media
    self.network = network
    self.report = report
  }

  deinit { memory.deallocate() }

  /// Whether the program has left the channel, so that the session ends with its last message.
  var isLeft = false

  /// Whether nothing is left to do.
  var isOver: Bool { isLeft && connection.nextDeadlineNanoseconds == nil && !network.isClosing }

  /// Takes what has come, and sends what is due.
  func pump(_ now: Int) {
    connection.takeMessages(from: network, nowNanoseconds: now)
    // Bounded, so that a flood does not keep the thread here.
    for _ in 0..<Self.longestBurst where !network.receive({ take($0, from: $1, now) }) { break }
    if let deadline = connection.nextDeadlineNanoseconds, deadline <= now { connection.poll(nowNanoseconds: now) }
    sendMedia(now)
    flush(now)
    reportStates(now)
  }

  /// Carries out the connection's commands, and reports its events.
  func flush(_ now: Int) {
    connection.flush(to: network, nowNanoseconds: now) { event in
      apply(event)
      report(event)
    }
  }

  /// Brings the settings to the sound.
  func applySettings() {
    let settings = connection.settings
    do throws(EngineError) {
      try media.setSending(
        settings.publishes && !settings.isMuted && !isLeft && connection.state != .failed
          && connection.state != .disconnected,
        ssrc: connection.ownSSRC)
    } catch {
      report(.failed(ChannelError(.general, error.message)))
    }
    for uid in connection.users.keys.sorted() { media.setMuted(uid, settings.hasMuted(uid)) }
  }

  /// Ends the sound of the channel.
  func endMedia() { media.end() }

  /// Ends the network, and waits for its thread: call it without the lock of the engine's sessions.
  func endNetwork() { network.stop() }

  // MARK: Private

  private func take(_ datagram: UnsafeRawBufferPointer, from source: SocketAddress, _ now: Int) {
    memory.copyMemory(from: datagram)
    let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<datagram.count])
    switch connection.receive(bytes, from: source.unmapped, nowNanoseconds: now) {
    case .nothing: break
    case .rtp(let count): media.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count]), now: now)
    case .rtcp(let count): media.receiveReports(UnsafeRawBufferPointer(rebasing: bytes[..<count]), now: now)
    }
  }

  private func sendMedia(_ now: Int) {
    guard connection.canSend, let address = connection.remoteAddress else { return }
    let isFirst = media.pump(
      now: now,
      protect: { connection.protect($0, byteCount: $1, isRTCP: $2, nowNanoseconds: now) },
      send: { network.send($0, to: address) })
    if isFirst { report(.published(elapsedMilliseconds: connection.elapsedMilliseconds(now))) }
  }

  /// Reports the changes of the streams' states.
  private func reportStates(_ now: Int) {
    let isJoined = !isLeft && (connection.state == .connected || connection.state == .reconnecting)
    if let event = states.note(isJoined ? media.publishState : .idle, nowNanoseconds: now) { report(event) }
    let users = isJoined ? connection.users : [:]
    for uid in states.uids where users[uid] == nil {
      if let event = states.note(.idle, of: uid, nowNanoseconds: now) { report(event) }
    }
    for uid in users.keys.sorted() {
      let state = media.subscribeState(of: uid, isMuted: connection.settings.hasMuted(uid))
      if let event = states.note(state, of: uid, nowNanoseconds: now) { report(event) }
    }
  }

  /// Brings an event to the sound.
  private func apply(_ event: ChannelEvent) {
    switch event {
    case .userJoined(let user, _):
      setSource(user.ssrc, of: user.uid)
      if user.muted { media.note(user.uid, hasMutedItself: true) }
    case .userSource(let uid, let ssrc): setSource(ssrc, of: uid)
    case .userMuted(let uid, let isMuted): media.note(uid, hasMutedItself: isMuted)
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
        ssrc, of: uid, isMuted: connection.settings.hasMuted(uid), reportSSRC: connection.reportSSRC)
    } catch {
      report(.failed(ChannelError(.general, "user \(uid) cannot be heard: \(error.message)")))
    }
  }
}
