import RTP
import RTPTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct HeaderExtensionTests {
  /// Identifier and data of every element; what the reader throws ends the list.
  private func elements(_ packet: [UInt8]) throws -> (list: [[UInt8]], error: RTPError?) {
    try withGuarded(packet) { memory in
      let bytes = UnsafeRawBufferPointer(memory)
      var reader = HeaderExtensionReader(try RTPPacketView(parsing: bytes), in: bytes)
      var list: [[UInt8]] = []
      do throws(RTPError) {
        while let element = try reader.next() {
          list.append([element.identifier] + bytes[element.offset..<(element.offset + element.byteCount)])
        }
        return (list, nil)
      } catch {
        let after = try? reader.next()
        #expect(after == .some(nil), "after an error there is nothing more")
        return (list, error)
      }
    }
  }

  /// A packet with the given extension and a payload of AA BB.
  private func packet(_ extensionHex: String) -> [UInt8] {
    bytes("906F 0001 00000002 00000003") + bytes(extensionHex) + [0xAA, 0xBB]
  }

  @Test("one-byte headers are read as in RFC 8285's figure")
  func oneByte() throws {
    // One byte, two bytes, two bytes of padding, four bytes.
    let found = try elements(packet("BEDE 0003 10A1 21B1 B200 0033 C1C2 C3C4"))
    #expect(found.list == [[1, 0xA1], [2, 0xB1, 0xB2], [3, 0xC1, 0xC2, 0xC3, 0xC4]] && found.error == nil)
  }

  @Test(
    "two-byte headers are read as in RFC 8285's figure, with any appbits",
    arguments: ["1000", "100F"])
  func twoByte(profile: String) throws {
    // No data, one byte, padding, four bytes.
    let found = try elements(packet("\(profile) 0003 0100 0201 B100 0304 C1C2 C3C4 0000"))
    #expect(found.list == [[1], [2, 0xB1], [3, 0xC1, 0xC2, 0xC3, 0xC4]] && found.error == nil)
  }

  @Test("identifier 15 ends the extension, and so does padding with a length")
  func reserved() throws {
    #expect(try elements(packet("BEDE 0002 10A1 F010 2010 30B1")).list == [[1, 0xA1]])
    #expect(try elements(packet("BEDE 0002 10A1 0210 2010 30B1")).list == [[1, 0xA1]])
  }

  @Test("an element beyond the extension is an error, those before it are good")
  func beyond() throws {
    #expect(try elements(packet("BEDE 0001 10A1 22B1")) == ([[1, 0xA1]], .extensionElement))
    #expect(try elements(packet("1000 0001 0100 0205")) == ([[1]], .extensionElement))
    #expect(try elements(packet("1000 0001 0101 A102")) == ([[1, 0xA1]], .extensionElement))
  }

  @Test("no extension, an empty one and one of another kind have no elements")
  func none() throws {
    #expect(try elements(bytes("806F 0001 00000002 00000003 AABB")).list.isEmpty)
    #expect(try elements(packet("BEDE 0000")).list.isEmpty)
    #expect(try elements(packet("ABCD 0001 10A1 0000")).list.isEmpty)
  }

  @Test("the audio level that GStreamer's payloader writes is read")
  func gstreamer() throws {
    // rtpopuspay with rtphdrextclientaudiolevel: a sine at 0.8 of full scale, RMS -4.95 dB.
    let packet = bytes(
      "906070c2ae34e9d9e4938446bede00011004000078b4af2e69b00aebe403698bcc5e7ee16456f6893cb916f0b327b9e147a527529ff2")
    let (level, view) = try level(packet, identifier: 1)
    #expect(level == AudioLevel(decibelsBelowOverload: 4, hasVoice: false))
    #expect(view.header.sequenceNumber == 0x70C2 && view.payloadOffset == 20)
    #expect(try self.level(packet, identifier: 2).0 == nil)
  }

  @Test("aiortc's audio level is read among others, in both forms")
  func aiortc() throws {
    let oneByte = bytes("90efffffffffffffcafebabebede000445617564696f303212345610aa000000f8fffe")
    let twoByte = bytes(
      "90efffffffffffffcafebabe1000000a041b612d6e616d652d6f662d6d6f72652d7468616e2d7369787465656e03031234560101aa"
        + "000000f8fffe")
    for packet in [oneByte, twoByte] {
      let (level, view) = try level(packet, identifier: 1)
      #expect(level == AudioLevel(decibelsBelowOverload: 42, hasVoice: true))
      #expect(Array(packet[view.payloadRange]) == [0xF8, 0xFF, 0xFE])
    }
    #expect(try elements(oneByte).list[0] == [4] + Array("audio0".utf8))
  }

  private func level(_ packet: [UInt8], identifier: UInt8) throws -> (AudioLevel?, RTPPacketView) {
    try packet.withUnsafeBytes { bytes in
      let view = try RTPPacketView(parsing: bytes)
      return (try view.audioLevel(identifier: identifier, in: bytes), view)
    }
  }

  @Test("written elements are read again, in both forms", arguments: [HeaderExtensionForm.oneByte, .twoByte])
  func roundTrip(form: HeaderExtensionForm) throws {
    for dataCount in [1, 2, 3, 4, 5, 15, 16] {
      let data = (0..<dataCount).map { UInt8($0 + 0xA0) }
      var memory = [UInt8](repeating: 0x55, count: 100)
      let payloadOffset = try memory.withUnsafeMutableBytes { bytes in
        var writer = try RTPPacketWriter(RTPHeaderTests.header, extensionForm: form, into: bytes)
        try writer.append(AudioLevel(decibelsBelowOverload: 30, hasVoice: true), identifier: 1)
        try data.withUnsafeBytes { data in try writer.append(data, identifier: 14) }
        return try writer.endHeader()
      }
      #expect(payloadOffset % 4 == 0)
      #expect(memory[payloadOffset...].allSatisfy { $0 == 0x55 }, "nothing is written behind the header")
      let packet = Array(memory[..<payloadOffset]) + [1, 2, 3]
      #expect(try elements(packet).list == [[1, 0x80 | 30], [14] + data])
      #expect(try packet.withUnsafeBytes { try RTPPacketView(parsing: $0) }.payloadRange.count == 3)
    }
  }

  @Test("without elements the header is the fixed one")
  func noElements() throws {
    var memory = [UInt8](repeating: 0x55, count: 20)
    let offset = try memory.withUnsafeMutableBytes { bytes in
      var writer = try RTPPacketWriter(RTPHeaderTests.header, into: bytes)
      return try writer.endHeader()
    }
    #expect(offset == 12 && Array(memory[..<12]) == RTPHeaderTests.bytes && memory[12] == 0x55)
  }

  @Test("identifiers and data that a form cannot hold are refused")
  func refused() throws {
    func append(_ form: HeaderExtensionForm, identifier: UInt8, dataCount: Int, room: Int = 400) throws {
      try withGuarded([UInt8](repeating: 0, count: room)) { memory in
        var writer = try RTPPacketWriter(RTPHeaderTests.header, extensionForm: form, into: memory)
        let data = [UInt8](repeating: 1, count: dataCount)
        try data.withUnsafeBytes { data in try writer.append(data, identifier: identifier) }
        _ = try writer.endHeader()
      }
    }
    for (identifier, dataCount) in [(0, 1), (15, 1), (1, 0), (1, 17)] as [(UInt8, Int)] {
      #expect(throws: RTPError.extensionIdentifier) {
        try append(.oneByte, identifier: identifier, dataCount: dataCount)
      }
    }
    #expect(throws: RTPError.extensionIdentifier) { try append(.twoByte, identifier: 0, dataCount: 1) }
    #expect(throws: RTPError.extensionIdentifier) { try append(.twoByte, identifier: 1, dataCount: 256) }
    try append(.twoByte, identifier: 255, dataCount: 255)
    // 12 + 4 + 1 + 2, filled up to 20.
    for room in 12..<20 {
      #expect(throws: RTPError.bufferTooShort) { try append(.oneByte, identifier: 1, dataCount: 2, room: room) }
    }
    try append(.oneByte, identifier: 1, dataCount: 2, room: 20)
  }

  @Test("a level is at most 127 dB below overload")
  func levelRange() {
    #expect(AudioLevel(decibelsBelowOverload: 200, hasVoice: false).decibelsBelowOverload == 127)
    #expect(AudioLevel(decibelsBelowOverload: 127, hasVoice: false).decibelsBelowOverload == 127)
  }
}
