import NetworkIO
import Platform
import Signalling
import WebRTC

/// A relay on loopback for tests: it forwards the packets of each user to the others of the channel, as they are.
final class LoopbackRelay: Sendable {
  /// Address of the WebSocket.
  let url: String
  let port: UInt16
  private let state: Guarded<State>
  private let isStopping = Guarded(false)

  /// Starts the relay, at the same ports as an earlier one if there is one.
  init(port: UInt16 = 0) throws {
    let state = try State(port: port)
    self.port = state.server.localAddresses[0].port
    url = "ws://127.0.0.1:\(state.server.localAddresses[0].port)/"
    self.state = Guarded(state)
    let thread = try BackgroundThread(named: "relay") { [guarded = self.state, isStopping] in
      // The wait is outside the lock: a thread that takes a lock again at once starves all others.
      while !isStopping.withLock({ $0 }), let socket = guarded.withLock({ $0.socket }) {
        UDPSocket.wait(for: [socket], atMostNanoseconds: 2_000_000)
        guarded.withLock { $0.pump() }
      }
    }
    self.state.withLock { $0.thread = thread }
  }

  /// Ends the relay without a word.
  func stop() {
    isStopping.withLock { $0 = true }
    let thread = state.withLock { state in
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
    state.withLock { state in
      state.server.stop()
      state.socket = nil
    }
  }

  /// Uids of a channel, in ascending order.
  func users(of channel: String) -> [UInt32] {
    state.withLock { state in state.peers.values.filter { $0.channel.text == channel }.map(\.uid).sorted() }
  }

  /// A client has a peer in each of its channels.
  private struct PeerKey: Hashable {
    let client: ConnectionID
    let channel: ChannelName
  }

  private struct Peer {
    let channel: ChannelName
    let uid: UInt32
    let transport: MediaTransport
    var ssrc: UInt32 { 1_000 + uid }
    var user: ChannelUser { ChannelUser(uid: uid, publishes: true, ssrc: ssrc) }
  }

  private struct State: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): used behind the lock.
    let server: WebSocketServer
    /// The socket for media; nil after the end.
    var socket: UDPSocket?
    let certificate = DTLSCertificate(unixSeconds: 1_790_000_000)
    let clock = SystemClock()
    var peers: [PeerKey: Peer] = [:]
    var thread: BackgroundThread?
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_600, alignment: 16)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_600, alignment: 16)

    init(port: UInt16) throws {
      server = try WebSocketServer(
        at: [SocketAddress(host: "127.0.0.1", port: port)!], subprotocol: "audiopipe.v1")
      socket = try UDPSocket(at: SocketAddress(host: "127.0.0.1", port: server.localAddresses[0].port)!)
    }

    mutating func pump() {
      guard let socket else { return }
      for event in server.takeEvents() {
        switch event {
        case .opened: break
        case .message(let id, let bytes):
          if let message = try? ClientMessage(reading: String(decoding: bytes, as: UTF8.self)) {
            take(message, from: id)
          }
        case .closed(let id, _), .failed(let id, _): for key in peers.keys where key.client == id { remove(key) }
        }
      }
      while socket.receive({ take($0, from: $1) }) != nil {}
      let now = clock.nowNanoseconds
      for peer in peers.values {
        peer.transport.poll(nowNanoseconds: now)
        while let datagram = peer.transport.takeDatagram() {
          datagram.bytes.withUnsafeBytes { _ = socket.send($0, to: datagram.address) }
        }
        while peer.transport.takeEvent() != nil {}
      }
    }

    private func send(_ message: RelayMessage, to id: ConnectionID) { server.send(Array(message.text.utf8), to: id) }

    private mutating func take(_ message: ClientMessage, from id: ConnectionID) {
      switch message {
      case .hello(let request):
        guard case .token(let token) = request.credential, token.text == "good" else {
          return send(
            .failed(FailureReport(id: request.id, code: .invalidToken, reason: .invalidToken, sentence: "bad token")),
            to: id)
        }
        send(
          .welcome(
            WelcomeAnswer(
              id: request.id, session: "s", resume: SecretText("r"), time: 0, keepAliveMilliseconds: 10_000)), to: id)
      case .join(let request): join(request, id)
      case .update(let request):
        send(
          .updated(
            UpdatedAnswer(id: request.id, channel: request.channel, ssrc: peers[key(id, request.channel)].map(\.ssrc))),
          to: id)
        if let muted = request.muted, let peer = peers[key(id, request.channel)] {
          announce(
            .userUpdated(UserUpdatedEvent(channel: peer.channel, uid: peer.uid, muted: muted)),
            except: key(id, peer.channel))
        }
      case .leave(let request):
        remove(key(id, request.channel))
        send(.left(LeftAnswer(id: request.id, channel: request.channel)), to: id)
      case .ping(let request): send(.pong(PongAnswer(id: request.id, time: 0)), to: id)
      case .diagnose(let request):
        let findings = request.uid.map { [DiagnosisFinding(uid: $0, cause: .packetsFlow, sentence: "packets flow")] }
        send(
          .diagnosis(DiagnosisAnswer(id: request.id, channel: request.channel, findings: findings ?? [])), to: id)
      case .renewToken(let request):
        guard request.token.text == "good" else {
          return send(.failed(FailureReport(id: request.id, code: .invalidToken, sentence: "bad token")), to: id)
        }
        send(.tokenRenewed(RenewedAnswer(id: request.id, channel: request.channel, milliseconds: 60_000)), to: id)
      case .relayMedia(let request): relay(request, id)
      case .message, .presence, .preload: break
      }
    }

    /// Grants channels with good tokens; nobody hears the user there.
    private func relay(_ request: MediaRelayRequest, _ id: ConnectionID) {
      guard let peer = peers[key(id, request.channel)] else { return }
      if let bad = request.destinations.first(where: { $0.token?.text != "good" }) {
        return send(
          .failed(
            FailureReport(
              id: request.id, channel: request.channel, code: .invalidToken, sentence: "bad token",
              destination: bad.channel)), to: id)
      }
      send(
        .mediaRelayed(
          MediaRelayAnswer(
            id: request.id, channel: request.channel,
            destinations: request.destinations.map { .init(channel: $0.channel, uid: peer.uid) })), to: id)
    }

    private mutating func join(_ request: JoinRequest, _ id: ConnectionID) {
      guard case .transport(let theirs) = request.media, case .uid(let uid) = request.user else { return }
      let credentials = ICECredentials()
      let transport = MediaTransport(
        server: credentials, certificate: certificate,
        remoteFingerprints: [theirs.fingerprint],
        nowNanoseconds: clock.nowNanoseconds)
      let peer = Peer(channel: request.channel, uid: uid, transport: transport)
      let others = peers.values.filter { $0.channel == request.channel }.map(\.user)
      peers[key(id, request.channel)] = peer
      let ours = TransportParameters(
        ufrag: credentials.fragment, password: SecretText(credentials.password),
        fingerprint: certificate.fingerprint, setup: .passive,
        candidates: [
          TransportCandidate(
            kind: .host, address: "127.0.0.1", port: server.localAddresses[0].port, priority: 2_130_706_431,
            foundation: "1")
        ])
      send(
        .joined(
          JoinedAnswer(
            id: request.id, channel: request.channel, uid: uid, media: .transport(ours), ssrc: peer.ssrc,
            users: others)), to: id)
      announce(.userJoined(UserJoinedEvent(channel: peer.channel, user: peer.user)), except: key(id, peer.channel))
    }

    private func key(_ client: ConnectionID, _ channel: ChannelName) -> PeerKey {
      PeerKey(client: client, channel: channel)
    }

    private mutating func remove(_ key: PeerKey) {
      guard let peer = peers[key] else { return }
      announce(.userLeft(UserLeftEvent(channel: peer.channel, uid: peer.uid, reason: .quit)), except: key)
      peers[key] = nil
    }

    private func announce(_ message: RelayMessage, except key: PeerKey) {
      for other in peers.keys where other.client != key.client && other.channel == key.channel {
        send(message, to: other.client)
      }
    }

    private func take(_ datagram: UnsafeRawBufferPointer, from source: SocketAddress) {
      let now = clock.nowNanoseconds
      for (key, peer) in peers {
        memory.copyMemory(from: datagram)
        let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<datagram.count])
        guard case .rtp(let count) = peer.transport.receive(bytes, from: source, nowNanoseconds: now) else { continue }
        for (other, listener) in peers where other != key && listener.channel == peer.channel {
          copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
          guard let size = listener.transport.protect(copy, byteCount: count),
            let address = listener.transport.remoteAddress
          else { continue }
          socket?.send(UnsafeRawBufferPointer(rebasing: copy[..<size]), to: address)
        }
        return
      }
    }
  }
}
