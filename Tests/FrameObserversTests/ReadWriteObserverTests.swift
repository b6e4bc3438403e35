import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReadWriteObserverTests {
  @Test(
    "written samples arrive exactly, all others keep every bit", .shows("F14"), arguments: [11_025, 22_050, 48_000],
    [1, 2, 3])
  func written(rate: Int, channels: Int) throws {
    let input = (0..<channels).map { noise(rate / 10, seed: UInt64(40 + $0)) }
    let rig = try ObserverRig(sampleRate: rate, playing: input)
    try rig.add(
      .readWrite(at: .record) { frame, _ in
        var samples = frame.samples
        for index in samples.indices where index % 5 == 2 { samples[index] = Int16(truncatingIfNeeded: index * 331) }
      })
    #expect(rig.declaredLatency == 0)
    rig.tick(10)
    var expected = input
    for tick in 0..<10 {
      let begin = rig.samples(inTicks: tick)
      for index in 0..<(rig.samples(inTicks: tick + 1) - begin) * channels where index % 5 == 2 {
        expected[index % channels][begin + index / channels] = Float(Int16(truncatingIfNeeded: index * 331)) / 32768
      }
    }
    #expect(rig.output == expected)
  }

  @Test("reading a writable frame leaves every bit, also beyond full scale")
  func onlyRead() throws {
    let input = [noise(4_800, seed: 1), [.nan, .infinity, -.infinity, -0.0] + noise(4_796, seed: 2)]
    let rig = try ObserverRig(sampleRate: 48_000, playing: input)
    let sum = Tally()
    try rig.add(.readWrite(at: .record) { frame, _ in sum.add(Int(frame.samples[0])) })
    rig.tick(10)
    #expect(rig.output.map { $0.map(\.bitPattern) } == input.map { $0.map(\.bitPattern) })
  }

  @Test("planes are changed in place as Float32")
  func planes() throws {
    let input = [noise(4_800, seed: 3), noise(4_800, seed: 4)]
    let rig = try ObserverRig(sampleRate: 48_000, playing: input)
    try rig.add(
      .readWrite(at: .record) { frame, _ in
        for channel in 0..<2 {
          var plane = frame.plane(channel)
          for index in plane.indices { plane[index] *= 0.3 }
        }
      })
    rig.tick(10)
    #expect(rig.output == input.map { $0.map { $0 * 0.3 } })
  }

  @Test("written samples override planes, and show planes written before")
  func both() throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0.25, count: 160)])
    let calls = Tally()
    let shown = Tally()
    try rig.add(
      .readWrite(at: .record) { frame, _ in
        if calls.add() == 1 {
          var samples = frame.samples
          samples[0] = 100
          var plane = frame.plane(0)
          plane[0] = 0.5
        } else {
          var plane = frame.plane(0)
          plane[1] = 0.5
          shown.set(Int(frame.samples[1]))
        }
      })
    rig.tick(2)
    #expect(rig.output[0][0] == Float(100) / 32768)
    #expect(shown.count == 16_384)
    #expect(rig.output[0][81] == 0.5)
  }

  @Test("samples written into silence are mixed as sound")
  func silence() throws {
    let ring = FrameRing(capacity: 1, format: try AudioFormat(sampleRate: 8_000, channelCount: 1))
    let rig = try ObserverRig(sampleRate: 8_000)
    let source = try rig.graph.add(FrameSourceNode(reading: ring.takeConsumer(), channelCount: 1), named: "empty")
    let anchor = try rig.hub.addTapPoint(
      FrameOrigin(position: .record), named: "place", format: try AudioFormat(sampleRate: 8_000, channelCount: 1),
      after: source)
    let mixer = try rig.graph.add(MixerNode(channelCount: 1), named: "mixer")
    let collector = CollectorNode(channelCount: 1, capacity: 800)
    let sink = try rig.graph.add(collector, named: "sink")
    try rig.graph.connect(anchor, to: mixer)
    try rig.graph.connect(mixer, to: sink)
    try rig.add(
      .readWrite(at: .record) { frame, _ in
        var samples = frame.samples
        samples[3] = 1_000
      })
    rig.tick(3)
    #expect(collector.planes[0].filter { $0 == Float(1_000) / 32768 }.count == 3)
  }

  @Test("a masked writer is not called, and frames pass unchanged")
  func masked() throws {
    let input = [noise(4_800, seed: 8)]
    let rig = try ObserverRig(sampleRate: 48_000, playing: input)
    let registration = try rig.add(
      .readWrite(at: .record) { frame, _ in
        var plane = frame.plane(0)
        for index in plane.indices { plane[index] = 1 }
      })
    for tick in 0..<10 {
      registration.mask = tick % 2 == 0 ? [] : .record
      rig.tick()
    }
    #expect(
      rig.output[0]
        == input[0].enumerated().map { (index: Int, sample: Float) -> Float in
          (index / 480) % 2 == 0 ? sample : 1
        })
  }

  @Test("writers act in order, and a reader sees the earlier writers' samples", .shows("F14"))
  func order() throws {
    let input = [sine(1_000, rate: 48_000, count: 48_000), sine(700, rate: 48_000, count: 48_000)]
    let rig = try ObserverRig(sampleRate: 48_000, playing: input)
    let logs = (0..<4).map { _ in FrameLog() }
    func apply(_ change: @escaping @Sendable (Float) -> Float) throws -> ObserverRegistration {
      try rig.add(
        .readWrite(at: .record) { frame, _ in
          for channel in 0..<2 {
            var plane = frame.plane(channel)
            for index in plane.indices { plane[index] = change(plane[index]) }
          }
        })
    }
    try rig.add(logs[0].request())
    let first = try apply { $0 * 0.5 }
    try rig.add(logs[1].request())
    _ = try apply { $0 + 0.25 }
    try rig.add(logs[2].request(isAsynchronous: true, capacity: 200))
    _ = try apply { $0 * $0 }
    try rig.add(logs[3].request())
    rig.tick(20)
    func expected(_ steps: Int) -> [Int16] {
      input[0].prefix(9_600).map { (sample: Float) -> Int16 in
        let halved: Float = sample * 0.5
        let raised: Float = halved + 0.25
        let values: [Float] = [sample, halved, raised, raised * raised]
        return rounded16(values[steps])
      }
    }
    #expect(eventually { logs[2].count == 20 })
    for (index, log) in logs.enumerated() { #expect(log.channel(0) == expected(index), "reader \(index)") }

    // The first writer leaves in one frame of crossfade; then the others are as if it had never been.
    try rig.remove(first)
    rig.tick(1)
    let seen = logs[1].count
    rig.tick(5)
    let later = Array(logs[1].channel(0).dropFirst(seen * 480))
    #expect(later == input[0].dropFirst(21 * 480).prefix(5 * 480).map(rounded16))
    let raised = input[0].dropFirst(25 * 480).prefix(480).map { (sample: Float) -> Float in sample + 0.25 }
    #expect(Array(rig.output[0].suffix(480)) == raised.map { (sample: Float) -> Float in sample * sample })
    rig.hub.finish()
  }
}
