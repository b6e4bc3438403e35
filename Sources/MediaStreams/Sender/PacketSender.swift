public import AudioGraph
public import OpusCodec
import Synchronization

/// Sends a voice as RTP packets: attach it to a pipeline with `startSending`, and take the packets for the network.
///
///     audio thread   RECORD ──▶ codec ──▶ packet ──ring──▶ next   network thread
///
/// A full ring loses the newest packet and counts it.
public final class PacketSender: Sendable {
  /// Options of the sender.
  public let options: SenderOptions
  /// End of a custom graph; a pipeline puts it there by itself. Shape: 48 kHz, `options.channelCount` channels.
  public let node: any AudioNode
  private let ring: Ring<OutgoingPacket>
  private let consumer: Guarded<RingConsumer<OutgoingPacket>>
  private let settings: Guarded<LatestValueWriter<SenderCodec>>
  let counters = RenderState(SenderCounters())
  private let periodic: Guarded<LatestValueReader<SenderTotals>>
  /// Bits per second that were set last.
  private let bitrate: Atomic<Int>

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - options: options of the sender.
  ///   - capacity: packets that may wait to be taken.
  /// - Throws: `EngineError` with code `.invalidArgument` for options out of range.
  public init(_ options: SenderOptions = SenderOptions(), capacity: Int = 64) throws(EngineError) {
    try options.validate()
    self.options = options
    let memory = PacketMemory(count: capacity)
    ring = Ring(capacity: max(1, capacity), policy: .dropNewest, keepAlive: memory) {
      OutgoingPacket(bytes: memory[$0])
    }
    let latest = LatestValue(options.codec)
    let totals = LatestValue(SenderTotals(tickCount: -1, packets: 0, payloadBytes: 0, suppressed: 0))
    node = try SenderNode(
      options, packets: ring.takeProducer(), settings: latest.takeReader(), counters: counters,
      totals: totals.takeWriter())
    periodic = Guarded(totals.takeReader())
    bitrate = Atomic(options.codec.bitrate ?? 0)
    consumer = Guarded(ring.takeConsumer())
    settings = Guarded(latest.takeWriter())
  }

  /// Hands the oldest packet that waits to `body`. Thread: any that may wait; one call at a time gets in.
  ///
  /// - Parameter body: takes the packet, and the time of the tick that completed it, in nanoseconds of the engine's
  ///   clock.
  /// - Returns: false if no packet waits.
  public func next(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) rethrows -> Bool {
    try consumer.withLock { consumer in
      guard let packet = consumer.peek() else {
        consumer.release(0)
        return false
      }
      defer { consumer.release(1) }
      try body(
        UnsafeRawBufferPointer(start: packet.pointee.bytes, count: packet.pointee.byteCount), packet.pointee.time)
      return true
    }
  }

  /// Changes bit rate, complexity, FEC, DTX and the packets' duration from the next packet on, but not the application.
  /// Thread: any.
  ///
  /// - Parameter opus: the new options.
  /// - Throws: `.invalidArgument` for options out of range, or if the sender does not send Opus.
  public func set(_ opus: OpusOptions) throws(EngineError) {
    guard case .opus(let present) = options.codec else {
      throw EngineError(.invalidArgument, "a sender without Opus has no settings of Opus")
    }
    guard opus.application == present.application else {
      throw EngineError(.invalidArgument, "an encoder keeps what it is tuned for; make another sender")
    }
    try opus.validate()
    settings.withLock { $0.write(.opus(opus)) }
    bitrate.store(opus.bitrate, ordering: .relaxed)
  }

  /// Packets made so far. Thread: any.
  public var packetCount: Int { counters.pointer.pointee.packets.load(ordering: .relaxed) }
  /// Bytes of the payloads of the packets made so far. Thread: any.
  public var payloadByteCount: Int { counters.pointer.pointee.payloadBytes.load(ordering: .relaxed) }
  /// Packets that were not made because there was nothing to hear (DTX). Thread: any.
  public var suppressedPacketCount: Int { counters.pointer.pointee.suppressed.load(ordering: .relaxed) }
  /// Packets that could not be made. Thread: any.
  public var failureCount: Int { counters.pointer.pointee.failures.load(ordering: .relaxed) }
  /// Packets lost because they were not taken in time. Thread: any.
  public var droppedPacketCount: Int { ring.droppedCount }

  /// Returns the counters after `count` ticks, the end of an interval of the statistics; nil for other ticks. Thread:
  /// any.
  package func totals(afterTicks count: Int) -> SenderTotals? {
    periodic.withLock { periodic in
      let totals = periodic.read()
      return totals.tickCount == count ? totals : nil
    }
  }

  /// Returns the present counters, as those of a tick. Thread: any.
  package func totals(atTick tick: Int) -> SenderTotals {
    SenderTotals(
      tickCount: tick, packets: packetCount, payloadBytes: payloadByteCount, suppressed: suppressedPacketCount)
  }

  /// Present bit rate as a share of the one that the sender was made for; nil without one. Thread: any.
  package var bitrateShare: Double? {
    options.codec.bitrate.map { min(1, Double(bitrate.load(ordering: .relaxed)) / Double($0)) }
  }

  /// Sets whether frames become packets, false at first; a pipeline sets it itself. Thread: any.
  public func setSending(_ isSending: Bool) {
    let was = counters.pointer.pointee.isSending.exchange(isSending, ordering: .relaxed)
    if isSending, !was { counters.pointer.pointee.starts.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Number of times that sending began. Thread: any.
  package var startCount: Int { counters.pointer.pointee.starts.load(ordering: .relaxed) }
}
