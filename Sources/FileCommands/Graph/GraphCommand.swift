import AudioGraph
package import CommandLineKit
import Engine
import OfflineProcessing

/// `audiopipe graph`: prints the graph that `process` would run for the same arguments.
package enum GraphCommand {
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let options = try GraphOptions(parsed)
    guard let job = options.process.jobs.first, options.process.jobs.count == 1 else {
      throw CommandFailure.usage("graph shows one job; name one input")
    }
    let text: String
    do {
      let prepared = try FileProcessing(job, of: options.process).prepare()
      defer { prepared.cancel() }
      let graph = GraphText(
        steps: try prepared.steps(), sampleRate: prepared.pipeline.options.sampleRate,
        loudnessTarget: options.process.loudnessTarget)
      text =
        switch options.format {
        case .text: graph.text
        case .dot: graph.dot
        case .mermaid: graph.mermaid
        case .json: graph.json
        }
    } catch {
      throw CommandFailure(file: error)
    }
    try console.output.writeLine(text)
    return .success
  }
}
