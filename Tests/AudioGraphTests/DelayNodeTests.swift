import AudioGraph
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DelayNodeTests {
  @Test(
    "a stream comes out later by the delay, bit by bit, in every channel",
    arguments: [0, 1, 79, 80, 81, 480, 1_000], [8_000, 11_025, 22_050, 48_000])
  func delays(samples: Int, sampleRate: Int) throws {
    let graph = try Graph(sampleRate: sampleRate)
    let signal: @Sendable (Int, Int) -> Float = { Float(bitPattern: UInt32(0x3F00_0000 + 7_919 * $1 + $0)) }
    let source = try graph.add(SignalSource(channelCount: 2, signal), named: "source")
    let delay = try graph.add(
      DelayNode(samples: samples, channelCount: 2, sampleRate: sampleRate), named: "delay")
    let sink = RecordingSink(channelCount: 2)
    try graph.connect(source, to: delay)
    try graph.connect(delay, to: graph.add(sink, named: "sink"))
    try render(graph, ticks: 25)
    let count = FrameSchedule(sampleRate: sampleRate).position(ofFrame: 25)
    for channel in 0..<2 {
      let expected: [Float] = (0..<count).map { $0 < samples ? 0 : signal(channel, $0 - samples) }
      #expect(sink.channels[channel] == expected)
    }
  }

  @Test("a delay line works in place and apart, and a reset clears it")
  func line() {
    var generator = SeededGenerator(seed: 5)
    var line = DelayLine(delay: 13, channelCount: 1, maximumCount: 20)
    var expected = [Float](repeating: 0, count: 13)
    let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 40)
    defer { buffer.deallocate() }
    for call in 0..<500 {
      let count = Int.random(in: 0...20, using: &generator)
      for index in 0..<count {
        buffer[index] = .random(in: -1...1, using: &generator)
        expected.append(buffer[index])
      }
      let output = call % 2 == 0 ? buffer : buffer + 20
      line.process(buffer, output, count: count, channel: 0)
      line.advance(count)
      #expect(Array(UnsafeBufferPointer(start: output, count: count)) == Array(expected.prefix(count)))
      expected.removeFirst(count)
      if call == 250 {
        line.reset(channelCount: 1)
        expected = [Float](repeating: 0, count: 13)
      }
    }
  }
}
