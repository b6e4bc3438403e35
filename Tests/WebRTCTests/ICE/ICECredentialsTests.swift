import Testing

@testable import WebRTC

@Suite("ICE credentials", .timeLimit(.minutes(10)))
struct ICECredentialsTests {
  @Test("random credentials differ, and are valid for SDP")
  func random() {
    let many = (0..<1000).map { _ in ICECredentials() }
    #expect(Set(many.map(\.fragment)).count == 1000 && Set(many.map(\.password)).count == 1000)
    #expect(many.allSatisfy { ICECredentials(fragment: $0.fragment, password: $0.password) == $0 })
    // All 64 characters occur.
    #expect(Set(many.flatMap { Array($0.password) }).count == 64)
  }

  @Test(
    "texts of other lengths or characters are refused",
    arguments: [
      ("abc", 22), ("abcd", 21), ("abc d", 22), ("abc-", 22), ("abcä", 22), ("ab:d", 22), ("abcd\n", 22), ("abcd", 257),
      ("", 22),
    ])
  func refused(fragment: String, count: Int) {
    #expect(ICECredentials(fragment: fragment, password: String(repeating: "p", count: count)) == nil)
  }

  @Test("the limits of the lengths are allowed")
  func limits() {
    let long = String(repeating: "a", count: 256)
    #expect(ICECredentials(fragment: "ab+/", password: String(repeating: "p", count: 22)) != nil)
    #expect(ICECredentials(fragment: long, password: long) != nil)
    #expect(ICECredentials(fragment: long + "a", password: long) == nil)
  }

  @Test("no description shows the password")
  func description() {
    let credentials = ICECredentials()
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped, "\([credentials])"] {
      #expect(text.contains(credentials.fragment) && !text.contains(credentials.password))
    }
  }
}
