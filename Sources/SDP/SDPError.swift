import RTP
import SRTP

/// Reason why a text is not a description of an audio stream. No error shows a line's content, which may be a key.
public enum SDPError: Error, Hashable, CustomStringConvertible {
  /// A line that is not a letter, an equals sign and a value.
  case line(number: Int)
  /// A line without the value that its letter or name requires.
  case value(number: Int, of: String)
  /// The text does not begin with version 0.
  case version
  /// No audio stream in Opus, G.711 or L16.
  case noAudio
  /// No address to send packets to.
  case noAddress
  /// A transport that is not plain or secured RTP.
  case profile(String)
  /// The stream is encrypted, but without a supported suite. The value holds the offered suites, with nil for a line
  /// without a suite.
  case noUsableCrypto([String?])
  /// An attribute of a WebRTC description without a valid value. The rule tells the allowed values.
  case attribute(number: Int, name: String, rule: String)
  /// A WebRTC description with more of a thing than this program reads.
  case tooMany(String, limit: Int)
  /// Two media sections with one mid; the line is that of the second.
  case repeatedMid(number: Int)

  public var description: String {
    switch self {
    case .line(let number): "line \(number) is none of SDP, which is one letter, '=' and a value"
    case .value(let number, let what): "line \(number) of the SDP has no valid \(what)"
    case .version: "the SDP does not begin with v=0"
    case .noAudio:
      "the SDP describes no audio in Opus, PCMU, PCMA or L16 (m=audio with a=rtpmap:... opus/48000/2, or type 0 or 8)"
    case .noAddress: "the SDP has no address (c=IN IP4 ... or c=IN IP6 ...)"
    case .profile(let name): "the SDP's audio travels by '\(name)'; RTP/AVP, RTP/AVPF, RTP/SAVP and RTP/SAVPF are known"
    case .attribute(let number, let name, let rule):
      "line \(number) of the SDP has no valid a=\(name); write \(rule)"
    case .tooMany(let things, let limit):
      "the SDP has too many \(things); write at most \(limit)"
    case .repeatedMid(let number):
      "line \(number) of the SDP repeats the mid of another media section; give each section its own a=mid"
    case .noUsableCrypto(let names):
      "the SDP's audio is encrypted, and "
        + (names.isEmpty
          ? "no key is given"
          : "none of \(names.map { $0 ?? "a line without a suite" }.joined(separator: ", ")) can be used")
        + "; use \(SRTPSuite.allCases.map(\.name).joined(separator: ", ")) with one key and no further parameters"
    }
  }
}
