import Glibc
import RTP
import SRTP
import TestSupport
import Testing
import WebRTC

/// Each test has a process of its own, so that no other test's memory counts.
@Suite("Memory of DTLS connections", .timeLimit(.minutes(10)))
struct DTLSMemoryTests {
  private static func record(_ type: UInt8, epoch: UInt8, number: Int, _ content: [UInt8]) -> [UInt8] {
    [type, 0xFE, 0xFD, 0, epoch, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)]
      + [UInt8(content.count >> 8), UInt8(content.count & 255)] + content
  }

  /// Gives a server a first message, then as much as it may keep: fragments of later messages, encrypted records.
  private static func flood(_ server: DTLSConnection, _ hello: [UInt8]) {
    func deliver(_ bytes: [UInt8]) { bytes.withUnsafeBytes { server.receive($0, nowNanoseconds: 0) } }
    deliver(hello)
    for number in 0..<400 {
      // A fragment of 1 byte that claims 16384.
      let type: [UInt8] = [11, 16, 15]
      let index = number % 3
      let fragment = [type[index], 0, 0x40, 0, 0, UInt8(1 + index), 0, 0, UInt8(number / 3), 0, 0, 1, 7]
      deliver(record(22, epoch: 0, number: 10 + number, fragment))
      deliver(record(22, epoch: 1, number: number, [UInt8](repeating: 1, count: 1_000)))
      while server.takeDatagram() != nil {}
    }
  }

  @Test("a flooded server holds less than 450 KB, and releases it at its limit")
  func bounded() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let client = DTLSConnection(.client, DTLSLink.certificate)
      client.start(nowNanoseconds: 0)
      let hello = client.takeDatagram() ?? []
      Self.flood(DTLSConnection(.server, DTLSLink.certificate), hello)
      let meter = HeapMeter()
      let before = meter.bytesInUse()
      var servers = (0..<20).map { _ in DTLSConnection(.server, DTLSLink.certificate) }
      for server in servers { Self.flood(server, hello) }
      let each = (meter.bytesInUse() - before) / servers.count
      report("a flooded server holds \(each) bytes")
      precondition(servers.allSatisfy { $0.state == .handshaking }, "\(servers[0].state)")
      precondition(each < 450_000, "\(each) bytes")
      for server in servers { server.handleTimeout(nowNanoseconds: 30 * DTLSLink.second) }
      let after = (meter.bytesInUse() - before) / servers.count
      report("after its limit: \(after) bytes")
      precondition(after < 4_000, "\(after) bytes")
      servers = []
    }
    print(String(decoding: result.standardErrorContent, as: UTF8.self))
  }

  @Test("a connected end holds less than 64 KB")
  func connected() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      DTLSLink().run()
      let meter = HeapMeter()
      let before = meter.bytesInUse()
      var links: [DTLSLink] = []
      for _ in 0..<20 {
        links.append(DTLSLink())
        links.last?.run()
      }
      let each = (meter.bytesInUse() - before) / (2 * links.count)
      report("a connected end holds \(each) bytes")
      precondition(links.allSatisfy { $0.clientConnected == 0 && $0.serverConnected == 0 })
      precondition(each < 64_000, "\(each) bytes")
    }
    print(String(decoding: result.standardErrorContent, as: UTF8.self))
  }

  @Test("handshakes that connect, fail or stall leave no memory behind")
  func noLeak() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      func round(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let link = DTLSLink(serverOptions: DTLSOptions(suites: seed % 4 == 0 ? [.aeadAES256GCM] : [.aeadAES128GCM]))
        link.rule = { datagram in
          var bytes = datagram.bytes
          if Int.random(in: 0..<4, using: &random) == 0 {
            bytes[Int.random(in: bytes.indices, using: &random)] ^= 0x10
          }
          return Int.random(in: 0..<5, using: &random) == 0 ? [] : [(bytes, datagram.time)]
        }
        link.run()
        _ = keyTexts(link.client)
        link.client.close(nowNanoseconds: link.now)
        link.run()
        _ = DTLSCertificate(unixSeconds: 1_700_000_000).fingerprint
      }
      for seed in 0..<500 { round(UInt64(seed)) }
      let meter = HeapMeter()
      let before = meter.bytesInUse()
      for seed in 0..<1500 { round(UInt64(seed)) }
      let growth = meter.bytesInUse() - before
      report("growth of 1500 handshakes: \(growth) bytes")
      // The allocator keeps a few KB; 16 bytes lost with each handshake would be more.
      precondition(growth < 20_000, "\(growth) bytes")
    }
    print(String(decoding: result.standardErrorContent, as: UTF8.self))
  }
}

private func report(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
