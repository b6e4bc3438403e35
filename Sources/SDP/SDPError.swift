import RTP

/// Why a text is no description of an Opus stream. No error shows what a line says: it may be a key.
public enum SDPError: Error, Hashable, CustomStringConvertible {
  /// A line that is not a letter, an equals sign and a value.
  case line(number: Int)
  /// A line whose value is not what its letter or name asks for.
  case value(number: Int, of: String)
  /// It does not begin with version 0.
  case version
  /// No stream of sound in Opus.
  case noOpus
  /// No address to send to.
  case noAddress
  /// A transport that is not plain or secured RTP.
  case profile(String)
  /// The stream is encrypted, in none of the ways that are known here; those that are offered, nil for what names none.
  case noUsableCrypto([String?])

  public var description: String {
    switch self {
    case .line(let number): "line \(number) is none of SDP, which is one letter, '=' and a value"
    case .value(let number, let what): "line \(number) of the SDP has no valid \(what)"
    case .version: "the SDP does not begin with v=0"
    case .noOpus: "the SDP describes no audio in Opus (m=audio with a=rtpmap:... opus/48000/2)"
    case .noAddress: "the SDP has no address (c=IN IP4 ... or c=IN IP6 ...)"
    case .profile(let name): "the SDP's audio travels by '\(name)'; RTP/AVP, RTP/AVPF, RTP/SAVP and RTP/SAVPF are known"
    case .noUsableCrypto(let names):
      "the SDP's audio is encrypted, and "
        + (names.isEmpty
          ? "no key is given"
          : "none of \(names.map { $0 ?? "a line without a suite" }.joined(separator: ", ")) can be used")
        + "; use \(SRTPSuite.allCases.map(\.name).joined(separator: ", ")) with one key and no further parameters"
    }
  }
}
