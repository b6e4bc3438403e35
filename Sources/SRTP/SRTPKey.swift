/// A master key and salt. Its memory is overwritten when it is released, and nothing prints it but `base64()`.
public struct SRTPKey: ~Copyable, Sendable {
  /// Suite of the key.
  public let suite: SRTPSuite
  private var memory: SecretMemory

  /// Creates a key from its bytes, with the salt behind the key.
  ///
  /// - Throws: `keySize`.
  public init(_ suite: SRTPSuite, bytes: RawSpan) throws(SRTPError) {
    self.init(empty: suite)
    guard bytes.byteCount == suite.keyByteCount + suite.saltByteCount else {
      throw .keySize(suite, byteCount: bytes.byteCount)
    }
    bytes.withUnsafeBytes { bytes in memory.write { $0.copyMemory(from: bytes) } }
  }

  /// Creates a key from text, with the salt behind the key: base64, as in SDP, or hexadecimal digits, as other programs
  /// use.
  ///
  /// The caller overwrites the text.
  ///
  /// - Throws: `keyText`, `keySize`.
  public init(_ suite: SRTPSuite, text: RawSpan) throws(SRTPError) {
    self.init(empty: suite)
    let expected = suite.keyByteCount + suite.saltByteCount
    // The memory is larger, to distinguish a key of another suite from text that is not a key.
    var decoded = SecretMemory(byteCount: 256)
    let count = text.withUnsafeBytes { text in
      decoded.write { decoded in
        let text = Base64.trimmed(text)
        // Digits alone are base64 too; they are taken for that if it gives a key.
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

  /// Creates a new key from a generator that nobody can predict, such as the system's.
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

  /// Returns the key and salt as in SDP. Any reader of this text can decrypt the packets under the key.
  public borrowing func base64() -> String { memory.read { Base64.encode($0) } }

  borrowing func copy() -> SRTPKey {
    var copy = SRTPKey(empty: suite)
    read { bytes in copy.memory.write { $0.copyMemory(from: bytes) } }
    return copy
  }

  borrowing func read<Result: ~Copyable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { memory.read(body) }

  /// Reads hexadecimal digits.
  ///
  /// - Returns: Number of bytes; nil if there are other characters, or more bytes than fit.
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
