import Foundation
import MQTTSignalling
import TestSupport

/// A mosquitto with the ACL of Deploy on a free port of loopback, with users 7, 8 and 9 and the name `bob`.
final class Broker {
  static let program = "/usr/sbin/mosquitto"
  static let isInstalled =
    FileManager.default.isExecutableFile(atPath: program)
    && TestSupport.isInstalled("mosquitto_pub") && TestSupport.isInstalled("openssl")

  /// ACL of a broker.
  enum Permissions {
    case shipped
    /// Users may write as with the shipped one, and read nothing.
    case unreadable
    /// Users may read as with the shipped one, and write nothing.
    case unwritable
  }

  static let users = ["7", "8", "9", "bob"]

  let port: Int
  let folder: URL
  private let hasTLS: Bool
  private var process: BackgroundProgramBox?

  init(_ permissions: Permissions = .shipped, tls: Bool = false, configuration: String? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try Ports.pair()
    hasTLS = tls
    try setUsers(Self.users)
    try write("acl", try Self.acl(permissions))
    if tls { for name in ["server", "other"] { try makeCertificate(name) } }
    try write("mosquitto.conf", configuration.map { try placed($0) } ?? ownConfiguration)
    try start()
  }

  deinit {
    process = nil
    try? FileManager.default.removeItem(at: folder)
  }

  /// URL for clients.
  var url: String { (hasTLS ? "mqtts" : "mqtt") + "://localhost:\(port)" }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Starts the program, and returns when it accepts connections.
  func start() throws {
    process = BackgroundProgramBox(Self.program, ["-c", path("mosquitto.conf")])
    let port = UInt16(port)
    guard eventually({ Self.isListening(port) }) else { throw Failure(text: "mosquitto does not listen at \(port)") }
  }

  /// Kills the program.
  func kill() { process = nil }

  /// Halts the program, which keeps its connections.
  func halt() throws { try signal(SIGSTOP) }

  /// Makes these the only users, at once.
  func setUsers(_ names: [String]) throws {
    try write("passwd", names.map { "\($0):secret-\($0)\n" }.joined())
    try run("mosquitto_passwd -U passwd")
    if process != nil { try signal(SIGHUP) }
  }

  private func signal(_ number: Int32) throws {
    let text = try String(contentsOfFile: path("pid"), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let pid = pid_t(text), Glibc.kill(pid, number) == 0 else { throw Failure(text: "no process '\(text)'") }
  }

  /// Publishes by mosquitto_pub.
  ///
  /// - Returns: Its complaints.
  func publish(as name: String, to topic: String, _ options: String) throws -> String {
    try shell(
      "mosquitto_pub -V 5 -q 1 -h localhost -p \(port) -u \(name) -P secret-\(name) -t '\(topic)' \(options)",
      in: folder
    ).errors
  }

  /// Options of a user's client.
  func options(
    _ userID: UInt32 = 7, appID: String = "demo", password: String? = nil, verification: MQTTVerification? = nil
  ) throws -> MQTTSignalOptions {
    try MQTTSignalOptions(
      broker: url, appID: appID, userID: userID, password: password ?? "secret-\(userID)",
      verification: verification ?? (hasTLS ? .roots(file: path("server.pem")) : .systemRoots))
  }

  func write(_ name: String, _ text: String) throws {
    try text.write(to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
  }

  struct Failure: Error { let text: String }

  /// Folder of the shipped files.
  static let deploy = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Deploy/mosquitto").standardized

  private static func acl(_ permissions: Permissions) throws -> String {
    let shipped = try String(contentsOf: deploy.appendingPathComponent("acl"), encoding: .utf8)
    let left =
      switch permissions {
      case .shipped: ""
      case .unreadable: "pattern read "
      case .unwritable: "pattern write "
      }
    return shipped.split(separator: "\n").filter { left.isEmpty || !$0.hasPrefix(left) }.joined(separator: "\n") + "\n"
  }

  /// Room for messages that clients have to drop.
  private var ownConfiguration: String {
    """
    listener \(port) 127.0.0.1
    \(hasTLS ? "certfile \(path("server.pem"))\nkeyfile \(path("server.key"))" : "")
    allow_anonymous false
    password_file \(path("passwd"))
    acl_file \(path("acl"))
    pid_file \(path("pid"))
    \(user)
    """
  }

  private var user: String { geteuid() == 0 ? "user root\n" : "" }

  /// A shipped configuration with this broker's port and files.
  private func placed(_ configuration: String) throws -> String {
    var text = configuration
    for (from, to) in [
      ("listener 8883", "listener \(port)"), ("/etc/mosquitto/certs/server.crt", path("server.pem")),
      ("/etc/mosquitto/certs/server.key", path("server.key")), ("/etc/mosquitto/passwd", path("passwd")),
      ("/etc/mosquitto/acl", path("acl")),
    ] {
      guard text.contains(from) else { throw Failure(text: "the configuration lacks '\(from)'") }
      text = text.replacingOccurrences(of: from, with: to)
    }
    return text + user
  }

  private func makeCertificate(_ name: String) throws {
    try run(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=\(name) "
        + "-addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout \(name).key -out \(name).pem")
  }

  private func run(_ line: String) throws {
    let result = try shell(line, in: folder)
    guard result.code == 0 else { throw Failure(text: result.errors) }
  }

  private static func isListening(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}

/// A program that a class can end and start again.
private final class BackgroundProgramBox {
  private let program: BackgroundProgram

  init(_ path: String, _ arguments: [String]) { program = BackgroundProgram(path, arguments) }
}
