import AudioGraph
import CommandLineKit
import Engine
import JSON
import MediaStreams
import Platform
import RTP
import RTPSessions
import SoundOptions

/// `rtp receive --each-out`: records every source of a port in a file of its own.
struct RTPCollecting {
  let options: RTPOptions
  let console: Console

  private static let longestWait = 20_000_000

  func run() throws -> ExitCode {
    do {
      let pipeline = try AudioPipeline(channelCount: options.channelCount)
      let outputs = try ReceivedOutputs(options, pipeline, console)
      let stream = try ReceivedStream(options)
      let endpoint = try RTPEndpoint(pipeline, at: stream.address, options: endpointOptions(stream))
      console.log.info("listening at \(endpoint.localAddress)")
      if !endpoint.hasReportPort { console.log.warning(RTPReceiving.noReportPort) }
      let lines = RTPLines(
        options.resultFormat == .jsonLines ? console.output : nil, showsStatistics: options.showsStatistics)
      let handler = outputs.eventHandler
      pipeline.onEvent { event in
        lines.write(event)
        handler(event)
      }
      let clock = SystemClock()
      let start = clock.nowNanoseconds
      let sources = Guarded(CollectedSources())
      let timeout = Int(options.timeoutSeconds * 48_000)
      endpoint.onEvent { event in
        let seconds = Double(clock.nowNanoseconds - start) / 1e9
        sources.withLock {
          $0.take(event, atSeconds: seconds, position: pipeline.tickCount * 480, timeout: timeout)
        }
        lines.write(event, atSeconds: seconds)
        if case .sourceRefused(let ssrc, let reason) = event {
          console.log.warning("source \(ssrc): \(reason)")
        }
      }
      try outputs.beginFilesWithFirstUser()
      try pipeline.start()
      defer { pipeline.stop() }
      try receive(endpoint, outputs, sources, clock: clock, start: start)
      let soundEnd = sources.withLock { $0.soundEnd }
      endpoint.stop()
      try outputs.finish(soundEnd: soundEnd)
      try tell(sources.withLock { $0 }, outputs.files, lines, seconds: Double(clock.nowNanoseconds - start) / 1e9)
      guard !sources.withLock({ $0.all.isEmpty }) || InterruptHandler.pending != nil else {
        throw CommandFailure(
          .unavailable,
          sources.withLock { $0.refusedCount } > 0
            ? "every source was refused, as the warnings say; check --codec, --payload-type or --sdp"
            : "no source sent to \(endpoint.localAddress); check the senders' address, key and payload type")
      }
    } catch {
      throw CommandFailure(error)
    }
    return .success
  }

  /// Takes packets until all sources have ended, or none has come in time.
  private func receive(
    _ endpoint: RTPEndpoint, _ outputs: ReceivedOutputs, _ sources: borrowing Guarded<CollectedSources>,
    clock: SystemClock, start: Int
  ) throws {
    let end = options.durationSeconds.map { start + Int($0 * 1e9) } ?? .max
    let timeout = start + Int(options.timeoutSeconds * 1e9)
    while InterruptHandler.pending == nil, !outputs.hasEnded {
      endpoint.pump(atMostNanoseconds: Self.longestWait)
      let (isEmpty, areOver) = sources.withLock { ($0.all.isEmpty, $0.areOver) }
      if !isEmpty { try outputs.begin() }
      let now = clock.nowNanoseconds
      if now >= end || (isEmpty ? now > timeout : areOver) { return }
    }
  }

  private func endpointOptions(_ stream: ReceivedStream) -> RTPEndpointOptions {
    let format = stream.codec.format ?? .opus
    // Without a named format, the endpoint checks that packets of dynamic types are Opus.
    let types =
      stream.payloadType.map { [$0] }
      ?? (options.namesFormat ? [format.staticPayloadType].compactMap(\.self) + Array(96...127) : [])
    // Each source has its own file.
    return RTPEndpointOptions(
      usesRTCPMux: stream.usesRTCPMux, formats: Dictionary(uniqueKeysWithValues: types.map { ($0, format) }),
      sending: .nothing, telephoneEvents: stream.telephoneEvents ?? RTPEndpointOptions().telephoneEvents,
      protection: stream.protection, requests: stream.requests, reusesUsers: false,
      acceptsOtherTypes: !options.namesFormat, channelCount: options.channelCount,
      maximumSourceCount: 256, sourceTimeout: .seconds(options.timeoutSeconds))
  }

  private func tell(
    _ sources: CollectedSources, _ files: RecordingWatch, _ lines: RTPLines, seconds: Double
  ) throws {
    let folder = options.output.eachPath.map { String($0.dropLast("wav".count)) } ?? ""
    let write = { (json: inout JSONWriter) in
      sources.write(&json, filePrefix: folder)
      files.write(&json)
    }
    switch options.resultFormat {
    case .text:
      let text = sources.text
      if options.output.path == "-" { console.log.info(text) } else { try console.output.writeLine(text) }
    case .json:
      var json = JSONWriter()
      json.object(write)
      try console.output.writeLine(json.text)
    case .jsonLines: try lines.finish(atSeconds: seconds, report: write)
    }
  }
}
