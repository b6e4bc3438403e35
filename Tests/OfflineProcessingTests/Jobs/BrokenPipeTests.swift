import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import Glibc
import OfflineProcessing
import TestSupport
import Testing

/// Pipes whose reader goes before the end.
@Suite(.timeLimit(.minutes(10))) struct BrokenPipeTests {
  private let files = TestFiles()

  init() { signal(SIGPIPE, SIG_IGN) }

  @Test(
    "a closed reader ends the job, and every sample is accounted for",
    arguments: [nil, 44_100] as [Int?])
  func gone(rate: Int?) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    var job = FileProcessing()
    job.input = .path(
      try files.write("in.wav", [seededNoise(count: 480_000, seed: 1)], sampleRate: 48_000))
    job.output = .descriptor(ends[1], name: "pipe")
    job.sampleRate = rate
    let prepared = try job.prepare()
    // More than a pipe holds, less than there is.
    let result = try prepared.run(shouldStop: {
      if prepared.pipeline.tickCount == 100 { close(ends[0]) }
      return false
    })
    #expect(result.outputFailure?.isBrokenPipe == true && !result.isCancelled)
    #expect(result.outputSamplesPerChannel > 0 && result.outputSamplesPerChannel < 400_000)
    for edge in result.edges { #expect(edge.imbalance == 0, "\(edge)") }
    let dropped = result.edges.reduce(0) { $0 + $1.ledger.dropped }
    #expect(dropped > 0)
    // The whole says it too, at the pipeline's own rate.
    #expect(result.ledger.imbalance() == 0 && result.ledger.dropped > 0, "\(result.ledger)")
    if rate == nil {
      #expect(result.ledger.output == result.outputSamplesPerChannel && result.ledger.dropped == dropped)
    }
    close(ends[1])
  }
}
