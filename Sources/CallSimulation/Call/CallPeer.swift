import Engine
import MediaStreams
import NetworkSimulation
import RTP

/// Another user as one user of a call sees him: the link from him, his voice, and the reports that the two exchange.
final class CallPeer {
  let uid: UInt32
  /// Nil: he says nothing.
  let stream: CallStream?
  private let listener: UInt32
  private var link: CallLink
  private var feedback: RTCPSession?
  /// What earlier sessions ended with, together.
  private var ended: RTCPSessionReport?
  /// What had become of his packets when the call was over here.
  private var closedLink: LinkCounters?
  /// Counts the times that the two met.
  private var session = 0
  private let call: SimulatedCall
  private var random: RandomStream
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 8)
  /// When the two part at the latest, in nanoseconds of the call; nil while he is in the call, as far as has been told.
  private var partingNanoseconds: Int?
  /// The worst loss of one's own packets that was found since this was taken last.
  private var toldLoss: UInt8?
  /// What his reports have told, if that is news.
  private var freshFeedback: LinkFeedback?

  /// What is waited for a goodbye, and for what came before it to be played.
  private static let longestParting = 500_000_000

  init(_ uid: UInt32, at listener: UInt32, stream: CallStream?, call: SimulatedCall) {
    self.uid = uid
    self.listener = listener
    self.stream = stream
    self.call = call
    // A link's random numbers are its own: who else is there changes none of them.
    let identity = LinkIdentity(sender: uid, receiver: listener)
    link = CallLink(call.conditions, seed: call.seed, identity: identity)
    random = identity.stream(.feedback, seed: call.seed)
  }

  deinit { memory.deallocate() }

  /// The two have met.
  ///
  /// - Parameter ssrc: what one's own packets and reports carry.
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

  /// He has left: what is under way is played, until his goodbye has come.
  func beginParting(nowNanoseconds now: Int) {
    if feedback != nil { partingNanoseconds = now + Self.longestParting }
  }

  /// Parts from who has left, once all of his has been played.
  func finishParting(nowNanoseconds now: Int, pipeline: AudioPipeline) throws {
    guard let latest = partingNanoseconds else { return }
    guard now >= latest || (feedback?.report.hasLeft == true && stream?.isPlayed != false) else { return }
    try disconnect(pipeline: pipeline)
  }

  /// One's own goodbye to him.
  func makeBye(nowNanoseconds now: Int, localNanoseconds local: Int) -> CallPacket? {
    guard let count = feedback?.writeBye(into: memory, nowNanoseconds: local), count > 0 else { return nil }
    return CallPacket(bytes: Array(memory[..<count]), kind: .control, sentNanoseconds: now)
  }

  /// The two do not hear each other any more; what is still under way is lost.
  func disconnect(pipeline: AudioPipeline) throws {
    partingNanoseconds = nil
    guard feedback != nil else { return }
    ended = report
    feedback = nil
    try stream?.close(in: pipeline)
  }

  /// The call is over here by one's own clock: what he sends until it is over for all counts no more.
  func close() {
    if closedLink == nil { closedLink = link.counters }
  }

  /// Takes a datagram that he sends.
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

  /// Takes from signalling that he has muted his stream, or sends it again; that takes as long as the link does without
  /// jitter.
  func signal(isMuted: Bool, nowNanoseconds now: Int) {
    stream?.signal(isMuted: isMuted, arrivalNanoseconds: now + link.conditions.delay.wholeNanoseconds)
  }

  /// One's own listener has muted him, or hears him again.
  func setMuted(_ isMuted: Bool) { stream?.setMuted(isMuted) }

  /// The same of music that is mixed into his voice.
  func signal(playsMusic: Bool, nowNanoseconds now: Int) {
    stream?.signal(playsMusic: playsMusic, arrivalNanoseconds: now + link.conditions.delay.wholeNanoseconds)
  }

  /// Notes a packet of one's own that goes to him.
  func sent(_ packet: CallPacket, localNanoseconds now: Int) {
    guard let view = packet.bytes.withUnsafeBytes({ try? RTPPacketView(parsing: $0) }) else { return }
    feedback?.sent(view.header, payloadByteCount: view.payloadByteCount, nowNanoseconds: now)
  }

  /// Takes what has arrived by `now`; times of arrival are those of the listener's clock.
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

  /// What goes to him now besides one's own voice: what he has asked for again, and reports.
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

  /// Whether he is in the call and does not report any more.
  var isUnreported: Bool { feedback?.report.delivery.isUnreported == true }

  /// Whether the two are in the call.
  var isThere: Bool { feedback != nil }

  /// The worst that was found of the loss of one's own packets at him since this was asked last; nil = nothing.
  func takeLoss() -> UInt8? {
    defer { toldLoss = nil }
    return toldLoss
  }

  /// What his reports have told since this was asked last; nil = nothing.
  func takeFeedback() -> LinkFeedback? {
    defer { freshFeedback = nil }
    return freshFeedback
  }

  /// What the link does from now on.
  func change(_ changes: [NetworkChange], nowNanoseconds now: Int) throws {
    try link.change(changes, nowNanoseconds: now)
  }

  /// What reports have told.
  var report: RTCPSessionReport? {
    guard let report = feedback?.report else { return ended }
    return ended.map(report.continuing) ?? report
  }

  /// What has become of his packets.
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
