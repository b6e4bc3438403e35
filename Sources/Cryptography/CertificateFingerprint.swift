/// Hash of a certificate, by which another channel vouches for the certificate of a connection.
///
/// SHA-1 is refused: RFC 8122 leaves it to old programs, and certificates with equal hashes can be made. Comparisons
/// take a time that does not depend on the bytes.
///
/// Source: RFC 8122, section 5.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
  /// Hash function: SHA-256, SHA-384 or SHA-512.
  public let algorithm: MessageDigest
  /// Hash of the certificate in DER, of the length that belongs to the function.
  public let bytes: [UInt8]

  /// Creates the fingerprint of a certificate. Traps for SHA-1.
  ///
  /// - Parameters:
  ///   - certificate: certificate in DER.
  ///   - algorithm: hash function.
  public init(of certificate: Span<UInt8>, _ algorithm: MessageDigest = .sha256) {
    precondition(Self.name(of: algorithm) != nil, "a fingerprint has SHA-256, SHA-384 or SHA-512")
    self.algorithm = algorithm
    bytes = algorithm.hash(certificate)
  }

  /// Creates a fingerprint from a hash.
  ///
  /// nil for SHA-1 and for another number of bytes than the function's.
  public init?(_ algorithm: MessageDigest = .sha256, bytes: [UInt8]) {
    guard Self.name(of: algorithm) != nil, bytes.count == algorithm.byteCount else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Reads the 64 digits of a SHA-256 fingerprint, with or without colons between pairs, as `openssl x509 -fingerprint
  /// -sha256` prints them behind `=`; nil for other text.
  public init?(digits text: some StringProtocol) {
    var bytes: [UInt8] = []
    var digits = text.utf8.makeIterator()
    while let first = digits.next() {
      if first == UInt8(ascii: ":"), !bytes.isEmpty { continue }
      guard let high = Character(UnicodeScalar(first)).hexDigitValue,
        let low = digits.next().flatMap({ Character(UnicodeScalar($0)).hexDigitValue }), bytes.count < 32
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.init(bytes: bytes)
  }

  /// Reads the value of SDP's attribute `fingerprint`, such as `sha-256 AB:CD:...`. Small letters are accepted, too.
  ///
  /// nil for other functions, other lengths, or anything behind the hash.
  public init?(text: some StringProtocol) {
    let text = text.utf8
    guard let space = text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
    let name = text[..<space].map { $0 | 0x20 }
    guard let algorithm = MessageDigest.allCases.first(where: { Self.name(of: $0)?.utf8.elementsEqual(name) == true })
    else { return nil }
    let digits = text[text.index(after: space)...]
    guard let bytes = Self.bytes(digits, count: algorithm.byteCount) else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Value for SDP's attribute `fingerprint`.
  public var description: String {
    func digit(_ value: UInt8) -> Character { Character(UnicodeScalar(value < 10 ? 0x30 + value : 0x37 + value)) }
    let pairs = bytes.map { String([digit($0 >> 4), digit($0 & 15)]) }
    return "\(Self.name(of: algorithm) ?? "") \(pairs.joined(separator: ":"))"
  }

  /// Returns whether both have the same function and the same bytes.
  public static func == (first: Self, second: Self) -> Bool {
    first.algorithm == second.algorithm && ConstantTime.areEqual(first.bytes.span, second.bytes.span)
  }

  /// Returns whether a certificate in DER has one of these fingerprints. Of several functions, only the longest counts.
  package static func accept(_ certificate: Span<UInt8>, _ fingerprints: [CertificateFingerprint]) -> Bool {
    guard let best = fingerprints.map(\.algorithm).max(by: { $0.byteCount < $1.byteCount }) else { return false }
    let own = CertificateFingerprint(of: certificate, best)
    return fingerprints.contains { $0 == own }
  }

  private static func name(of algorithm: MessageDigest) -> String? {
    switch algorithm {
    case .sha1: nil
    case .sha256: "sha-256"
    case .sha384: "sha-384"
    case .sha512: "sha-512"
    }
  }

  /// Reads pairs of hexadecimal digits with colons between them.
  private static func bytes(_ text: some Collection<UInt8>, count: Int) -> [UInt8]? {
    guard text.count == 3 * count - 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var high: UInt8?
    for (index, character) in text.enumerated() {
      if index % 3 == 2 {
        guard character == UInt8(ascii: ":") else { return nil }
        continue
      }
      guard let value = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    return bytes
  }
}
