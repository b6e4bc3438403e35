import Cryptography
import Testing

@Suite(.timeLimit(.minutes(10))) struct FingerprintDigitsTests {
  @Test("64 digits are read with or without colons, in either case")
  func forms() throws {
    let pairs = (0..<32).map { ($0 < 6 ? "0" : "") + String($0 * 3, radix: 16, uppercase: true) }
    let bytes = (0..<32).map { UInt8($0 * 3) }
    let expected = try #require(CertificateFingerprint(bytes: bytes))
    #expect(CertificateFingerprint(digits: pairs.joined(separator: ":")) == expected)
    #expect(CertificateFingerprint(digits: pairs.joined().lowercased()) == expected)
    #expect(expected.description == "sha-256 " + pairs.joined(separator: ":"))
  }

  @Test(
    "other texts are not the digits of a fingerprint",
    arguments: [
      "", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 66),
      String(repeating: "g0", count: 32),
      ":" + String(repeating: "00", count: 32), String(repeating: "0:", count: 64), String(repeating: "٠", count: 64),
    ])
  func refusedDigits(text: String) { #expect(CertificateFingerprint(digits: text) == nil) }
}
