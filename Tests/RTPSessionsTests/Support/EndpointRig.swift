import AudioGraph
import Engine
import FrameObservers
import GraphTestSupport
import NetworkIO
import Platform
import RTPSessions
import TestSupport
import Testing

/// A live pipeline with an endpoint and a pushed voice, 10 ms of virtual time by 10 ms.
final class EndpointRig {
  let pipeline: AudioPipeline
  let endpoint: RTPEndpoint
  let voice: PushSource
  private let clock = GatedClock()
  private let heard = Guarded<[Int16]>([])
  private let log = Guarded<[RTPEndpointEvent]>([])
  private var ticks = 0

  init(_ change: (inout RTPEndpointOptions) throws -> Void = { _ in }) throws {
    pipeline = try AudioPipeline(channelCount: 1)
    voice = try pipeline.setLocalSource(.push(AudioFormat(sampleRate: 16_000, channelCount: 1)))
    var options = RTPEndpointOptions()
    try change(&options)
    endpoint = try RTPEndpoint(
      pipeline, at: try SocketAddress("127.0.0.1:0"), options: options, clock: clock,
      random: SeededGenerator(seed: 1))
    endpoint.onEvent { [log] event in log.withLock { $0.append(event) } }
    try pipeline.observe(.beforeMixing) { [heard] frame, origin in
      guard origin.uid == 1 else { return }
      for index in 0..<frame.samples.count {
        let sample = frame.samples[index]
        heard.withLock { $0.append(sample) }
      }
    }
    try pipeline.start(clock: clock)
  }

  var events: [RTPEndpointEvent] { log.withLock { $0 } }

  func step() {
    endpoint.pump(atMostNanoseconds: 0)
    clock.open(untilNanoseconds: ticks * 10_000_000)
    ticks += 1
    #expect(eventually { pipeline.tickCount >= ticks })
    endpoint.pump(atMostNanoseconds: 0)
  }

  /// Ends the call.
  ///
  /// - Returns: The samples of user 1.
  func stop() -> [Int16] {
    endpoint.stop()
    clock.open(untilNanoseconds: .max)
    pipeline.stop()
    return heard.withLock { $0 }
  }
}
