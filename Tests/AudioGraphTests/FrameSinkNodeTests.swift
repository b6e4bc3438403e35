import AudioGraph
import Testing

@Suite(.timeLimit(.minutes(10))) struct FrameSinkNodeTests {
  @Test("frames arrive in order, with their headers and every channel's samples", arguments: [1, 2, 5])
  func orderAndHeader(channelCount: Int) throws {
    let rig = try SinkRig(capacity: 4, policy: .dropNewest, channelCount: channelCount)
    rig.runner.run(ticks: 3)
    for frame in 0..<3 {
      let slot = rig.consumer.peek()
      let view = try #require(slot).pointee
      #expect(view.channelCount == channelCount)
      #expect(view.header.pointee.samplePosition == 480 * frame)
      #expect(view.header.pointee.sequenceNumber == frame)
      #expect(view.header.pointee.captureTimeNanoseconds == 10_000_000 * frame)
      for channel in 0..<channelCount {
        let samples = Array(UnsafeBufferPointer(start: view.channel(channel), count: view.samplesPerChannel))
        #expect(samples == (0..<480).map { Float(10_000 * channel + 480 * frame + $0) })
      }
      rig.consumer.release(1)
    }
    let more = rig.consumer.peek()
    #expect(more == nil)
    #expect(rig.ring.droppedCount == 0)
  }

  @Test("a full ring drops frames by its policy and counts them", arguments: [OverflowPolicy.dropNewest, .dropOldest])
  func full(policy: OverflowPolicy) throws {
    let rig = try SinkRig(capacity: 3, policy: policy, channelCount: 1)
    #expect(rig.node.freeCount > 0)
    rig.runner.run(ticks: 3)
    #expect(rig.node.freeCount == 0)
    rig.runner.run(ticks: 4)
    #expect(rig.ring.droppedCount == 4)
    #expect(rig.node.droppedSampleCount == (policy == .dropNewest ? 4 * 480 : 0))
    var positions: [Int] = []
    while let frame = rig.consumer.peek()?.pointee {
      positions.append(frame.header.pointee.samplePosition)
      rig.consumer.release(1)
    }
    #expect(positions == (policy == .dropNewest ? [0, 480, 960] : [1_920, 2_400, 2_880]))
    #expect(rig.node.freeCount > 0)
  }

  @Test("the consumer learns that no frame will follow")
  func finish() throws {
    let rig = try SinkRig(capacity: 3, policy: .dropNewest, channelCount: 1)
    rig.runner.run(ticks: 1)
    let finishedBefore = rig.consumer.isFinished
    #expect(!finishedBefore)
    rig.node.finish()
    let finishedAfter = rig.consumer.isFinished
    #expect(finishedAfter)
    let readable = rig.consumer.readableCount
    #expect(readable == 1)
  }
}

private final class SinkRig {
  let runner = GraphRunner(sampleRate: 48_000)
  let ring: FrameRing
  let node: FrameSinkNode
  var consumer: RingConsumer<Frame>

  init(capacity: Int, policy: OverflowPolicy, channelCount: Int) throws {
    let format = try AudioFormat(sampleRate: 48_000, channelCount: channelCount)
    ring = FrameRing(capacity: capacity, format: format, policy: policy)
    node = FrameSinkNode(writing: ring.takeProducer(), channelCount: channelCount)
    consumer = ring.takeConsumer()
    let graph = try Graph(sampleRate: 48_000)
    let source = try graph.add(
      SignalSource(channelCount: channelCount) { Float(10_000 * $0 + $1) }, named: "source")
    try graph.connect(source, to: graph.add(node, named: "sink"))
    try runner.install(graph)
  }
}
