import NetworkIO
import Testing

@Suite(.timeLimit(.minutes(10))) struct CertificateFingerprintTests {
  @Test("64 digits are read with or without colons, in either case")
  func forms() throws {
    let pairs = (0..<32).map { ($0 < 6 ? "0" : "") + String($0 * 3, radix: 16, uppercase: true) }
    let bytes = (0..<32).map { UInt8($0 * 3) }
    let expected = try #require(CertificateFingerprint(bytes))
    #expect(CertificateFingerprint(pairs.joined(separator: ":")) == expected)
    #expect(CertificateFingerprint(pairs.joined().lowercased()) == expected)
    #expect(expected.description == pairs.joined(separator: ":"))
  }

  @Test(
    "other texts are not a fingerprint",
    arguments: [
      "", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 66), String(repeating: "g0", count: 32),
      ":" + String(repeating: "00", count: 32), String(repeating: "0:", count: 64), String(repeating: "٠", count: 64),
    ])
  func refused(text: String) { #expect(CertificateFingerprint(text) == nil) }
}
