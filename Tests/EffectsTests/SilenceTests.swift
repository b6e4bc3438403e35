import AudioGraph
import Effects
import Testing

@Suite(.timeLimit(.minutes(10))) struct SilenceTests {
  @Test("a silent frame stays marked as silent through gain and pan")
  func silence() throws {
    let graph = try Graph(sampleRate: 48_000)
    let ring = FrameRing(capacity: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    let source = try graph.add(FrameSourceNode(reading: ring.takeConsumer(), channelCount: 1), named: "source")
    let gain = try graph.add(GainNode(channelCount: 1, volume: try Volume(50)), named: "gain")
    let pan = try graph.add(PanNode(inputChannelCount: 1), named: "pan")
    let out = FrameRing(capacity: 4, format: try AudioFormat(sampleRate: 48_000, channelCount: 2))
    var frames = out.takeConsumer()
    let sink = try graph.add(FrameSinkNode(writing: out.takeProducer(), channelCount: 2), named: "sink")
    try graph.connect(source, to: gain)
    try graph.connect(gain, to: pan)
    try graph.connect(pan, to: sink)
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    runner.tick(timeNanoseconds: 0)
    #expect(frames.peek()?.pointee.header.pointee.isSilent == true)
  }
}
