public import RTP

/// Audio section that offer and answer agree on, from the local side's point of view.
public struct NegotiatedSection: Hashable, Sendable {
  /// Index of the section in its description, from 0.
  public let index: Int
  /// Name of the section; nil if the offer has none.
  public let mid: String?
  /// Direction of the packets.
  public let direction: MediaDirection
  /// Payload type of Opus, and the peer's preferences for packets to the peer.
  public let opus: OpusPayloadType
  /// Format of key presses; nil without them.
  public let telephoneEvents: TelephoneEventFormat?
  /// Numbers of the header extensions in both descriptions.
  public let headerExtensions: [HeaderExtensionMapping]
  /// Whether both sides understand generic NACKs.
  public let supportsNack: Bool
  /// Whether RTCP may omit reports.
  public let usesReducedSizeRTCP: Bool
  /// Names of the peer's media stream and track.
  public let remoteStreams: [MediaStreamID]
  /// Sources that the peer sends; empty if the peer's description has none.
  public let remoteSources: [StreamSource]

  init(index: Int, offered: AudioSection, answered: AudioSection, local: AudioSection, remote: AudioSection) {
    self.index = index
    mid = offered.mid
    direction = local.direction.intersection(remote.direction.reversed)
    let type = answered.opus[0].payloadType
    opus = remote.opus.first { $0.payloadType == type } ?? answered.opus[0]
    telephoneEvents = answered.telephoneEvents.first { offered.telephoneEvents.contains($0) }
    headerExtensions = answered.headerExtensions.filter { offered.identifier(ofExtension: $0.uri) == $0.identifier }
    supportsNack = offered.supportsNack(payloadType: type) && answered.supportsNack(payloadType: type)
    usesReducedSizeRTCP = offered.usesReducedSizeRTCP && answered.usesReducedSizeRTCP
    remoteStreams = remote.streams
    remoteSources = remote.sources
  }

  /// Returns the number of a header extension; nil if the section does not have it.
  public func identifier(ofExtension uri: String) -> UInt8? {
    headerExtensions.first { $0.uri == uri }?.identifier
  }
}
