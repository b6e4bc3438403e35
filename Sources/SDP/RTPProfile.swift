/// RTP profile, as in SDP's `m=` line.
public enum RTPProfile: String, Sendable, CaseIterable {
  /// Plain (RFC 3551).
  case plain = "RTP/AVP"
  /// Plain, with feedback at any time (RFC 4585).
  case plainWithFeedback = "RTP/AVPF"
  /// Encrypted (RFC 3711).
  case secure = "RTP/SAVP"
  /// Encrypted, with feedback at any time (RFC 5124).
  case secureWithFeedback = "RTP/SAVPF"

  /// Whether packets are encrypted.
  public var isSecure: Bool { self == .secure || self == .secureWithFeedback }
}
