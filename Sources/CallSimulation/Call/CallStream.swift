import AudioGraph
import Engine
import FrameObservers
import MediaStreams
import NetworkSimulation
import RTP

/// One user's voice at a listener: the receiver and its measurements.
final class CallStream {
  let uid: UInt32
  private let options: JitterBufferOptions
  /// The receiver; nil while one of the two users is not in the call.
  private var receiver: RTPSource?
  /// Counters of earlier receivers.
  private var earlier = JitterBufferStatistics()
  private var refusedEarlier = 0
  private let trace: PlayoutTrace
  private var meter = StreamMeter()
  private var packetsSent = 0
  private var packetsLost = 0
  /// Sent packets that hold sound.
  private var packetsSaid = 0
  /// Whether the listener has muted the user.
  private var isMuted = false
  private var unheard = UnplayedVoice()
  /// Counters at the end of the call; nil before.
  private var closed: JitterBufferStatistics?
  /// Capture times of packets under way and of packets that wait.
  private var captures = CaptureLog()
  /// Signals of the sender's mute, under way to the listener.
  private var mutes = SwitchSignals()
  /// Signals of the sender's music, under way to the listener.
  private var music = SwitchSignals()
  /// Whether the packets are Opus packets, which state their duration.
  private let isOpus: Bool

  /// Look-ahead of Opus, in milliseconds, which no other delay contains.
  private static let codecMilliseconds = 6.5

  init(from uid: UInt32, of call: SimulatedCall, channelCount: Int, trace: PlayoutTrace) {
    self.uid = uid
    self.trace = trace
    let codec: ReceiverCodec
    switch call.codec {
    case .opus: codec = .opus
    case .pcmu: codec = .pcmu
    case .pcma: codec = .pcma
    case .linear16(let rate, _): codec = .linear16(sampleRate: rate, channelCount: channelCount)
    case .null: codec = .null
    }
    isOpus = codec == .opus
    options = JitterBufferOptions(codec: codec, channelCount: channelCount, sourceID: uid)
  }

  /// Starts to receive the user, in the listener's pipeline.
  func open(in pipeline: AudioPipeline) throws {
    guard receiver == nil else { return }
    receiver = try pipeline.addRemoteUser(uid, receiving: options)
    // A user that joins gets the current states.
    try pipeline.setRemoteUserMuted(uid, mutes.arrive())
    try pipeline.setRemoteMusic(uid, isPlaying: music.arrive())
    captures = CaptureLog()
  }

  /// Follows a receiver that an engine has made; nil: the user is not heard.
  func follow(_ source: RTPSource?) {
    guard source !== receiver else { return }
    end()
    receiver = source
    if source != nil { captures = CaptureLog() }
  }

  /// Stops receiving the user; packets still under way are lost.
  func close(in pipeline: AudioPipeline) throws {
    guard receiver != nil else { return }
    end()
    isMuted = false
    try pipeline.removeUser(uid)
  }

  private func end() {
    guard let ended = receiver else { return }
    earlier = earlier + ended.latestSnapshot.statistics
    refusedEarlier += ended.refusedPacketCount
    receiver = nil
  }

  /// Signals that the sender has muted or unmuted its stream. Signalling loses nothing.
  func signal(isMuted: Bool, arrivalNanoseconds: Int) { mutes.send(isMuted, arrivalNanoseconds: arrivalNanoseconds) }

  /// Signals whether music is mixed into the sender's stream. Signalling loses nothing.
  func signal(playsMusic: Bool, arrivalNanoseconds: Int) {
    music.send(playsMusic, arrivalNanoseconds: arrivalNanoseconds)
  }

  /// Notes that the listener has muted or unmuted the user; a user that joins again is unmuted.
  func setMuted(_ isMuted: Bool) { self.isMuted = isMuted && receiver != nil }

  /// Passes signals that have arrived by `now` to the listener's pipeline.
  func hearSignals(nowNanoseconds now: Int, in pipeline: AudioPipeline) {
    while let isMuted = mutes.receive(nowNanoseconds: now) {
      guard receiver != nil else { continue }
      // The user exists in the pipeline: nothing can be refused.
      try? pipeline.setRemoteUserMuted(uid, isMuted)
    }
    while let isPlaying = music.receive(nowNanoseconds: now) {
      guard receiver != nil else { continue }
      try? pipeline.setRemoteMusic(uid, isPlaying: isPlaying)
    }
  }

  /// Notes a packet sent for the first time.
  ///
  /// - Parameters:
  ///   - packet: The packet.
  ///   - timestamp: Timestamp at the listener, if a relay has changed it.
  ///   - isLost: Whether it never arrives.
  func note(_ packet: CallPacket, timestamp: UInt32? = nil, isLost: Bool) {
    packetsSent += 1
    if isLost { packetsLost += 1 }
    packet.bytes.withUnsafeBytes { bytes in
      guard let view = try? RTPPacketView(parsing: bytes) else { return }
      let payload = UnsafeRawBufferPointer(rebasing: bytes[view.payloadRange])
      let length = milliseconds(payload)
      captures.add(
        CaptureLog.Entry(
          timestamp: timestamp ?? view.header.timestamp, nanoseconds: packet.capturedNanoseconds,
          packetMilliseconds: length))
      // An Opus payload of one or two bytes means that there is nothing to hear.
      guard isOpus ? payload.count > 2 : NullPayload(parsing: payload)?.announcesPause == false else { return }
      packetsSaid += 1
      unheard.note(sampleCount: Int(48 * length), isLost: isLost)
    }
  }

  /// Passes a packet to the receiver.
  func receive(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds: Int, classifiedBy session: inout RTCPSession
  ) {
    unheard.arrive()
    receiver?.receive(packet, arrivalNanoseconds: arrivalNanoseconds, classifiedBy: &session)
  }

  /// Notes a packet that has arrived at a receiver that this stream only follows.
  func noteArrival() { unheard.arrive() }

  /// Passes the user's BYE to the receiver.
  func receiveBye() { receiver?.receiveBye() }

  /// Whether no packet waits that could be played.
  var isPlayed: Bool { receiver.map { $0.latestSnapshot.stage == .idle } ?? true }

  /// Notes that all packets that arrive before `local` have been passed to the receiver.
  func complete(untilNanoseconds local: Int) {
    receiver?.complete(untilNanoseconds: local)
    trace.clear()
  }

  /// Newest snapshot of the receiver; nil without a receiver.
  var report: JitterBufferSnapshot? { receiver?.latestSnapshot }

  /// Forgets the frame that was played last; needed before each tick without `complete`.
  func clearTrace() { trace.clear() }

  /// Measures the sound that a tick has played.
  func measure(nowNanoseconds now: Int) {
    guard let receiver else { return meter.skip() }
    unheard.advance(hasStream: receiver.latestSnapshot.stage != .idle)
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

  /// Ends the call's counters: sound that the pipeline still renders does not count.
  func close() { closed = statistics }

  /// - Parameters:
  ///   - link: Counters of the link.
  ///   - feedback: Report of the listener's RTCP session.
  ///   - remoteReport: Report of the user's own RTCP session.
  func finish(link: LinkCounters, feedback: RTCPSessionReport?, remoteReport: RTCPSessionReport?) -> HeardUser {
    meter.finish(sent: packetsSent, lost: packetsLost)
    return HeardUser(
      uid: uid, packetsSent: packetsSent, packetsLost: packetsLost,
      packetsRefused: refusedEarlier + (receiver?.refusedPacketCount ?? 0), link: link,
      statistics: closed ?? statistics, feedback: feedback, remoteReport: remoteReport,
      delay: meter.delay, buffer: meter.buffer, seconds: meter.seconds)
  }

  private func milliseconds(_ payload: UnsafeRawBufferPointer) -> Double {
    let opus = isOpus ? (try? OpusPayload(parsing: payload))?.samplesPerChannel : nil
    let null = isOpus ? nil : NullPayload(parsing: payload).map { Int($0.sampleCount) }
    return Double(opus ?? null ?? 960) / 48
  }

  /// Counters of the receivers + losses that they could not know: a receiver learns of an outage of more than 15 s only
  /// at its end.
  private var statistics: JitterBufferStatistics {
    var statistics = earlier + (receiver?.latestSnapshot.statistics ?? JitterBufferStatistics())
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
