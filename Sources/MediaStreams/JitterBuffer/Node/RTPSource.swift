public import AudioGraph
import OpusCodec
public import RTP
import Synchronization

/// A remote user whose sound comes out of RTP packets.
///
///     network thread ── receive ──ring──▶ receiver ──▶ node   audio thread
///
/// A ring that is full refuses packets and counts them. In an offline pipeline packets may be given ahead of time: each
/// enters at the first tick that is not before its arrival, and a tick waits until `complete(untilNanoseconds:)` says
/// that all packets for it are there.
public final class RTPSource: AudioSource {
  public let node: any AudioNode
  public let channelCount: Int
  public let sampleRate = OpusOptions.sampleRate
  /// How the receiver was made.
  public let options: JitterBufferOptions
  private let receiver: ReceiverNode
  private let ring: Ring<IncomingPacket>
  private let ready: Doorbell
  private let writer: Guarded<IncomingPacketWriter>
  private let inlets: SnapshotReader
  private let pending = Guarded(PendingPackets())
  private let learnedType = Guarded(LearnedPayloadType())
  private let oversized = Atomic<Int>(0)
  /// All packets that come before this time are in the ring; stored by the producing thread, which pairs with
  /// `isReady`.
  private let completeUntil: Atomic<Int>
  /// Where the stream ends, in samples; below 0 while that is not known.
  private let end = Atomic<Int>(-1)

  /// Packets that may wait between two ticks: 5 s of packets of 10 ms, after a network or a machine that stood still.
  public static let burstCapacity = 512
  private static let nanosecondsPerTick = 1_000_000_000 / FrameSchedule.framesPerSecond

  /// A source for a graph.
  ///
  /// - Parameters:
  ///   - isOffline: whether packets may be given ahead of time, and ticks wait for them.
  ///   - ready: rung when a tick may have become possible.
  public init(
    _ options: JitterBufferOptions, isOffline: Bool, ready: Doorbell, capacity: Int = RTPSource.burstCapacity
  ) throws(EngineError) {
    self.options = options
    self.ready = ready
    channelCount = options.channelCount
    completeUntil = Atomic(isOffline ? .min : .max)
    let incoming = IncomingPackets(capacity: capacity)
    ring = incoming.packets
    let receiver = try JitterBuffer(options)
    let channel = SnapshotChannel(initial: receiver.report)
    inlets = SnapshotReader(channel)
    self.receiver = ReceiverNode(
      receiver, packets: IncomingPacketReader(incoming), outlets: SnapshotWriter(channel), holdsBack: isOffline)
    node = self.receiver
    writer = Guarded(IncomingPacketWriter(incoming))
  }

  /// Takes an RTP packet that came at `arrivalNanoseconds` of the pipeline's clock. Thread: any; one call at a time
  /// gets in, in the order of arrival.
  ///
  /// - Parameters:
  ///   - origin: whether it came as it was first sent.
  ///   - verdict: to which stream it belongs; nil = the receiver finds out. All packets come with one, or none.
  /// - Returns: false when the ring is full, or the packet longer than 1500 bytes; both are counted.
  @discardableResult
  public func receive(
    _ packet: UnsafeRawBufferPointer, arrivalNanoseconds: Int, origin: PacketOrigin = .first,
    decision: SourceArbiter.Decision? = nil
  ) -> Bool {
    guard packet.count <= PacketMemory.bytesPerPacket else {
      oversized.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    return writer.withLock { $0.write(packet, arrival: arrivalNanoseconds, origin: origin, decision: decision) }
  }

  /// Takes an RTP packet that a session judges first, so that both count the same ones. Thread: as `receive`, and the
  /// session's.
  ///
  /// - Returns: what the session says of it; nil where it is none for this receiver, which counts it as such.
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

  /// The same for who wants to know what is in it as well.
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

  /// Takes a packet that cannot be decoded, or is of another payload type.
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
      // Key presses before a source is heard belong to it, too.
      pending.withLock { $0.keep(packet, ssrc: header.ssrc, arrival: arrivalNanoseconds) }
      return .foreign(header)
    }
    learnedType.withLock { $0.noteOther(header) }
    return .soundless(header)
  }

  /// Says that every packet which comes before this time has been given. Offline pipelines only. Thread: any.
  public func complete(untilNanoseconds time: Int) {
    completeUntil.store(time, ordering: .releasing)
    ready.ring()
  }

  /// Says where the stream ends, in samples of the pipeline's time, so that a run offline can. Thread: any.
  public func finish(atPosition position: Int) {
    end.store(position, ordering: .releasing)
    completeUntil.store(.max, ordering: .releasing)
    ready.ring()
  }

  /// Says that the sender has said goodbye: what has come is played to its end, and nothing is made up behind it. A
  /// packet that comes afterwards begins another stream. Thread: any.
  public func receiveBye() { receiver.receiveBye() }

  /// What the receiver does and has counted, as of the newest tick. Thread: any.
  public var latestReportBlock: JitterBufferSnapshot { inlets.latestReportBlock }

  /// What it said of itself at the end of a tick whose successor's number is a multiple of the statistics' interval;
  /// nil for other ticks, and while it was not there. Thread: any.
  package func report(afterTicks count: Int) -> JitterBufferSnapshot? { inlets.report(afterTicks: count) }

  /// Takes the oldest observation from before a tick. Thread: one at a time.
  package func nextObservation(beforeTick tick: Int) -> ReceptionObservation? {
    inlets.nextObservation(beforeTick: tick)
  }

  /// Packets that never reached the receiver: the ring was full, or they were too long. Thread: any.
  public var refusedPacketCount: Int { ring.droppedCount + oversized.load(ordering: .relaxed) }

  /// Those of them that were longer than 1500 bytes. Thread: any.
  public var oversizedPacketCount: Int { oversized.load(ordering: .relaxed) }

  public var isReady: Bool {
    // A tick at t needs what came up to t.
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

  /// Says whether the listener has muted the user: then no frame is told as decoded, whoever needs it.
  package func setMuted(_ isMuted: Bool) { receiver.isMuted = isMuted }
}
