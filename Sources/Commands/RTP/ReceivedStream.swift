import CommandLineKit
import Engine
import MediaStreams
import NetworkIO
import Platform
import RTP
import RTPSessions
import SDP
import SRTP
import SoundOptions

/// The stream that `rtp receive` listens to, from the command line or a description.
struct ReceivedStream {
  let address: SocketAddress
  let codec: ReceiverCodec
  /// Payload type of the packets; nil if their first ones name it.
  let payloadType: UInt8?
  /// Whether reports arrive at the same port.
  let usesRTCPMux: Bool
  /// Address of reports, if it is neither the same port nor the next.
  let reportAddress: SocketAddress?
  let protection: SRTPContextPair?
  /// Policy of requests; nil with --no-nack. Without a description, nothing says that packets are not sent again; a
  /// sender that does not answer extended reports never gets a request.
  let requests: NackPolicy?
  let usesReducedSizeRTCP: Bool
  let audioLevelIdentifier: UInt8?
  let redundancyPayloadType: UInt8?
  let telephoneEvents: TelephoneEventFormat?
  /// Whether the description says `recvonly`. In an offer its writer then sends nothing, in an announcement its readers
  /// send nothing. An offer would not be given to `rtp receive` (RFC 8866, section 6.7.1).
  let isForReceivers: Bool

  /// Reads the stream from the options.
  ///
  /// - Throws: exit code 64 for a wrong command line, 66 and 65 for a description that cannot be read, or that
  ///   describes nothing that could come.
  init(_ options: RTPOptions) throws {
    guard let path = options.sdpPath else {
      address = options.address!
      codec = options.codec.receiver
      payloadType = options.payloadType ?? (codec == .pcmu ? 0 : codec == .pcma ? 8 : nil)
      usesRTCPMux = options.usesRTCPMux
      reportAddress = nil
      protection = try options.isEncrypted ? Self.protection(options, options.makeKey()) : nil
      requests = options.asksForPackets ? NackPolicy() : nil
      usesReducedSizeRTCP = false
      audioLevelIdentifier = nil
      redundancyPayloadType = nil
      telephoneEvents = nil
      isForReceivers = false
      return
    }
    let description = try Self.read(path)
    let audio = description.audio
    if let crypto = audio.crypto.first {
      protection = try Self.protection(options, try crypto.makeKey())
    } else if audio.isProtected {
      throw CommandFailure(
        .badData,
        "\(path): the stream is encrypted and the description has no key; give --url srtp:// and --key-file instead")
    } else if options.answerKeyPath != nil {
      throw CommandFailure.usage("--answer-key-file belongs to encrypted streams, and \(path) describes a plain one")
    } else {
      protection = nil
    }
    address = Self.place(description.address, audio.port)
    reportAddress = audio.rtcpPort.map { Self.place(audio.rtcpAddress ?? description.address, $0) }
    codec = ReceiverCodec(audio.format)
    payloadType = audio.payloadType
    usesRTCPMux = audio.usesRTCPMux
    requests = audio.supportsNack && options.asksForPackets ? NackPolicy() : nil
    usesReducedSizeRTCP = audio.usesReducedSizeRTCP
    audioLevelIdentifier = audio.identifier(ofExtension: AudioLevel.uri)
    redundancyPayloadType = audio.redundancyPayloadType
    telephoneEvents = audio.telephoneEvents
    isForReceivers = audio.direction == .receiveOnly
  }

  private static func read(_ path: String) throws(CommandFailure) -> SessionDescription {
    let text: String
    switch readText(path) {
    case .success(let read): text = read
    case .failure(.tooLong):
      throw CommandFailure(.badData, "\(path): this is longer than 1 MiB; a description has some lines of text")
    case .failure(.number(let code)):
      throw CommandFailure(
        .noInput, "\(path): the description cannot be read (\(systemErrorText(code))); check the path")
    }
    let description: SessionDescription
    do {
      description = try SessionDescription(parsing: text)
    } catch {
      throw CommandFailure(.badData, "\(path): \(error)")
    }
    guard description.audio.port != 0 else {
      throw CommandFailure(
        .badData, "\(path): the stream is switched off (m=audio with port 0); take the description of one that is sent")
    }
    guard description.audio.direction != .inactive else {
      throw CommandFailure(
        .badData, "\(path): the stream has no sender (a=inactive); take the description of one that is sent")
    }
    return description
  }

  /// Returns the address to listen at: a group that is joined, or any address of this machine.
  private static func place(_ address: NetworkAddress, _ port: UInt16) -> SocketAddress {
    SocketAddress(host: address.isMulticast ? address.host : address.isIPv6 ? "::" : "0.0.0.0", port: port)!
  }

  /// Returns the keys of the stream. Without a key of their own, reports use that of the stream.
  private static func protection(_ options: RTPOptions, _ key: borrowing SRTPKey) throws -> SRTPContextPair {
    guard let path = options.answerKeyPath else { return SRTPContextPair(sending: key, receiving: key) }
    return try SRTPContextPair(sending: RTPOptions.readKey(path, key.suite), receiving: key)
  }
}
