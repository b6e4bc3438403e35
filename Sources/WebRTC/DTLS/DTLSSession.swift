internal import COpenSSL
import Cryptography
internal import RTP
internal import SRTP

/// OpenSSL's state of one connection.
///
/// Thread: that of the connection.
final class DTLSSession {
  /// Progress after a step.
  enum Progress: Equatable {
    /// The handshake needs more datagrams.
    case waiting
    /// The handshake is finished; the fingerprint has not been compared yet.
    case finished
    /// The peer has sent its close_notify.
    case peerClosed
    case failed(DTLSError)
  }

  /// Records of a datagram are at most so many: 16384 bytes with headers of 13.
  private static let maximumSteps = 1_300
  /// Longest chain of certificates of the peer, in bytes.
  private static let maximumCertificateBytes = 16_384

  /// Whether the handshake is finished.
  private(set) var isFinished = false
  private let ssl: OpaquePointer
  private let transport: DTLSTransport

  /// Creates the state of a connection; nil if OpenSSL has no memory.
  init?(_ certificate: DTLSCertificate, _ role: DTLSRole, _ options: DTLSOptions, _ transport: DTLSTransport) {
    guard let ssl = SSL_new(certificate.context) else { return nil }
    self.ssl = ssl
    self.transport = transport
    transport.reset()
    let profiles = options.suites.map(Self.profileName).joined(separator: ":")
    // 0 is success.
    guard SSL_set_tlsext_use_srtp(ssl, profiles) == 0, let bio = transport.makeBIO() else { return nil }
    SSL_set_bio(ssl, bio, bio)
    // OpenSSL fills a datagram without regard to the encryption of its last record.
    _ = openssl_set_mtu(ssl, options.maximumByteCount - DTLSRecordFilter.encryptionByteCount)
    openssl_set_certificate_limit(ssl, Self.maximumCertificateBytes)
    switch role {
    case .client: SSL_set_connect_state(ssl)
    case .server: SSL_set_accept_state(ssl)
    }
  }

  deinit {
    SSL_free(ssl)
    transport.reset()
  }

  /// Continues the handshake, or reads records behind it, as far as the lent datagram goes.
  func advance() -> Progress {
    if !isFinished {
      ERR_clear_error()
      let result = SSL_do_handshake(ssl)
      guard result == 1 else { return progress(result) }
      isFinished = true
    }
    // The peer's last flight again, or an alert.
    for _ in 0..<Self.maximumSteps {
      var byte: UInt8 = 0
      ERR_clear_error()
      let result = SSL_read(ssl, &byte, 1)
      guard result > 0 else { return progress(result) }
    }
    return .finished
  }

  /// Sends the present flight again.
  func retransmit() -> Progress {
    ERR_clear_error()
    transport.expire(ssl)
    let result = openssl_handle_dtls_timeout(ssl)
    // 0: OpenSSL's own clock is a little behind.
    if result == 0 { transport.postpone() }
    // OpenSSL gives up after 12 retransmissions.
    return result < 0 ? .failed(.timeout) : isFinished ? .finished : .waiting
  }

  /// Sends the close_notify.
  func close() {
    ERR_clear_error()
    _ = SSL_shutdown(ssl)
    ERR_clear_error()
  }

  /// Returns whether the peer's certificate has one of the fingerprints.
  func accepts(_ fingerprints: [CertificateFingerprint]) -> Bool {
    let certificate = SSL_get1_peer_certificate(ssl)
    defer { X509_free(certificate) }
    let encoded = Self.encoded(certificate)
    return CertificateFingerprint.accept(encoded.span, fingerprints)
  }

  /// Suite that the two ends agreed on; nil if there is none.
  var suite: SRTPSuite? {
    guard let profile = SSL_get_selected_srtp_profile(ssl) else { return nil }
    return SRTPSuite.allCases.first { Self.profileNumber($0) == profile.pointee.id }
  }

  /// Exports the keys of the two directions; nil without a common suite.
  ///
  /// Source: RFC 5764, section 4.2.
  func exportKeys(_ role: DTLSRole) -> SRTPKeyPair? {
    guard isFinished, let suite else { return nil }
    return withUnsafeTemporaryAllocation(
      byteCount: 2 * (suite.keyByteCount + suite.saltByteCount), alignment: 16
    ) { memory in
      defer { Self.wipe(memory) }
      let label = "EXTRACTOR-dtls_srtp"
      let result = SSL_export_keying_material(
        ssl, memory.baseAddress?.assumingMemoryBound(to: UInt8.self), memory.count, label, label.utf8.count, nil, 0, 0)
      guard result == 1 else { return nil }
      return try? SRTPKeyPair(UnsafeRawBufferPointer(memory), suite, role)
    }
  }

  private func progress(_ result: Int32) -> Progress {
    switch SSL_get_error(ssl, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return isFinished ? .finished : .waiting
    case SSL_ERROR_ZERO_RETURN: return .peerClosed
    default:
      let reason = openssl_error_reason(ERR_peek_error())
      ERR_clear_error()
      if transport.hasRefusedCertificate { return .failed(.fingerprintMismatch) }
      // OpenSSL's reasons of received alerts are 1000 and the alert's number.
      if (1_000...1_255).contains(reason) { return .failed(.alert(UInt8(reason - 1_000))) }
      return .failed(reason == SSL_R_READ_TIMEOUT_EXPIRED ? .timeout : .protocolError(reason: reason))
    }
  }

  private static func profileName(_ suite: SRTPSuite) -> String {
    switch suite {
    case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
    case .aeadAES256GCM: "SRTP_AEAD_AES_256_GCM"
    case .aesCM128HMACSHA1_80: "SRTP_AES128_CM_SHA1_80"
    case .aesCM128HMACSHA1_32: "SRTP_AES128_CM_SHA1_32"
    }
  }

  /// Number of a profile. Source: RFC 5764, section 4.1.2; RFC 7714, section 14.2.
  private static func profileNumber(_ suite: SRTPSuite) -> UInt {
    switch suite {
    case .aeadAES128GCM: 7
    case .aeadAES256GCM: 8
    case .aesCM128HMACSHA1_80: 1
    case .aesCM128HMACSHA1_32: 2
    }
  }
}

extension DTLSSession {
  /// Decides on the peer's certificate while the handshake runs, if its fingerprint is known by then.
  static func verify(_ store: OpaquePointer?) -> Int32 {
    let ssl = OpaquePointer(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()))
    guard let ssl, let transport = DTLSTransport.of(SSL_get_rbio(ssl)) else { return 0 }
    guard !transport.fingerprints.isEmpty else { return 1 }
    let certificate = encoded(X509_STORE_CTX_get0_cert(store))
    if CertificateFingerprint.accept(certificate.span, transport.fingerprints) { return 1 }
    transport.hasRefusedCertificate = true
    // The peer gets the alert bad_certificate (RFC 8122, section 6.2).
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED)
    return 0
  }

  /// Returns a certificate in DER; nothing without a certificate.
  static func encoded(_ certificate: OpaquePointer?) -> [UInt8] {
    guard let certificate else { return [] }
    let byteCount = Int(i2d_X509(certificate, nil))
    guard byteCount > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
      var next = bytes.baseAddress
      count = max(0, Int(i2d_X509(certificate, &next)))
    }
  }

  /// Overwrites memory that held a secret.
  static func wipe(_ memory: UnsafeMutableRawBufferPointer) { OPENSSL_cleanse(memory.baseAddress, memory.count) }

  /// Returns OpenSSL's text of a reason.
  static func text(ofReason reason: Int32) -> String? {
    ERR_reason_error_string(UInt(ERR_LIB_SSL) << 23 | UInt(reason & 0x7F_FFFF)).map { String(cString: $0) }
  }

  /// Returns whether the first message was readable, but offers nothing that is supported.
  static func isRefusal(_ error: DTLSError) -> Bool {
    guard case .protocolError(let reason) = error else { return false }
    return [SSL_R_NO_SHARED_CIPHER, SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS].contains(reason)
  }
}
