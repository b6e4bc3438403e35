import AudioGraph
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FrameSourceNodeTests {
  @Test("frames leave in the order of their arrival and keep their headers")
  func orderAndHeader() throws {
    let rig = try SourceRig(capacity: 4)
    for frame in 0..<3 {
      rig.push { view in
        view.header.pointee.sourceID = 42
        view.header.pointee.rtpTimestamp = UInt32(1_000 + frame)
        view.header.pointee.captureTimeNanoseconds = 77 + frame
        view.header.pointee.sequenceNumber = 500 + frame
        view.header.pointee.provenance = .concealed
      }
    }
    rig.runner.run(ticks: 3)
    #expect(rig.sink.samples == rising(0..<1_440))
    #expect(rig.sink.headers.map(\.samplePosition) == [0, 480, 960])
    #expect(rig.sink.headers.map(\.sourceID) == [42, 42, 42])
    #expect(rig.sink.headers.map(\.rtpTimestamp) == [1_000, 1_001, 1_002])
    #expect(rig.sink.headers.map(\.captureTimeNanoseconds) == [77, 78, 79])
    #expect(rig.sink.headers.map(\.sequenceNumber) == [500, 501, 502])
    #expect(rig.sink.headers.map(\.provenance) == [.concealed, .concealed, .concealed])
    #expect(rig.source.underrunCount == 0)
  }

  @Test("a tick without a frame is counted silence, and positions continue")
  func underruns() throws {
    let rig = try SourceRig(capacity: 4)
    rig.push { $0.header.pointee.sourceID = 9 }
    rig.runner.run(ticks: 3)
    rig.push { $0.header.pointee.samplePosition = 1_440 }
    rig.runner.run(ticks: 1)
    #expect(rig.source.underrunCount == 2)
    #expect(rig.sink.samples == rising(0..<480) + silence(960) + rising(480..<960))
    #expect(rig.sink.headers.map(\.isSilent) == [false, true, true, false])
    #expect(rig.sink.headers.map(\.provenance) == [.captured, .silence, .silence, .captured])
    #expect(rig.sink.headers.map(\.samplePosition) == [0, 480, 960, 1_440])
    #expect(rig.sink.headers.map(\.sourceID) == [9, 9, 9, 0])
  }

  @Test("the sound fades out over 5 ms at an underrun and in again behind it")
  func fades() throws {
    let rig = try SourceRig(capacity: 4, hasFades: true)
    rig.push { _ in }
    rig.runner.run(ticks: 3)
    rig.push { _ in }
    rig.push { _ in }
    rig.runner.run(ticks: 2)
    rig.producer.finish()
    rig.runner.run(ticks: 1)
    // Behind sample 480 the sound goes backwards, from full level down to 1/240 of it.
    let tail: [Float] = (0..<240).map { (index: Int) -> Float in Float(480 - index) * Float(240 - index) / 240 }
    let head: [Float] = (0..<240).map { (index: Int) -> Float in Float(481 + index) * Float(index) / 240 }
    let heard = rig.sink.samples
    #expect(Array(heard[..<480]) == rising(0..<480))
    #expect(zip(heard[480..<720], tail).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(Array(heard[720..<1_440]) == silence(720))
    #expect(zip(heard[1_440..<1_680], head).allSatisfy { abs($0 - $1) < 1e-3 })
    // The end is the sound's own: it does not fade.
    #expect(Array(heard[1_680...]) == rising(720..<1_440) + silence(480))
    #expect(rig.sink.headers.map(\.isSilent) == [false, false, true, false, false, true])
    #expect(rig.source.underrunSampleCount == 960)
  }

  @Test("missing, drained, held and dropped samples are counted")
  func sampleCounts() throws {
    let rig = try SourceRig(capacity: 4)
    rig.push { _ in }
    rig.runner.run(ticks: 2)
    #expect(rig.source.renderedSampleCount == 960 && rig.source.underrunSampleCount == 480)
    rig.push { _ in }
    rig.push(count: 100) { _ in }
    #expect(rig.source.heldSampleCount == 580)
    rig.producer.finish()
    rig.runner.run(ticks: 4)
    #expect(rig.source.renderedSampleCount == 2_880 && rig.source.heldSampleCount == 0)
    #expect(rig.source.underrunSampleCount == 860 && rig.source.drainedSampleCount == 960)
    #expect(rig.source.droppedSampleCount == 0)
  }

  @Test("a frame that is longer than its tick loses samples, which are counted")
  func tooLong() throws {
    let rig = try SourceRig(capacity: 4, sampleRate: 11_025)
    rig.runner.run(ticks: 1)
    for count in [110, 111, 110] { rig.push(count: count) { _ in } }
    rig.runner.run(ticks: 3)
    // Ticks of 110, 110, 110 and 111 samples.
    #expect(rig.source.renderedSampleCount == 441 && rig.source.underrunSampleCount == 110 + 1)
    #expect(rig.source.droppedSampleCount == 1)
  }

  @Test("silence after the producer has finished is not an underrun")
  func finished() throws {
    let rig = try SourceRig(capacity: 4)
    #expect(rig.source.frameCount == 0)
    #expect(!rig.source.isExhausted)
    rig.push { _ in }
    #expect(rig.source.frameCount > 0 || rig.source.isExhausted)
    rig.producer.finish()
    #expect(rig.source.frameCount > 0 || rig.source.isExhausted)
    #expect(!rig.source.isExhausted)
    rig.runner.run(ticks: 1)
    #expect(rig.source.frameCount > 0 || rig.source.isExhausted)
    #expect(rig.source.isExhausted)
    rig.runner.run(ticks: 2)
    #expect(rig.source.underrunCount == 0)
    #expect(rig.sink.samples == rising(0..<480) + silence(960))
  }

  @Test("a frame of another length than the tick is cut or filled with silence")
  func unevenLengths() throws {
    let rig = try SourceRig(capacity: 4, sampleRate: 22_050)
    // Ticks of 220 and 221 samples meet frames of 221 and 220.
    rig.push(count: 221) { _ in }
    rig.push(count: 220) { _ in }
    rig.runner.run(ticks: 2)
    #expect(rig.sink.headers.map(\.samplesPerChannel) == [220, 221])
    #expect(rig.sink.samples == rising(0..<220) + rising(221..<441) + silence(1))
  }

  @Test("another thread that reads the count of underruns sees it only rise")
  func countedWhileTicking() throws {
    let rig = try SourceRig(capacity: 1)
    let (runner, source) = (rig.runner, rig.source)
    let faults = ThreadOwned(0)
    runThreads(
      { runner.run(ticks: 300) },
      {
        var last = 0
        while last < 300 {
          let count = source.underrunCount
          if count < last { faults.value += 1 }
          last = count
        }
      })
    #expect(faults.value == 0)
    #expect(rig.sink.headers.count == 300)
  }
}

/// What the rig's frames hold at these sample indices.
private func rising(_ indices: Range<Int>) -> [Float] { indices.map { Float($0 + 1) } }

private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

/// A ring, the node that reads it, and a sink.
private final class SourceRig {
  let runner: GraphRunner
  let source: FrameSourceNode
  let sink = RecordingSink()
  var producer: RingProducer<Frame>
  private let sampleRate: Int
  private var nextSample = 0

  init(capacity: Int, sampleRate: Int = 48_000, hasFades: Bool = false) throws {
    self.sampleRate = sampleRate
    let ring = FrameRing(capacity: capacity, format: try AudioFormat(sampleRate: sampleRate, channelCount: 1))
    producer = ring.takeProducer()
    source = FrameSourceNode(
      reading: ring.takeConsumer(), channelCount: 1, sampleRate: hasFades ? sampleRate : nil)
    let graph = try Graph(sampleRate: sampleRate)
    try graph.connect(graph.add(source, named: "source"), to: graph.add(sink, named: "sink"))
    runner = GraphRunner(sampleRate: sampleRate)
    try runner.install(graph)
  }

  /// Fills the next frame with rising samples and lets `change` write its header.
  func push(count: Int = 480, _ change: (Frame) -> Void) {
    let frame = producer.reserve()!.pointee
    frame.header.pointee = FrameHeader(samplePosition: nextSample, samplesPerChannel: count)
    for index in 0..<count { frame.channel(0)[index] = Float(nextSample + index + 1) }
    nextSample += count
    change(frame)
    producer.commit(1)
  }
}
