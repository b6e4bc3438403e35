import Foundation
import Platform
import TestSupport
import Testing

@testable import WebRTC

/// Plain STUN requests of coturn's client, without credentials.
@Suite(
  "coturn's STUN client", .enabled(if: isInstalled("turnutils_stunclient"), "coturn is not installed"), .serialized,
  .timeLimit(.minutes(10)))
struct StunClientTests {
  @Test("it gets nothing from a lite agent")
  func silence() throws {
    let (sockets, end) = (try ICESockets(), LiteEnd(ICECredentials()))
    let output = try run(sockets, end)
    #expect(sockets.messageCount > 0 && sockets.sentCount == 0 && end.agent.lastCheckNanoseconds == nil)
    #expect(end.events.isEmpty && !output.contains("reflexive addr"), "\(output)")
  }

  /// It shows that the client would print an answer, and that it reads our messages.
  @Test("it reads a response of our writer")
  func answered() throws {
    let sockets = try ICESockets()
    let output = try run(sockets, OpenServer())
    #expect(sockets.sentCount > 0 && output.contains("reflexive addr: 127.0.0.1:"), "\(output)")
  }

  /// Runs the client for 2 s at most. Returns: its output.
  private func run(_ sockets: ICESockets, _ end: any ICEEnd) throws -> String {
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("output")
      let program = BackgroundProgram(
        "/bin/sh",
        ["-c", "stdbuf -oL turnutils_stunclient -p \(sockets.ports[0]) 127.0.0.1 >'\(file.path)' 2>&1"])
      var output = ""
      let limit = sockets.now + 2_000_000_000
      _ = sockets.run(end) {
        output = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return sockets.now > limit || output.contains("reflexive addr")
      }
      _ = consume program
      return output
    }
  }
}

/// Answers every request.
private final class OpenServer: ICEEnd {
  let deadline: Int? = nil

  func poll(_ now: Int) -> ICEOutput { ICEOutput() }

  func receive(_ datagram: [UInt8], from source: SocketAddress, _ now: Int) -> ICEOutput {
    var output = ICEOutput()
    guard let id = try? STUNMessageReader(datagram.span).transactionID else { return output }
    let bytes = try? ICEMessages.make(.success, transaction: id, password: nil) { writer throws(STUNError) in
      try writer.append(mappedAddress: source)
    }
    output.datagrams = bytes.map { [ICEDatagram(bytes: $0, address: source)] } ?? []
    return output
  }
}
