import AudioGraph
import Engine
import Transport

/// A pipeline with a room of users, all of whom talk: receivers, paths of the listener, mixing, limiter and sink, as a
/// call has them.
enum RoomSubject {
  private static let userCount = 500
  private static let frameNanoseconds = 10_000_000

  static func run(_ bench: Bench) throws {
    let name = "a pipeline of \(userCount) users, a frame"
    guard bench.wants(name) else { return }
    let payloads = try ReceiverSubject.opusPayloads()
    let room = try Room(userCount: userCount, payloads: payloads)
    let decoders = try DecoderRoom(count: userCount, payloads: payloads)
    // So that all streams have begun.
    for _ in 0..<100 { _ = room.step() }
    var (spent, decoding): ([Double], [Double]) = ([], [])
    bench.compareTimes(
      name, to: "\(userCount) calls of the decoder, every other frame", turns: 60, isPerFrame: true,
      allocating: { for _ in 0..<20 { _ = room.step() } },
      ours: {
        let time = (room.step() + room.step()) / 2
        spent.append(time)
        return time
      },
      twin: {
        decoding.append(decoders.step())
        return decoding.last!
      }
    )
    let frame = Bench.quantile(0.5, of: spent)
    // What all but libopus may cost, housekeeping included, and whether all of it fits a frame.
    bench.note(
      "\(name): all but the decoder, a user", (frame - Bench.quantile(0.5, of: decoding)) / Double(userCount) / 1_000,
      unit: "µs", target: 5)
    bench.note("\(name): its share of 10 ms", frame / Double(frameNanoseconds), unit: "", target: 1)
    try bench.check(room.concealed == 0 && room.hears, "packets were missing")
  }

  /// Users whose packets of 20 ms come in time, half of them in one frame and half in the next.
  private final class Room {
    private let pipeline: AudioPipeline
    private let sources: [ReceiverSource]
    private let payloads: [[UInt8]]
    private let sink: PullSink
    private let output: UnsafeMutableBufferPointer<Float>
    private var packet = [UInt8](repeating: 0, count: 1_500)
    private var frame = 0
    private(set) var hears = false

    init(userCount: Int, payloads: [[UInt8]]) throws {
      let pipeline = try AudioPipeline(PipelineOptions(sampleRate: 48_000, channelCount: 2, isLossless: true))
      self.pipeline = pipeline
      self.payloads = payloads
      sources = try (1...UInt32(userCount)).map { try pipeline.addRemoteUser($0, receiving: ReceiverOptions()) }
      let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
      sink = try PullSink(format, of: pipeline)
      try pipeline.addSink(sink)
      output = .allocate(capacity: 960)
      output.initialize(repeating: 0)
      try pipeline.startStepping(isEndless: true)
    }

    deinit {
      pipeline.finishStepping()
      output.deallocate()
    }

    var concealed: Int { sources.reduce(0) { $0 + $1.newestReport.statistics.concealedSamples } }

    /// Brings the packets of a frame, and makes its tick. Returns: what the tick took, in nanoseconds.
    func step() -> Double {
      let now = frame * RoomSubject.frameNanoseconds
      let number = frame / 2
      let payload = payloads[number % payloads.count]
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
        timestamp: UInt32(truncatingIfNeeded: number * 960), ssrc: 1)
      packet.withUnsafeMutableBytes { packet in
        _ = try? header.write(to: packet)
        payload.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: packet[RTPHeader.byteCount...]).copyMemory(from: $0)
        }
        let bytes = UnsafeRawBufferPointer(rebasing: packet[..<(RTPHeader.byteCount + payload.count)])
        for index in sources.indices where index % 2 == frame % 2 {
          sources[index].receive(bytes, arrivalNanoseconds: now)
        }
      }
      for source in sources { source.complete(untilNanoseconds: now + 1) }
      let start = Bench.nanoseconds()
      pipeline.step(atNanoseconds: now)
      let time = Bench.nanoseconds() - start
      var samples = output.mutableSpan
      while sink.pull(into: &samples) > 0 {}
      if !hears { hears = output.contains { $0 != 0 } }
      frame += 1
      return time
    }
  }
}
