import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import JSON
import MediaStreams
import NetworkIO
import RTP
import RTPSessions
import SoundOptions

/// `rtp receive`: records a stream in a file.
struct RTPReceiving {
  let options: RTPOptions
  let console: Console

  /// User of the stream.
  private static let uid: UInt32 = 1
  /// Longest time that the buffer plays on after a BYE, in nanoseconds.
  private static let tail = 1_000_000_000
  private static let longestWait = 20_000_000
  /// Time without a packet from which on the sound may be over, in nanoseconds; senders in a pause send one each 400
  /// ms.
  private static let idle = 500_000_000
  static let noReportPort =
    "the next port, for RTCP, is taken: lost packets are not requested; choose another port, or use --rtcp-mux"

  func run() throws -> ExitCode {
    do {
      let pipeline = try AudioPipeline(channelCount: options.channelCount)
      let outputs = try ReceivedOutputs(options, pipeline, console)
      let stream = try ReceivedStream(options)
      if stream.isForReceivers {
        console.log.info("the description says a=recvonly, as announcements do for their listeners; listening")
      }
      let payloadType = stream.payloadType
      let codec = stream.codec.format?.encoding.title ?? "Opus"
      let source = try pipeline.addRemoteUser(
        Self.uid,
        receiving: JitterBufferOptions(
          codec: stream.codec, channelCount: options.channelCount, payloadType: payloadType,
          redundancyPayloadType: stream.redundancyPayloadType, audioLevelIdentifier: stream.audioLevelIdentifier))
      let session = try RTPReceiveSession(
        source, at: stream.address, usesRTCPMux: stream.usesRTCPMux, reportAddress: stream.reportAddress,
        requests: stream.requests, usesReducedSizeRTCP: stream.usesReducedSizeRTCP,
        telephoneEvents: stream.telephoneEvents, protection: stream.protection)
      console.log.info("listening at \(session.localAddress)")
      if !session.hasReportPort { console.log.warning(Self.noReportPort) }
      try pipeline.start()
      defer { pipeline.stop() }
      let lines = RTPLines(
        options.resultFormat == .jsonLines ? console.output : nil, showsStatistics: options.showsStatistics)
      let start = SystemClock().nowNanoseconds
      let handler = outputs.eventHandler
      pipeline.onEvent { event in
        lines.write(event)
        handler(event)
      }
      var keys: [KeyPress] = []
      let heard = try receive(session, source, pipeline, outputs) {
        keys += session.takeKeyPresses().map { note($0, lines, start: start) }
      }
      // Events are reported before the results.
      try outputs.finish(soundEnd: source.latestSnapshot.soundEnd)
      let statistics = (heard ?? source.latestSnapshot).statistics
      keys += session.takeKeyPresses(isOver: true).map { note($0, lines, start: start) }
      try tell(
        session, statistics, keys, level: heard?.audioLevel, files: outputs.files, lines,
        seconds: Double(SystemClock().nowNanoseconds - start) / 1e9)
      if session.counters.packets == 0, session.counters.foreign > 0 {
        throw CommandFailure(
          .badData,
          "\(session.counters.foreign) packets came, and none could be played as \(codec) of payload type "
            + "\(payloadType.map { "\($0)" } ?? "\(OpusRTP.lowestPayloadType) to 127"): "
            + "\(ForeignPackets.list(session.counters.foreignPayloadTypes)); check --payload-type and the sender"
        )
      }
      if session.counters.oversized > 0 {
        let count = session.counters.oversized
        let message =
          "\(count == 1 ? "one packet was" : "\(count) packets were") longer than 1500 bytes and left out; send \(codec) in "
          + "packets that fit into an Ethernet frame"
        guard session.counters.packets > 0 else { throw CommandFailure(.badData, message) }
        console.log.warning(message)
      }
      if statistics.packetsMalformed > 0 {
        let count = statistics.packetsMalformed
        console.log.warning(
          "of the packets \(count == 1 ? "one was" : "\(count) were") not \(codec) and left out; if there are many, check "
            + "the sender")
      }
      // One is usual: encoders that leave out the samples ahead of the sound begin with it.
      if statistics.packetsOverlapping > 1 {
        console.log.warning(
          "\(statistics.packetsOverlapping) of the packets began before the one before ended and were heard in part; "
            + "check the sender's timestamps")
      }
      guard !session.isNoise else {
        throw CommandFailure(
          .badData,
          "the packets make no sense as Opus, nor does \(options.output.names); name the codec with --codec or "
            + "--sdp; if it is SRTP, give the stream as srtp:// with --key-file")
      }
      guard session.counters.packets > 0 || InterruptHandler.pending != nil else {
        let refused = session.counters.refused
        throw CommandFailure(
          .unavailable,
          refused > 0
            ? "\(refused) packets came that the key does not open; check "
              + (options.sdpPath.map { "that \($0) describes the sent stream" } ?? "--key-file and --suite")
            : "no packet came to \(session.localAddress) within \(min(options.timeoutSeconds, options.durationSeconds ?? .infinity).shortText) s; check the sender's address"
        )
      }
    } catch {
      throw CommandFailure(error)
    }
    return .success
  }

  /// Receives the stream until it ends.
  ///
  /// - Returns: the receiver's report at the last packet; the time after it is the stream's end, not a loss.
  private func receive(
    _ session: RTPReceiveSession, _ source: RTPSource, _ pipeline: AudioPipeline,
    _ outputs: ReceivedOutputs, afterEachPump: () -> Void
  ) throws -> JitterBufferSnapshot? {
    var heard: JitterBufferSnapshot?
    var packetCount = 0
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    let end = options.durationSeconds.map { start + Int($0 * 1e9) } ?? .max
    let timeout = Int(options.timeoutSeconds * 1e9)
    defer { session.finish() }
    while InterruptHandler.pending == nil, clock.nowNanoseconds < end, !outputs.hasEnded {
      session.pump(atMostNanoseconds: Self.longestWait)
      afterEachPump()
      if let feedback = session.takeLinkFeedback() { pipeline.setLinkFeedback(feedback, from: Self.uid) }
      let now = clock.nowNanoseconds
      guard let last = session.lastPacketNanoseconds else {
        if now - start > timeout { return heard }
        continue
      }
      try outputs.begin()
      outputs.holdSilence(now - last > Self.idle)
      if session.counters.packets > packetCount {
        packetCount = session.counters.packets
        heard = source.latestSnapshot
      }
      if session.hasEnded {
        source.receiveBye()
        if source.latestSnapshot.stage == .idle || now - last > Self.tail { return heard }
      } else if now - last > timeout {
        return heard
      }
    }
    return heard
  }

  private func note(_ press: KeyPress, _ lines: RTPLines, start: Int) -> KeyPress {
    lines.write(press, atSeconds: Double(press.nanoseconds - start) / 1e9)
    return press
  }

  private func tell(
    _ session: RTPReceiveSession, _ statistics: JitterBufferStatistics, _ keys: [KeyPress], level: AudioLevel?,
    files: RecordingWatch, _ lines: RTPLines, seconds: Double
  ) throws {
    switch options.resultFormat {
    case .text:
      let text =
        "\(session.counters.packets) packets, \(statistics.packetsLostOnTheWay) lost, \(statistics.fecPacketsUsed) recovered, "
        + "\(statistics.retransmittedPacketsUsed) sent again in time, "
        + "\(JSONWriter.digits(Double(statistics.concealedSamples) / 48, 1)) ms concealed, "
        + "\(JSONWriter.digits(statistics.meanJitterBufferDelayMilliseconds, 1)) ms in the buffer"
        + (keys.isEmpty ? "" : ", keys \(String(keys.map(\.digit)))") + Self.otherSources(session.counters)
      if options.output.path == "-" { console.log.info(text) } else { try console.output.writeLine(text) }
    case .json:
      var json = JSONWriter()
      json.object { Self.write(session, statistics, keys, level, files, &$0) }
      try console.output.writeLine(json.text)
    case .jsonLines:
      try lines.finish(atSeconds: seconds) {
        Self.write(session, statistics, keys, level, files, &$0)
      }
    }
  }

  /// Returns the end of the summary, about packets of others at the port.
  private static func otherSources(_ counters: RTPReceiveSession.Counters) -> String {
    var text = ""
    if counters.foreign > 0 {
      text +=
        "; \(counters.foreign) packets of other sources or codecs left out: "
        + ForeignPackets.list(counters.foreignPayloadTypes)
    }
    if counters.sourceChanges > 0 { text += "; another source took over \(counters.sourceChanges) times" }
    return text
  }

  private static func write(
    _ session: RTPReceiveSession, _ statistics: JitterBufferStatistics, _ keys: [KeyPress], _ level: AudioLevel?,
    _ files: RecordingWatch, _ json: inout JSONWriter
  ) {
    let (counters, report) = (session.counters, session.report)
    json.field("schema", 1)
    json.field("packets", counters.packets)
    json.field("refused", counters.refused)
    json.field("repeated", counters.repeated)
    json.field("unknown_sources", counters.unknownSources)
    json.field("foreign", counters.foreign)
    json.field("soundless", counters.soundless)
    json.field("oversized", counters.oversized)
    json.field("source_changes", counters.sourceChanges)
    json.field("lost", statistics.packetsLostOnTheWay)
    json.field("late", statistics.packetsDiscarded)
    json.field("duplicated", statistics.packetsDuplicated)
    json.field("overflowed", counters.overflowed)
    json.field("malformed", statistics.packetsMalformed)
    json.field("overlapping", statistics.packetsOverlapping)
    json.field("fec", statistics.fecPacketsUsed)
    json.field("requested", report.missing.requested)
    json.field("retransmitted", statistics.retransmittedPacketsUsed)
    if let trip = report.roundTripNanoseconds { json.field("round_trip_ms", Double(trip) / 1e6, decimals: 3) }
    if let level {
      json.field("level_dbov", 0 - Int(level.decibelsBelowOverload))
      json.field("vad", level.hasVoice ? 1 : 0)
    }
    json.array("key_presses") { json in
      for press in keys { json.object { press.writeFields(&$0) } }
    }
    json.field("concealed_ms", Double(statistics.concealedSamples) / 48, decimals: 3)
    if statistics.jitterBufferEmittedCount > 0 {
      json.field("buffer_ms", statistics.meanJitterBufferDelayMilliseconds, decimals: 3)
    }
  }
}
