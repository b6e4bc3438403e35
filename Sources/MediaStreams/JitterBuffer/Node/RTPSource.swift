public import AudioGraph
import OpusCodec
public import RTP
import Synchronization

/// Remote user with sound from RTP packets.
///
///     network thread ── receive ──ring──▶ receiver ──▶ node   audio thread
///
/// A full ring refuses packets and counts them. In an offline pipeline, packets may be given ahead of time: each enters
/// at the first tick that is not before its arrival. A tick waits until `complete(untilNanoseconds:)` says that all
/// packets for it are there.
public final class RTPSource: AudioSource {
  public let node: any AudioNode
  public let channelCount: Int
  public let sampleRate = OpusOptions.sampleRate
  /// Options of the receiver.
  public let options: JitterBufferOptions
  private let receiver: ReceiverNode
  private let ring: Ring<IncomingPacket>
  private let ready: Doorbell
  private let writer: Guarded<IncomingPacketWriter>
  private let inlets: SnapshotReader
  private let pending = Guarded(PendingPackets())
  private let learnedType = Guarded(LearnedPayloadType())
  private let oversized = Atomic<Int>(0)
  /// Time between a packet's arrival and its way into the receiver, in nanoseconds.
  private let holdNanoseconds: Int
  /// Time up to which all packets are in the ring, in nanoseconds; stored by the producing thread, which pairs with
  /// `isReady`.
  private let completeUntil: Atomic<Int>
  /// End of the stream, in samples; below 0 while it is not known.
  private let end = Atomic<Int>(-1)

  /// Packets that may wait between two ticks: 5 s of packets of 10 ms, after a stall of a network or a machine.
  public static let burstCapacity = 512
  private static let nanosecondsPerTick = 1_000_000_000 / FrameSchedule.framesPerSecond

  /// Creates a source for a graph.
  ///
  /// - Parameters:
  ///   - options: options of the receiver.
  ///   - isOffline: whether packets may be given ahead of time, and ticks wait for them.
  ///   - ready: rung when a tick may have become possible.
  ///   - capacity: packets that may wait between two ticks.
  public convenience init(
    _ options: JitterBufferOptions, isOffline: Bool, ready: Doorbell, capacity: Int = RTPSource.burstCapacity
  ) throws(EngineError) {
    try self.init(options, isOffline: isOffline, ready: ready, capacity: capacity, holdNanoseconds: 0)
  }

  /// Creates a source that holds each packet for a time, so that its sound is heard that much later.
  package init(
    _ options: JitterBufferOptions, isOffline: Bool, ready: Doorbell, capacity: Int, holdNanoseconds: Int
  ) throws(EngineError) {
    self.options = options
    self.holdNanoseconds = holdNanoseconds
    self.ready = ready
    channelCount = options.channelCount
    completeUntil = Atomic(isOffline ? .min : .max)
    let incoming = IncomingPackets(capacity: capacity)
    ring = incoming.packets
    let receiver = try JitterBuffer(options)
    let channel = SnapshotChannel(initial: receiver.report)
    inlets = SnapshotReader(channel)
    self.receiver = ReceiverNode(
      receiver, packets: IncomingPacketReader(incoming), outlets: SnapshotWriter(channel),
      holdsBack: isOffline || holdNanoseconds > 0)
    node = self.receiver
    writer = Guarded(IncomingPacketWriter(incoming))
  }

  /// Takes an RTP packet. Thread: any; one call at a time gets in, in the order of arrival.
  ///
  /// - Parameters:
  ///   - packet: bytes of the packet.
  ///   - arrivalNanoseconds: time of arrival, in nanoseconds of the pipeline's clock.
  ///   - origin: whether the packet came as first sent.
  ///   - decision: stream of the packet; nil if the receiver is to find out. All packets come with a decision, or none.
  /// - Returns: false if the ring is full, or the packet longer than 1500 bytes; both are counted.
  @discardableResult
  public func receive(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds: Int, origin: PacketOrigin = .first,
    decision: SourceArbiter.Decision? = nil
  ) -> Bool {
    guard packet.count <= PacketMemory.bytesPerPacket else {
      oversized.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    let entry = arrivalNanoseconds + holdNanoseconds
    return writer.withLock { $0.write(packet, arrival: entry, origin: origin, decision: decision) }
  }

  /// Takes an RTP packet that a session classifies first, so that both count the same ones. Thread: the session's; one
  /// call at a time gets in, in the order of arrival.
  ///
  /// - Parameters:
  ///   - packet: bytes of the packet.
  ///   - arrivalNanoseconds: time of arrival, in nanoseconds of the pipeline's clock.
  ///   - session: the session that classifies the packet.
  /// - Returns: classification by the session; nil if the packet is not one for this receiver, which counts it as such.
  @discardableResult
  public func receive(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds: Int, classifiedBy session: inout RTCPSession
  ) -> PacketClassification? {
    let taken = take(packet, arrivalNanoseconds: arrivalNanoseconds, classifiedBy: &session)
    guard case .sound(_, let classification, let earlier) = taken else { return nil }
    for packet in earlier {
      packet.bytes.withUnsafeBytes {
        _ = take($0, arrivalNanoseconds: packet.arrival, classifiedBy: &session)
      }
    }
    return classification
  }

  /// Takes an RTP packet that a session classifies first, and returns its content, too.
  package func take(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds: Int, classifiedBy session: inout RTCPSession
  ) -> TakenPacket {
    guard packet.count <= PacketMemory.bytesPerPacket else {
      oversized.wrappingAdd(1, ordering: .relaxed)
      return .oversized
    }
    guard let content = try? PacketContent(of: packet, options, learned: learnedType.withLock { $0 }) else {
      return takeSoundless(packet, arrivalNanoseconds: arrivalNanoseconds, classifiedBy: &session)
    }
    let header = content.view.header
    let classification = session.receive(
      header, announcesPause: content.info.isDiscontinued, nowNanoseconds: arrivalNanoseconds)
    receive(
      packet, arrivalNanoseconds: arrivalNanoseconds, origin: classification.origin, decision: classification.decision)
    if case .unknownSource = classification.decision {
      pending.withLock { $0.keep(packet, ssrc: header.ssrc, arrival: arrivalNanoseconds) }
      return .sound(content, classification, earlier: [])
    }
    learnedType.withLock { $0.note(header) }
    guard case .begins = classification.decision else { return .sound(content, classification, earlier: []) }
    let earlier = pending.withLock { $0.take(ssrc: header.ssrc, now: arrivalNanoseconds) }
    return .sound(content, classification, earlier: earlier)
  }

  /// Takes a packet that cannot be decoded or has another payload type.
  private func takeSoundless(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds: Int, classifiedBy session: inout RTCPSession
  ) -> TakenPacket {
    guard let header = try? RTPHeader(parsing: packet) else {
      receive(packet, arrivalNanoseconds: arrivalNanoseconds, decision: .unknownSource)
      return .foreign(nil)
    }
    let classification = session.receiveSoundless(header, nowNanoseconds: arrivalNanoseconds)
    receive(packet, arrivalNanoseconds: arrivalNanoseconds, decision: classification.decision)
    if case .unknownSource = classification.decision {
      // Key presses before a source is received belong to it, too.
      pending.withLock { $0.keep(packet, ssrc: header.ssrc, arrival: arrivalNanoseconds) }
      return .foreign(header)
    }
    learnedType.withLock { $0.noteOther(header) }
    return .soundless
  }

  /// Declares that all packets that come before this time have been given. Offline pipelines only. Thread: any.
  public func complete(untilNanoseconds time: Int) {
    completeUntil.store(time, ordering: .releasing)
    ready.ring()
  }

  /// Sets the end of the stream, in samples of the pipeline's time, so that an offline run can end. Thread: any.
  public func finish(atPosition position: Int) {
    end.store(position, ordering: .releasing)
    completeUntil.store(.max, ordering: .releasing)
    ready.ring()
  }

  /// Notes the sender's BYE: packets that have come are played to their end, and nothing is concealed behind them. A
  /// packet that comes afterwards begins another stream. Thread: any.
  public func receiveBye() { receiver.receiveBye() }

  /// Stage and counters of the receiver as of the newest tick. Thread: any.
  public var latestSnapshot: JitterBufferSnapshot { inlets.latestSnapshot }

  /// Returns the report at the end of a tick, if the number of the next tick is a multiple of the statistics' interval;
  /// nil for other ticks, and while the source was not there. Thread: any.
  package func report(afterTicks count: Int) -> JitterBufferSnapshot? { inlets.report(afterTicks: count) }

  /// Takes the oldest observation from before a tick. Thread: one at a time.
  package func nextObservation(beforeTick tick: Int) -> ReceptionObservation? {
    inlets.nextObservation(beforeTick: tick)
  }

  /// Packets that never reached the receiver, because the ring was full or they were too long. Thread: any.
  public var refusedPacketCount: Int { ring.droppedCount + oversized.load(ordering: .relaxed) }

  /// Packets that never reached the receiver, because they were longer than 1500 bytes. Thread: any.
  public var oversizedPacketCount: Int { oversized.load(ordering: .relaxed) }

  public var isReady: Bool {
    // A tick at t needs all packets up to t.
    let time = receiver.tickTime
    return completeUntil.load(ordering: .acquiring) > (time < 0 ? 0 : time + Self.nanosecondsPerTick)
  }

  public var isExhausted: Bool {
    guard let position = endPosition else { return false }
    return receiver.renderedSampleCount >= position
  }
  public func requestMore() {}
  public var endPosition: Int? {
    let position = end.load(ordering: .acquiring)
    return position < 0 ? nil : position
  }
  public func setHeard(_ isHeard: Bool) { receiver.isHeard = isHeard }

  /// Sets the shortest mean wait of a sample; 0 at first: the network alone decides. Packets that are later than the
  /// network's usual ones then come in time, and all sound is heard later. Thread: any; counts from the next tick.
  package func setMinimumDelay(nanoseconds: Int) { receiver.minimumDelay = nanoseconds }

  /// Sets whether the listener has muted the user: then no frame is reported as decoded, even if the frames are needed.
  package func setMuted(_ isMuted: Bool) { receiver.isMuted = isMuted }
}
