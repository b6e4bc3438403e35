import AudioGraph
import Engine
import FrameObservers
import Transport

/// One direction of a call: a link, the receiver at its end, and what is measured there.
final class CallStream {
  let uid: UInt32
  private var link: ImpairedLink<CallPacket>
  private let options: ReceiverOptions
  /// Nil while one of the two is not in the call.
  private var receiver: ReceiverSource?
  /// Counts receivers: each time that the two meet there is a new one.
  private var session = 0
  /// What earlier receivers have counted.
  private var earlier = ReceiverStatistics()
  private let trace = PlayoutTrace()
  private var meter = StreamMeter()
  private var packetsSent = 0
  /// When the packets of the last seconds were captured, by their timestamps.
  private var captureTimes: [UInt32: Int] = [:]
  private var captureOrder: [UInt32] = []
  private let packetMilliseconds: Double
  /// What signalling says of the sender's mute, on its way to the listener.
  private var mutes = SwitchSignals()
  /// The same of its music.
  private var music = SwitchSignals()

  /// More packets of 10 ms than a link can hold: two minutes.
  private static let remembered = 12_000
  /// The look-ahead of Opus, which no other delay contains.
  private static let codecMilliseconds = 6.5

  init(from uid: UInt32, to listener: UInt32, of call: SimulatedCall, channelCount: Int, pipeline: AudioPipeline) throws
  {
    self.uid = uid
    link = ImpairedLink(call.conditions, seed: call.seed, link: LinkIdentity(sender: uid, receiver: listener))
    packetMilliseconds = Double(call.codec.packetDuration.rawValue)
    let codec: ReceiverCodec
    switch call.codec {
    case .opus: codec = .opus
    case .null: codec = .null
    }
    options = ReceiverOptions(codec: codec, channelCount: channelCount, sourceID: uid)
    _ = try pipeline.observe(
      .look(at: .beforeMixing) { [trace] frame, source in if source.uid == uid { trace.see(frame.rtpTimestamp) } })
  }

  /// Begins to hear the user, in the listener's pipeline.
  func open(in pipeline: AudioPipeline) throws {
    guard receiver == nil else { return }
    receiver = try pipeline.addRemoteUser(uid, receiving: options)
    // Who comes is told how things are.
    try pipeline.setRemoteUserMuted(uid, mutes.arrive())
    try pipeline.setRemoteMusic(uid, isPlaying: music.arrive())
    session += 1
    captureTimes = [:]
    captureOrder = []
  }

  /// Ends what `open` began; what is still under way is lost.
  func close(in pipeline: AudioPipeline) throws {
    guard let ended = receiver else { return }
    earlier = earlier + ended.newestReport.statistics
    receiver = nil
    try pipeline.removeUser(uid)
  }

  /// What the link does from now on.
  func change(_ changes: [NetworkChange]) throws { link.conditions = try link.conditions.applying(changes) }

  /// Takes from signalling that the sender has muted its stream, or sends it again. Signalling loses nothing, and takes as
  /// long as the link does without jitter.
  func signal(isMuted: Bool, nowNanoseconds now: Int) {
    mutes.send(isMuted, arrivalNanoseconds: now + link.conditions.delay.wholeNanoseconds)
  }

  /// Takes from signalling that the sender mixes music into what it sends, or no more; likewise.
  func signal(playsMusic: Bool, nowNanoseconds now: Int) {
    music.send(playsMusic, arrivalNanoseconds: now + link.conditions.delay.wholeNanoseconds)
  }

  /// Takes a packet from its sender.
  func send(_ packet: CallPacket) {
    guard receiver != nil else { return }
    var packet = packet
    packet.session = session
    packetsSent += 1
    let bytes = packet.bytes
    if let header = bytes.withUnsafeBytes({ try? RTPHeader(parsing: $0) }) {
      captureTimes[header.timestamp] = packet.capturedNanoseconds
      captureOrder.append(header.timestamp)
      if captureOrder.count > Self.remembered { captureTimes[captureOrder.removeFirst()] = nil }
    }
    link.send(packet, byteCount: bytes.count, nowNanoseconds: packet.sentNanoseconds)
  }

  /// Gives the listener what has arrived by `now`; times of arrival are those of the listener's clock.
  func deliver(nowNanoseconds now: Int, clock: DriftingClock, to pipeline: AudioPipeline) {
    while let isMuted = mutes.receive(nowNanoseconds: now) {
      guard receiver != nil else { continue }
      // The user is there: nothing can be refused.
      try? pipeline.setRemoteUserMuted(uid, isMuted)
    }
    while let isPlaying = music.receive(nowNanoseconds: now) {
      guard receiver != nil else { continue }
      try? pipeline.setRemoteMusic(uid, isPlaying: isPlaying)
    }
    while let delivery = link.receive(nowNanoseconds: now) {
      guard let receiver, delivery.datagram.session == session else { continue }
      delivery.datagram.bytes.withUnsafeBytes { bytes in
        _ = receiver.receive(
          bytes, arrivalNanoseconds: clock.localNanoseconds(at: delivery.arrivalNanoseconds))
      }
    }
    receiver?.complete(untilNanoseconds: clock.localNanoseconds(at: now) + 1)
    trace.clear()
  }

  /// Looks at what a tick has played.
  func measure(nowNanoseconds now: Int) {
    guard receiver != nil else { return meter.skip() }
    var delay: Double?
    if let timestamp = trace.fresh, let captured = captureTimes[timestamp] {
      // A packet's first frame was captured a frame before it was complete, and is played a frame earlier.
      let age = Double(now - captured) / 1e6
      let position = min(packetMilliseconds - 10, 10 * Double(trace.frameOfPacket))
      delay = age + packetMilliseconds - 10 - position + Self.codecMilliseconds
    }
    meter.advance(statistics, isSpoken: packetsSent > 0, delayMilliseconds: delay)
  }

  func finish() -> HeardUser {
    meter.finish()
    return HeardUser(
      uid: uid, packetsSent: packetsSent, link: link.counters, statistics: statistics,
      delay: meter.delay, buffer: meter.buffer, seconds: meter.seconds)
  }

  private var statistics: ReceiverStatistics {
    receiver.map { earlier + $0.newestReport.statistics } ?? earlier + ReceiverStatistics()
  }
}
