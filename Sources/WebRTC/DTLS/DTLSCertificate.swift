internal import COpenSSL
public import Cryptography

/// Self-signed certificate of this end and its private key, on the curve P-256, for any number of connections.
///
/// The certificate is valid from a day before its creation to 30 days after, for peers with a wrong clock. Its name and
/// its random serial number say nothing about its owner.
///
/// Thread: any; the certificate never changes.
///
/// Source: RFC 8827, section 6.5, for the curve and the cipher suites.
public final class DTLSCertificate: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the context is complete when `init` returns. OpenSSL counts its references with
  // atomics, and connections only read it.

  /// Certificate in DER.
  let encoded: [UInt8]
  /// OpenSSL's context, which holds the certificate and the key.
  let context: OpaquePointer

  /// Creates a new key and its certificate. Traps if OpenSSL has no memory or no P-256.
  ///
  /// - Parameter unixSeconds: present time, in seconds since 1970.
  public init(unixSeconds: Int) {
    let key = openssl_generate_p256()
    let certificate = X509_new()
    defer {
      X509_free(certificate)
      EVP_PKEY_free(key)
    }
    precondition(
      key != nil && certificate != nil && Self.fill(certificate, key, unixSeconds: unixSeconds),
      "OpenSSL cannot make a certificate")
    encoded = DTLSSession.encoded(certificate)
    guard let context = SSL_CTX_new(DTLS_method()) else { preconditionFailure("OpenSSL cannot make a context") }
    self.context = context
    precondition(Self.configure(context, certificate, key), "OpenSSL does not accept the options of a context")
  }

  deinit { SSL_CTX_free(context) }

  /// Fingerprint for the local description, with SHA-256.
  public var fingerprint: CertificateFingerprint {
    let encoded = encoded
    return CertificateFingerprint(of: encoded.span)
  }

  private static func fill(_ certificate: OpaquePointer?, _ key: OpaquePointer?, unixSeconds: Int) -> Bool {
    let day = 24 * 60 * 60
    // A serial number is positive (RFC 5280, section 4.1.2.2).
    let serial = SecureRandom.number(UInt64.self) >> 1 | 1
    guard X509_set_version(certificate, 2) == 1,
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1,
      ASN1_TIME_set(X509_getm_notBefore(certificate), unixSeconds - day) != nil,
      ASN1_TIME_set(X509_getm_notAfter(certificate), unixSeconds + 30 * day) != nil,
      X509_set_pubkey(certificate, key) == 1
    else { return false }
    // The name is short, since a certificate is the largest part of a flight.
    let name = X509_get_subject_name(certificate)
    let text = Array("DTLS".utf8)
    guard X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, Int32(text.count), -1, 0) == 1,
      X509_set_issuer_name(certificate, name) == 1
    else { return false }
    return X509_sign(certificate, key, EVP_sha256()) > 0
  }

  private static func configure(
    _ context: OpaquePointer, _ certificate: OpaquePointer?, _ key: OpaquePointer?
  ) -> Bool {
    openssl_set_dtls_options(context)
    // The peer's certificate is self-signed, so only its fingerprint proves anything.
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    SSL_CTX_set_cert_verify_callback(context, { store, _ in DTLSSession.verify(store) }, nil)
    return openssl_set_protocols(context, DTLS1_2_VERSION, DTLS1_2_VERSION) == 1
      // The filter of records knows the length of AES-GCM's protection.
      && SSL_CTX_set_cipher_list(context, "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384") == 1
      && openssl_set_groups(context, "X25519:P-256") == 1
      && openssl_set_signatures(context, "ECDSA+SHA256") == 1
      && SSL_CTX_use_certificate(context, certificate) == 1
      && SSL_CTX_use_PrivateKey(context, key) == 1
  }
}
