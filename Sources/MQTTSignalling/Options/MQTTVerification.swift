/// Rule by which a client accepts the certificate of an `mqtts` broker. There is none that accepts every certificate.
public enum MQTTVerification: Hashable, Sendable {
  /// The chain ends in a root of `/etc/ssl/certs`, and the certificate has the URL's host.
  case systemRoots
  /// The chain ends in a certificate of this PEM file, and the certificate has the URL's host.
  case roots(file: String)
}
