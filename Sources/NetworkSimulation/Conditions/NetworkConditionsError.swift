/// Reason why network conditions are not possible.
public enum NetworkConditionsError: Error, Hashable, CustomStringConvertible {
  /// A probability outside 0 to 1, with the name of its event.
  case probability(of: String, Double)
  /// A duration outside 0 to 60 s, with the name of its part.
  case duration(of: String, Duration)
  /// Packets that later ones are to overtake are held back for no time.
  case notHeldBack
  /// A jitter with which some packets would arrive before they are sent.
  case jitterAboveDelay(jitter: Duration, delay: Duration)
  /// A gamma distribution that does not exist, or that cannot be distinguished from a constant or from nothing.
  case gamma(mean: Duration, standardDeviation: Duration)
  /// A Gilbert-Elliott model that never changes between its states.
  case frozenStates
  /// A number of spikes a second outside the allowed range.
  case spikeRate(Double)
  /// A shortest spike that is longer than the longest.
  case spikeSizes(smallest: Duration, largest: Duration)
  /// A rate outside the allowed range, in bits a second.
  case bitrate(Int)
  /// A queue outside the allowed range, in bytes.
  case queue(byteLimit: Int)
  /// A trace without entries.
  case emptyTrace
  /// A line of a trace that is neither a delay nor a loss.
  case traceLine(number: Int, text: String)
  /// A clock drift larger than that of any clock, in parts per million.
  case drift(partsPerMillion: Double)

  public var description: String {
    switch self {
    case .probability(let what, let value): "the probability of \(what) is 0 to 1 (0 % to 100 %), not \(value)"
    case .duration(let what, let value): "the duration of \(what) is 0 to 60000 ms, not \(Self.text(value))"
    case .notHeldBack: "packets that are held back by 0 ms are overtaken by none; hold them back for longer"
    case .jitterAboveDelay(let jitter, let delay):
      "a uniform jitter of ±\(Self.text(jitter)) with a delay of \(Self.text(delay)) would deliver packets before they are sent; "
        + "make the delay at least \(Self.text(jitter))"
    case .gamma(let mean, let deviation):
      "a gamma jitter with mean \(Self.text(mean)) and standard deviation \(Self.text(deviation)) cannot be; both must be above 0 and of similar size"
    case .frozenStates:
      "a Gilbert-Elliott model that never changes between good and bad has no mean; give one of the changes a probability above 0"
    case .spikeRate(let rate): "spikes come above 0 and up to 1000 times a second, not \(rate) times"
    case .spikeSizes(let smallest, let largest):
      "the smallest spike (\(Self.text(smallest))) is longer than the largest (\(Self.text(largest)))"
    case .bitrate(let rate): "a link's rate is 1000 to 100000000000 bits a second, not \(rate)"
    case .queue(let bytes): "a queue holds 0 to 1000000000 bytes, not \(bytes)"
    case .emptyTrace: "the trace of delays has no entries; write one delay in milliseconds, or the word lost, a line"
    case .traceLine(let number, let text):
      "line \(number) of the trace is '\(text)'; write one delay of 0 to 60000 milliseconds, or the word lost"
    case .drift(let value): "a clock drifts by -100000 to 100000 parts per million, not \(value)"
    }
  }

  /// Returns the duration in milliseconds, the unit of all network options.
  private static func text(_ duration: Duration) -> String {
    let value = duration / .milliseconds(1)
    return value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value)) ms" : "\(value) ms"
  }
}

func validateProbability(_ value: Double, of what: String) throws(NetworkConditionsError) {
  guard (0...1).contains(value) else { throw .probability(of: what, value) }
}

func validateDuration(_ value: Duration, of what: String) throws(NetworkConditionsError) {
  guard value >= .zero, value <= .seconds(60) else { throw .duration(of: what, value) }
}
