import NetworkSimulation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ImpairedLinkEventsTests {
  /// Which packets of a voice get lost, one every 20 ms, and which of what else is sent, 5 ms behind each.
  private func burstLosses(withOthers: Bool, voices: Range<Int>) throws -> (voice: [Int], other: [Int]) {
    var link = ImpairedLink<Int>(
      try NetworkConditions(loss: .gilbertElliott(GilbertElliott(meanLossRate: 0.3, meanBurstLength: 8))), seed: 5,
      link: LinkIdentity(sender: 1, receiver: 2))
    var (voice, other): ([Int], [Int]) = ([], [])
    for packet in 0..<5_000 {
      var before = link.counters.lost
      if voices.contains(packet) {
        link.send(packet, byteCount: 100, nowNanoseconds: packet * 20_000_000)
        if link.counters.lost > before { voice.append(packet) }
      }
      guard withOthers else { continue }
      before = link.counters.lost
      link.send(packet, byteCount: 100, lane: .other, nowNanoseconds: packet * 20_000_000 + 5_000_000)
      if link.counters.lost > before { other.append(packet) }
    }
    return (voice, other)
  }

  @Test("bursts take all packets of a link and are driven by its voice alone", .shows("simulate"))
  func bursts() throws {
    let both = try burstLosses(withOthers: true, voices: 0..<5_000)
    #expect(both.voice.count > 1_000 && both.other == both.voice)
    let alone = try burstLosses(withOthers: false, voices: 0..<5_000)
    #expect(alone.voice == both.voice)
  }

  @Test("bursts without voice are driven by the other packets, and end")
  func burstsWithoutVoice() throws {
    let losses = try burstLosses(withOthers: true, voices: 0..<100).other.filter { $0 > 200 }
    #expect(abs(Double(losses.count) / 4_800 - 0.3) < 0.1)
    let runs = losses.filter { !losses.contains($0 - 1) }.count
    #expect(abs(Double(losses.count) / Double(runs) - 8) < 3)
  }

  static let identity = LinkIdentity(sender: 1, receiver: 2)

  private struct Run: Equatable {
    var packets: [Int] = []
    var times: [Int] = []
    var counters = ImpairedLink<Int>(.perfect, seed: 0, link: ImpairedLinkEventsTests.identity).counters
  }

  /// Sends packets 0, 1, 2... every `intervalMilliseconds`; gives packet and time of each arrival.
  private func run(
    _ conditions: NetworkConditions, count: Int, intervalMilliseconds: Int = 20, byteCount: Int = 100, seed: UInt64 = 1,
    link identity: LinkIdentity = Self.identity, change: (at: Int, to: NetworkConditions)? = nil
  ) -> Run {
    var link = ImpairedLink<Int>(conditions, seed: seed, link: identity)
    var run = Run()
    func take(_ now: Int) {
      while let arrival = link.receive(nowNanoseconds: now) {
        run.packets.append(arrival.datagram)
        run.times.append(arrival.arrivalNanoseconds)
      }
    }
    for packet in 0..<count {
      if let change, change.at == packet {
        link.change(to: change.to, nowNanoseconds: packet * intervalMilliseconds * 1_000_000)
      }
      take(packet * intervalMilliseconds * 1_000_000)
      link.send(packet, byteCount: byteCount, nowNanoseconds: packet * intervalMilliseconds * 1_000_000)
    }
    while let deadline = link.nextDeadlineNanoseconds { take(deadline) }
    run.counters = link.counters
    return run
  }

  private static func everything() throws(NetworkConditionsError) -> NetworkConditions {
    try NetworkConditions(
      loss: .gilbertElliott(GilbertElliott(meanLossRate: 0.1, meanBurstLength: 2)), delay: .milliseconds(50),
      jitter: .gamma(mean: .milliseconds(10), standardDeviation: .milliseconds(10)),
      spikes: DelaySpikes(perSecond: 0.5, smallest: .milliseconds(120), largest: .milliseconds(240)),
      reordering: Reordering(probability: 0.02), duplication: 0.02,
      bottleneck: Bottleneck(bitsPerSecond: 64_000, queueByteLimit: 3000))
  }

  @Test("a run repeats with its seed and link, and differs with others")
  func determinism() throws {
    let conditions = try Self.everything()
    let first = run(conditions, count: 3000)
    #expect(first == run(conditions, count: 3000))
    #expect(first != run(conditions, count: 3000, seed: 2))
    #expect(first != run(conditions, count: 3000, link: LinkIdentity(sender: 2, receiver: 1)))
    #expect(first.counters.underWay == 0)
  }

  @Test("a link loses the same packets whatever else befalls them")
  func lossIsIndependent() throws {
    let loss = LossModel.gilbertElliott(GilbertElliott(meanLossRate: 0.2, meanBurstLength: 2))
    let plain = run(try NetworkConditions(loss: loss), count: 2000)
    let jittered = run(
      try NetworkConditions(
        loss: loss, delay: .milliseconds(50), jitter: .uniform(plusMinus: .milliseconds(50)),
        spikes: DelaySpikes(perSecond: 1, smallest: .zero, largest: .milliseconds(200)), duplication: 0.1), count: 2000)
    #expect(Set(plain.packets) == Set(jittered.packets))
    #expect(plain.counters.lost > 300)
  }

  @Test("packets meet the same jitter whether others are lost or not")
  func jitterIsIndependent() throws {
    let jitter = JitterModel.gamma(mean: .milliseconds(20), standardDeviation: .milliseconds(10))
    let whole = run(try NetworkConditions(jitter: jitter), count: 2000)
    let lossy = run(try NetworkConditions(loss: .bernoulli(probability: 0.3), jitter: jitter), count: 2000)
    let times = Dictionary(uniqueKeysWithValues: zip(whole.packets, whole.times))
    #expect(zip(lossy.packets, lossy.times).allSatisfy { times[$0.0] == $0.1 })
  }

  @Test("a trace begins with its first entry, also in place of another one")
  func traces() throws {
    let other = try DelayTrace((0..<700).map { .milliseconds($0 % 7) })
    let trace = try DelayTrace((0..<300).map { $0 < 50 ? nil : .milliseconds($0 % 5) })
    for before in [NetworkConditions.perfect, try NetworkConditions(jitter: .trace(other))] {
      let run = run(before, count: 400, change: (at: 250, to: try NetworkConditions(jitter: .trace(trace))))
      #expect(Set(0..<400).subtracting(run.packets) == Set(250..<300))
    }
  }

  @Test("a packet's fate does not depend on the conditions before it", arguments: 0..<4)
  func fateIsIndependent(before index: Int) throws {
    let before = try [
      NetworkConditions.perfect, Self.everything(),
      NetworkConditions(loss: .bernoulli(probability: 0.5), delay: .seconds(1)),
      NetworkConditions(delay: .milliseconds(20), jitter: .uniform(plusMinus: .milliseconds(20)), duplication: 1),
    ][index]
    let after = try NetworkConditions(
      loss: .bernoulli(probability: 0.2), delay: .milliseconds(50),
      jitter: .gamma(mean: .milliseconds(10), standardDeviation: .milliseconds(10)),
      reordering: Reordering(probability: 0.1), duplication: 0.1)
    func fates(_ first: NetworkConditions) -> [Int: [Int]] {
      let run = run(first, count: 2_000, change: (at: 1_000, to: after))
      return Dictionary(grouping: zip(run.packets, run.times).filter { $0.0 >= 1_000 }, by: \.0).mapValues {
        $0.map(\.1)
      }
    }
    let fates = (changed: fates(before), constant: fates(after))
    #expect(fates.changed == fates.constant && (700..<900).contains(fates.changed.count))
  }

  @Test("the times of spikes depend on neither packets nor earlier conditions")
  func spikesGoByTime() throws {
    let spikes = DelaySpikes(perSecond: 2, smallest: .milliseconds(50), largest: .milliseconds(200))
    let conditions = try NetworkConditions(spikes: spikes)
    func times(from start: Int, changed: Bool, before: NetworkConditions = conditions) throws -> [Int] {
      var link = ImpairedLink<Int>(before, seed: 4, link: Self.identity, startNanoseconds: 0)
      var times: [Int: Int] = [:]
      for packet in 0..<1_500 {
        let now = packet * 20_000_000
        if packet == 500, changed {
          let others = DelaySpikes(perSecond: 5, smallest: .milliseconds(50), largest: .milliseconds(200))
          link.change(to: try NetworkConditions(spikes: others), nowNanoseconds: now)
        }
        if packet >= start { link.send(packet, byteCount: 100, nowNanoseconds: now) }
        while let arrival = link.receive(nowNanoseconds: now) { times[arrival.datagram] = arrival.arrivalNanoseconds }
      }
      return (900..<1_400).map { times[$0]! }
    }
    for changed in [false, true] {
      let early = try times(from: 0, changed: changed)
      #expect(try early == times(from: 50, changed: changed) && early == times(from: 800, changed: changed))
    }
    // Neither do those that there were before others.
    #expect(try times(from: 0, changed: true) == times(from: 0, changed: true, before: .perfect))
    #expect(try times(from: 0, changed: false) != times(from: 0, changed: true))
  }

  @Test("the set share of packets is duplicated, at independent delays")
  func duplication() throws {
    let count = 50_000
    let run = run(
      try NetworkConditions(delay: .milliseconds(20), jitter: .uniform(plusMinus: .milliseconds(20)), duplication: 0.1),
      count: count)
    let deviation = (Double(count) * 0.09).squareRoot()
    #expect(abs(Double(run.counters.duplicated) - 5000) < 5 * deviation)
    #expect(run.counters.delivered == count + run.counters.duplicated)
    var times: [Int: [Int]] = [:]
    for (packet, time) in zip(run.packets, run.times) { times[packet, default: []].append(time) }
    let pairs = times.values.filter { $0.count == 2 }
    #expect(pairs.count == run.counters.duplicated && pairs.count { $0[0] == $0[1] } < 5)
  }

  @Test("the set share of packets is held back and arrives out of order")
  func reordering() throws {
    let count = 50_000
    let run = run(try NetworkConditions(reordering: Reordering(probability: 0.05)), count: count)
    // 30 ms late at 20 ms intervals: overtaken by the next, unless that is held back too.
    let probability = 0.05 * 0.95
    let deviation = (Double(count) * probability).squareRoot()
    #expect(abs(Double(run.counters.reordered) - Double(count) * probability) < 5 * deviation)
  }

  @Test("jitter as long as the packets' distance reorders an eighth of them")
  func reorderingByJitter() throws {
    let count = 50_000
    let run = run(
      try NetworkConditions(delay: .milliseconds(10), jitter: .uniform(plusMinus: .milliseconds(10))), count: count,
      intervalMilliseconds: 10)
    // The difference of two uniform delays of 0...20 ms is above 10 ms with probability 1/8; packets two apart never
    // cross.
    let deviation = (Double(count) / 8).squareRoot()
    #expect(abs(Double(run.counters.reordered) - Double(count) / 8) < 5 * deviation)
  }

  @Test("a spike holds the packets sent during it until it ends")
  func spikes() throws {
    let model = DelaySpikes(perSecond: 0.5, smallest: .milliseconds(120), largest: .milliseconds(240))
    let run = run(
      try NetworkConditions(delay: .milliseconds(30), spikes: model), count: 600_000, intervalMilliseconds: 1)
    #expect(run.packets == Array(0..<600_000))
    // The packets that came together; a spike's first is late by its size, less the millisecond in which it began.
    var spikes: [(first: Int, length: Int)] = []
    var isLate = false
    for (packet, time) in zip(run.packets, run.times) {
      let extra = time - packet * 1_000_000 - 30_000_000
      #expect(extra >= 0)
      if extra > 0 && !isLate { spikes.append((first: extra, length: 0)) }
      if extra > 0 { spikes[spikes.count - 1].length += 1 }
      isLate = extra > 0
    }
    let sizes = spikes.map { Double($0.first) / 1e6 }
    #expect(sizes.min()! >= 119 && sizes.max()! <= 240)
    #expect(spikes.allSatisfy { abs($0.length - $0.first / 1_000_000) <= 1 })
    // One in 2 s of undisturbed time, and 180 ms each: a renewal process over 600 s.
    let count = Double(spikes.count)
    let cycle = 2.18
    let countDeviation = (600 / cycle).squareRoot() * 2 / cycle
    #expect(abs(count - 600 / cycle) < 5 * countDeviation)
    let mean = sizes.reduce(0, +) / count
    #expect(abs(mean - 179.5) < 5 * 35 / count.squareRoot())
  }

  @Test("changed conditions apply only to packets sent afterwards")
  func change() throws {
    let slow = try NetworkConditions(delay: .milliseconds(100))
    let run = run(slow, count: 10, change: (at: 5, to: try NetworkConditions(delay: .milliseconds(10))))
    let delays = zip(run.packets, run.times).sorted { $0.0 < $1.0 }.map { ($0.1 - $0.0 * 20_000_000) / 1_000_000 }
    #expect(delays == [100, 100, 100, 100, 100, 10, 10, 10, 10, 10])
  }
}
