/// SHA-256 of a certificate in DER form: 32 bytes.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Creates a fingerprint from 32 bytes; nil for another number of them.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Creates a fingerprint from 64 hexadecimal digits, with or without colons between bytes, as `openssl x509
  /// -fingerprint -sha256` prints them behind `=`; nil for other text.
  public init?(_ text: String) {
    var bytes: [UInt8] = []
    var digits = text.utf8.makeIterator()
    while let first = digits.next() {
      if first == UInt8(ascii: ":"), !bytes.isEmpty { continue }
      guard let high = Self.value(first), let low = digits.next().flatMap(Self.value), bytes.count < 32 else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  /// Pairs of hexadecimal digits with colons between them.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.flatMap(UInt8.init(exactly:))
  }
}
