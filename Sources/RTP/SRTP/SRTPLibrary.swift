import CSRTP

/// The only place that calls libsrtp.
enum SRTPLibrary {
  /// Operation on a packet.
  enum Operation { case protectRTP, unprotectRTP, protectRTCP, unprotectRTCP }

  /// Initialization, once for the process; libsrtp tests its own ciphers in it.
  private static let initialization = srtp_init()

  static func makeSession(
    _ key: borrowing SRTPKey, isOutbound: Bool, replayWindow: Int
  ) -> Result<OpaquePointer, SRTPError> {
    guard initialization == srtp_err_status_ok else {
      return .failure(.library(Int32(bitPattern: initialization.rawValue)))
    }
    var session: srtp_t?
    let status = withPolicy(key, isOutbound ? ssrc_any_outbound : ssrc_any_inbound, replayWindow: replayWindow) {
      srtp_create(&session, &$0)
    }
    guard status == srtp_err_status_ok, let session else { return .failure(error(status)) }
    return .success(session)
  }

  /// Adds a source with its count of wraps, before any of its packets has been decrypted.
  static func add(
    _ ssrc: UInt32, wraps: UInt32, to session: OpaquePointer, _ key: borrowing SRTPKey, replayWindow: Int
  ) {
    _ = withPolicy(key, ssrc_specific, ssrc: ssrc, replayWindow: replayWindow) { srtp_add_stream(session, &$0) }
    _ = srtp_set_stream_roc(session, ssrc, wraps)
  }

  /// Forgets a source.
  static func remove(_ ssrc: UInt32, from session: OpaquePointer) { _ = srtp_remove_stream(session, ssrc.bigEndian) }

  /// Returns whether a source is known.
  static func knows(_ ssrc: UInt32, in session: OpaquePointer) -> Bool {
    var count: UInt32 = 0
    return srtp_get_stream_roc(session, ssrc, &count) == srtp_err_status_ok
  }

  private static func withPolicy(
    _ key: borrowing SRTPKey, _ sources: srtp_ssrc_type_t, ssrc: UInt32 = 0, replayWindow: Int,
    _ body: (inout srtp_policy_t) -> srtp_err_status_t
  ) -> srtp_err_status_t {
    var policy = srtp_policy_t()
    for path in [\srtp_policy_t.rtp, \srtp_policy_t.rtcp] {
      switch key.suite {
      case .aeadAES128GCM: srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy[keyPath: path])
      case .aeadAES256GCM: srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy[keyPath: path])
      case .aesCM128HMACSHA1_80: srtp_crypto_policy_set_rtp_default(&policy[keyPath: path])
      }
    }
    policy.ssrc.type = sources
    policy.ssrc.value = ssrc
    policy.window_size = UInt(replayWindow)
    // The same number twice is refused, since a packet is retransmitted as it was protected.
    policy.allow_repeat_tx = 0
    return key.read { bytes in
      // The library takes a mutable pointer, but does not write through it.
      policy.key = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress!)
      return body(&policy)
    }
  }

  static func destroy(_ session: OpaquePointer) { srtp_dealloc(session) }

  /// Applies an operation in place.
  ///
  /// - Returns: Bytes of the result, or the error.
  static func apply(
    _ operation: Operation, _ session: OpaquePointer, _ packet: UnsafeMutableRawPointer, byteCount: Int
  ) -> Result<Int, SRTPError> {
    var count = Int32(byteCount)
    let status =
      switch operation {
      case .protectRTP: srtp_protect(session, packet, &count)
      case .unprotectRTP: srtp_unprotect(session, packet, &count)
      case .protectRTCP: srtp_protect_rtcp(session, packet, &count)
      case .unprotectRTCP: srtp_unprotect_rtcp(session, packet, &count)
      }
    return status == srtp_err_status_ok ? .success(Int(count)) : .failure(error(status))
  }

  private static func error(_ status: srtp_err_status_t) -> SRTPError {
    switch status {
    case srtp_err_status_auth_fail, srtp_err_status_cipher_fail: .authentication
    case srtp_err_status_replay_fail, srtp_err_status_replay_old, srtp_err_status_pkt_idx_old: .replay
    case srtp_err_status_key_expired: .keyExhausted
    case srtp_err_status_bad_param, srtp_err_status_parse_err: .malformed
    default: .library(Int32(bitPattern: status.rawValue))
    }
  }
}
