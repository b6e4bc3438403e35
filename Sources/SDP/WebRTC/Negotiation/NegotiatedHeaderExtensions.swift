import RTP

/// Header extensions that this program supports.
enum NegotiatedHeaderExtensions {
  /// Name of the extension with the section's mid. Source: RFC 9143, section 15.2.
  static let midURI = "urn:ietf:params:rtp-hdrext:sdes:mid"

  /// Extensions of new offers.
  static let offered = [
    HeaderExtensionMapping(identifier: 1, uri: AudioLevel.uri), HeaderExtensionMapping(identifier: 2, uri: midURI),
  ]

  /// Returns the supported extensions among the offered ones, with their numbers.
  static func answer(to offered: [HeaderExtensionMapping]) -> [HeaderExtensionMapping] {
    offered.filter { $0.uri == AudioLevel.uri || $0.uri == midURI }
      .map { HeaderExtensionMapping(identifier: $0.identifier, uri: $0.uri) }
  }
}
