import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MuteTests {
  @Test(
    "muted frames are faded out and silent, the next one is faded in", .shows("F15"),
    arguments: [11_025, 22_050, 48_000])
  func native(rate: Int) throws {
    let input = [noise(rate / 5, seed: 1), noise(rate / 5, seed: 2)]
    let rig = try ObserverRig(sampleRate: rate, playing: input)
    try rig.add(
      .readWrite(at: .record) { frame, _ in
        if (5..<10).contains(frame.sequenceNumber) || frame.sequenceNumber == 15 { frame.mute() }
      })
    rig.tick(20)
    let fade = rate / 100
    for channel in 0..<2 {
      var expected = input[channel]
      for tick in 0..<20 {
        let frame = rig.samples(inTicks: tick)..<rig.samples(inTicks: tick + 1)
        for (step, index) in frame.enumerated() {
          let falling = max(0, Float(fade - 1 - step) / Float(fade))
          let rising = min(1, Float(step + 1) / Float(fade))
          switch tick {
          case 5, 15: expected[index] *= falling
          case 6..<10: expected[index] = 0
          case 10, 16: expected[index] *= rising
          default: break
          }
        }
      }
      let worst = zip(rig.output[channel], expected).map { abs($0 - $1) }.max() ?? 1
      #expect(worst < 1e-5)
      for tick in 0..<20 where ![5, 10, 15, 16].contains(tick) {
        let frame = rig.samples(inTicks: tick)..<rig.samples(inTicks: tick + 1)
        #expect(rig.output[channel][frame] == expected[frame], "frame \(tick)")
      }
    }
  }

  @Test("a mask that goes off, or a removal, ends a mute with a fade")
  func ending() throws {
    let ones = [Float](repeating: 0.5, count: 48_000)
    for isRemoval in [false, true] {
      let rig = try ObserverRig(sampleRate: 48_000, playing: [ones])
      let registration = try rig.add(.readWrite(at: .record) { frame, _ in frame.mute() })
      rig.tick(5)
      if isRemoval { registration.remove() } else { registration.mask = [] }
      rig.tick(5)
      let output = rig.output[0]
      #expect(output[480..<2_400].allSatisfy { $0 == 0 })
      #expect(output[2_880...] == ones[2_880..<4_800])
      #expect(Signals.largestStep(output) <= 0.5 / 480 + 1e-6)
    }
  }

  private static let formats = [
    (48_000, 16_000, 160), (48_000, 44_100, 1_024), (44_100, 48_000, 480), (22_050, 32_000, 1_024), (11_025, 8_000, 80),
    (48_000, 48_000, 1_024), (96_000, 24_000, 240),
  ]

  @Test(
    "behind conversion a mute leaves no sample and loses no other one", arguments: formats)
  func converted(graphRate: Int, rate: Int, samplesPerCall: Int) throws {
    try checkMutedRanges(graphRate, rate, samplesPerCall) { _, _ in }
  }

  @Test("behind conversion a mask change lets no muted sample out", arguments: formats)
  func convertedAndMasked(graphRate: Int, rate: Int, samplesPerCall: Int) throws {
    try checkMutedRanges(graphRate, rate, samplesPerCall) { registration, tick in
      registration.mask = tick % 53 > 47 ? [] : .record
    }
  }

  @Test(
    "jumps of positions do not misplace a mute", arguments: formats)
  func jumpingPositions(graphRate: Int, rate: Int, samplesPerCall: Int) throws {
    for jump in [-1_000_000, 1_000_000] {
      let rig = try ObserverRig(sampleRate: graphRate, playing: [[Float](repeating: 0.5, count: graphRate * 2)])
      let params = try AudioParams(
        sampleRate: rate, channelCount: 1, access: .readWrite, samplesPerCall: samplesPerCall)
      let isMuting = Tally()
      try rig.add(
        .readWrite(at: .record, params: [.record: params]) { frame, _ in if isMuting.count == 1 { frame.mute() } })
      rig.tick(20)
      rig.lanes[0].player.positionOffset = jump
      rig.tick(20)
      isMuting.set(1)
      rig.tick(30)
      isMuting.set(0)
      rig.tick(50)
      let output = rig.output[0]
      let latency = rig.declaredLatency
      // Muting began with the first block after frame 40: in the output a delay and at most a block later.
      let reach = latency + samplesPerCall * graphRate / rate + graphRate / 50
      #expect(output[(latency + 1)..<rig.samples(inTicks: 40)].allSatisfy { $0 == 0.5 })
      #expect(output[(rig.samples(inTicks: 40) + reach)..<rig.samples(inTicks: 70)].allSatisfy { $0 == 0 })
      #expect(output[(rig.samples(inTicks: 70) + reach)...].allSatisfy { $0 == 0.5 })
      #expect(Signals.largestStep(Array(output[(latency + 1)...])) <= 0.51 / Float(graphRate / 100))
    }
  }

  /// Mutes every third group of four blocks, and looks for what of it is heard.
  private func checkMutedRanges(
    _ graphRate: Int, _ rate: Int, _ samplesPerCall: Int, _ change: (ObserverRegistration, Int) -> Void
  ) throws {
    let ticks = 300
    let rig = try ObserverRig(
      sampleRate: graphRate, playing: [[Float](repeating: 0.5, count: graphRate * ticks / 100)])
    let params = try AudioParams(sampleRate: rate, channelCount: 1, access: .readWrite, samplesPerCall: samplesPerCall)
    let muted = IntegerLog()
    let registration = try rig.add(
      .readWrite(at: .record, params: [.record: params]) { frame, _ in
        if frame.sequenceNumber % 12 < 4 {
          muted.append(frame.samplePosition)
          frame.mute()
        }
      })
    for tick in 0..<ticks {
      change(registration, tick)
      rig.tick()
    }
    let latency = rig.declaredLatency
    let count = graphRate * ticks / 100
    var isMuted = [Bool](repeating: false, count: count)
    for position in muted.values {
      let begin = max(0, position * graphRate / rate)
      let end = max(begin, min(count, ((position + samplesPerCall) * graphRate + rate - 1) / rate))
      for index in begin..<end { isMuted[index] = true }
    }
    let mutedBefore = isMuted.reduce(into: [0]) { $0.append($0.last! + ($1 ? 1 : 0)) }
    let fade = graphRate / 100
    // After a pause a position is known to one sample of the slower rate.
    let slack = 1 + (graphRate + rate - 1) / rate
    let output = rig.output[0]
    var (leaked, lost, silent) = (0, 0, 0)
    for at in fade + slack..<count - latency - slack {
      let heard = output[at + latency]
      let recent = mutedBefore[at + slack + 1] - mutedBefore[at - fade - slack]
      if recent == fade + 2 * slack + 1 {
        silent += 1
        if heard != 0 { leaked += 1 }
      } else if recent == 0, heard != 0.5 {
        lost += 1
      }
    }
    #expect(leaked == 0)
    #expect(lost == 0)
    #expect(silent > fade)
    #expect(Signals.largestStep(Array(output[(latency + 1)...])) <= 0.51 / Float(fade))
  }
}
