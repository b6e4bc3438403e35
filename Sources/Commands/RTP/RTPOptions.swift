import AudioFiles
import CommandLineKit
import Engine
import Glibc
import MediaStreams
import NetworkIO
import OpusCodec
import Platform
import RTP
import SRTP
import SoundOptions

/// Arguments of `rtp`, typed and checked.
struct RTPOptions: Sendable {
  /// Address to send to or to listen at; nil if a description has it.
  let address: SocketAddress?
  /// Host of the address, as written.
  let host: String
  let isEncrypted: Bool
  let suite: SRTPSuite
  let keyPath: String?
  /// Path of the key of the receiver's reports, if it differs from that of the stream.
  let answerKeyPath: String?
  let sdpPath: String?
  let payloadType: UInt8?
  /// Input to send; nil to receive.
  let input: InputSource?
  /// Format of stdin if it has no header.
  let rawInput: RawFormat?
  /// SSRC of the sent stream; nil for a random one.
  let ssrc: UInt32?
  /// Whether RTCP shares the port of RTP.
  let usesRTCPMux: Bool
  let codec: RTPCodecOption
  /// Whether the command line or a description names the format of the packets.
  let namesFormat: Bool
  let isFixed: Bool
  /// Outputs of received sound.
  let output: RTPOutput
  let channelCount: Int
  let durationSeconds: Double?
  let timeoutSeconds: Double
  /// Whether lost packets are requested again.
  let asksForPackets: Bool
  let overwrites: Bool
  let resultFormat: ResultFormat
  /// Whether statistics are among the events.
  let showsStatistics: Bool

  /// Reads the options of a command line.
  ///
  /// - Throws: exit code 64 for a wrong command line.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    _ = try CommonOptions(parsed)
    sdpPath = parsed.text("sdp")
    keyPath = parsed.text("key-file")
    answerKeyPath = parsed.text("answer-key-file")
    suite = parsed.text("suite").flatMap(SRTPSuite.init(name:)) ?? .aeadAES128GCM
    payloadType = parsed.integer("payload-type").map(UInt8.init)
    if let payloadType, !DatagramKind.canTell(payloadType: payloadType) {
      throw .usage("--payload-type \(payloadType) is kept free for RTCP (RFC 5761); use 96 to 127")
    }
    input = parsed.operands.first == "send" ? parsed.operands.dropFirst().first.map(InputSource.init) : nil
    rawInput = parsed.operands.first == "send" ? try RawFormat.option(of: parsed) : nil
    try rawInput?.check(inputs: [input].compactMap(\.self))
    ssrc = parsed.integer("ssrc").map(UInt32.init)
    usesRTCPMux = parsed.has("rtcp-mux")
    codec = try Self.codec(parsed, payloadType)
    namesFormat = parsed.has("codec") || parsed.has("payload-type") || parsed.has("sdp")
    isFixed = parsed.has("fixed")
    guard !isFixed || codec.encoding == .opus else {
      throw .usage("--fixed belongs to Opus; \(codec.encoding.title) never changes, so leave it out")
    }
    output = try RTPOutput(parsed)
    channelCount = parsed.integer("channels") ?? 1
    durationSeconds = parsed.number("duration")
    timeoutSeconds = parsed.number("timeout") ?? 15
    asksForPackets = !parsed.has("no-nack")
    overwrites = parsed.has("overwrite")
    guard !parsed.has("json") || !parsed.has("json-lines") else {
      throw .usage("--json and --json-lines contradict each other; give one of them")
    }
    resultFormat = parsed.has("json") ? .json : parsed.has("json-lines") ? .jsonLines : .text
    showsStatistics = parsed.has("stats")
    guard !showsStatistics || resultFormat == .jsonLines else {
      throw .usage("--stats has statistics among the events, which --json-lines shows; give both")
    }
    guard let url = parsed.text("url") else {
      guard parsed.operands.first == "receive", sdpPath != nil else {
        throw .usage("rtp needs --url rtp://HOST:PORT (or, to receive, --sdp FILE)")
      }
      for name in ["key-file", "suite", "payload-type", "codec", "rtcp-mux"] where parsed.has(name) {
        throw .usage("--\(name) goes with --url; without one, the description says it")
      }
      (address, host, isEncrypted) = (nil, "", false)
      return
    }
    let scheme = url.hasPrefix("srtp://") ? "srtp://" : url.hasPrefix("rtp://") ? "rtp://" : nil
    guard let scheme else {
      throw .usage("--url '\(url)' is not an address of a stream; write rtp://HOST:PORT or srtp://HOST:PORT")
    }
    isEncrypted = scheme == "srtp://"
    guard isEncrypted || !parsed.has("suite") else { throw .usage("--suite belongs to srtp://, and --url says rtp://") }
    if sdpPath != nil, parsed.operands.first == "receive" {
      throw .usage("to receive, --url and --sdp contradict each other; give one of them")
    }
    guard isEncrypted == (keyPath != nil) else {
      throw .usage(isEncrypted ? "srtp:// needs --key-file" : "--key-file belongs to srtp://, and --url says rtp://")
    }
    guard isEncrypted || answerKeyPath == nil else {
      throw .usage("--answer-key-file belongs to srtp://, and --url says rtp://")
    }
    guard [keyPath == "-", answerKeyPath == "-", input == .standardInput].count(where: \.self) <= 1 else {
      throw .usage("stdin can be the sound or one key, and '-' is given for several; name a file for the others")
    }
    let text = String(url.dropFirst(scheme.count).prefix { $0 != "/" })
    let address: SocketAddress
    do {
      address = try SocketAddress(text)
    } catch {
      throw CommandFailure(error)
    }
    if parsed.operands.first == "send" { try Self.checkTarget(address, url: url, scheme: scheme) }
    self.address = address
    host = String(text[..<(text.lastIndex(of: ":") ?? text.endIndex)].filter { $0 != "[" && $0 != "]" })
  }

  /// Reads the codec: that of `--codec`, or else that of a static payload type.
  private static func codec(_ parsed: ParsedArguments, _ payloadType: UInt8?) throws(CommandFailure) -> RTPCodecOption {
    let sends = parsed.operands.first == "send"
    let value = parsed.keyed("codec").first
    let codec = try value.map { value throws(CommandFailure) in try RTPCodecOption(value, sends: sends) }
    guard let payloadType, payloadType < OpusRTP.lowestPayloadType else { return codec ?? RTPCodecOption() }
    guard let format = RTPPayloadFormat(staticPayloadType: payloadType) else {
      throw .usage(
        "--payload-type \(payloadType) belongs to a codec that audiopipe does not have; use 0 (PCMU), 8 (PCMA), 10 or 11 (L16), "
          + "or 96 to 127")
    }
    let chosen = codec ?? RTPCodecOption(format)
    if value != nil, sends ? chosen.encoding != format.encoding : chosen.receiver.format != format {
      throw .usage("--payload-type \(payloadType) is \(format), and --codec is another one; give one of them")
    }
    return chosen
  }

  /// Checks an address to send to.
  ///
  /// - Throws: a usage failure if an address is only good to listen at.
  private static func checkTarget(_ address: SocketAddress, url: String, scheme: String) throws(CommandFailure) {
    guard !address.isAny else {
      throw .usage(
        "--url '\(url)' names no host; write the receiver's address, such as \(scheme)127.0.0.1:\(address.port)")
    }
    guard address.port != 0 else {
      throw .usage("--url '\(url)' names no port; write the one that the receiver listens at, such as 5004")
    }
  }

  /// Reads the key from its file or from stdin, which give it once. Its text is overwritten in memory.
  ///
  /// - Returns: the key of the stream.
  /// - Throws: exit code 66 if the file cannot be read, 65 if it holds no key.
  func makeKey() throws(CommandFailure) -> SRTPKey {
    guard let keyPath else { throw .usage("srtp:// needs --key-file") }
    return try Self.readKey(keyPath, suite)
  }

  /// Reads the key of the receiver's reports.
  ///
  /// - Returns: the key; nil if it is that of the stream.
  /// - Throws: as `makeKey`.
  func makeAnswerKey() throws(CommandFailure) -> SRTPKey? {
    guard let answerKeyPath else { return nil }
    return try Self.readKey(answerKeyPath, suite)
  }

  /// Reads a key.
  ///
  /// - Parameters:
  ///   - path: path of the key file; `-` is stdin.
  ///   - suite: suite of the key.
  static func readKey(_ path: String, _ suite: SRTPSuite) throws(CommandFailure) -> SRTPKey {
    let isStandardInput = path == "-"
    let path = isStandardInput ? "stdin" : path
    switch isStandardInput ? readBytes(descriptor: 0, limit: 4_096) : readBytes(path, limit: 4_096) {
    case .success(var text):
      defer { for index in text.indices { text[index] = 0 } }
      do {
        return try SRTPKey(suite, text: text.span.bytes)
      } catch {
        throw CommandFailure(.badData, "\(path): \(error)")
      }
    case .failure(.number(let code)):
      throw CommandFailure(.noInput, "\(path): the key cannot be read (\(systemErrorText(code))); check the path")
    case .failure(.tooLong): throw CommandFailure(.badData, "\(path): this is not a key; a key file has one line")
    }
  }
}
