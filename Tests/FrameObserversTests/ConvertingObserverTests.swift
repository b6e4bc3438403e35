import AudioGraph
import FrameObservers
import TestSupport
import Testing

// With AUDIOPIPE_LONG=1 it takes hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct ConvertingObserverTests {
  private static let pairs = [
    (48_000, 16_000, 160), (48_000, 44_100, 1_024), (44_100, 48_000, 480), (22_050, 32_000, 320),
    (11_025, 8_000, 1_024),
    (48_000, 48_000, 1_024), (96_000, 24_000, 240), (8_000, 48_000, 4_800),
  ]

  @Test("an observer that halves its frames halves the delayed input", arguments: pairs)
  func halving(graphRate: Int, rate: Int, samplesPerCall: Int) throws {
    let input = [sine(440, rate: graphRate, count: graphRate)]
    let rig = try ObserverRig(sampleRate: graphRate, playing: input)
    let params = try AudioParams(sampleRate: rate, channelCount: 1, access: .readWrite, samplesPerCall: samplesPerCall)
    try rig.add(.readWrite(at: .record, params: [.record: params]) { frame, _ in halve(&frame) })
    rig.tick(100)
    let latency = rig.declaredLatency
    let expected = delayed(input[0], by: latency).map { $0 * 0.5 }
    // The beginning, where the sine starts out of nothing, has more than the observer's band.
    let from = latency + graphRate / 20
    // Two roundings to 16 bits leave 84 dB at this level.
    #expect(signalToNoise(rig.output[0][from...], expected[from...]) > 78)
  }

  @Test("an added sample comes out at its observed position", .shows("F14"), arguments: pairs)
  func adding(graphRate: Int, rate: Int, samplesPerCall: Int) throws {
    let rig = try ObserverRig(sampleRate: graphRate, playing: [[Float](repeating: 0, count: graphRate)])
    let params = try AudioParams(sampleRate: rate, channelCount: 1, access: .readWrite, samplesPerCall: samplesPerCall)
    let at = rate / 3
    try rig.add(
      .readWrite(at: .record, params: [.record: params]) { frame, _ in
        let index = at - frame.samplePosition
        var samples = frame.samples
        if samples.indices.contains(index) { samples[index] = 30_000 }
      })
    rig.tick(100)
    let found = Double(Signals.peak(rig.output[0]) - rig.declaredLatency)
    #expect(abs(found - Double(at) * Double(graphRate) / Double(rate)) <= 1)
  }

  @Test("stereo stays stereo behind an observer that works in mono", .shows("F14"))
  func monoOnStereo() throws {
    let input = [sine(440, rate: 48_000, count: 48_000), sine(1_000, rate: 48_000, count: 48_000)]
    let rig = try ObserverRig(sampleRate: 48_000, playing: input)
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, access: .readWrite, samplesPerCall: 160)
    try rig.add(.readWrite(at: .record, params: [.record: params]) { frame, _ in halve(&frame) })
    rig.tick(100)
    let wanted = input.map { delayed($0, by: rig.declaredLatency) }
    let output = rig.output
    let (side, mid) = ([-1, 1], [0.5, 0.5] as [Float])
    for (weights, factor) in [(side.map(Float.init), Float(1)), (mid, 0.5)] {
      let heard = zip(output[0], output[1]).map { $0 * weights[0] + $1 * weights[1] }
      let expected = zip(wanted[0], wanted[1]).map { ($0 * weights[0] + $1 * weights[1]) * factor }
      #expect(signalToNoise(heard[4_800...], expected[4_800...]) > 75)
    }
  }

  @Test("stereo changes of an observer reach a mono stream")
  func stereoOnMono() throws {
    let input = [sine(440, rate: 48_000, count: 48_000)]
    let rig = try ObserverRig(sampleRate: 48_000, playing: input)
    let params = try AudioParams(sampleRate: 32_000, channelCount: 2, access: .readWrite, samplesPerCall: 640)
    try rig.add(.readWrite(at: .record, params: [.record: params]) { frame, _ in halve(&frame) })
    rig.tick(100)
    let expected = delayed(input[0], by: rig.declaredLatency).map { $0 * 0.5 }
    #expect(signalToNoise(rig.output[0][4_800...], expected[4_800...]) > 75)
  }

  @Test(
    "five channels are mapped to one and two by ITU-R BS.775", .shows("process: many channels"),
    arguments: [1, 2])
  func mapping(channels: Int) throws {
    let levels: [Float] = [0.1, 0.2, 0.3, 0.4, 0.5]
    let rig = try ObserverRig(sampleRate: 48_000, playing: levels.map { [Float](repeating: $0, count: 9_600) })
    let params = try AudioParams(sampleRate: 48_000, channelCount: channels, samplesPerCall: 480 * channels)
    let log = FrameLog()
    try rig.add(log.request(params: [.record: params]))
    rig.tick(2)
    // Left, right, middle, left and right behind: (L + (C + Ls) / sqrt 2) / (1 + 2 / sqrt 2).
    let (middle, whole) = (0.3 * Float(0.5).squareRoot(), 1 + 2 * Float(0.5).squareRoot())
    let left = (0.1 + middle + 0.4 * Float(0.5).squareRoot()) / whole
    let right = (0.2 + middle + 0.5 * Float(0.5).squareRoot()) / whole
    let expected: [Float] = channels == 1 ? [(left + right) / 2] : [left, right]
    #expect(
      log.frames[0].samples.prefix(channels).map { Float($0) / 32768 } == expected.map { Float(rounded16($0)) / 32768 })
    #expect(log.count == 2)
  }

  /// 60 s, or 3 hours where AUDIOPIPE_LONG=1 is set.
  private static let togglingSeconds = LongRun.isWanted ? 10_800 : 60

  @Test(
    "an observer under random masks keeps untouched samples identical",
    arguments: [(11_025, 16_000, 1_024), (22_050, 44_100, 441), (8_000, 8_000, 1_000), (48_000, 44_100, 1_024)])
  func toggling(graphRate: Int, rate: Int, samplesPerCall: Int) throws {
    let ticks = Self.togglingSeconds * 100
    let rig = try ObserverRig(sampleRate: graphRate)
    let input = [noise(graphRate * ticks / 100, seed: 5)]
    try rig.addLane(FrameOrigin(position: .record), playing: input)
    try rig.addLane(FrameOrigin(position: .playback), playing: [[Float](repeating: 0, count: input[0].count)])
    let params = try AudioParams(sampleRate: rate, channelCount: 1, access: .readWrite, samplesPerCall: samplesPerCall)
    let last = Tally()
    let registration = try rig.add(
      .readWrite(at: .standard, params: [.record: params, .playback: params]) { frame, source in
        guard source.position == .playback, frame.sequenceNumber % 7 == 0 else { return }
        last.set(frame.samplePosition + 5)
        var samples = frame.samples
        samples[5] = 30_000
      })
    var generator = SeededGenerator(seed: 77)
    var left = 0
    for _ in 0..<(ticks - 140) {
      if left == 0 {
        registration.mask = registration.mask.isEmpty ? .standard : []
        left = Int.random(in: 1...40, using: &generator)
      }
      left -= 1
      rig.tick()
    }
    // Long enough for seven calls of any of the lengths.
    registration.mask = .standard
    rig.tick(100)
    registration.mask = []
    rig.tick(40)
    let latency = rig.declaredLatency
    #expect(rig.output == input.map { delayed($0, by: latency) }, "seed 77")
    // The last sample that was added, after all that time, still lands where it was seen.
    let heard = rig.lanes[1].collector.planes[0]
    let tail = heard.count - 140 * graphRate / 100
    // Half of the least peak that a sample between two samples of the graph can have, above its side lobes.
    let threshold = 0.3 * min(1, Float(graphRate) / Float(rate))
    let loudest = heard.indices.dropFirst(tail).last { abs(heard[$0]) > threshold } ?? 0
    let expected = Double(last.count) * Double(graphRate) / Double(rate)
    #expect(abs(Double(loudest - latency) - expected) <= 2)
    #expect(latency == rig.runner.plan?.latency(of: rig.lanes[1].collectorID))
  }

  @Test(
    "random masks under a smooth signal add only the observer's own steps",
    arguments: [(48_000, 16_000, 160), (22_050, 48_000, 1_024), (44_100, 48_000, 480)])
  func smoothToggling(graphRate: Int, rate: Int, samplesPerCall: Int) throws {
    let ticks = 400
    let input = sine(300, rate: graphRate, count: graphRate * ticks / 100)
    let rig = try ObserverRig(sampleRate: graphRate, playing: [input])
    let params = try AudioParams(sampleRate: rate, channelCount: 1, access: .readWrite, samplesPerCall: samplesPerCall)
    let (begins, ends) = (IntegerLog(), IntegerLog())
    let registration = try rig.add(
      .readWrite(at: .record, params: [.record: params]) { frame, _ in
        // The first samples after a pause are zeros: nothing was there to be halved.
        let zeros = frame.copy().samples.firstIndex { $0 != 0 } ?? samplesPerCall
        begins.append(frame.samplePosition + zeros)
        ends.append(frame.samplePosition + samplesPerCall)
        halve(&frame)
      })
    var generator = SeededGenerator(seed: 11)
    for tick in 0..<ticks {
      if tick >= 50, Int.random(in: 0..<12, using: &generator) == 0 {
        registration.mask = registration.mask.isEmpty ? .record : []
      }
      rig.tick()
    }
    let latency = rig.declaredLatency
    // 1 where the observer saw and halved the sample, by the positions it was told.
    var isHalved = [Bool](repeating: false, count: input.count)
    for (first, last) in zip(begins.values, ends.values) {
      let begin = max(0, first * graphRate / rate)
      let end = max(begin, min(input.count, last * graphRate / rate))
      for index in begin..<end { isHalved[index] = true }
    }
    let halvedBefore = isHalved.reduce(into: [0]) { $0.append($0.last! + ($1 ? 1 : 0)) }
    // Around an edge the filters ring for half their length.
    let margin = 4 * graphRate / 1_000
    var disturbed = 0
    let output = rig.output[0]
    for index in (latency + margin)..<(input.count - margin) {
      let at = index - latency
      let around = halvedBefore[at + margin + 1] - halvedBefore[at - margin]
      let isEdge = around > 0 && around < 2 * margin + 1
      let full = input[at]
      let heard = output[index]
      if isEdge {
        if abs(heard) > 0.75 { disturbed += 1 }
      } else if abs(heard - full * (isHalved[at] ? 0.5 : 1)) > 0.01 {
        disturbed += 1
      }
    }
    #expect(disturbed == 0, "seed 11")
  }
}

/// Halves every sample of a frame.
func halve(_ frame: inout MutableAudioFrame) {
  var samples = frame.samples
  for index in samples.indices { samples[index] /= 2 }
}
