import AudioGraph
import Engine
import MediaStreams
import NetworkSimulation
import OpusCodec
import Platform
import RTP

/// A user's voice in a call: the sender, the newest packets sent, and the control of the sender by reports.
final class CallVoice {
  /// The sender; nil while nothing is sent.
  private var sender: PacketSender?
  /// Packets kept for retransmission requests.
  private var kept = RetransmissionCache()
  private var options: SenderOptions
  private var control: SenderRateController?
  private let call: SimulatedCall
  private let uid: UInt32
  /// Number of senders: each time that the user joins, it gets a new one.
  private var senderCount = 0
  private var nextControlNanoseconds = 0

  private static let controlInterval = 1_000_000_000

  init(uid: UInt32, channelCount: Int, call: SimulatedCall) {
    self.uid = uid
    self.call = call
    options = SenderOptions(codec: call.codec, channelCount: channelCount, sourceID: uid)
  }

  /// SSRC of the packets.
  var ssrc: UInt32 { options.ssrc }

  func start(in pipeline: AudioPipeline) throws {
    // RFC 3550: a stream starts at random numbers, so that nothing can rely on them.
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

  /// Discards the output of the pipeline.
  func discard() { while sender?.next({ _, _ in }) == true {} }

  /// Returns the packets that have come out of the pipeline.
  ///
  /// - Parameters:
  ///   - now: Time in nanoseconds of the call.
  ///   - local: The same time by the user's own clock, in nanoseconds.
  ///   - sendDelayNanoseconds: Delay from capture to the packets, in nanoseconds.
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

  /// Returns packets to another user besides the voice.
  func answer(_ peer: CallPeer, nowNanoseconds now: Int, localNanoseconds local: Int) -> [CallPacket] {
    peer.answer(from: kept, nowNanoseconds: now, localNanoseconds: local)
  }

  /// Adapts the sender to the worst report of all listeners, once a second: all of them hear the same packets. If no
  /// listener reports, all packets count as lost (RFC 5348, section 4.4, halves the rate): a full path loses reports,
  /// too.
  ///
  /// - Returns: The options from now on; nil if nothing has changed.
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
