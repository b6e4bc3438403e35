import Cryptography
import SDP
import WebRTC

/// Terms of a media connection, as its client and the relay agree on them.
struct MediaTerms {
  /// Credentials of the relay for the connection.
  let credentials: ICECredentials
  /// Credentials of the client.
  let remoteCredentials: ICECredentials?
  /// Role of the relay in the handshake.
  let role: DTLSRole
  /// Fingerprints of the client's certificate.
  let fingerprints: [CertificateFingerprint]
  /// SSRC of the client's packets.
  let source: PublishedSource
  /// Further SSRCs of the connection.
  let ssrcs: SSRCSequence
  /// Format of the client's packets.
  var format = PacketFormat.conventional
  /// Whether the client takes requests for lost packets.
  var supportsNack = true
  /// Whether the client takes packets.
  var listens = true
  /// Sections in which a client with SDP hears users.
  var sections: [ListenerSection] = []
  /// Answer in SDP, with the relay's password; nil for a client with `transport`.
  var answer: String?
}
