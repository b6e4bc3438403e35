package import CommandLineKit
package import NetworkSimulation

/// Effects of a simulated network on packets: `--loss`, `--delay`, `--jitter` and related options.
package struct NetworkOptions: Hashable, Sendable {
  private static let group = "Network"
  private static let longest = 60_000.0

  package static let declarations = [
    OptionDeclaration(
      "loss",
      .keyed(
        KeyValueSyntax(
          head: .number(0...100, unit: "%"),
          keys: [KeyValueSyntax.Key(name: "burst", value: .number(1...1_000, unit: nil))])
      ),
      group: group,
      help:
        "Percentage of lost packets; with 'burst', in runs of that mean length (Gilbert-Elliott), which also affect reports "
        + "and retransmissions"
    ),
    OptionDeclaration(
      "delay", .number(0...longest, unit: "ms"), group: group, default: "0",
      help: "Delay of every packet, without jitter and spikes"),
    OptionDeclaration(
      "jitter",
      .keyed(
        KeyValueSyntax(
          head: .number(0...longest, unit: "ms"),
          keys: [KeyValueSyntax.Key(name: "gamma", value: .number(0.001...longest, unit: "ms"))])),
      group: group,
      help:
        "Random change of each packet's delay, up to this value more or less; with 'gamma', an addition with this "
        + "value as mean and 'gamma' as standard deviation"),
    OptionDeclaration(
      "delay-trace", .file, group: group,
      help: "File of added delays, one line per packet: milliseconds, or the word lost"),
    OptionDeclaration(
      "spikes",
      .keyed(
        KeyValueSyntax(
          head: .number(0.001...1_000, unit: "/s"),
          keys: [
            KeyValueSyntax.Key(name: "min", value: .number(0...longest, unit: "ms")),
            KeyValueSyntax.Key(name: "max", value: .number(0...longest, unit: "ms")),
          ])),
      group: group,
      help:
        "Stalls per second, of 120 to 240 ms unless set; a 'min' above 240 without 'max', or a 'max' below 120 without 'min', "
        + "sets both"),
    OptionDeclaration(
      "reorder",
      .keyed(
        KeyValueSyntax(
          head: .number(0...100, unit: "%"),
          keys: [KeyValueSyntax.Key(name: "by", value: .number(0...longest, unit: "ms"))])
      ),
      group: group,
      help: "Percentage of packets held back so that later packets overtake them, for 30 ms unless set"),
    OptionDeclaration(
      "duplicate", .number(0...100, unit: "%"), group: group, default: "0",
      help: "Percentage of duplicated packets; --reorder does not hold back a duplicate"),
    OptionDeclaration(
      "bandwidth",
      .keyed(
        KeyValueSyntax(
          head: .number(1...100_000_000, unit: "kbit"),
          keys: [KeyValueSyntax.Key(name: "queue", value: .number(0...longest, unit: "ms"))])),
      group: group,
      help:
        "Rate in kbit/s, with 28 bytes of IP + UDP per packet; a packet that would wait in the queue for longer than 'queue', "
        + "200 ms unless set, is lost"),
    OptionDeclaration(
      "seed", .integer(0...Int.max), group: group, default: "1", help: "Seed of all random numbers"),
  ]

  package let conditions: NetworkConditions
  package let seed: UInt64

  /// Reads the conditions of a command line.
  ///
  /// - Throws: a usage failure for impossible conditions; 65 and 66 for a trace that cannot be read.
  package init(_ parsed: ParsedArguments) throws(CommandFailure) {
    seed = UInt64(parsed.integer("seed") ?? 1)
    if parsed.has("delay-trace"), parsed.has("jitter") {
      throw .usage("--delay-trace and --jitter contradict each other; give one of them")
    }
    try Self.checkRuns(parsed)
    let trace = if let path = parsed.text("delay-trace") { try Self.trace(path) } else { DelayTrace?.none }
    do {
      conditions = try NetworkConditions(
        loss: Self.loss(parsed), delay: Self.milliseconds(parsed.number("delay") ?? 0),
        jitter: trace.map(JitterModel.trace) ?? Self.jitter(parsed), spikes: Self.spikes(parsed),
        reordering: Self.reordering(parsed), duplication: (parsed.number("duplicate") ?? 0) / 100,
        bottleneck: Self.bottleneck(parsed))
    } catch {
      throw CommandFailure.usage("\(error)")
    }
  }

  /// Checks the length of runs of lost packets.
  ///
  /// - Throws: a usage failure if so much loss cannot come in such short runs.
  private static func checkRuns(_ parsed: ParsedArguments) throws(CommandFailure) {
    guard let value = parsed.keyed("loss").first, let burst = value.number("burst") else { return }
    let rate = value.headNumber(unit: "%") / 100
    guard let shortest = GilbertElliott.neededBurst(meanLossRate: rate, insteadOf: burst) else { return }
    throw .usage("so much --loss comes in runs of \(shortest) packets and more; use burst=\(shortest), or less loss")
  }

  private static func loss(_ parsed: ParsedArguments) throws(NetworkConditionsError) -> LossModel {
    guard let value = parsed.keyed("loss").first else { return .none }
    let rate = value.headNumber(unit: "%") / 100
    guard let burst = value.number("burst") else { return .bernoulli(probability: rate) }
    // A link that loses everything has no bursts.
    guard rate < 1 else { return .bernoulli(probability: 1) }
    return .gilbertElliott(GilbertElliott(meanLossRate: rate, meanBurstLength: burst))
  }

  private static func jitter(_ parsed: ParsedArguments) -> JitterModel {
    guard let value = parsed.keyed("jitter").first else { return .none }
    let amount = milliseconds(value.headNumber(unit: "ms"))
    if let deviation = value.number("gamma") { return .gamma(mean: amount, standardDeviation: milliseconds(deviation)) }
    return amount > .zero ? .uniform(plusMinus: amount) : .none
  }

  private static func spikes(_ parsed: ParsedArguments) -> DelaySpikes? {
    parsed.keyed("spikes").first.map { value in
      let largest = value.number("max") ?? max(240, value.number("min") ?? 0)
      return DelaySpikes(
        perSecond: value.headNumber(unit: "/s"), smallest: milliseconds(value.number("min") ?? min(120, largest)),
        largest: milliseconds(largest))
    }
  }

  private static func reordering(_ parsed: ParsedArguments) -> Reordering? {
    parsed.keyed("reorder").first.map { value in
      Reordering(probability: value.headNumber(unit: "%") / 100, heldBack: milliseconds(value.number("by") ?? 30))
    }
  }

  private static func bottleneck(_ parsed: ParsedArguments) -> Bottleneck? {
    parsed.keyed("bandwidth").first.map { value in
      Bottleneck(
        bitsPerSecond: Int(value.headNumber(unit: "kbit") * 1_000),
        queueDuration: milliseconds(value.number("queue") ?? 200))
    }
  }

  /// Reads a trace.
  ///
  /// - Throws: exit code 66 if the file cannot be read, 65 if it is not a trace.
  package static func trace(_ path: String) throws(CommandFailure) -> DelayTrace {
    switch readText(path, limit: 64 << 20) {
    case .success(let text):
      do {
        return try DelayTrace(parsing: text)
      } catch {
        throw CommandFailure(.badData, "\(path): \(error)")
      }
    case .failure(.tooLong): throw CommandFailure(.badData, "\(path): this trace is longer than 64 MiB; cut it")
    case .failure(.number(let code)):
      throw CommandFailure(.noInput, "\(path): the trace cannot be read (\(systemErrorText(code))); check the path")
    }
  }

  private static func milliseconds(_ value: Double) -> Duration { .nanoseconds(Int((value * 1e6).rounded())) }
}
