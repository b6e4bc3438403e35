import NetworkSimulation
import Testing

@Suite(.timeLimit(.minutes(10))) struct NetworkConditionsTests {
  /// The sentence with which conditions are refused, or nil.
  private func refusal(_ make: () throws -> NetworkConditions) -> String? {
    do {
      _ = try make()
      return nil
    } catch { return (error as? NetworkConditionsError)?.description }
  }

  @Test("conditions without settings are perfect")
  func defaults() throws {
    let conditions = try NetworkConditions()
    #expect(conditions == .perfect)
    #expect(conditions.loss.meanLossRate == 0 && conditions.delay == .zero && conditions.jitter == .none)
  }

  @Test("packets that others are to overtake cannot be held back for no time")
  func heldBack() {
    let reordering = Reordering(probability: 0.1, heldBack: .zero)
    #expect(refusal { try NetworkConditions(reordering: reordering) }?.hasSuffix("hold them back for longer") == true)
    let none = Reordering(probability: 0, heldBack: .zero)
    #expect(refusal { try NetworkConditions(reordering: none) } == nil)
  }

  @Test("probabilities outside 0 to 1 are refused by name", arguments: [-0.01, 1.01, Double.nan, .infinity])
  func probabilities(value: Double) {
    let name = "the probability of"
    #expect(
      refusal { try NetworkConditions(loss: .bernoulli(probability: value)) }?.hasPrefix(
        "\(name) a loss is 0 to 1") == true)
    #expect(
      refusal { try NetworkConditions(duplication: value) }?.hasPrefix("\(name) duplication")
        == true)
    #expect(
      refusal { try NetworkConditions(reordering: Reordering(probability: value)) }?.hasPrefix(
        "\(name) reordering") == true)
    let models = [
      GilbertElliott(goodToBad: value, badToGood: 0.5), GilbertElliott(goodToBad: 0.5, badToGood: value),
      GilbertElliott(goodToBad: 0.5, badToGood: 0.5, lossWhenGood: value),
      GilbertElliott(goodToBad: 0.5, badToGood: 0.5, lossWhenBad: value),
    ]
    for model in models {
      #expect(
        refusal { try NetworkConditions(loss: .gilbertElliott(model)) }?.hasPrefix(name)
          == true)
    }
  }

  @Test("refusals give durations in milliseconds")
  func words() {
    #expect(
      refusal { try NetworkConditions(delay: .milliseconds(5), jitter: .uniform(plusMinus: .milliseconds(20))) }
        == "a uniform jitter of ±20 ms with a delay of 5 ms would deliver packets before they are sent; make the delay at least 20 ms"
    )
    #expect(
      refusal { try NetworkConditions(delay: .seconds(61)) } == "the duration of a link is 0 to 60000 ms, not 61000 ms")
    #expect(
      refusal {
        try NetworkConditions(
          spikes: DelaySpikes(perSecond: 1, smallest: .microseconds(2_500), largest: .milliseconds(2)))
      } == "the smallest spike (2.5 ms) is longer than the largest (2 ms)")
  }

  @Test("durations below 0 or above a minute are refused", arguments: [Duration.milliseconds(-1), .seconds(61)])
  func durations(value: Duration) {
    let conditions: [() throws -> NetworkConditions] = [
      { try NetworkConditions(delay: value) },
      { try NetworkConditions(jitter: .uniform(plusMinus: value)) },
      {
        try NetworkConditions(jitter: .gamma(mean: value, standardDeviation: .milliseconds(1)))
      },
      {
        try NetworkConditions(jitter: .gamma(mean: .milliseconds(1), standardDeviation: value))
      },
      {
        try NetworkConditions(spikes: DelaySpikes(perSecond: 1, smallest: value, largest: .seconds(1)))
      },
      {
        try NetworkConditions(spikes: DelaySpikes(perSecond: 1, smallest: .zero, largest: value))
      },
      { try NetworkConditions(reordering: Reordering(probability: 0.1, heldBack: value)) },
      { try NetworkConditions(jitter: .trace(DelayTrace([value]))) },
    ]
    for make in conditions { #expect(refusal(make)?.contains("is 0 to 60000 ms") == true) }
  }

  @Test("contradictory conditions are refused with a remedy")
  func contradictions() {
    #expect(
      refusal {
        try NetworkConditions(delay: .milliseconds(10), jitter: .uniform(plusMinus: .milliseconds(11)))
      }?.contains("make the delay at least 11 ms") == true)
    #expect(
      refusal {
        try NetworkConditions(jitter: .gamma(mean: .zero, standardDeviation: .milliseconds(1)))
      }?.contains("must be above 0") == true)
    #expect(
      refusal {
        try NetworkConditions(jitter: .gamma(mean: .milliseconds(1), standardDeviation: .zero))
      }?.contains("must be above 0") == true)
    #expect(
      refusal {
        try NetworkConditions(loss: .gilbertElliott(GilbertElliott(goodToBad: 0, badToGood: 0)))
      }?.contains("never changes") == true)
    #expect(
      refusal {
        try NetworkConditions(spikes: DelaySpikes(perSecond: 1, smallest: .seconds(2), largest: .seconds(1)))
      }?.contains("longer than the largest") == true)
    #expect(
      refusal {
        try NetworkConditions(spikes: DelaySpikes(perSecond: 0, smallest: .zero, largest: .seconds(1)))
      }?.contains("times a second") == true)
    #expect(
      refusal {
        try NetworkConditions(bottleneck: Bottleneck(bitsPerSecond: 999, queueByteLimit: 1500))
      }?.contains("bits a second") == true)
    #expect(
      refusal {
        try NetworkConditions(bottleneck: Bottleneck(bitsPerSecond: 64_000, queueByteLimit: -1))
      }?.contains("a queue holds 0 to") == true)
  }

  @Test("a trace has a delay or a loss a line, comments and empty lines aside")
  func trace() throws {
    let text = "# measured\n20\n\n  21.5 # late\nlost\n0\n"
    let trace = try DelayTrace(parsing: text)
    #expect(try trace == DelayTrace([.milliseconds(20), .microseconds(21_500), nil, .zero]))
    #expect(trace.count == 4)
    let otherEnds = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    #expect(try DelayTrace(parsing: otherEnds) == trace)
  }

  @Test(
    "a trace names the line that it does not understand",
    arguments: ["-1", "20 30", "Lost", "60001", "nan", "1e9", "0x10"])
  func traceErrors(word: String) {
    #expect(throws: NetworkConditionsError.traceLine(number: 2, text: word)) {
      try DelayTrace(parsing: "20\n\(word)\n")
    }
    #expect(throws: NetworkConditionsError.emptyTrace) { try DelayTrace(parsing: "\n# nothing\n") }
    #expect(throws: NetworkConditionsError.emptyTrace) { try DelayTrace([]) }
  }

  @Test(
    "a mean loss and a mean burst give a matching Gilbert-Elliott model", arguments: [0.01, 0.1, 0.4],
    [1.0, 2, 5])
  func burstModel(loss: Double, burst: Double) {
    let model = GilbertElliott(meanLossRate: loss, meanBurstLength: burst)
    #expect(abs(model.meanLossRate - loss) < 1e-12)
    // A burst ends with probability r at each packet: its mean length is 1 / r.
    #expect(abs(1 / model.badToGood - burst) < 1e-12)
  }
}
