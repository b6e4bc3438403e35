import AudioGraph
import Engine
import MediaStreams
import RTP

/// A pipeline with a room of users, all of whom talk: receivers, paths of the listener, mixing, limiter and sink, as a
/// call has them.
enum RoomSubject {
  private static let userCount = 500
  private static let frameNanoseconds = 10_000_000

  /// What the network does to the packets of a room.
  private struct Network {
    let name: String
    /// Whole frames, each as probable as the others.
    let delayedFrames: Range<Int>
    let loss: Double
  }

  static func run(_ bench: Bench) throws {
    for network in [
      Network(name: "", delayedFrames: 0..<1, loss: 0),
      Network(name: ", ±20 ms and 10 % loss", delayedFrames: 0..<5, loss: 0.1),
    ] {
      try run(bench, network)
    }
  }

  private static func run(_ bench: Bench, _ network: Network) throws {
    let name = "a pipeline of \(userCount) users\(network.name), a frame"
    guard bench.wants(name) else { return }
    let payloads = try ReceiverSubject.opusPayloads()
    let room = try Room(userCount: userCount, payloads: payloads, network)
    let decoders = try DecoderRoom(count: userCount, payloads: payloads)
    // So that all streams have begun, and know their delay.
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
    // Whether all of it fits a frame; and what all but libopus costs, housekeeping included, and what libopus loses as
    // the memory of others comes between. What is lost libopus makes up too, at a cost of its own.
    bench.note("\(name): its share of 10 ms", frame / Double(frameNanoseconds), unit: "", target: 1)
    guard network.loss == 0 else { return try bench.check(room.concealed > 0 && room.hears, "no packets were missing") }
    bench.note(
      "\(name): all but the decoder, a user", (frame - Bench.quantile(0.5, of: decoding)) / Double(userCount) / 1_000,
      unit: "µs", target: 5)
    try bench.check(room.concealed == 0 && room.hears, "packets were missing")
  }

  /// Users with packets of 20 ms, half of them in one frame and half in the next.
  private final class Room {
    private let pipeline: AudioPipeline
    private let sources: [RTPSource]
    private let payloads: [[UInt8]]
    private let network: Network
    private let sink: PullSink
    private let output: UnsafeMutableBufferPointer<Float>
    private var packet = [UInt8](repeating: 0, count: 1_500)
    private var frame = 0
    private(set) var hears = false

    /// By the frame in which they come, in a ring: which packet which user's is.
    private var due: [[(user: Int, number: Int)]]
    private var random: UInt64 = 1

    init(userCount: Int, payloads: [[UInt8]], _ network: Network) throws {
      self.network = network
      due = network.delayedFrames.map { _ in [] }
      for index in due.indices { due[index].reserveCapacity(userCount) }
      let pipeline = try AudioPipeline(mode: .offline, sampleRate: 48_000, channelCount: 2)
      self.pipeline = pipeline
      self.payloads = payloads
      sources = try (1...UInt32(userCount)).map { try pipeline.addRemoteUser($0, receiving: JitterBufferOptions()) }
      let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
      sink = try pipeline.addSink(.pull(format))
      output = .allocate(capacity: 960)
      output.initialize(repeating: 0)
      try pipeline.startStepping(isEndless: true)
    }

    deinit {
      pipeline.finishStepping()
      output.deallocate()
    }

    var concealed: Int { sources.reduce(0) { $0 + $1.latestSnapshot.statistics.concealedSamples } }

    /// Brings the packets of a frame, and makes its tick. Returns: what both took, in nanoseconds.
    func step() -> Double {
      let now = frame * RoomSubject.frameNanoseconds
      send()
      let start = Bench.nanoseconds()
      let place = frame % due.count
      for (user, number) in due[place] { receive(number, user, now) }
      due[place].removeAll(keepingCapacity: true)
      for source in sources { source.complete(untilNanoseconds: now + 1) }
      pipeline.step(atNanoseconds: now)
      let time = Bench.nanoseconds() - start
      var samples = output.mutableSpan
      while sink.pull(into: &samples) > 0 {}
      if !hears { hears = output.contains { $0 != 0 } }
      frame += 1
      return time
    }

    /// Puts the packets of a frame on their way.
    private func send() {
      for user in sources.indices where user % 2 == frame % 2 && unit() >= network.loss {
        let delay = network.delayedFrames.lowerBound + Int(unit() * Double(network.delayedFrames.count))
        due[(frame + delay) % due.count].append((user, frame / 2))
      }
    }

    private func receive(_ number: Int, _ user: Int, _ now: Int) {
      let payload = payloads[number % payloads.count]
      let header = RTPHeader(
        marker: false, payloadType: 111, sequenceNumber: UInt16(truncatingIfNeeded: number),
        timestamp: UInt32(truncatingIfNeeded: number * 960), ssrc: 1)
      packet.withUnsafeMutableBytes { packet in
        _ = try? header.write(to: packet)
        payload.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: packet[RTPHeader.byteCount...]).copyMemory(from: $0)
        }
        sources[user].receive(
          UnsafeRawBufferPointer(rebasing: packet[..<(RTPHeader.byteCount + payload.count)]), arrivalNanoseconds: now)
      }
    }

    private func unit() -> Double {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(random >> 11) * 0x1p-53
    }
  }
}
