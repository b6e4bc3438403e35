import RTP
import RTPTestSupport
import SRTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SRTPKeyTests {
  private func key(_ suite: SRTPSuite, _ text: String) throws -> SRTPKey {
    try SRTPKey(suite, text: Array(text.utf8).span.bytes)
  }

  @Test("base64 and hexadecimal digits mean the same key, line end or not")
  func forms() throws {
    // From Python's base64.b64encode(bytes(range(30))).
    let base64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"
    let hexadecimal = "000102030405060708090a0b0c0d0e0f101112131415161718191A1B1C1D"
    for text in [base64, hexadecimal, base64 + "\n", " \t" + hexadecimal + "\r\n"] {
      let key = try key(.aesCM128HMACSHA1_80, text)
      #expect(key.base64() == base64)
    }
    // 28 and 44 bytes end with padding.
    let short = try key(.aeadAES128GCM, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGw==")
    #expect(short.base64() == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGw==")
    let long = try key(.aeadAES256GCM, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKis=")
    #expect(long.base64() == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKis=")
  }

  @Test("wrong sizes and wrong texts of keys are refused without showing them")
  func errors() throws {
    let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"
    #expect(throws: SRTPError.keySize(.aeadAES128GCM, byteCount: 30)) { _ = try key(.aeadAES128GCM, text) }
    for text in [
      "", "secret", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxw*", text + "====", String(repeating: "zz", count: 30),
    ] {
      do {
        _ = try key(.aesCM128HMACSHA1_80, text)
        Issue.record("'\(text)' is no key")
      } catch {
        #expect(text.isEmpty || !"\(error)".contains(text))
      }
    }
    // What the last group leaves over must be 0, and padding comes last.
    #expect(throws: SRTPError.keyText(.aeadAES128GCM)) {
      _ = try key(.aeadAES128GCM, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGx==")
    }
    #expect(throws: SRTPError.keyText(.aeadAES128GCM)) {
      _ = try key(.aeadAES128GCM, "AA==AwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGw==")
    }
    let bytes = [UInt8](repeating: 1, count: 29)
    #expect(throws: SRTPError.keySize(.aesCM128HMACSHA1_80, byteCount: 29)) {
      _ = try SRTPKey(.aesCM128HMACSHA1_80, bytes: bytes.span.bytes)
    }
  }

  @Test("keys of every suite come back from base64")
  func random() throws {
    var random = SeededGenerator(seed: 1)
    for suite in SRTPSuite.allCases {
      for _ in 0..<100 {
        let key = SRTPKey(suite, using: &random)
        let again = try self.key(suite, key.base64())
        #expect(again.base64() == key.base64())
      }
    }
  }

  @Test("a suite is known by its name in SDP")
  func names() {
    for suite in SRTPSuite.allCases { #expect(SRTPSuite(name: suite.name) == suite) }
    #expect(SRTPSuite(name: "AES_256_CM_HMAC_SHA1_80") == nil)
  }

  /// Gives the same bytes again and again, so that a test knows a key that stands nowhere in memory.
  private struct Pattern: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
  }

  /// How often a run of eight bytes of the key that `Pattern` makes stands in this process's writable memory.
  private func occurrences(seed: UInt64) -> Int {
    var pattern = Pattern(state: seed)
    // Inverted, so that the search does not find itself.
    let inverted = (0..<30).map { _ in ~UInt8.random(in: 0...255, using: &pattern) }
    return MemorySearch(inverted: inverted).occurrences()
  }

  /// Overwrites 200 KiB below: registers that calls have spilled there are not the key's memory.
  @inline(never)
  private static func overwriteStack(_ depth: Int = 200) {
    withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 16) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0x55)
      if depth > 0 { overwriteStack(depth - 1) }
    }
  }

  @Test("a released key is wiped from memory")
  func wiped() throws {
    let seed: UInt64 = 0x1234_5678_9ABC
    func use() throws {
      var pattern = Pattern(state: seed)
      let key = SRTPKey(.aesCM128HMACSHA1_80, using: &pattern)
      let present = occurrences(seed: seed)
      #expect(present >= 1, "the search finds a key that is there")
      var session = SRTPSession(key, .outbound)
      _ = try protect(SRTPVectorTests.packet, with: &session)
    }
    try use()
    Self.overwriteStack()
    let left = occurrences(seed: seed)
    #expect(left == 0)
  }
}
