import Signalling
import TestSupport
import Testing

@Suite("Names of channels, users and apps", .timeLimit(.minutes(10)))
struct NameTests {
  /// The set as the behaviours state it, apart from the source's own list.
  private static let allowed =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#$%&()+-:;<=.>?@[]^_{}|~,"

  @Test("a channel name consists of the 89 characters only", .shows("C2"))
  func characters() {
    #expect(Self.allowed.utf8.count == 89)
    for byte in UInt8.min...127 {
      let text = String(decoding: [byte], as: UTF8.self)
      #expect((ChannelName(text) != nil) == Self.allowed.contains(text), "byte \(byte)")
      #expect((UserAccount(text) != nil) == Self.allowed.contains(text), "byte \(byte)")
    }
    for text in ["ä", "a\u{301}", "日", "a\n"] { #expect(ChannelName(text) == nil) }
  }

  @Test("a channel name has 1 to 64 bytes, an account 1 to 255", .shows("C2"))
  func lengths() {
    func text(_ count: Int) -> String { String(repeating: "a", count: count) }
    #expect(ChannelName("") == nil && ChannelName(text(64)) != nil && ChannelName(text(65)) == nil)
    #expect(UserAccount("") == nil && UserAccount(text(255)) != nil && UserAccount(text(256)) == nil)
    #expect(AppID("") == nil && AppID(text(64)) != nil && AppID(text(65)) == nil)
  }

  @Test("the fault of a name is reported with its character", .shows("C2"))
  func faults() {
    for (text, fault) in [
      ("", "it is empty"), ("Café", "its character 4 is 'é' (U+00E9)"), ("a/b", "its character 2 is '/' (U+002F)"),
      ("a\nb", "its character 2 is U+000A"), ("a\u{202E}", "its character 2 is U+202E"),
      ("日", "its character 1 is '日' (U+65E5)"), (String(repeating: "a", count: 65), "it has 65 bytes"),
    ] {
      #expect(ChannelName.fault(in: text) == fault && AppID.fault(in: text) == fault)
    }
    #expect(ChannelName.rule == "1 to 64 of the ASCII letters, digits, space and !#$%&()+-:;<=.>?@[]^_{}|~,")
  }

  @Test("a secret text is not shown by printing its holder")
  func secrets() {
    let text = SecretText("hush-hush")
    var dumped = ""
    dump([text], to: &dumped)
    for shown in ["\(text)", "\([text])", String(reflecting: text), dumped] { #expect(!shown.contains("hush")) }
  }
}
