import Engine
import MediaStreams
import NetworkSimulation
import Platform
import RTP

/// Another user (the peer) as one user of a call sees it: the link from the peer, its voice, and the reports of the
/// two.
final class CallPeer {
  let uid: UInt32
  /// Voice of the peer; nil for the silent listener.
  let stream: CallStream?
  private let listener: UInt32
  private var link: CallLink
  private var feedback: RTCPSession?
  /// Combined report of earlier sessions.
  private var ended: RTCPSessionReport?
  /// Counters of the peer's packets at the end of the call, by the listener's clock.
  private var closedLink: LinkCounters?
  /// Number of times that the two have met.
  private var session = 0
  private let call: SimulatedCall
  private var random: RandomStream
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 8)
  /// Latest time at which the two part, in nanoseconds of the call; nil while the peer is in the call, as far as known.
  private var partingNanoseconds: Int?
  /// Worst loss of the listener's own packets since it was last taken.
  private var toldLoss: UInt8?
  /// Feedback from the peer's reports that has not been taken yet; nil if there is none.
  private var freshFeedback: LinkFeedback?

  /// Longest wait for a BYE and for the playout of packets before it, in nanoseconds.
  private static let longestParting = 500_000_000

  init(_ uid: UInt32, at listener: UInt32, stream: CallStream?, call: SimulatedCall) {
    self.uid = uid
    self.listener = listener
    self.stream = stream
    self.call = call
    // A link has its own random numbers: other users change none of them.
    let identity = LinkIdentity(sender: uid, receiver: listener)
    link = CallLink(call.conditions, seed: call.seed, identity: identity)
    random = identity.stream(.feedback, seed: call.seed)
  }

  deinit { memory.deallocate() }

  /// Connects the two users.
  ///
  /// - Parameters:
  ///   - ssrc: SSRC of the listener's own packets and reports.
  ///   - now: Time in nanoseconds, by the listener's clock.
  ///   - pipeline: The listener's pipeline.
  func connect(ssrc: UInt32, nowNanoseconds now: Int, pipeline: AudioPipeline) throws {
    if partingNanoseconds != nil { try disconnect(pipeline: pipeline) }
    guard feedback == nil else { return }
    try stream?.open(in: pipeline)
    session += 1
    feedback = RTCPSession(
      RTCPSessionOptions(
        ssrc: ssrc, name: "\(listener)@call", nack: call.resendsPackets ? NackPolicy() : nil,
        usesReducedSizeRTCP: true), nowNanoseconds: now, random: random.unit())
  }

  /// Starts to part from a peer that has left: packets under way are played until its BYE arrives.
  func beginParting(nowNanoseconds now: Int) {
    if feedback != nil { partingNanoseconds = now + Self.longestParting }
  }

  /// Parts from a peer that has left, once all its sound has been played.
  func finishParting(nowNanoseconds now: Int, pipeline: AudioPipeline) throws {
    guard let latest = partingNanoseconds else { return }
    guard now >= latest || (feedback?.report.hasLeft == true && stream?.isPlayed != false) else { return }
    try disconnect(pipeline: pipeline)
  }

  /// Returns the listener's BYE to the peer.
  func makeBye(nowNanoseconds now: Int, localNanoseconds local: Int) -> CallPacket? {
    guard let count = feedback?.writeBye(into: memory, nowNanoseconds: local), count > 0 else { return nil }
    return CallPacket(bytes: Array(memory[..<count]), kind: .control, sentNanoseconds: now)
  }

  /// Disconnects the two users; packets still under way are lost.
  func disconnect(pipeline: AudioPipeline) throws {
    partingNanoseconds = nil
    guard feedback != nil else { return }
    ended = report
    feedback = nil
    try stream?.close(in: pipeline)
  }

  /// Ends the call by the listener's clock: packets that the peer sends later do not count.
  func close() {
    if closedLink == nil { closedLink = link.counters }
  }

  /// Takes a datagram that the peer sends.
  func send(_ packet: CallPacket) {
    guard feedback != nil else { return }
    var packet = packet
    packet.session = session
    let before = link.counters
    link.send(packet)
    if packet.kind == .voice, closedLink == nil {
      stream?.note(packet, isLost: link.counters.lost + link.counters.dropped > before.lost + before.dropped)
    }
  }

  /// Signals that the peer has muted or unmuted its stream; the signal takes as long as the link without jitter.
  func signal(isMuted: Bool, nowNanoseconds now: Int) {
    stream?.signal(isMuted: isMuted, arrivalNanoseconds: now + link.conditions.delay.wholeNanoseconds)
  }

  /// Notes that the listener has muted or unmuted the peer.
  func setMuted(_ isMuted: Bool) { stream?.setMuted(isMuted) }

  /// Signals whether music is mixed into the peer's voice; the signal takes as long as the link without jitter.
  func signal(playsMusic: Bool, nowNanoseconds now: Int) {
    stream?.signal(playsMusic: playsMusic, arrivalNanoseconds: now + link.conditions.delay.wholeNanoseconds)
  }

  /// Notes a packet that the listener sends to the peer.
  func sent(_ packet: CallPacket, localNanoseconds now: Int) {
    guard let view = packet.bytes.withUnsafeBytes({ try? RTPPacketView(parsing: $0) }) else { return }
    feedback?.sent(view.header, payloadByteCount: view.payloadByteCount, nowNanoseconds: now)
  }

  /// Takes the packets that have arrived by `now`; arrival times are those of the listener's clock.
  func deliver(nowNanoseconds now: Int, clock: DriftingClock, to pipeline: AudioPipeline) {
    stream?.hearSignals(nowNanoseconds: now, in: pipeline)
    while let delivery = link.receive(nowNanoseconds: now) {
      guard feedback != nil, delivery.datagram.session == session else { continue }
      let arrival = clock.localNanoseconds(at: delivery.arrivalNanoseconds)
      delivery.datagram.bytes.withUnsafeBytes { take($0, delivery.datagram.kind, arrival: arrival) }
    }
    let local = clock.localNanoseconds(at: now)
    stream?.complete(untilNanoseconds: local + 1)
    if let delivery = feedback?.takeDelivery(nowNanoseconds: local) {
      if let loss = delivery.loss { toldLoss = max(toldLoss ?? 0, UInt8(min(255, 256 * loss))) }
      if let report = feedback?.report { freshFeedback = LinkFeedback(report) }
    }
  }

  /// Returns the packets to the peer besides the listener's voice: retransmitted packets that it requested, and
  /// reports.
  func answer(from sent: borrowing RetransmissionCache, nowNanoseconds now: Int, localNanoseconds local: Int)
    -> [CallPacket]
  {
    guard feedback != nil else { return [] }
    var packets: [CallPacket] = []
    while let bytes = feedback?.retransmissions.next(from: sent, nowNanoseconds: local) {
      packets.append(CallPacket(bytes: Array(bytes), kind: .retransmitted, sentNanoseconds: now))
    }
    let heard = stream?.report
    if let count = feedback?.write(
      into: memory, targetDelayNanoseconds: heard?.targetDelayNanoseconds ?? 0, playout: heard?.playout,
      nowNanoseconds: local, random: random.unit()), count > 0
    {
      packets.append(CallPacket(bytes: Array(memory[..<count]), kind: .control, sentNanoseconds: now))
    }
    return packets
  }

  /// Whether the peer is in the call and no longer reports.
  var isUnreported: Bool { feedback?.report.delivery.isUnreported == true }

  /// Whether the two users are in the call.
  var isThere: Bool { feedback != nil }

  /// Returns the worst loss of the listener's own packets at the peer since the last call; nil if none was found.
  func takeLoss() -> UInt8? {
    defer { toldLoss = nil }
    return toldLoss
  }

  /// Returns feedback from the peer's reports since the last call; nil if there is none.
  func takeFeedback() -> LinkFeedback? {
    defer { freshFeedback = nil }
    return freshFeedback
  }

  /// Changes the conditions of the link from now on.
  func change(_ changes: [NetworkChange], nowNanoseconds now: Int) throws {
    try link.change(changes, nowNanoseconds: now)
  }

  /// Report of all sessions; nil before the first.
  var report: RTCPSessionReport? {
    guard let report = feedback?.report else { return ended }
    return ended.map(report.continuing) ?? report
  }

  /// Counters of the peer's packets.
  var linkCounters: LinkCounters { closedLink ?? link.counters }

  private func take(_ bytes: UnsafeRawBufferPointer, _ kind: CallPacket.Kind, arrival: Int) {
    if kind == .control {
      guard let news = try? feedback?.receive(bytes, nowNanoseconds: arrival) else { return }
      if news.hasLeft { stream?.receiveBye() }
      return
    }
    if feedback != nil { stream?.receive(bytes, arrivalNanoseconds: arrival, classifiedBy: &feedback!) }
  }
}
