import AudioGraph
import Engine
import GraphTestSupport
import MediaStreams
import OpusCodec
import StreamTestSupport

/// A pipeline with one user, 7, whose packets come when they are told to, ticked by hand on virtual time.
struct SteppedPipeline {
  let pipeline: AudioPipeline
  let source: RTPSource
  let log: StreamEventLog
  /// Nil where nothing is sent.
  let sender: PacketSender?
  private var packets: [TimedPacket]

  init(
    _ packets: [TimedPacket], channelCount: Int = 1, receiver: JitterBufferOptions = JitterBufferOptions(codec: .null),
    sendsVoice: Bool = false, codec: SenderCodec = .null(.milliseconds20)
  ) throws {
    pipeline = try AudioPipeline(mode: .offline, channelCount: channelCount)
    log = StreamEventLog(pipeline)
    source = try pipeline.addRemoteUser(7, receiving: receiver)
    sender = sendsVoice ? try PacketSender(SenderOptions(codec: codec)) : nil
    if let sender {
      try pipeline.setLocalSource(try PlaneSource([[Float](repeating: 0, count: 48_000)], uid: 0))
      try pipeline.startSending(through: sender)
    }
    self.packets = packets.sorted { $0.arrival < $1.arrival }
    try pipeline.startStepping(isEndless: true)
  }

  /// Ticks until so many are over.
  mutating func run(to count: Int) {
    while pipeline.tickCount < count {
      let now = pipeline.tickCount * 10_000_000
      while let packet = packets.first, packet.arrival <= now {
        packet.bytes.withUnsafeBytes { _ = source.receive($0, arrivalNanoseconds: packet.arrival) }
        packets.removeFirst()
      }
      source.complete(untilNanoseconds: now + 1)
      _ = pipeline.waitUntilReady()
      pipeline.step(atNanoseconds: now)
      while sender?.next({ _, _ in }) == true {}
    }
  }

  /// Packets of 20 ms that come one after another without delay, those of one interval of milliseconds after another.
  static func packets(_ intervals: Range<Int>..., loss: Set<Int> = []) throws -> [TimedPacket] {
    try intervals.flatMap { interval in
      try stride(from: interval.lowerBound, to: interval.upperBound, by: 20).compactMap { time in
        let index = time / 20
        if loss.contains(index) { return nil }
        return try TimedPacket(
          arrival: time * 1_000_000, payload: TimedPacket.null(index, samples: 960),
          sequenceNumber: UInt16(truncatingIfNeeded: index), timestamp: UInt32(truncatingIfNeeded: index * 960))
      }
    }
  }
}
