/// A master key and salt. Its memory is overwritten when it goes, and nothing prints it but `base64()`.
public struct SRTPKey: ~Copyable, Sendable {
  /// What it is for.
  public let suite: SRTPSuite
  private var memory: SecretMemory

  /// A key from its bytes, the salt behind the key. Throws: `keySize`.
  public init(_ suite: SRTPSuite, bytes: RawSpan) throws(SRTPError) {
    self.init(empty: suite)
    guard bytes.byteCount == suite.keyByteCount + suite.saltByteCount else {
      throw .keySize(suite, byteCount: bytes.byteCount)
    }
    bytes.withUnsafeBytes { bytes in memory.write { $0.copyMemory(from: bytes) } }
  }

  /// A key from text, the salt behind the key: base64, as in SDP, or hexadecimal digits, as other programs take it.
  ///
  /// The caller overwrites the text. Throws: `keyText`, `keySize`.
  public init(_ suite: SRTPSuite, text: RawSpan) throws(SRTPError) {
    self.init(empty: suite)
    let expected = suite.keyByteCount + suite.saltByteCount
    // Room for more, so that a key of another suite is told from what is no key.
    var decoded = SecretMemory(byteCount: 256)
    let count = text.withUnsafeBytes { text in
      decoded.write { decoded in
        let text = Base64.trimmed(text)
        // Digits alone are base64 too: they are taken for that where it gives a key.
        let count = text.count == 2 * expected ? nil : Base64.decode(text, into: decoded)
        return count == expected ? count : Self.readHexadecimal(text, into: decoded) ?? count
      }
    }
    guard let count else { throw .keyText(suite) }
    guard count == expected else { throw .keySize(suite, byteCount: count) }
    decoded.read { decoded in
      memory.write { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: decoded[..<count])) }
    }
  }

  /// A new key from a generator that nobody can guess, as the system's.
  public init(_ suite: SRTPSuite, using generator: inout some RandomNumberGenerator) {
    self.init(empty: suite)
    memory.write { memory in
      for index in memory.indices { memory[index] = generator.next() }
    }
  }

  private init(empty suite: SRTPSuite) {
    self.suite = suite
    memory = SecretMemory(byteCount: suite.keyByteCount + suite.saltByteCount)
  }

  /// The key and salt as SDP carries them. Whoever has this text can read what the key protects.
  public borrowing func base64() -> String { memory.read { Base64.encode($0) } }

  borrowing func copy() -> SRTPKey {
    var copy = SRTPKey(empty: suite)
    read { bytes in copy.memory.write { $0.copyMemory(from: bytes) } }
    return copy
  }

  borrowing func read<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { memory.read(body) }

  /// Returns: how many bytes; nil = there are other characters, or more than fit.
  private static func readHexadecimal(
    _ text: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard text.count % 2 == 0, text.count / 2 <= target.count else { return nil }
    for index in 0..<(text.count / 2) {
      guard let high = digit(text[2 * index]), let low = digit(text[2 * index + 1]) else { return nil }
      target[index] = high << 4 | low
    }
    return text.count / 2
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
