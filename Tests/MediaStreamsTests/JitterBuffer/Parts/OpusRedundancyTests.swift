import Testing

@testable import MediaStreams
@testable import RTP

@Suite(.timeLimit(.minutes(10))) struct OpusRedundancyTests {
  private func hasCopy(_ bytes: [UInt8]) throws -> Bool {
    try bytes.withUnsafeBytes { OpusRedundancy.isCarried(by: $0, try OpusPayload(parsing: $0)) }
  }

  @Test("the FEC flag follows one bit per 20 ms in the first frame")
  func flag() throws {
    // Configuration (wideband SILK) 8: 10 ms, 9: 20, 10: 40, 11: 60; one frame, mono.
    for (configuration, bit) in [(8, 6), (9, 6), (10, 5), (11, 4)] as [(UInt8, UInt8)] {
      #expect(try hasCopy([configuration << 3, 1 << bit, 9, 9]))
      #expect(try !hasCopy([configuration << 3, ~(1 << bit), 9, 9]))
    }
    // Stereo: the side channel's flag stands behind the middle's.
    #expect(try hasCopy([9 << 3 | 4, 0x10, 9, 9]))
    #expect(try !hasCopy([9 << 3, 0x10, 9, 9]))
    // Two equal frames, two of different size, and three with padding and sizes.
    #expect(try hasCopy([9 << 3 | 1, 0x40, 1, 2, 3]))
    #expect(try hasCopy([9 << 3 | 2, 2, 0x40, 1, 2, 3]))
    #expect(try hasCopy([9 << 3 | 3, 0xC3, 2, 1, 1, 0x40, 8, 9, 0, 0]))
    #expect(try !hasCopy([9 << 3 | 3, 0xC3, 2, 1, 1, 0x3F, 8, 9, 0, 0]))
  }

  @Test("packets without SILK or bytes in the first frame have no FEC flag")
  func none() throws {
    #expect(try !hasCopy([31 << 3, 0xFF, 0xFF]))
    #expect(try !hasCopy([9 << 3]))
    #expect(try !hasCopy([9 << 3 | 2, 0, 0xFF, 0xFF]))
    #expect(try !hasCopy([9 << 3 | 3, 0x82, 0, 0xFF]))
  }
}
