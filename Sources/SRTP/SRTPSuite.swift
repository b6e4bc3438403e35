/// Encryption and authentication of packets.
public enum SRTPSuite: String, Sendable, CaseIterable, BitwiseCopyable {
  /// AES-GCM with keys of 128 bits (RFC 7714).
  case aeadAES128GCM = "AEAD_AES_128_GCM"
  /// AES-GCM with keys of 256 bits (RFC 7714).
  case aeadAES256GCM = "AEAD_AES_256_GCM"
  /// AES in counter mode with keys of 128 bits, HMAC-SHA1 with tags of 80 (RFC 3711).
  case aesCM128HMACSHA1_80 = "AES_CM_128_HMAC_SHA1_80"
  /// The same with tags of 32 bits for RTP, and of 80 for RTCP (RFC 3711): a forged packet passes once in 2^32.
  case aesCM128HMACSHA1_32 = "AES_CM_128_HMAC_SHA1_32"

  /// Creates the suite with a name in SDP (RFC 4568, section 6.2; RFC 7714, section 14.2).
  public init?(name: some StringProtocol) { self.init(rawValue: String(name)) }

  /// Name of the suite in SDP.
  public var name: String { rawValue }

  /// Bytes of the master key.
  public var keyByteCount: Int {
    switch self {
    case .aeadAES128GCM, .aesCM128HMACSHA1_80, .aesCM128HMACSHA1_32: 16
    case .aeadAES256GCM: 32
    }
  }

  /// Bytes of the master salt.
  public var saltByteCount: Int {
    switch self {
    case .aeadAES128GCM, .aeadAES256GCM: 12
    case .aesCM128HMACSHA1_80, .aesCM128HMACSHA1_32: 14
    }
  }

  /// Bytes that protection adds to an RTP packet.
  public var rtpOverhead: Int {
    switch self {
    case .aeadAES128GCM, .aeadAES256GCM: 16
    case .aesCM128HMACSHA1_80: 10
    case .aesCM128HMACSHA1_32: 4
    }
  }

  /// Bytes that protection adds to a datagram of RTCP, including four for its number.
  public var rtcpOverhead: Int {
    switch self {
    case .aeadAES128GCM, .aeadAES256GCM: 20
    case .aesCM128HMACSHA1_80, .aesCM128HMACSHA1_32: 14
    }
  }
}
