import Platform
import TestSupport
import Testing

@testable import WebRTC

@Suite("STUN messages", .timeLimit(.minutes(10)))
struct STUNMessageTests {
  @Test("RFC 5769's request is read and its integrity holds")
  func request() throws {
    let message = try ReadMessage(STUNVectors.request, password: STUNVectors.password)
    #expect(message.messageClass == .request && message.isAuthentic && message.hasFingerprint)
    #expect(message.transactionID == STUNTransactionID(high: 0xB7E7_A701, low: 0xBC34_D686_FA87_DFAE))
    #expect(message.username == "evtj:h6vY" && message.priority == 0x6E00_01FF)
    #expect(message.tieBreaker == 0x932F_F9B1_5126_3B36 && !message.isControlling && !message.isNominating)
    let bytes = STUNVectors.request
    let reader = try STUNMessageReader(bytes.span)
    let method = reader.method
    let hasUnknown = reader.unknownRequiredAttribute() != nil
    let receiverByteCount = reader.receiverFragment?.count
    #expect(receiverByteCount == 4 && method == 1 && !hasUnknown)
  }

  @Test(
    "RFC 5769's responses are read with both families of addresses",
    arguments: [
      (STUNVectors.responseIPv4, "192.0.2.1"), (STUNVectors.responseIPv6, "2001:db8:1234:5678:11:2233:4455:6677"),
    ])
  func responses(bytes: [UInt8], host: String) throws {
    let message = try ReadMessage(bytes, password: STUNVectors.password)
    #expect(message.messageClass == .success && message.isAuthentic && message.hasFingerprint)
    #expect(message.mappedAddress == SocketAddress(host: host, port: 32853))
  }

  @Test("another password or a changed byte breaks integrity or fingerprint")
  func changed() throws {
    for bytes in [STUNVectors.request, STUNVectors.responseIPv4, STUNVectors.responseIPv6] {
      #expect(try !ReadMessage(bytes, password: STUNVectors.password + "x").isAuthentic)
      for index in bytes.indices {
        var other = bytes
        other[index] ^= 1
        // A changed type leaves a message without a fingerprint.
        let message = try? ReadMessage(other, password: STUNVectors.password)
        #expect(message?.hasFingerprint != true, "byte \(index)")
      }
    }
  }

  @Test("without its fingerprint, a changed byte breaks the integrity")
  func integrity() throws {
    var bytes = Array(STUNVectors.request.dropLast(8))
    bytes[3] -= 8
    #expect(try ReadMessage(bytes, password: STUNVectors.password).isAuthentic)
    // The type of the message, its number, and values. Other bytes make other attributes.
    for index in [0, 8, 19, 24, 44, 52, 60, 72, 76, 95] {
      var other = bytes
      other[index] ^= 1
      #expect(try !ReadMessage(other, password: STUNVectors.password).isAuthentic, "byte \(index)")
    }
  }

  @Test("a message that is cut anywhere is refused")
  func cut() {
    for count in 0..<STUNVectors.request.count {
      let bytes = Array(STUNVectors.request[..<count])
      #expect(throws: STUNError.self) { try ReadMessage(bytes, password: STUNVectors.password) }
      // With a length that fits, an attribute is cut, or the fingerprint is missing.
      guard count >= 20, count % 4 == 0 else { continue }
      var fitting = bytes
      fitting[3] = UInt8(count - 20)
      _ = try? ReadMessage(fitting, password: STUNVectors.password)
    }
  }

  @Test(
    "wrong header, cookie, length, attribute and fingerprint are told apart",
    arguments: [
      ("8001 0000 2112a442 000000000000000000000000", STUNError.header),
      ("0001 0000 2112a442 0000000000000000000000", .header),
      ("0001 0000 2112a443 000000000000000000000000", .cookie),
      ("0001 0004 2112a442 000000000000000000000000", .length),
      ("0001 0002 2112a442 000000000000000000000000 0000", .length),
      ("0001 0004 2112a442 000000000000000000000000 0006 0001", .attribute),
      ("0001 0004 2112a442 000000000000000000000000 0006 ffff", .attribute),
      ("0001 0008 2112a442 000000000000000000000000 0008 0004 00000000", .attribute),
      ("0001 0008 2112a442 000000000000000000000000 8028 0004 00000000", .fingerprint),
    ])
  func malformed(digits: String, error: STUNError) {
    #expect(throws: error) { try ReadMessage(STUNVectors.bytes(digits), password: "x") }
  }

  @Test("a fingerprint before another attribute is refused")
  func early() {
    var bytes = STUNVectors.bytes("0001 000c 2112a442 000000000000000000000000")
    let check = CRC32.checksum(bytes.span, count: 20) ^ 0x5354_554E
    bytes += [0x80, 0x28, 0, 4] + (0..<4).map { UInt8(truncatingIfNeeded: check >> UInt32(24 - 8 * $0)) }
    bytes += [0, 0x25, 0, 0]
    #expect(throws: STUNError.fingerprint) { try ReadMessage(bytes, password: "x") }
  }

  @Test("the check of a fingerprint is that of ITU-T V.42")
  func crc() {
    // The usual check value of this polynomial.
    #expect(CRC32.checksum(Array("123456789".utf8).span, count: 9) == 0xCBF4_3926)
  }

  @Test("attributes behind the integrity code do not count")
  func appended() throws {
    let credentials = ICECredentials()
    // Without fingerprint, USE-CANDIDATE could be added by anyone.
    var bytes = try ICEMessages.make(password: credentials.password, fingerprint: false) { writer throws(STUNError) in
      try writer.append(username: Array("a:b".utf8).span)
    }
    bytes += [0, 0x25, 0, 0]
    bytes[3] += 4
    let message = try ReadMessage(bytes, password: credentials.password)
    #expect(message.isAuthentic && !message.isNominating && message.username == "a:b")
  }

  @Test("of two attributes of a type the first one counts")
  func repeated() throws {
    let bytes = try ICEMessages.make(password: nil) { writer throws(STUNError) in
      try writer.append(priority: 1)
      try writer.append(priority: 2)
    }
    #expect(try ReadMessage(bytes, password: "x").priority == 1)
  }

  @Test("a written message is read as it was written", arguments: ["192.0.2.7", "2001:db8::7", "::ffff:192.0.2.7"])
  func roundTrip(host: String) throws {
    let address = ICEMessages.address(host, 40_001)
    let bytes = try ICEMessages.make(.success, password: "secret") { writer throws(STUNError) in
      try writer.append(username: Array("abcde:fg".utf8).span)
      try writer.append(iceControlled: .max - 5)
      try writer.appendUseCandidate()
      try writer.append(mappedAddress: address)
      try writer.append(.roleConflict)
    }
    let message = try ReadMessage(bytes, password: "secret")
    #expect(message.isAuthentic && message.hasFingerprint && message.messageClass == .success)
    #expect(message.username == "abcde:fg" && message.tieBreaker == .max - 5 && message.isNominating)
    #expect(message.mappedAddress == address.unmapped && message.errorCode == 487)
  }

  @Test("a writer refuses memory that is too short and begins no attribute")
  func short() throws {
    for capacity in 0..<64 {
      var memory = [UInt8](repeating: 0xAA, count: 64)
      memory.withUnsafeMutableBytes { memory in
        let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<capacity])
        guard var writer = try? STUNMessageWriter(.request, transactionID: ICEMessages.transaction, into: part) else {
          #expect(capacity < 20)
          return
        }
        var key = STUNIntegrityKey(password: "x")
        let hasPriority = (try? writer.append(priority: 1)) != nil
        let hasCode = (try? writer.appendIntegrity(&key)) != nil
        #expect(hasPriority == (capacity >= 28) && hasCode == (capacity >= 52))
        #expect(writer.byteCount == 20 + (hasPriority ? 8 : 0) + (hasCode ? 24 : 0))
      }
      #expect(memory[capacity...].allSatisfy { $0 == 0xAA })
    }
  }

  @Test("any bytes are read or refused without a trap")
  func arbitrary() {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<20_000 {
      var bytes = [STUNVectors.request, STUNVectors.responseIPv4, STUNVectors.responseIPv6][round % 3]
      // The fingerprint goes, so that changes get further than its check.
      bytes.removeLast(8)
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      bytes.replaceSubrange(0..<8, with: [0, 1, 0, UInt8(bytes.count - 20), 0x21, 0x12, 0xA4, 0x42])
      _ = try? ReadMessage(bytes, password: "x")
    }
  }
}
