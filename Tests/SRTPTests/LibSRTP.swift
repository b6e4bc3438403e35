import CSRTP
import SRTP

/// libsrtp's session of one direction, as an oracle.
struct LibSRTP: ~Copyable {
  private static let initialization = srtp_init()
  private let session: srtp_t

  init(_ suite: SRTPSuite, _ key: [UInt8], isOutbound: Bool) throws {
    precondition(Self.initialization == srtp_err_status_ok, "libsrtp does not start")
    var policy = srtp_policy_t()
    switch suite {
    case .aeadAES128GCM:
      srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtp)
      srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtcp)
    case .aeadAES256GCM:
      srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtp)
      srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtcp)
    case .aesCM128HMACSHA1_80:
      srtp_crypto_policy_set_rtp_default(&policy.rtp)
      srtp_crypto_policy_set_rtp_default(&policy.rtcp)
    case .aesCM128HMACSHA1_32:
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32(&policy.rtp)
      srtp_crypto_policy_set_rtp_default(&policy.rtcp)
    }
    policy.ssrc.type = isOutbound ? ssrc_any_outbound : ssrc_any_inbound
    policy.window_size = 1024
    var made: srtp_t?
    var key = key
    let status = key.withUnsafeMutableBufferPointer { key in
      policy.key = key.baseAddress
      return srtp_create(&made, &policy)
    }
    guard status == srtp_err_status_ok, let made else { throw Refusal(status: status) }
    session = made
  }

  deinit { srtp_dealloc(session) }

  struct Refusal: Error, Equatable {
    let status: srtp_err_status_t
  }

  enum Operation { case protect, unprotect, protectRTCP, unprotectRTCP }

  /// Applies an operation to a packet.
  mutating func apply(_ operation: Operation, _ packet: [UInt8]) throws -> [UInt8] {
    var memory = packet + [UInt8](repeating: 0, count: 64)
    var count = Int32(packet.count)
    let status = memory.withUnsafeMutableBytes { memory in
      switch operation {
      case .protect: srtp_protect(session, memory.baseAddress, &count)
      case .unprotect: srtp_unprotect(session, memory.baseAddress, &count)
      case .protectRTCP: srtp_protect_rtcp(session, memory.baseAddress, &count)
      case .unprotectRTCP: srtp_unprotect_rtcp(session, memory.baseAddress, &count)
      }
    }
    guard status == srtp_err_status_ok else { throw Refusal(status: status) }
    return Array(memory[..<Int(count)])
  }
}
