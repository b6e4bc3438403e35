package import CommandLineKit
import JSON
import RelayClient
import RelayLoad

/// `audiopipe load`: publishers and listeners that measure a relay.
package enum LoadCommand {
  package static let declaration = LoadDeclaration.load

  /// Runs a load.
  ///
  /// - Throws: exit code 64 for a wrong command line, 69 for a relay that cannot be reached, 77 for refused tokens.
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let options = try LoadOptions(parsed)
    if environmentVariable(LoadWorker.variable) != nil { return try LoadWorker.run(options, console) }
    let result = try options.processCount > 1 ? LoadTeam(options, console).run() : LoadRun(options, console).run()
    let report = LoadReport(result: result)
    switch options.format {
    case .text: try console.output.write(report.table)
    case .json, .jsonLines:
      for sentence in [report.limit, report.bottleneck].compactMap(\.self) { console.log.warning(sentence) }
      try console.output.writeDocument { json in
        json.field("schema", 1)
        report.write(&json)
      }
    }
    let isWithinLimits = check(result, options, console)
    return isWithinLimits && result.failures.isEmpty ? .success : .someFailed
  }

  /// Reports each limit that was exceeded.
  private static func check(_ result: LoadResult, _ options: LoadOptions, _ console: Console) -> Bool {
    var isWithin = true
    func fail(_ sentence: String) {
      console.log.error(sentence)
      isWithin = false
    }
    if let limit = options.maximumLossPercent, result.counts.lostPercent > limit {
      fail(
        "\(JSONWriter.digits(result.counts.lostPercent, 4)) % of the packets were lost, more than --max-loss \(limit.shortText) %"
      )
    }
    let delay = result.delayMilliseconds(atQuantile: 0.99)
    if let limit = options.maximumDelayMilliseconds, delay > limit {
      fail("the delay is \(JSONWriter.digits(delay, 2)) ms (p99), more than --max-delay \(limit.shortText) ms")
    }
    return isWithin
  }
}
