import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import Glibc
import JSON
import MediaStreams
import NetworkIO
import OfflineProcessing
import OpusCodec
import RTP
import RTPSessions
import SDP
import SRTP
import SoundOptions

/// `rtp send`: sends a file as packets, in real time.
struct RTPSending {
  let options: RTPOptions
  let input: InputSource
  let console: Console

  private static let audioLevelIdentifier: UInt8 = 1
  /// 20 ms: the longest packet. An encoder's delay is below 10 ms, and so is the rest of a packet that has begun.
  private static let tailCount = 960

  func run() throws -> ExitCode {
    guard let target = options.address else { throw CommandFailure.usage("rtp send needs --url rtp://HOST:PORT") }
    do {
      let reader = try input.reader(raw: options.rawInput)
      let channelCount = min(2, reader.format.channelCount)
      let pipeline = try AudioPipeline(
        PipelineOptions(mode: .offline, sampleRate: OpusOptions.sampleRate, channelCount: channelCount))
      let source = try FileSource(
        reader, sampleRate: OpusOptions.sampleRate, uid: 0, tailCount: Self.tailCount, ready: pipeline.bell)
      defer { source.close() }
      try pipeline.setLocalSource(source)
      var random = SystemRandomNumberGenerator()
      let sender = try PacketSender(
        SenderOptions(
          codec: options.codec.sender, channelCount: channelCount, payloadType: options.payloadType,
          ssrc: options.ssrc ?? random.next(), firstSequenceNumber: random.next() & 0x7FFF,
          firstTimestamp: random.next(),
          // Only a reader of the description can know the number.
          audioLevelIdentifier: options.sdpPath == nil ? nil : Self.audioLevelIdentifier))
      if let type = options.payloadType, let fixed = RTPPayloadFormat(staticPayloadType: type),
        let format = sender.options.codec.format(channelCount: channelCount), format != fixed
      {
        throw CommandFailure.usage(
          "--payload-type \(type) is \(fixed), and \(input.name) would be sent as \(format); leave --payload-type out")
      }
      try pipeline.startSending(through: sender)
      let lines = RTPLines(
        options.resultFormat == .jsonLines ? console.output : nil, showsStatistics: options.showsStatistics)
      pipeline.onEvent { lines.write($0) }
      let protection: SRTPContextPair?
      let crypto: CryptoAttribute?
      if options.isEncrypted {
        let key = try options.makeKey()
        // The same source under the same key gets the same keystream again: then one run opens the other.
        if options.ssrc != nil {
          console.log.warning("with --ssrc a key is good for one run alone; make a new one for the next")
        }
        (protection, crypto) = (try self.protection(key), CryptoAttribute(key))
      } else {
        (protection, crypto) = (nil, nil)
      }
      let session = try RTPSendSession(
        sender, to: target, usesRTCPMux: options.usesRTCPMux, adapts: !options.isFixed, protection: protection)
      try writeDescription(sender.options, target, crypto)
      console.log.info("sending \(input.name) to \(target)")
      let clock = SystemClock()
      let start = clock.nowNanoseconds
      var wasUnheard = false
      try pipeline.runToEnd(pace: .clock(clock)) {
        session.pump()
        if session.isUnheard != wasUnheard {
          wasUnheard = session.isUnheard
          tellOutage(session, target, Double(clock.nowNanoseconds - start) / 1e9)
        }
        // Without a relay in between, the receiver reports as one would.
        if let feedback = session.takeLinkFeedback() { pipeline.setLinkFeedback(feedback) }
        return InterruptHandler.pending != nil
      }
      session.finish()
      for warning in reader.warnings { console.log.warning("\(input.name): \(warning)") }
      if let error = source.error, error.reason != .cancelled { throw error }
      try tell(session.counters, lines, start: start, end: clock.nowNanoseconds)
      if InterruptHandler.pending == nil { try checkArrival(session, target) }
    } catch {
      throw CommandFailure(error)
    }
    return .success
  }

  private func tellOutage(_ session: RTPSendSession, _ target: SocketAddress, _ seconds: Double) {
    let time = "at \(JSONWriter.digits(seconds, 1)) s"
    guard session.isUnheard else { return console.log.info("\(time): heard again at \(target)") }
    let why =
      if session.counters.fractionLost == nil {
        "nothing arrives from it any more"
      } else if session.lastError != nil {
        reason(session)
      } else {
        "its reports confirm no new packets"
      }
    console.log.warning("\(time): no receiver hears this at \(target) for now (\(why)); sending continues")
  }

  /// Checks that the packets could arrive.
  ///
  /// - Throws: an error if no packet could be sent, or if the target refused every packet.
  private func checkArrival(_ session: RTPSendSession, _ target: SocketAddress) throws(CommandFailure) {
    let counters = session.counters
    if counters.packets == 0, counters.failures == 0 {
      console.log.warning("\(input.name) holds no samples; nothing was sent")
    } else if counters.packets == 0 {
      throw CommandFailure(
        .inputOutput,
        "none of \(counters.failures) packets could be sent to \(target) (\(reason(session))); check this machine's network"
      )
    }
    if session.isRefused {
      throw CommandFailure(
        .unavailable,
        "no program took any packet at \(target) (\(reason(session))); check --url and start the receiver first")
    }
  }

  private func reason(_ session: RTPSendSession) -> String {
    session.lastError.map(systemErrorText) ?? "SRTP took none"
  }

  private func protection(_ key: borrowing SRTPKey) throws -> SRTPContextPair {
    guard let answerKey = try options.makeAnswerKey() else { return SRTPContextPair(sending: key, receiving: key) }
    return SRTPContextPair(sending: key, receiving: answerKey)
  }

  private func writeDescription(_ sent: SenderOptions, _ target: SocketAddress, _ crypto: CryptoAttribute?) throws {
    guard let path = options.sdpPath else { return }
    let isOpus = options.codec.encoding == .opus
    var audio = AudioStreamDescription(
      port: target.port,
      // Telephone systems know the profiles without feedback only.
      profile: isOpus
        ? options.isEncrypted ? .secureWithFeedback : .plainWithFeedback : options.isEncrypted ? .secure : .plain,
      payloadType: sent.payloadType, format: sent.codec.format(channelCount: sent.channelCount) ?? .opus)
    // Requested packets are sent again, and requests may come without the report before them.
    audio.supportsNack = isOpus
    audio.usesReducedSizeRTCP = isOpus
    if !isOpus { audio.packetMilliseconds = Double(sent.codec.packetDuration.rawValue) }
    audio.direction = .sendOnly
    audio.usesRTCPMux = options.usesRTCPMux
    audio.parameters.sendsStereo = sent.channelCount == 2
    audio.headerExtensions = [
      HeaderExtensionMapping(identifier: Self.audioLevelIdentifier, uri: AudioLevel.uri, attributes: "vad=on")
    ]
    audio.parameters.usesForwardErrorCorrection = true
    if let crypto { audio.crypto = [crypto] }
    let text = SessionDescription(
      name: "audiopipe", address: NetworkAddress(host: options.host, isIPv6: target.isIPv6), audio: audio
    ).text
    // The description may hold the key, so nobody else may read it.
    let mask = options.isEncrypted ? umask(0o077) : nil
    defer { if let mask { umask(mask) } }
    try ResultFile(path: path, mayReplace: options.overwrites).write(text)
  }

  private func tell(_ counters: RTPSendSession.Counters, _ lines: RTPLines, start: Int, end: Int) throws {
    let result = SentResult(
      codec: options.codec.encoding.title, counters: counters, startNanoseconds: start, endNanoseconds: end)
    switch options.resultFormat {
    case .text: try console.output.writeLine(result.text)
    case .json:
      var json = JSONWriter()
      json.object { result.write(&$0) }
      try console.output.writeLine(json.text)
    case .jsonLines: try lines.finish(atSeconds: Double(end - start) / 1e9) { result.write(&$0) }
    }
  }
}
