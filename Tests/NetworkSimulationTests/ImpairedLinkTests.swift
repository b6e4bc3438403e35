import NetworkSimulation
import Testing

@Suite(.timeLimit(.minutes(10))) struct ImpairedLinkTests {
  static let identity = LinkIdentity(sender: 1, receiver: 2)

  /// Sends packets 0, 1, 2... of 100 bytes every `interval` and gives what arrives, in order.
  private func run(
    _ conditions: NetworkConditions, count: Int, interval: Duration = .milliseconds(20), seed: UInt64 = 1,
    link identity: LinkIdentity = Self.identity
  ) -> (arrivals: [Delivery<Int>], link: ImpairedLink<Int>) {
    var link = ImpairedLink<Int>(conditions, seed: seed, link: identity)
    var arrivals: [Delivery<Int>] = []
    for packet in 0..<count {
      let now = packet * nanoseconds(interval)
      while let arrival = link.receive(nowNanoseconds: now) { arrivals.append(arrival) }
      link.send(packet, byteCount: 100, nowNanoseconds: now)
    }
    while let deadline = link.nextDeadlineNanoseconds {
      while let arrival = link.receive(nowNanoseconds: deadline) { arrivals.append(arrival) }
    }
    return (arrivals, link)
  }

  private func nanoseconds(_ duration: Duration) -> Int { Int(duration / .nanoseconds(1)) }

  /// What each packet that arrived took, by packet.
  private func delays(_ arrivals: [Delivery<Int>], interval: Duration = .milliseconds(20)) -> [Int: Int] {
    var delays: [Int: Int] = [:]
    for arrival in arrivals {
      delays[arrival.datagram] = arrival.arrivalNanoseconds - arrival.datagram * nanoseconds(interval)
    }
    return delays
  }

  @Test("a perfect link delivers everything at the moment it is sent")
  func perfect() {
    let (arrivals, link) = run(.perfect, count: 100)
    #expect(arrivals.map(\.datagram) == Array(0..<100))
    #expect(arrivals.map(\.arrivalNanoseconds) == (0..<100).map { $0 * 20_000_000 })
    #expect(link.counters.sent == 100 && link.counters.delivered == 100 && link.counters.underWay == 0)
  }

  @Test("a datagram does not come before its time, and then once")
  func deadline() throws {
    var link = ImpairedLink<[UInt8]>(try NetworkConditions(delay: .milliseconds(50)), seed: 1, link: Self.identity)
    #expect(link.nextDeadlineNanoseconds == nil)
    link.send([1, 2, 3], nowNanoseconds: 7)
    #expect(link.nextDeadlineNanoseconds == 50_000_007)
    let early = link.receive(nowNanoseconds: 50_000_006)
    #expect(early == nil && link.counters.underWay == 1)
    let due = link.receive(nowNanoseconds: 50_000_007)
    #expect(due?.datagram == [1, 2, 3] && due?.arrivalNanoseconds == 50_000_007)
    let again = link.receive(nowNanoseconds: 60_000_000)
    #expect(again == nil && link.nextDeadlineNanoseconds == nil)
  }

  @Test("arrivals are in order of time, simultaneous ones in order of sending")
  func order() throws {
    let conditions = try NetworkConditions(
      delay: .milliseconds(50), jitter: .uniform(plusMinus: .milliseconds(50)), duplication: 0.2)
    let (arrivals, link) = run(conditions, count: 5000, interval: .milliseconds(1))
    for (arrival, next) in zip(arrivals, arrivals.dropFirst()) {
      #expect(arrival.arrivalNanoseconds <= next.arrivalNanoseconds)
    }
    #expect(link.counters.underWay == 0)
    // All arrive when the spike ends.
    let together = try NetworkConditions(
      jitter: .trace(DelayTrace([.milliseconds(3), .milliseconds(2), .milliseconds(1), .zero])))
    #expect(run(together, count: 4, interval: .milliseconds(1)).arrivals.map(\.datagram) == [0, 1, 2, 3])
  }

  @Test("independent losses have the set probability within five deviations", arguments: [0.01, 0.1, 0.5])
  func bernoulli(probability: Double) throws {
    let count = 100_000
    let (arrivals, link) = run(try NetworkConditions(loss: .bernoulli(probability: probability)), count: count)
    let deviation = (Double(count) * probability * (1 - probability)).squareRoot()
    #expect(abs(Double(link.counters.lost) - Double(count) * probability) < 5 * deviation)
    #expect(arrivals.count + link.counters.lost == count)
    // A lost packet is followed by another as often as any.
    let lost = Set(0..<count).subtracting(arrivals.map(\.datagram))
    let pairs = lost.count { lost.contains($0 + 1) }
    let expectedPairs = Double(count) * probability * probability
    #expect(abs(Double(pairs) - expectedPairs) < 5 * (3 * expectedPairs).squareRoot())
  }

  @Test("losses of certainty and of impossibility")
  func certainLoss() throws {
    #expect(run(try NetworkConditions(loss: .bernoulli(probability: 1)), count: 100).arrivals.isEmpty)
    #expect(run(try NetworkConditions(loss: .bernoulli(probability: 0)), count: 100).arrivals.count == 100)
  }

  @Test(
    "Gilbert-Elliott loses the mean that its parameters give",
    arguments: [
      GilbertElliott(goodToBad: 0.02, badToGood: 0.25), GilbertElliott(meanLossRate: 0.1, meanBurstLength: 3),
      GilbertElliott(goodToBad: 0.01, badToGood: 0.1, lossWhenGood: 0.01, lossWhenBad: 0.6),
      GilbertElliott(goodToBad: 0.9, badToGood: 0.8),
    ])
  func gilbertElliottMean(model: GilbertElliott) throws {
    let count = 200_000
    let link = run(try NetworkConditions(loss: .gilbertElliott(model)), count: count).link
    let bad = model.goodToBad / (model.goodToBad + model.badToGood)
    let mean = bad * model.lossWhenBad + (1 - bad) * model.lossWhenGood
    // The states' autocorrelation is (1 - p - r)^k: its sum widens the variance of the mean.
    let correlation = 1 - model.goodToBad - model.badToGood
    let difference = model.lossWhenBad - model.lossWhenGood
    let variance = mean * (1 - mean) + 2 * bad * (1 - bad) * difference * difference * correlation / (1 - correlation)
    #expect(abs(Double(link.counters.lost) / Double(count) - mean) < 5 * (variance / Double(count)).squareRoot())
  }

  @Test("the bursts of Gilbert's model are geometric with mean 1 / r", arguments: [1.5, 3, 8])
  func burstLengths(mean: Double) throws {
    let model = GilbertElliott(meanLossRate: 0.1, meanBurstLength: mean)
    let count = 300_000
    let arrived = Set(run(try NetworkConditions(loss: .gilbertElliott(model)), count: count).arrivals.map(\.datagram))
    var bursts: [Int] = []
    var length = 0
    for packet in 0..<count {
      if arrived.contains(packet) {
        if length > 0 { bursts.append(length) }
        length = 0
      } else {
        length += 1
      }
    }
    let measured = Double(bursts.reduce(0, +)) / Double(bursts.count)
    // A geometric length with mean m has variance m² - m.
    #expect(abs(measured - mean) < 5 * ((mean * mean - mean) / Double(bursts.count)).squareRoot())
  }

  @Test("uniform jitter fills its range evenly and does not leave it")
  func uniformJitter() throws {
    let conditions = try NetworkConditions(delay: .milliseconds(50), jitter: .uniform(plusMinus: .milliseconds(20)))
    let delays = delays(run(conditions, count: 100_000).arrivals).values.map { Double($0) / 1e6 }
    #expect(delays.min()! >= 30 && delays.min()! < 30.01)
    #expect(delays.max()! <= 70 && delays.max()! > 69.99)
    var bins = [Int](repeating: 0, count: 20)
    for delay in delays { bins[min(19, Int((delay - 30) / 2))] += 1 }
    // 5000 in each, standard deviation 69.
    #expect(bins.allSatisfy { abs($0 - 5000) < 350 })
  }

  @Test("gamma jitter has the set mean and deviation, and is never negative")
  func gammaJitter() throws {
    let conditions = try NetworkConditions(
      delay: .milliseconds(40), jitter: .gamma(mean: .milliseconds(20), standardDeviation: .milliseconds(10)))
    let count = 100_000
    let extra = delays(run(conditions, count: count).arrivals).values.map { Double($0) / 1e6 - 40 }
    let mean = extra.reduce(0, +) / Double(count)
    let variance = extra.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
    #expect(extra.min()! >= 0)
    #expect(abs(mean - 20) < 5 * 10 / Double(count).squareRoot())
    // Shape 4: kurtosis 4.5.
    #expect(abs(variance - 100) < 5 * 100 * (3.5 / Double(count)).squareRoot())
  }

  @Test("the jitter of a packet does not depend on the previous packet's")
  func independentJitter() throws {
    let conditions = try NetworkConditions(delay: .milliseconds(50), jitter: .uniform(plusMinus: .milliseconds(50)))
    let count = 100_000
    let delays = delays(run(conditions, count: count).arrivals)
    let values = (0..<count).map { Double(delays[$0]!) / 1e6 - 50 }
    let products = zip(values, values.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    let correlation = products / values.reduce(0) { $0 + $1 * $1 }
    #expect(abs(correlation) < 5 / Double(count).squareRoot())
  }

  @Test("a trace is followed packet by packet, with its losses, and repeats")
  func trace() throws {
    let trace = try DelayTrace(parsing: "5\n15\nlost\n10\n")
    let (arrivals, link) = run(try NetworkConditions(delay: .milliseconds(100), jitter: .trace(trace)), count: 10)
    let delays = delays(arrivals).mapValues { $0 / 1_000_000 }
    #expect(delays == [0: 105, 1: 115, 3: 110, 4: 105, 5: 115, 7: 110, 8: 105, 9: 115])
    #expect(link.counters.lost == 2)
  }

  @Test("a packet that comes out after a later one is counted as reordered")
  func countsReordered() throws {
    let trace = try DelayTrace([.milliseconds(50), .zero, .zero, .zero])
    let (arrivals, link) = run(try NetworkConditions(jitter: .trace(trace)), count: 4)
    #expect(arrivals.map(\.datagram) == [1, 2, 0, 3])
    #expect(link.counters.reordered == 1)
  }
}
