import RTP
import RTPTestSupport
import SRTP
import TestSupport
import Testing
import WebRTC

@Suite("DTLS under datagrams of any content", .timeLimit(.minutes(10)))
struct DTLSHostileTests {
  /// Datagrams of a handshake between other ends.
  private static let genuine: [DTLSLink.Sent] = {
    let link = DTLSLink()
    link.run()
    return link.sent
  }()

  private static func noise(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Changes that a genuine peer's datagram can be told from: it is cut, or of another time, or encrypted and changed.
  private static func harmless(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return Array(bytes.prefix(Int.random(in: 0...12, using: &random)))
    case 1: return noise(&random)
    default:
      // Encrypted records of the second epoch.
      let record = noise(&random)
      return [23, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, 9, UInt8(record.count >> 8), UInt8(record.count & 255)] + record
    }
  }

  @Test("a handshake among cut, random, late and repeated datagrams connects", arguments: 0..<100)
  func mixed(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let options = DTLSOptions(handshakeNanoseconds: 400 * DTLSLink.second)
    let link = DTLSLink(clientOptions: options, serverOptions: options)
    link.rule = { [unowned link] datagram in
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        link.deliver(Self.harmless(datagram.bytes, &random), toServer: .random(using: &random))
      }
      return (0..<Int.random(in: 0...3, using: &random)).map { _ in
        (datagram.bytes, datagram.time + Int.random(in: 0...500_000_000, using: &random))
      }
    }
    link.run()
    #expect(link.clientConnected != nil && link.serverConnected != nil, "seed \(seed)")
    #expect(keyTexts(link.client) == keyTexts(link.server).reversed(), "seed \(seed)")
  }

  private static func changed(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var changed = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      changed[Int.random(in: changed.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    return changed
  }

  @Test("a handshake with a changed duplicate of each datagram connects", arguments: 0..<(LongRun.isWanted ? 600 : 150))
  func changedCopies(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let link = DTLSLink()
    link.rule = { datagram in
      [(datagram.bytes, datagram.time), (Self.changed(datagram.bytes, &random), datagram.time + 1)]
    }
    link.run()
    #expect(link.client.state == .connected(.aeadAES128GCM), "seed \(seed)")
    #expect(link.server.state == .connected(.aeadAES128GCM), "seed \(seed)")
    #expect(keyTexts(link.client) == keyTexts(link.server).reversed(), "seed \(seed)")
  }

  /// Nothing distinguishes a changed message in the clear from the genuine one, so the handshake may fail.
  @Test(
    "changed datagrams before the genuine ones give equal keys or none",
    arguments: 0..<(LongRun.isWanted ? 300 : 75))
  func changedBefore(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let link = DTLSLink()
    link.rule = { datagram in
      let isChanged = Int.random(in: 0..<4, using: &random) == 0
      let changed = isChanged ? [(Self.changed(datagram.bytes, &random), datagram.time)] : []
      return changed + [(datagram.bytes, datagram.time + 1)]
    }
    link.run()
    if case .connected = link.client.state, case .connected = link.server.state {
      #expect(keyTexts(link.client) == keyTexts(link.server).reversed(), "seed \(seed)")
    }
    #expect(link.client.nextDeadlineNanoseconds == nil && link.server.nextDeadlineNanoseconds == nil, "seed \(seed)")
  }

  @Test("no content of a datagram stops the process, in any state", arguments: [DTLSRole.client, .server])
  func mutations(role: DTLSRole) {
    let packets = Self.genuine.map(\.bytes)
    var connection = DTLSConnection(role, DTLSLink.certificate)
    var count = 0
    forEachMutation(of: packets, count: 20_000, seed: 5) { bytes in
      if count % 50 == 0 || connection.nextDeadlineNanoseconds == nil {
        connection = DTLSConnection(role, DTLSLink.certificate)
        connection.start(nowNanoseconds: count)
      }
      count += 1
      withGuarded(bytes) { connection.receive(UnsafeRawBufferPointer($0), nowNanoseconds: count) }
      while connection.takeDatagram() != nil {}
      #expect(keyTexts(connection).isEmpty)
    }
  }

  @Test("a server waits for another message after an unreadable one")
  func unreadable() {
    let link = DTLSLink()
    // A ClientHello whose list of cipher suites is longer than the message.
    var broken = Self.genuine[0].bytes
    broken[13 + 12 + 34 + 2] = 0xFF
    link.deliver(broken, toServer: true)
    #expect(link.server.counters.restarts == 1)
    link.run()
    #expect(link.serverConnected == 0 && link.clientConnected == 0)
  }

  @Test("application data is ignored, before and after the handshake")
  func applicationData() {
    let link = DTLSLink()
    let data: [UInt8] = [23, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, 9, 0, 40] + [UInt8](repeating: 7, count: 40)
    for _ in 0..<100 { link.deliver(data, toServer: true) }
    link.run()
    for _ in 0..<100 { link.deliver(data, toServer: true) }
    #expect(link.server.counters.ignoredRecords == 200)
    #expect(link.server.state == .connected(.aeadAES128GCM))
  }

  @Test("a forged encrypted record of any length changes nothing")
  func forgedRecord() {
    let link = DTLSLink()
    func forge() {
      for (type, byteCount) in [UInt8(20), 21, 22, 23].flatMap({ type in (0...60).map { (type, $0) } }) {
        for isToServer in [true, false] {
          let content = [UInt8](repeating: 3, count: byteCount)
          let number = UInt8(byteCount + 100)
          link.deliver(
            [type, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, number, 0, UInt8(byteCount)] + content, toServer: isToServer)
        }
      }
    }
    link.run()
    forge()
    #expect(link.server.state == .connected(.aeadAES128GCM))
    #expect(link.client.state == .connected(.aeadAES128GCM))
    link.client.close(nowNanoseconds: link.now)
    link.run()
    #expect(link.server.state == .closed && link.client.state == .closed)
  }

  @Test("a forged close_notify or alert after the handshake changes nothing")
  func forgedAlert() {
    let link = DTLSLink()
    link.run()
    for level in [UInt8(1), 2] {
      let alert: [UInt8] = [21, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 99, 0, 2, level, 0]
      link.deliver(alert, toServer: true)
      link.deliver(alert, toServer: false)
    }
    #expect(link.server.state == .connected(.aeadAES128GCM))
    #expect(link.client.state == .connected(.aeadAES128GCM))
  }
}
