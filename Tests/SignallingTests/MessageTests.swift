import Cryptography
import JSON
import Signalling
import TestSupport
import Testing

@Suite("Messages of the signalling protocol", .timeLimit(.minutes(10)))
struct MessageTests {
  @Test("a message of a client is read as it was written", arguments: Examples.client)
  func client(message: ClientMessage) throws {
    #expect(try ClientMessage(reading: message.text) == message)
    #expect(try number("id", message.text) == Double(message.id))
  }

  @Test("a message of a relay is read as it was written", arguments: Examples.relay)
  func relay(message: RelayMessage) throws { #expect(try RelayMessage(reading: message.text) == message) }

  @Test("every message of the documentation is read, field by field", arguments: [SignallingPage.client])
  func clientPage(page: [String]) throws {
    #expect(try Set(page.map { try type($0) }).count == 11)
    for text in page {
      let message = try #require(try ClientMessage(reading: text), "\(text)")
      #expect(try ClientMessage(reading: message.text) == message)
      #expect(JSONText.contains(try JSONReader.read(message.text), try JSONReader.read(text)), "\(text)")
    }
  }

  @Test("every answer and event of the documentation is read", arguments: [SignallingPage.relay])
  func relayPage(page: [String]) throws {
    #expect(try Set(page.map { try type($0) }).count == 22)
    for text in page {
      let message = try #require(try RelayMessage(reading: text), "\(text)")
      #expect(try RelayMessage(reading: message.text) == message)
      #expect(JSONText.contains(try JSONReader.read(message.text), try JSONReader.read(text)), "\(text)")
    }
  }

  @Test("every request of the documentation has one answer with its id")
  func answers() throws {
    let requests = try SignallingPage.client.map { try number("id", $0) }
    let answers = SignallingPage.relay.compactMap { try? number("id", $0) }
    #expect(requests == answers && Set(requests).count == requests.count)
  }

  @Test("absent fields have the documented defaults")
  func defaults() throws {
    let text = #"{"type":"join","id":1,"channel":"a","uid":0,"sdp":"v","role":null,"token":null}"#
    let expected = JoinRequest(
      id: 1, channel: ChannelName("a")!, user: .uid(0), token: nil, role: .audience, profile: .live, publishes: false,
      autoSubscribe: true, media: .sdp(SecretText("v")))
    #expect(try ClientMessage(reading: text) == .join(expected))
  }

  @Test("unknown types and fields are ignored")
  func unknown() throws {
    #expect(try ClientMessage(reading: #"{"type":"dance","id":[]}"#) == nil)
    #expect(try ClientMessage(reading: #"{"type":"welcome","id":1}"#) == nil)
    #expect(try RelayMessage(reading: #"{"type":"hello"}"#) == nil)
    #expect(try ClientMessage(reading: #"{"x":{"y":[1]},"type":"ping","id":6}"#) == .ping(PingRequest(id: 6)))
  }

  @Test("numbers and causes of a newer relay have a general meaning")
  func newer() throws {
    let failed = try RelayMessage(reading: #"{"type":"failed","code":-9999,"reason":77,"sentence":"s"}"#)
    #expect(failed == .failed(FailureReport(code: .general, reason: .rejected, sentence: "s")))
    guard
      case .failed(let rain)? = try RelayMessage(reading: #"{"type":"failed","code":-1,"sentence":"s","cause":"rain"}"#)
    else { throw Unexpected() }
    #expect(rain.cause == .other)
    let left = try RelayMessage(reading: #"{"type":"userLeft","channel":"a","uid":1,"reason":9}"#)
    #expect(left == .userLeft(UserLeftEvent(channel: ChannelName("a")!, uid: 1, reason: .dropped)))
    let text = #"{"type":"diagnosis","id":1,"channel":"a","findings":[{"uid":1,"cause":"rain","sentence":"s"}]}"#
    guard case .diagnosis(let diagnosis) = try RelayMessage(reading: text) else { throw Unexpected() }
    #expect(diagnosis.findings.map(\.cause) == [.other])
  }

  @Test("a report of an earlier relay has the cause of its numbers")
  func cause() throws {
    func cause(_ fields: String) throws -> FailureCause {
      guard case .failed(let report)? = try RelayMessage(reading: #"{"type":"failed","sentence":"s","# + fields + "}")
      else { throw Unexpected() }
      return report.cause
    }
    #expect(try cause(#""code":-5,"cause":"draining""#) == .draining)
    #expect(try cause(#""code":-5,"limit":{"name":"users","value":1}"#) == .limit)
    #expect(try cause(#""code":-5,"reason":3,"limit":{"name":"requests-per-second","value":1}"#) == .banned)
    #expect(try cause(#""code":-109,"reason":9"#) == .expired && cause(#""code":-110,"reason":8"#) == .token)
    #expect(try cause(#""code":-5,"reason":19"#) == .replaced && cause(#""code":-2"#) == .request)
    for cause in FailureCause.allCases where cause != .unreached {
      let report = FailureReport(code: .general, sentence: "s", cause: cause)
      #expect(try RelayMessage(reading: RelayMessage.failed(report).text) == .failed(report))
    }
    let temporary = FailureCause.allCases.filter(\.isTemporary)
    #expect(temporary == [.limit, .draining, .silent, .unreached])
  }

  /// The example of RFC 8122, section 5, with an algorithm of version 1.
  @Test("a fingerprint is written in capitals and read in either case")
  func fingerprint() throws {
    let digits = "12:DF:3E:5D:49:6B:19:E5:7C:AB:4A:AD:B9:B1:3F:82:18:3B:54:02:12:DF:3E:5D:49:6B:19:E5:7C:AB:4A:AD"
    func read(_ text: String) throws -> CertificateFingerprint? {
      let json =
        #"{"type":"join","id":1,"channel":"a","uid":0,"transport":{"ufrag":"abcd","password":"\#(Examples.password)","#
        + #""fingerprint":"\#(text)","setup":"active"}}"#
      guard case .join(let join) = try? ClientMessage(reading: json), case .transport(let transport) = join.media else {
        return nil
      }
      return transport.fingerprint
    }
    let fingerprint = try #require(try read("SHA-256 " + digits.lowercased()))
    #expect(fingerprint.description == "sha-256 " + digits)
    #expect(fingerprint.bytes.prefix(3) == [0x12, 0xDF, 0x3E])
    for bad in [
      "sha-1 \(digits)", digits, "sha-256 \(digits):00", "sha-256 " + digits.dropLast(3), "sha-256  \(digits)",
    ] {
      #expect(try read(bad) == nil, "\(bad)")
    }
    for pair in ["+2", "-0", " 2", "G0", "1", "123"] {
      #expect(try read("sha-256 " + pair + digits.dropFirst(2)) == nil, "\(pair)")
    }
  }

  @Test("tokens, passwords and descriptions are not printed")
  func secrets() {
    var shown = ""
    dump(Examples.client, to: &shown)
    dump(Examples.relay, to: &shown)
    for message in Examples.client { shown += "\(message)" + String(reflecting: message) }
    for message in Examples.relay { shown += "\(message)" + String(reflecting: message) }
    #expect(shown.contains("lobby"))
    #expect(!shown.contains("eyJ") && !shown.contains(Examples.password))
  }

  @Test("an answer with many users is divided into messages that fit", arguments: [10, 513, 1_000])
  func split(count: Int) throws {
    let account = UserAccount(String(repeating: "a", count: 255))!
    let users = (1...count).map {
      ChannelUser(uid: UInt32($0), account: $0.isMultiple(of: 2) ? account : nil, ssrc: .max)
    }
    let (answer, rest) = JoinedAnswer(
      id: 1, channel: Examples.lobby, uid: 7, media: Examples.sdp, users: users, dropMilliseconds: 25_000
    ).split()
    #expect(answer.dropMilliseconds == 25_000)
    #expect(answer.users + rest.map(\.user) == users)
    #expect(try RelayMessage(reading: RelayMessage.joined(answer).text) == .joined(answer))
    #expect(rest.isEmpty == (count == 10))
    let next = rest.first.map { event in
      JoinedAnswer(
        id: 1, channel: Examples.lobby, uid: 7, media: Examples.sdp, users: answer.users + [event.user],
        dropMilliseconds: 25_000)
    }
    if let next, next.users.count <= MessageLimits.userCount {
      #expect(RelayMessage.joined(next).text.utf8.count > MessageLimits.messageByteCount)
    }
  }

  @Test(
    "a drop time outside of its range is refused by its name", .shows("C7"), arguments: ["-1", "1.5", "1e17", "\"20\""])
  func dropTime(number: String) throws {
    let text = #"{"type":"joined","id":2,"channel":"a","uid":7,"sdp":"v","users":[],"dropMilliseconds":"#
    let error = #expect(throws: MessageError.self) { try RelayMessage(reading: text + number + "}") }
    #expect(error?.field == "dropMilliseconds")
    guard case .joined(let earlier)? = try RelayMessage(reading: text + "null}") else { throw Unexpected() }
    #expect(earlier.dropMilliseconds == nil)
  }

  @Test("a refused token has an answer with its number and reason", .shows("C5", "C8"))
  func refusedToken() {
    let error = TokenError.expired(at: 1, now: 2)
    let report = FailureReport(error, id: 4, channel: Examples.lobby)
    #expect(report.id == 4 && report.code.rawValue == -109 && report.reason?.rawValue == 9)
    #expect(FailureReport(error, id: 4, keepsState: true).reason == nil)
  }

  @Test("a refusal by a limit has its name, value and setting", .shows("C21"))
  func limit() throws {
    let report = FailureReport(
      id: 3, code: .refused, sentence: "8 channels are joined, and 8 are allowed; leave one, or raise --max-channels",
      limit: NamedLimit(name: "channels", value: 8, setting: "--max-channels"))
    let text = try JSONReader.read(RelayMessage.failed(report).text)
    let limit = #"{"code":-5,"id":3,"limit":{"name":"channels","value":8,"setting":"--max-channels"},"type":"failed"}"#
    #expect(JSONText.contains(text, try JSONReader.read(limit)))
  }

  private func type(_ text: String) throws -> String {
    guard case .object(let fields) = try JSONReader.read(text),
      case .text(let type)? = fields.first(where: { $0.key == "type" })?.value
    else { throw Unexpected() }
    return type
  }

  private func number(_ name: String, _ text: String) throws -> Double {
    guard case .object(let fields) = try JSONReader.read(text),
      case .number(let number)? = fields.first(where: { $0.key == name })?.value
    else { throw Unexpected() }
    return number
  }

  private struct Unexpected: Error {}
}
