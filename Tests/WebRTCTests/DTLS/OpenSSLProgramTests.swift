import Cryptography
import Foundation
import NetworkIO
import Platform
import RTP
import SRTP
import TestSupport
import Testing
import WebRTC

/// Handshakes over UDP with the `openssl` program, which prints the material that it exports.
@Suite(
  "DTLS with the openssl program", .serialized, .enabled(if: isInstalled("openssl"), "openssl is not installed"),
  .timeLimit(.minutes(10)))
struct OpenSSLProgramTests {
  private static let certificate = DTLSCertificate(unixSeconds: Int(Date().timeIntervalSince1970))
  private static let export = "-keymatexport EXTRACTOR-dtls_srtp -keymatexportlen 88"

  /// Names for `-use_srtp`, and the suite that our order makes of them.
  private static let offers: [(names: String, suite: SRTPSuite)] = [
    ("SRTP_AEAD_AES_128_GCM:SRTP_AES128_CM_SHA1_80", .aeadAES128GCM),
    ("SRTP_AES128_CM_SHA1_80:SRTP_AEAD_AES_256_GCM", .aeadAES256GCM),
    ("SRTP_AES128_CM_SHA1_80", .aesCM128HMACSHA1_80),
  ]

  @Test("openssl's client and our server export equal keys", arguments: offers)
  func client(names: String, suite: SRTPSuite) throws {
    try withTemporaryFolder { folder in
      let peer = try makeCertificate(in: folder)
      let socket = try UDPSocket(at: SocketAddress("127.0.0.1:0"))
      let connection = DTLSConnection(.server, Self.certificate, remoteFingerprints: [peer])
      let program = start(
        "sleep 2 | openssl s_client -dtls1_2 -use_srtp \(names) -connect 127.0.0.1:\(socket.localAddress.port) "
          + "-cert certificate -key key -mtu 1200 -showcerts \(Self.export)", in: folder)
      let keys = try #require(try run(connection, socket, to: nil))
      #expect(connection.state == .connected(suite))
      #expect(try keys == exported(in: folder, suite, isClient: false))
      // The program's hash of our certificate.
      let printed = try shell("openssl x509 -in out -fingerprint -sha256 -noout > hash", in: folder)
      #expect(printed.code == 0)
      let hash = try String(contentsOf: folder.appendingPathComponent("hash"), encoding: .utf8)
      #expect(CertificateFingerprint(text: sdp(hash)) == Self.certificate.fingerprint)
      _ = consume program
    }
  }

  @Test("our client and openssl's server export equal keys", arguments: offers)
  func server(names: String, suite: SRTPSuite) throws {
    try withTemporaryFolder { folder in
      let peer = try makeCertificate(in: folder)
      let port = try UDPSocket(at: SocketAddress("127.0.0.1:0")).localAddress.port
      let socket = try UDPSocket(at: SocketAddress("127.0.0.1:0"))
      let options = DTLSOptions(suites: [suite])
      let connection = DTLSConnection(.client, Self.certificate, remoteFingerprints: [peer], options: options)
      let program = start(
        "sleep 8 | openssl s_server -dtls1_2 -use_srtp \(names) -accept 127.0.0.1:\(port) -verify 1 "
          + "-cert certificate -key key -mtu 1200 \(Self.export)", in: folder)
      let keys = try #require(try run(connection, socket, to: SocketAddress("127.0.0.1:\(port)")))
      #expect(connection.state == .connected(suite))
      #expect(try keys == exported(in: folder, suite, isClient: true))
      _ = consume program
    }
  }

  /// `-listen` demands a cookie before the handshake (RFC 6347, section 4.2.1).
  @Test("our client answers a HelloVerifyRequest")
  func cookie() throws {
    try withTemporaryFolder { folder in
      let peer = try makeCertificate(in: folder)
      let port = try UDPSocket(at: SocketAddress("127.0.0.1:0")).localAddress.port
      let socket = try UDPSocket(at: SocketAddress("127.0.0.1:0"))
      let connection = DTLSConnection(.client, Self.certificate, remoteFingerprints: [peer])
      let program = start(
        "sleep 8 | openssl s_server -dtls1_2 -listen -use_srtp SRTP_AEAD_AES_128_GCM -accept 127.0.0.1:\(port) "
          + "-verify 1 -cert certificate -key key -mtu 1200 \(Self.export)", in: folder)
      let keys = try #require(try run(connection, socket, to: SocketAddress("127.0.0.1:\(port)")))
      #expect(try keys == exported(in: folder, .aeadAES128GCM, isClient: true))
      _ = consume program
    }
  }

  @Test("openssl's client with another certificate than announced is refused")
  func stranger() throws {
    try withTemporaryFolder { folder in
      _ = try makeCertificate(in: folder)
      let socket = try UDPSocket(at: SocketAddress("127.0.0.1:0"))
      let connection = DTLSConnection(
        .server, Self.certificate, remoteFingerprints: [DTLSLink.otherCertificate.fingerprint])
      let program = start(
        "sleep 2 | openssl s_client -dtls1_2 -use_srtp SRTP_AEAD_AES_128_GCM "
          + "-connect 127.0.0.1:\(socket.localAddress.port) -cert certificate -key key", in: folder)
      #expect(try run(connection, socket, to: nil) == nil)
      #expect(connection.state == .failed(.fingerprintMismatch))
      // RFC 5246, section 7.2: bad_certificate is 42.
      #expect(eventually { (try? output(in: folder).contains("alert number 42")) == true })
      _ = consume program
    }
  }

  @Test("openssl's client without a certificate is refused")
  func anonymous() throws {
    try withTemporaryFolder { folder in
      let socket = try UDPSocket(at: SocketAddress("127.0.0.1:0"))
      let connection = DTLSConnection(
        .server, Self.certificate, remoteFingerprints: [DTLSLink.otherCertificate.fingerprint])
      let program = start(
        "sleep 2 | openssl s_client -dtls1_2 -use_srtp SRTP_AEAD_AES_128_GCM "
          + "-connect 127.0.0.1:\(socket.localAddress.port)", in: folder)
      #expect(try run(connection, socket, to: nil) == nil)
      guard case .failed(let error) = connection.state else {
        Issue.record("\(connection.state)")
        return
      }
      #expect("\(error)".contains("peer did not return a certificate"))
      _ = consume program
    }
  }

  /// Runs a connection over UDP until it has keys or has failed, at most 10 s.
  private func run(
    _ connection: DTLSConnection, _ socket: UDPSocket, to address: SocketAddress?
  ) throws -> [String]? {
    let begin = ContinuousClock.now
    func now() -> Int {
      let (seconds, attoseconds) = (ContinuousClock.now - begin).components
      return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
    var peer = address
    if peer != nil { connection.start(nowNanoseconds: 0) }
    while now() < 10_000_000_000 {
      while let datagram = connection.takeDatagram() {
        if let peer { datagram.withUnsafeBytes { _ = socket.send($0, to: peer) } }
      }
      switch connection.state {
      case .connected: return keyTexts(connection)
      case .failed: return nil
      default: break
      }
      if let deadline = connection.nextDeadlineNanoseconds, deadline <= now() {
        connection.handleTimeout(nowNanoseconds: now())
      }
      UDPSocket.wait(for: [socket], atMostNanoseconds: 20_000_000)
      func take(_ datagram: UnsafeRawBufferPointer, _ source: SocketAddress) {
        peer = source
        // A check of connectivity comes before, in WebRTC.
        connection.noteReceived(byteCount: 100)
        connection.receive(datagram, nowNanoseconds: now())
      }
      while let _: Void = socket.receive(take) {}
    }
    return nil
  }

  private func start(_ line: String, in folder: URL) -> BackgroundProgram {
    BackgroundProgram("/bin/sh", ["-c", "cd '\(folder.path)' && (\(line)) > out 2>&1"])
  }

  private func output(in folder: URL) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent("out")), as: UTF8.self)
  }

  /// Makes the program's certificate and key.
  ///
  /// - Returns: Fingerprint that the program prints.
  private func makeCertificate(in folder: URL) throws -> CertificateFingerprint {
    let made = try shell(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=test -keyout key "
        + "-out certificate && openssl x509 -in certificate -fingerprint -sha256 -noout > hash", in: folder)
    #expect(made.code == 0, "\(made.errors)")
    let hash = try String(contentsOf: folder.appendingPathComponent("hash"), encoding: .utf8)
    return try #require(CertificateFingerprint(text: sdp(hash)))
  }

  /// SDP's text of the program's line, such as `sha256 Fingerprint=AB:CD`.
  private func sdp(_ line: String) -> String {
    "sha-256 " + (line.split(separator: "=").last ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Keys as `keyTexts` of our end, from the material that the program has printed.
  private func exported(in folder: URL, _ suite: SRTPSuite, isClient: Bool) throws -> [String] {
    var digits = ""
    #expect(
      try eventually {
        let lines = try output(in: folder).split(whereSeparator: \.isNewline)
        digits = lines.first { $0.contains("Keying material: ") }.map(String.init) ?? ""
        return !digits.isEmpty
      })
    let text = digits.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    let hex = Array(text)
    #expect(hex.count == 2 * 88)
    func part(_ start: Int, _ count: Int) -> String { String(hex.dropFirst(2 * start).prefix(2 * count)) }
    let (key, salt) = (suite.keyByteCount, suite.saltByteCount)
    let texts = try [0, 1].map { end in
      let key = part(end * key, key) + part(2 * key + end * salt, salt)
      return try SRTPKey(suite, text: Array(key.utf8).span.bytes).base64()
    }
    return isClient ? texts : texts.reversed()
  }
}
