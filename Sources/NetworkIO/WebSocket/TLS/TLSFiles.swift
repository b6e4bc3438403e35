/// Files of a server's TLS identity, in PEM form.
public struct TLSFiles: Hashable, Sendable {
  /// Path of the certificate and those that lead to its root, the server's first.
  public let certificateChain: String
  /// Path of the private key, without a password.
  public let privateKey: String

  /// Names the files. Nothing is read yet.
  public init(certificateChain: String, privateKey: String) {
    self.certificateChain = certificateChain
    self.privateKey = privateKey
  }
}
