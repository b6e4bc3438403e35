import Cryptography
import TestSupport
import Testing

@Suite("Hashes, authentication codes, comparison, base64url", .timeLimit(.minutes(10)))
struct CryptographyTests {
  /// FIPS 180-4's example "abc".
  @Test("hashes are those of FIPS 180-4's example")
  func hashes() {
    #expect(hash(.sha1, "abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      hash(.sha256, "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(hash(.sha384, "abc").hasPrefix("cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"))
    #expect(hash(.sha512, "abc").hasPrefix("ddaf35a193617abacc417349ae20413112e6fa4e89a97ea2"))
  }

  /// RFC 2202, test case 2; RFC 4231, test cases 2 and 6 (a key longer than a block).
  @Test("authentication codes are those of RFC 2202 and RFC 4231")
  func codes() {
    let key = Array("Jefe".utf8)
    let text = Array("what do ya want for nothing?".utf8)
    #expect(
      code(.sha1, of: text, key: key)
        == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    #expect(
      code(.sha256, of: text, key: key)
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = [UInt8](repeating: 0xAA, count: 131)
    let larger = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    #expect(
      code(.sha256, of: larger, key: long)
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  @Test("an empty key or an empty text has a code, too")
  func empty() {
    let nothing: [UInt8] = []
    #expect(
      code(.sha256, of: nothing, key: nothing)
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test("spans are equal only if every byte is")
  func comparison() {
    let bytes = SecureRandom.bytes(32)
    #expect(areEqual(bytes, bytes))
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 1
      #expect(!areEqual(bytes, other))
    }
    #expect(!areEqual(bytes, Array(bytes.dropLast())))
    #expect(areEqual([], []))
  }

  /// The test vectors of RFC 4648, section 10, without padding; bytes whose text has both special characters.
  @Test(
    "base64url is that of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(plain: String, text: String) {
    #expect(encoded(Array(plain.utf8)) == text)
    #expect(Base64URL.decode(text) == Array(plain.utf8))
    #expect(encoded([0xFB, 0xFF, 0xBE]) == "-_--")
    #expect(Base64URL.decode("-_--") == [0xFB, 0xFF, 0xBE])
  }

  @Test(
    "padding, other characters, wrong lengths and unused bits are refused",
    arguments: ["Zg==", "Z", "Zm9vY", "Zh", "Zm9", "Zm 9v", "Zm9v\n", "+/++", "Zmä"])
  func refused(text: String) { #expect(Base64URL.decode(text) == nil) }

  @Test("a seeded generator repeats its bytes until it is removed")
  func seeded() async {
    await #expect(processExitsWith: .success) {
      func bytes(seed: UInt64) -> [UInt8] {
        SeededRandom.install(seed: seed)
        return SecureRandom.bytes(32)
      }
      let first = bytes(seed: 1)
      precondition(SecureRandom.bytes(32) != first, "the bytes do not continue")
      precondition(bytes(seed: 1) == first, "the bytes do not repeat")
      precondition(bytes(seed: 2) != first, "the seed has no effect")
      SeededRandom.install(seed: 1)
      SeededRandom.remove()
      precondition(SecureRandom.bytes(32) != first, "the generator is still there")
    }
  }

  @Test("a seed changes the numbers of its thread alone")
  func seededThread() async {
    await #expect(processExitsWith: .success) {
      SeededRandom.install(seed: 1)
      let first = SecureRandom.bytes(32)
      SeededRandom.install(seed: 1)
      let drawn = ThreadOwned<[[UInt8]]>([])
      runThreads({ drawn.value = [SecureRandom.bytes(32), SecureRandom.bytes(32)] })
      let others = drawn.value
      precondition(others.count == 2 && others[0] != others[1] && !others.contains(first), "the thread has the seed")
      precondition(SecureRandom.bytes(32) == first, "the thread has drawn from the seed")
    }
  }

  private func hash(_ digest: MessageDigest, _ text: String) -> String { hex(digest.hash(Array(text.utf8).span)) }

  private func code(_ digest: MessageDigest, of bytes: [UInt8], key: [UInt8]) -> String {
    hex(digest.authenticationCode(of: bytes.span, key: key.span))
  }

  private func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    ConstantTime.areEqual(first.span, second.span)
  }

  private func encoded(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes.span) }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
