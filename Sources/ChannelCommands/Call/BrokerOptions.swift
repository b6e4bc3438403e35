import CommandLineKit
import Glibc
import MQTTSignalling
import Platform

/// The broker of a command, and its user there.
enum BrokerOptions {
  private static let details = ["mqtt-user", "mqtt-password-file", "mqtt-ca-file"]

  /// Reads the options, and the password; nil without a broker.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for a file.
  static func read(
    _ parsed: ParsedArguments, appID: String, uid: UInt32
  ) throws(CommandFailure) -> MQTTSignalOptions? {
    guard let url = parsed.text("mqtt") else {
      if let name = details.first(where: parsed.has) { throw .usage("--\(name) needs --mqtt mqtts://HOST") }
      return nil
    }
    guard parsed.text("mqtt-password-file") != "-" || parsed.text("token-file") != "-" else {
      throw .usage("--token-file and --mqtt-password-file both read stdin; give one of them a file")
    }
    let password = try parsed.text("mqtt-password-file").map { path throws(CommandFailure) in try TokenText.read(path) }
    let roots = parsed.text("mqtt-ca-file")
    if let roots, access(roots, R_OK) != 0 {
      throw CommandFailure(.noInput, "\(roots): cannot be read (\(systemErrorText(errno))); check --mqtt-ca-file")
    }
    do {
      return try MQTTSignalOptions(
        broker: url, appID: appID, userID: uid, userName: parsed.text("mqtt-user"), password: password,
        verification: roots.map { .roots(file: $0) } ?? .systemRoots)
    } catch {
      throw .usage("--mqtt: \(error.message)")
    }
  }
}
