import JSON
import Signalling
import TestSupport
import Testing

/// Messages that a reader must refuse, and the sentences for them.
@Suite("Refusing messages", .timeLimit(.minutes(10)))
struct MessageErrorTests {
  @Test(
    "a field of another type or range is refused by its name",
    arguments: [
      (#"{"type":"ping","id":0}"#, "id", -2), (#"{"type":"ping"}"#, "id", -2), (#"{"id":1}"#, "type", -2),
      (#"{"type":7,"id":1}"#, "type", -2), (#"{"type":"ping","id":4294967296}"#, "id", -2),
      (#"{"type":"ping","id":1.5}"#, "id", -2), (#"{"type":"ping","id":"1"}"#, "id", -2),
      (#"{"type":"hello","id":1,"version":2,"token":"t"}"#, "version", -2),
      (#"{"type":"hello","id":1,"version":1}"#, "token", -2),
      (#"{"type":"hello","id":1,"version":1,"token":"t","app":"a"}"#, "app", -2),
      (#"{"type":"hello","id":1,"version":1,"app":"ä"}"#, "app", -2),
      (#"{"type":"leave","id":1,"channel":"a\nb"}"#, "channel", -102),
      (#"{"type":"leave","id":1,"channel":""}"#, "channel", -102), (#"{"type":"leave","id":1}"#, "channel", -2),
      (#"{"type":"join","id":1,"channel":"a","sdp":"v","uid":-1}"#, "uid", -121),
      (#"{"type":"join","id":1,"channel":"a","sdp":"v","account":""}"#, "account", -121),
      (#"{"type":"join","id":1,"channel":"a","sdp":"v","uid":1,"account":"b"}"#, "account", -121),
      (#"{"type":"join","id":1,"channel":"a","sdp":"v"}"#, "uid", -2),
      (#"{"type":"join","id":1,"channel":"a","uid":0}"#, "transport", -2),
      (#"{"type":"join","id":1,"channel":"a","uid":0,"sdp":""}"#, "sdp", -2),
      (#"{"type":"join","id":1,"channel":"a","uid":0,"sdp":"v","role":1}"#, "role", -2),
      (#"{"type":"join","id":1,"channel":"a","uid":0,"sdp":"v","role":"host"}"#, "role", -2),
      (#"{"type":"join","id":1,"channel":"a","uid":0,"sdp":"v","transport":{}}"#, "sdp", -2),
      (#"{"type":"join","id":1,"channel":"a","uid":0,"transport":{"ufrag":"abc"}}"#, "transport.ufrag", -2),
      (#"{"type":"update","id":1,"channel":"a","users":[{"uid":1},{"uid":0}]}"#, "users[1].uid", -121),
      (#"{"type":"update","id":1,"channel":"a","users":[7]}"#, "users[0]", -2),
      (#"{"type":"update","id":1,"channel":"a","muted":1}"#, "muted", -2),
      (#"{"type":"message","id":1,"to":{"uid":0},"body":"x"}"#, "to.uid", -121),
      (#"{"type":"message","id":1,"to":"bob","body":"x"}"#, "to", -2),
      (#"{"type":"message","id":1,"to":{"uid":5},"body":""}"#, "body", -2),
      (#"{"type":"hello","id":1,"version":1,"token":"t","uid":0}"#, "uid", -121),
      (#"{"type":"hello","id":1,"version":1,"token":"t","uid":1,"account":"b"}"#, "account", -121),
      (#"{"type":"hello","id":1,"version":1,"token":"t","account":"ä"}"#, "account", -121),
      (#"{"type":"join","id":1,"channel":"a","uid":0,"sdp":"v","info":7}"#, "info", -2),
      (#"{"type":"presence","id":1}"#, "user", -2), (#"{"type":"presence","id":1,"user":{}}"#, "user.uid", -2),
      (#"{"type":"presence","id":1,"user":{"uid":0}}"#, "user.uid", -121),
      (#"{"type":"presence","id":1,"user":{"uid":1,"account":"b"}}"#, "user.account", -121),
      (#"{"type":"presence","id":0,"user":{"uid":1}}"#, "id", -2),
    ])
  func fields(text: String, field: String, code: Int) throws {
    let error = try #require(refusal(text))
    #expect(error.field == field && error.code.rawValue == code && error.description.contains("'\(field)'"))
    #expect(error.requestID == (field == "id" ? nil : 1))
    #expect(FailureReport(error).id == error.requestID)
  }

  /// Every field of every documented message, one after the other, with values of every type.
  @Test(
    "a wrong value in any field is refused by that field's name, or ignored",
    arguments: ["null", "true", "-1", "0.5", "1e300", #""""#, #""\u0000""#, "[]", "[[]]", "{}", #"{"uid":{}}"#])
  func anyField(replacement: String) throws {
    let value = try JSONReader.read(replacement)
    var refused = 0
    for (page, refusal) in [(SignallingPage.client, refusal), (SignallingPage.relay, relayRefusal)] {
      for text in page {
        for (path, changed) in JSONText.replacing(try JSONReader.read(text), by: value) {
          let text = JSONText.sorted(changed)
          guard let error = refusal(text) else { continue }
          refused += 1
          let field = try #require(error.field)
          // The fault may lie within the new value, and one of two alternatives stands for the other.
          let names = [path, path.replacing("account", with: "uid"), path.replacing("sdp", with: "transport")]
          #expect(names.contains { field == $0 || field.hasPrefix($0 + ".") || field.hasPrefix($0 + "[") }, "\(text)")
          #expect(error.description.contains(field))
        }
      }
    }
    #expect(refused > 40)
  }

  @Test("lists and texts beyond their limits are refused")
  func limits() throws {
    func join(sdp: Int) -> String {
      #"{"type":"join","id":1,"channel":"a","uid":0,"sdp":"\#(String(repeating: "v", count: sdp))"}"#
    }
    func update(_ count: Int) -> String {
      #"{"type":"update","id":1,"channel":"a","users":["#
        + [String](repeating: #"{"uid":1}"#, count: count).joined(separator: ",") + "]}"
    }
    func hello(token: Int = 1, info: Int = 0, software: Int = 0, resume: Int = 1) -> String {
      let texts = [token, info, software, resume].map { String(repeating: "t", count: $0) }
      return
        #"{"type":"hello","version":1,"id":1,"token":"\#(texts[0])","info":"\#(texts[1])","software":"\#(texts[2])","#
        + #""resume":"\#(texts[3])"}"#
    }
    func message(_ count: Int) -> String {
      #"{"type":"message","id":1,"to":{"uid":1},"body":"\#(String(repeating: "é", count: count))"}"#
    }
    for text in [
      join(sdp: 32_768), update(512), hello(token: 4_096, info: 1_024, software: 128, resume: 1_024), message(8_192),
    ] { #expect(refusal(text) == nil) }
    #expect(refusal(join(sdp: 32_769))?.field == "sdp")
    #expect(refusal(update(513))?.field == "users")
    #expect(refusal(hello(token: 4_097))?.field == "token")
    #expect(refusal(hello(info: 1_025))?.field == "info")
    #expect(refusal(hello(software: 129))?.field == "software")
    #expect(refusal(hello(resume: 1_025))?.field == "resume")
    #expect(refusal(message(8_193))?.field == "body")
    let transport = Examples.transport
    func candidates(_ count: Int) -> String {
      let candidates = [TransportCandidate](repeating: transport.candidates[0], count: count)
      let media = TransportParameters(
        ufrag: transport.ufrag, password: transport.password, fingerprint: transport.fingerprint, setup: .active,
        candidates: candidates)
      return ClientMessage.join(JoinRequest(id: 1, channel: Examples.lobby, user: .uid(0), media: .transport(media)))
        .text
    }
    #expect(refusal(candidates(32)) == nil && refusal(candidates(33))?.field == "transport.candidates")
    #expect(relayRefusal(#"{"type":"moveTo","relays":[],"milliseconds":1}"#)?.field == "relays")
    let relays = [String](repeating: #""wss://a""#, count: 17).joined(separator: ",")
    #expect(relayRefusal(#"{"type":"moveTo","relays":[\#(relays)],"milliseconds":1}"#)?.field == "relays")
  }

  @Test("a message of 64 KiB is read, and a longer one is refused")
  func size() {
    func ping(_ count: Int) -> String {
      let text = #"{"type":"ping","id":1,"x":""#
      return text + String(repeating: "x", count: count - text.utf8.count - 2) + #""}"#
    }
    #expect(refusal(ping(65_536)) == nil)
    #expect(refusal(ping(65_537))?.description.contains("65537") == true)
  }

  @Test(
    "a text that is not a JSON object is refused with one short sentence",
    arguments: [
      "", "x", "[]", "7", #"{"type":"ping","id":1"#, #"{"type":"ping","id":1}{}"#, #"{"type":"ping","id":1,"id":2}"#,
      #"{"type":"ping","id":1e999}"#, #"{"type":"ping","id":01}"#, String(repeating: #"{"a":"#, count: 10_000),
      String(repeating: "[", count: 60_000), String(repeating: "1", count: 60_000),
      #"{"\#(String(repeating: "k", count: 60_000))"}"#, "{\"type\":\"ping\u{0}\"}",
    ])
  func malformed(text: String) throws {
    let error = try #require(refusal(text))
    #expect(error.requestID == nil && error.code.rawValue == -2 && error.description.utf8.count <= 300)
    #expect(try RelayMessage(reading: RelayMessage.failed(FailureReport(error)).text) == .failed(FailureReport(error)))
  }

  @Test("no refusal repeats a value")
  func values() throws {
    for text in [
      #"{"type":"hello","id":1,"version":1,"token":["secret"]}"#,
      #"{"type":"join","id":1,"channel":"secret\n","uid":0}"#,
      #"{"type":"join","id":1,"channel":"a","uid":"secret"}"#,
      #"{"type":"join","id":1,"channel":"a","uid":0,"transport":{"ufrag":"abcd","password":"secret"}}"#,
    ] { #expect(try #require(refusal(text)).description.contains("secret") == false) }
  }

  /// A message with bytes changed is either read or refused, and a read one is written and read again.
  @Test("any change of bytes is survived", arguments: 1...20 as ClosedRange<UInt64>)
  func changes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for text in SignallingPage.client + SignallingPage.relay {
      for _ in 0..<50 {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] =
            Array(#"{}[]",:\-.0129eutn"#.utf8).randomElement(using: &generator)!
        }
        let changed = String(decoding: bytes, as: UTF8.self)
        if let message = try? ClientMessage(reading: changed) {
          #expect(try ClientMessage(reading: message.text) == message, "seed \(seed): \(changed)")
        }
        if let message = try? RelayMessage(reading: changed) {
          #expect(try RelayMessage(reading: message.text) == message, "seed \(seed): \(changed)")
        }
      }
    }
  }

  private func refusal(_ text: String) -> MessageError? {
    do throws(MessageError) {
      _ = try ClientMessage(reading: text)
      return nil
    } catch { return error }
  }

  private func relayRefusal(_ text: String) -> MessageError? {
    do throws(MessageError) {
      _ = try RelayMessage(reading: text)
      return nil
    } catch { return error }
  }
}
