import RTP
import SDP
import Signalling

/// Payload type and header extensions of the Opus packets that one media section carries.
///
/// Source: RFC 8285 for extensions; RFC 9143, section 15, for the mid.
struct PacketFormat: Equatable {
  /// Format of this package's own clients: payload type 111, audio level with number 1.
  static let conventional = PacketFormat(
    payloadType: WireConventions.opusPayloadType, levelIdentifier: WireConventions.audioLevelIdentifier)

  /// Payload type of Opus.
  let payloadType: UInt8
  /// Number of the audio level; nil without it.
  let levelIdentifier: UInt8?
  /// Number of the mid; nil without it.
  private(set) var midIdentifier: UInt8?
  /// Name of the section in packets; empty without it.
  private(set) var mid: [UInt8] = []

  private init(payloadType: UInt8, levelIdentifier: UInt8?) {
    self.payloadType = payloadType
    self.levelIdentifier = levelIdentifier
  }

  /// Creates the format of a negotiated section. Extensions that do not fit the one-byte form are left out.
  init(_ section: NegotiatedSection) {
    func identifier(_ uri: String) -> UInt8? {
      section.identifier(ofExtension: uri).flatMap { (1...14).contains($0) ? $0 : nil }
    }
    payloadType = section.opus.payloadType
    levelIdentifier = identifier(AudioLevel.uri)
    let name = Array((section.mid ?? "").utf8)
    guard (1...16).contains(name.count), let number = identifier(Self.midURI) else { return }
    midIdentifier = number
    mid = name
  }

  private static let midURI = "urn:ietf:params:rtp-hdrext:sdes:mid"

  /// The format of packets that belong to no section.
  var withoutMid: PacketFormat { PacketFormat(payloadType: payloadType, levelIdentifier: levelIdentifier) }

  /// Writes a packet of another format in this one, without padding and contributing sources.
  ///
  /// - Parameters:
  ///   - packet: the packet that `view` was made from.
  ///   - source: format of the packet.
  ///   - header: sequence number, timestamp and SSRC to write.
  ///   - memory: place of the written packet.
  /// - Returns: Its bytes; nil if the packet is not Opus, or does not fit.
  func write(
    _ packet: UnsafeRawBufferPointer, _ view: RTPPacketView, of source: PacketFormat, _ header: RTPHeader,
    into memory: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard view.header.payloadType == source.payloadType else { return nil }
    let header = RTPHeader(
      marker: header.marker, payloadType: payloadType, sequenceNumber: header.sequenceNumber,
      timestamp: header.timestamp, ssrc: header.ssrc)
    guard var writer = try? RTPPacketWriter(header, into: memory) else { return nil }
    if let levelIdentifier, let former = source.levelIdentifier,
      let level = try? view.audioLevel(identifier: former, in: packet)
    {
      guard (try? writer.append(level, identifier: levelIdentifier)) != nil else { return nil }
    }
    if let midIdentifier {
      let isWritten = mid.withUnsafeBytes { (try? writer.append($0, identifier: midIdentifier)) != nil }
      guard isWritten else { return nil }
    }
    guard let start = try? writer.endHeader(), start + view.payloadByteCount <= memory.count else { return nil }
    UnsafeMutableRawBufferPointer(rebasing: memory[start...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: packet[view.payloadRange]))
    return start + view.payloadByteCount
  }
}
