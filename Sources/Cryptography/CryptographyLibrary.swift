internal import COpenSSL

/// The library behind this module.
package enum CryptographyLibrary {
  /// Text with the version, such as `OpenSSL 3.0.17 1 Jul 2025`.
  package static var versionText: UnsafePointer<CChar>? { OpenSSL_version(OPENSSL_VERSION) }
}
