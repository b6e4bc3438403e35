import RTP
import Testing

@Suite(.timeLimit(.minutes(10))) struct RTPPacketViewTests {
  private func view(_ bytes: [UInt8]) throws(RTPError) -> RTPPacketView {
    let result: Result<RTPPacketView, RTPError> = bytes.withUnsafeBytes { buffer in
      Result { () throws(RTPError) in try RTPPacketView(parsing: buffer) }
    }
    return try result.get()
  }

  /// A packet with everything: two sources, an extension of two words, `payload`, padding.
  private func packet(
    sources: [UInt32] = [], extensionWords: Int? = nil, payload: [UInt8] = [1, 2, 3], padding: [UInt8] = []
  ) -> [UInt8] {
    var bytes = RTPHeaderTests.bytes
    bytes[0] |= UInt8(sources.count)
    for source in sources { bytes += (0..<4).map { UInt8(truncatingIfNeeded: source >> (24 - 8 * UInt32($0))) } }
    if let extensionWords {
      bytes[0] |= 0x10
      bytes += [0xBE, 0xDE, UInt8(extensionWords >> 8), UInt8(extensionWords & 0xFF)]
      bytes += [UInt8](repeating: 0xAA, count: 4 * extensionWords)
    }
    bytes += payload
    if !padding.isEmpty { bytes[0] |= 0x20 }
    return bytes + padding
  }

  @Test("a packet without options is a header and a payload, which may be empty")
  func plain() throws {
    let view = try view(packet())
    #expect(view.header == RTPHeaderTests.header)
    #expect(view.payloadRange == 12..<15)
    #expect(view.contributingSourceCount == 0 && view.extensionProfile == nil && view.paddingByteCount == 0)
    #expect(try self.view(packet(payload: [])).payloadRange == 12..<12)
  }

  @Test("sources, extension and padding are skipped to find the payload")
  func everything() throws {
    for sourceCount in 0...15 {
      for words in [nil, 0, 1, 2, 300] as [Int?] {
        for padding in [[], [1], [0, 0, 0, 4]] as [[UInt8]] {
          let sources = (0..<sourceCount).map { 0x0102_0304 + UInt32($0) }
          let bytes = packet(sources: sources, extensionWords: words, payload: [7, 8, 9, 10, 11], padding: padding)
          let view = try view(bytes)
          #expect(Array(bytes[view.payloadRange]) == [7, 8, 9, 10, 11])
          #expect(view.extensionProfile == (words == nil ? nil : 0xBEDE))
          #expect(view.extensionRange.count == 4 * (words ?? 0))
          #expect(bytes[view.extensionRange].allSatisfy { $0 == 0xAA })
          #expect(view.paddingByteCount == padding.count)
          bytes.withUnsafeBytes { buffer in
            #expect((0..<sourceCount).map { view.contributingSource($0, in: buffer) } == sources)
          }
        }
      }
    }
  }

  @Test("a packet cut anywhere is refused or loses payload, never more")
  func truncated() {
    let bytes = packet(sources: [1, 2], extensionWords: 3, payload: [1, 2, 3, 4])
    let payloadStart = 12 + 8 + 4 + 12
    for count in 0..<bytes.count {
      let expected: RTPError? =
        count < 12 ? .truncated : count < 20 ? .contributingSources : count < payloadStart ? .headerExtension : nil
      do throws(RTPError) {
        let view = try view(Array(bytes[..<count]))
        #expect(expected == nil)
        #expect(view.payloadRange == payloadStart..<count)
      } catch {
        #expect(error == expected, "cut after \(count) bytes")
      }
    }
  }

  @Test("lengths that lie are refused")
  func lies() {
    // Padding of nothing, of more than there is, and where there is no byte to say how much.
    #expect(throws: RTPError.padding) { try view(packet(padding: [0])) }
    #expect(throws: RTPError.padding) { try view(packet(payload: [1, 2, 3], padding: [5])) }
    #expect(throws: RTPError.padding) { try view(packet(payload: [], padding: [255])) }
    #expect(throws: RTPError.padding) {
      var bytes = packet(payload: [])
      bytes[0] |= 0x20
      return try view(bytes)
    }
    // All of the payload may be padding.
    #expect(throws: Never.self) { try view(packet(payload: [1, 2, 3], padding: [4])) }
    // An extension of 65535 words, and sources that are not there.
    #expect(throws: RTPError.headerExtension) {
      var bytes = packet(extensionWords: 1)
      (bytes[14], bytes[15]) = (0xFF, 0xFF)
      return try view(bytes)
    }
    #expect(throws: RTPError.contributingSources) {
      var bytes = packet()
      bytes[0] |= 0x0F
      return try view(bytes)
    }
  }

  @Test("random bytes give offsets within the packet, or an error")
  func random() {
    for seed in 0..<20_000 as Range<UInt64> {
      var state = seed
      func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      var bytes = (0..<Int(next() % 80)).map { _ in next() }
      if !bytes.isEmpty { bytes[0] = bytes[0] & 0x3F | 0x80 }
      guard let view = try? view(bytes) else { continue }
      #expect(view.payloadOffset >= 12 && view.payloadByteCount >= 0, "seed \(seed)")
      #expect(view.payloadRange.upperBound + view.paddingByteCount == bytes.count, "seed \(seed)")
      #expect(view.extensionRange.upperBound == view.payloadOffset, "seed \(seed)")
    }
  }
}
