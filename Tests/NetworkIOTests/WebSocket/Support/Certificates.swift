import Foundation
import NetworkIO
import TestSupport

/// Certificates by the `openssl` command, in a folder of a test.
struct Certificates {
  let folder: URL

  /// Makes a certificate that is its own root.
  func make(
    _ name: String, subject: String = "DNS:localhost,IP:127.0.0.1,IP:::1", key: String = "ec"
  ) throws -> TLSFiles {
    let kind = key == "ec" ? "ec -pkeyopt ec_paramgen_curve:prime256v1" : key
    let result = try shell(
      "openssl req -x509 -newkey \(kind) -nodes -days 2 -subj /CN=\(name) -addext subjectAltName=\(subject) "
        + "-keyout \(name).key -out \(name).pem", in: folder)
    guard result.code == 0 else { throw Failure(text: result.errors) }
    return TLSFiles(certificateChain: path(name + ".pem"), privateKey: path(name + ".key"))
  }

  /// Fingerprint as the command prints it.
  func fingerprint(_ name: String) throws -> CertificateFingerprint {
    let result = try shell(
      "openssl x509 -in \(name).pem -noout -fingerprint -sha256 | sed 's/.*=//' | tr -d '\\n' > \(name).hash",
      in: folder)
    guard result.code == 0,
      let hash = CertificateFingerprint(try String(contentsOfFile: path(name + ".hash"), encoding: .utf8))
    else { throw Failure(text: result.errors) }
    return hash
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  struct Failure: Error { let text: String }
}
