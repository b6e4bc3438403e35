import AudioGraph
import Engine
import MediaStreams
import NetworkSimulation
import OpusCodec
import RTP

/// What a user of a call says: the sender, the packets sent of late, and how what is reported changes the sender.
final class CallVoice {
  /// Nil while nothing is sent.
  private var sender: PacketSender?
  /// Kept for who asks for them again.
  private var kept = RetransmissionCache()
  private var options: SenderOptions
  private var control: SenderRateController?
  private let call: SimulatedCall
  private let uid: UInt32
  /// Counts senders: each time that the user joins there is a new one.
  private var senderCount = 0
  private var nextControlNanoseconds = 0

  private static let controlInterval = 1_000_000_000

  init(uid: UInt32, channelCount: Int, call: SimulatedCall) {
    self.uid = uid
    self.call = call
    options = SenderOptions(codec: call.codec, channelCount: channelCount, sourceID: uid)
  }

  /// What its packets carry.
  var ssrc: UInt32 { options.ssrc }

  func start(in pipeline: AudioPipeline) throws {
    // RFC 3550: where a stream begins is random, so that nothing can rely on it.
    var random =
      senderCount == 0
      ? RandomStream(seed: call.seed, path: UInt64(uid))
      : RandomStream(seed: call.seed, path: UInt64(uid), UInt64(senderCount))
    senderCount += 1
    options.ssrc = UInt32(truncatingIfNeeded: random.next())
    options.firstSequenceNumber = UInt16(random.next() >> 49)
    options.firstTimestamp = UInt32(truncatingIfNeeded: random.next())
    let sender = try PacketSender(options)
    try pipeline.startSending(through: sender)
    self.sender = sender
    if call.adapts, case .opus(let opus) = options.codec { control = SenderRateController(opus) }
  }

  func stop(in pipeline: AudioPipeline) throws {
    guard let sender else { return }
    try pipeline.stopSending(through: sender)
    self.sender = nil
  }

  /// Throws away what has come out of the pipeline.
  func discard() { while sender?.next({ _, _ in }) == true {} }

  /// What has come out of the pipeline.
  ///
  /// - Parameters:
  ///   - now: in nanoseconds of the call.
  ///   - local: the same by the user's own clock.
  func take(nowNanoseconds now: Int, localNanoseconds local: Int, sendDelayNanoseconds: Int) -> [CallPacket] {
    var packets: [CallPacket] = []
    while sender?.next({ bytes, _ in
      packets.append(
        CallPacket(
          bytes: Array(bytes), sentNanoseconds: now, capturedNanoseconds: now - sendDelayNanoseconds))
      if let header = try? RTPHeader(parsing: bytes) {
        kept.insert(bytes, sequenceNumber: header.sequenceNumber, nowNanoseconds: local)
      }
    }) == true {}
    return packets
  }

  /// What goes to another user besides.
  func answer(_ peer: CallPeer, nowNanoseconds now: Int, localNanoseconds local: Int) -> [CallPacket] {
    peer.answer(from: kept, nowNanoseconds: now, localNanoseconds: local)
  }

  /// Once a second, lets the worst report of all listeners change the sender: all hear the same packets. Where no
  /// listener reports, all counts as lost (RFC 5348, section 4.4, halves the rate): a full path loses reports, too.
  ///
  /// Returns: what is used from now on; nil = nothing has changed.
  func adapt(to peers: [CallPeer], localNanoseconds local: Int) throws -> OpusOptions? {
    guard control != nil, let sender, local >= nextControlNanoseconds else { return nil }
    nextControlNanoseconds = local + Self.controlInterval
    let there = peers.filter(\.isThere)
    let silence: UInt8? = !there.isEmpty && there.allSatisfy(\.isUnreported) ? .max : nil
    guard let worst = peers.compactMap({ $0.takeLoss() }).max() ?? silence,
      control!.receive(fractionLost: worst)
    else { return nil }
    try sender.set(control!.options)
    return control!.options
  }
}
