import AudioGraph
import Engine
import FrameObservers
import MediaStreams
import NetworkSimulation
import RTP

/// One user's voice at another: the receiver, and what is measured there.
final class CallStream {
  let uid: UInt32
  private let options: JitterBufferOptions
  /// Nil while one of the two is not in the call.
  private var receiver: RTPSource?
  /// What earlier receivers have counted.
  private var earlier = JitterBufferStatistics()
  private var refusedEarlier = 0
  private let trace: PlayoutTrace
  private var meter = StreamMeter()
  private var packetsSent = 0
  private var packetsLost = 0
  /// Those of the packets sent that hold sound.
  private var packetsSaid = 0
  /// Whether the listener has muted the user.
  private var isMuted = false
  private var unheard = UnplayedVoice()
  /// What had been counted when the call was over.
  private var closed: JitterBufferStatistics?
  /// When the packets under way and those that wait were captured.
  private var captures = CaptureLog()
  /// What signalling says of the sender's mute, on its way to the listener.
  private var mutes = SwitchSignals()
  /// The same of its music.
  private var music = SwitchSignals()
  /// Whether packets are of Opus, and say how long they last.
  private let isOpus: Bool

  /// The look-ahead of Opus, which no other delay contains.
  private static let codecMilliseconds = 6.5

  init(from uid: UInt32, of call: SimulatedCall, channelCount: Int, trace: PlayoutTrace) {
    self.uid = uid
    self.trace = trace
    let codec: ReceiverCodec
    switch call.codec {
    case .opus: codec = .opus
    case .null: codec = .null
    }
    isOpus = codec == .opus
    options = JitterBufferOptions(codec: codec, channelCount: channelCount, sourceID: uid)
  }

  /// Begins to hear the user, in the listener's pipeline.
  func open(in pipeline: AudioPipeline) throws {
    guard receiver == nil else { return }
    receiver = try pipeline.addRemoteUser(uid, receiving: options)
    // Who comes is told how things are.
    try pipeline.setRemoteUserMuted(uid, mutes.arrive())
    try pipeline.setRemoteMusic(uid, isPlaying: music.arrive())
    captures = CaptureLog()
  }

  /// Ends what `open` began; what is still under way is lost.
  func close(in pipeline: AudioPipeline) throws {
    guard let ended = receiver else { return }
    earlier = earlier + ended.latestReportBlock.statistics
    refusedEarlier += ended.refusedPacketCount
    receiver = nil
    isMuted = false
    try pipeline.removeUser(uid)
  }

  /// Takes from signalling that the sender has muted its stream, or sends it again. Signalling loses nothing.
  func signal(isMuted: Bool, arrivalNanoseconds: Int) { mutes.send(isMuted, arrivalNanoseconds: arrivalNanoseconds) }

  /// The same of music that is mixed into what it sends.
  func signal(playsMusic: Bool, arrivalNanoseconds: Int) {
    music.send(playsMusic, arrivalNanoseconds: arrivalNanoseconds)
  }

  /// The listener has muted the user, or hears it again; who comes anew is heard.
  func setMuted(_ isMuted: Bool) { self.isMuted = isMuted && receiver != nil }

  /// Gives the listener what signalling has brought by `now`.
  func hearSignals(nowNanoseconds now: Int, in pipeline: AudioPipeline) {
    while let isMuted = mutes.receive(nowNanoseconds: now) {
      guard receiver != nil else { continue }
      // The user is there: nothing can be refused.
      try? pipeline.setRemoteUserMuted(uid, isMuted)
    }
    while let isPlaying = music.receive(nowNanoseconds: now) {
      guard receiver != nil else { continue }
      try? pipeline.setRemoteMusic(uid, isPlaying: isPlaying)
    }
  }

  /// Notes a packet that is sent here for the first time.
  ///
  /// - Parameter isLost: whether it will never come.
  func note(_ packet: CallPacket, isLost: Bool) {
    packetsSent += 1
    if isLost { packetsLost += 1 }
    packet.bytes.withUnsafeBytes { bytes in
      guard let view = try? RTPPacketView(parsing: bytes) else { return }
      let payload = UnsafeRawBufferPointer(rebasing: bytes[view.payloadRange])
      let length = milliseconds(payload)
      captures.add(
        CaptureLog.Entry(
          timestamp: view.header.timestamp, nanoseconds: packet.capturedNanoseconds, packetMilliseconds: length))
      // One or two bytes of Opus say that there is nothing to hear.
      guard isOpus ? payload.count > 2 : NullPayload(parsing: payload)?.announcesPause == false else { return }
      packetsSaid += 1
      unheard.note(sampleCount: Int(48 * length), isLost: isLost)
    }
  }

  /// Gives the receiver a packet.
  func receive(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds: Int, classifiedBy session: inout RTCPSession
  ) {
    unheard.arrive()
    receiver?.receive(packet, arrivalNanoseconds: arrivalNanoseconds, classifiedBy: &session)
  }

  /// The user has said goodbye.
  func receiveBye() { receiver?.receiveBye() }

  /// Whether nothing waits that could be played.
  var isPlayed: Bool { receiver.map { $0.latestReportBlock.stage == .idle } ?? true }

  /// Says that all that comes before `local` has been given.
  func complete(untilNanoseconds local: Int) {
    receiver?.complete(untilNanoseconds: local)
    trace.clear()
  }

  /// What the receiver says of itself; nil while there is none.
  var report: JitterBufferSnapshot? { receiver?.latestReportBlock }

  /// Looks at what a tick has played.
  func measure(nowNanoseconds now: Int) {
    guard let receiver else { return meter.skip() }
    unheard.advance(hasStream: receiver.latestReportBlock.stage != .idle)
    var delay: Double?
    if let timestamp = trace.fresh, let capture = captures.find(timestamp) {
      // A packet's first frame was captured a frame before it was complete, and is played a frame earlier.
      let age = Double(now - capture.nanoseconds) / 1e6
      let position = min(capture.packetMilliseconds - 10, 10 * Double(trace.frameOfPacket))
      delay = age + capture.packetMilliseconds - 10 - position + Self.codecMilliseconds
    }
    meter.advance(
      statistics, sent: packetsSent, said: packetsSaid, lost: packetsLost, isMuted: isMuted, delayMilliseconds: delay)
  }

  /// The call is over: what the pipeline still renders counts no more.
  func close() { closed = statistics }

  /// - Parameters:
  ///   - feedback: what the listener's reports tell.
  ///   - told: what the user's own do.
  func finish(link: LinkCounters, feedback: RTCPSessionReport?, told: RTCPSessionReport?) -> HeardUser {
    meter.finish(sent: packetsSent, lost: packetsLost)
    return HeardUser(
      uid: uid, packetsSent: packetsSent, packetsLost: packetsLost,
      packetsRefused: refusedEarlier + (receiver?.refusedPacketCount ?? 0), link: link,
      statistics: closed ?? statistics, feedback: feedback, told: told,
      delay: meter.delay, buffer: meter.buffer, seconds: meter.seconds)
  }

  private func milliseconds(_ payload: UnsafeRawBufferPointer) -> Double {
    let opus = isOpus ? (try? OpusPayload(parsing: payload))?.samplesPerChannel : nil
    let null = isOpus ? nil : NullPayload(parsing: payload).map { Int($0.sampleCount) }
    return Double(opus ?? null ?? 960) / 48
  }

  /// What receivers have counted, and what they could not know: of an outage of more than 15 s a receiver learns when
  /// it is over.
  private var statistics: JitterBufferStatistics {
    var statistics = earlier + (receiver?.latestReportBlock.statistics ?? JitterBufferStatistics())
    let change = unheard.samples - statistics.outageSamples
    statistics.idleSamples -= change
    statistics.concealedSamples += change
    statistics.silentConcealedSamples += change
    statistics.frozenSamples += unheard.frozenSamples - statistics.outageSamples
    statistics.outageSamples = unheard.samples
    statistics.concealmentEvents += unheard.eventCount
    return statistics
  }
}
