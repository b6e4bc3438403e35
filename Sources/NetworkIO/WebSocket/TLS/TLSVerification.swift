/// Rule by which a client accepts a server's certificate. There is none that accepts every certificate.
public enum TLSVerification: Hashable, Sendable {
  /// The chain ends in a root of the system, and the certificate has the URL's host.
  case systemRoots
  /// The chain ends in a certificate of this PEM file, and the certificate has the URL's host.
  case roots(file: String)
  /// The certificate has this fingerprint. Its names, dates and issuer do not count.
  case pinned(CertificateFingerprint)
}
