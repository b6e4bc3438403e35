import Engine
import NetworkIO
import Platform
import Signalling
import WebRTC

/// A connection with its sockets and its sound.
///
/// Thread: one at a time, under the engine's lock.
final class ChannelSession {
  let connection: ChannelConnection
  /// Sockets to wait for, one for each family of addresses.
  let sockets: [UDPSocket]
  private let media: ChannelMedia
  private let options: RtcEngineOptions
  private let report: (ChannelEvent) -> Void
  private var states = StreamStates()
  private var signalling: WebSocketClient?
  /// Sockets that still send their last messages, and the time of their end.
  private var closing: [(client: WebSocketClient, untilNanoseconds: Int)] = []
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: UDPSocket.maximumByteCount, alignment: 16)

  private static let subprotocol = "audiopipe.v1"
  private static let longestBurst = 1_000
  private static let closingNanoseconds = 1_000_000_000

  init(
    _ connection: ChannelConnection, _ media: ChannelMedia, _ options: RtcEngineOptions,
    report: @escaping (ChannelEvent) -> Void
  ) throws(ChannelError) {
    self.connection = connection
    self.media = media
    self.options = options
    self.report = report
    sockets = ["0.0.0.0", "::"].compactMap { host in
      SocketAddress(host: host, port: 0).flatMap { try? UDPSocket(at: $0) }
    }
    guard !sockets.isEmpty else { throw ChannelError(.notReady, "the system gives no UDP socket; raise ulimit -n") }
  }

  deinit { memory.deallocate() }

  /// Whether the program has left the channel, so that the session ends with its last message.
  var isLeft = false

  /// Whether nothing is left to do.
  var isOver: Bool { isLeft && connection.nextDeadlineNanoseconds == nil && closing.isEmpty }

  /// Takes what has come, and sends what is due.
  func pump(_ now: Int) {
    takeMessages(now)
    for socket in sockets {
      // Bounded, so that a flood does not keep the thread here.
      for _ in 0..<Self.longestBurst where socket.receive({ take($0, from: $1, now) }) == nil { break }
    }
    if let deadline = connection.nextDeadlineNanoseconds, deadline <= now { connection.poll(nowNanoseconds: now) }
    sendMedia(now)
    flush(now)
    reportStates(now)
  }

  /// Carries out the connection's commands, and reports its events.
  func flush(_ now: Int) {
    var isActive = true
    while isActive {
      isActive = false
      while let command = connection.takeCommand() {
        isActive = true
        run(command, now)
      }
      while let datagram = connection.takeDatagram() {
        datagram.bytes.withUnsafeBytes { send($0, to: datagram.address) }
      }
      while let event = connection.takeEvent() {
        isActive = true
        apply(event)
        report(event)
      }
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
    for uid in connection.users.keys { media.setMuted(uid, settings.hasMuted(uid)) }
  }

  /// Ends the sound of the channel.
  func endMedia() { media.end() }

  /// Ends the sound and the sockets at once.
  func stop() {
    media.end()
    signalling?.stop()
    for entry in closing { entry.client.stop() }
    (signalling, closing) = (nil, [])
  }

  // MARK: Private

  private func run(_ command: ChannelCommand, _ now: Int) {
    switch command {
    case .open(let relay):
      close(now)
      do throws(WebSocketError) {
        signalling = try WebSocketClient(
          url: WebSocketURL(relay), subprotocol: Self.subprotocol, verification: options.verification)
      } catch {
        connection.signallingClosed(nowNanoseconds: now)
      }
    case .send(let text): signalling?.send(Array(text.utf8))
    case .close: close(now)
    }
  }

  private func close(_ now: Int) {
    guard let client = signalling else { return }
    client.close()
    closing.append((client, now + Self.closingNanoseconds))
    signalling = nil
  }

  private func takeMessages(_ now: Int) {
    for event in signalling?.takeEvents() ?? [] {
      switch event {
      case .opened: connection.signallingOpened(nowNanoseconds: now)
      case .message(_, let bytes): connection.receive(String(decoding: bytes, as: UTF8.self), nowNanoseconds: now)
      case .closed, .failed:
        signalling = nil
        connection.signallingClosed(nowNanoseconds: now)
      }
      // Later events are those of another WebSocket.
      if signalling == nil { break }
    }
    closing.removeAll { client, end in
      if now >= end { return true }
      return client.takeEvents().contains { event in
        switch event {
        case .closed, .failed: true
        case .opened, .message: false
        }
      }
    }
  }

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
      send: { send($0, to: address) })
    if isFirst { report(.published(elapsedMilliseconds: connection.elapsedMilliseconds(now))) }
  }

  private func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) {
    let socket = sockets.first { $0.localAddress.isIPv6 == address.isIPv6 }
    socket?.send(datagram, to: address)
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
