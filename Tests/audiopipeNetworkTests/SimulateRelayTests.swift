import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("simulate --relay", .timeLimit(.minutes(10)))
struct SimulateRelayTests {
  private static let users = "--user 1=alice.wav --user 2=bob.wav --user 3=carol.wav"
  private static let script = """
    {"schema": 1, "events": [{"time_s": 1, "name": "stopRelay"}, {"time_s": 1.5, "name": "startRelay"},
      {"time_s": 2.5, "name": "changeAddress", "user": 2}, {"time_s": 3, "name": "leave", "user": 3}]}
    """

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for (index, name) in ["alice.wav", "bob.wav", "carol.wav"].enumerated() {
      let tone = Signals.sine(Double(200 + 70 * index), rate: 48_000, seconds: 3, amplitude: 0.3)
      try folder.write(name, Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    }
    try folder.write("s.json", Array(Self.script.utf8))
    return folder
  }

  @Test("runs of one seed write equal sound, reports and encrypted datagrams", .shows("simulate: relay"))
  func sameBytes() throws {
    let folder = try folder()
    for (name, seed) in [("a", 7), ("b", 7), ("c", 8)] {
      let ending = try Tool.run(
        "simulate \(Self.users) --relay --loss 5% --jitter 10ms --delay 20ms --duration 5 --script s.json --seed \(seed) "
          + "--each-out \(name) --mixed-out \(name).wav --report \(name).json --capture \(name).pcap", in: folder)
      #expect(ending.status == 0, "\(ending.errors)")
    }
    let each = try FileManager.default.contentsOfDirectory(atPath: folder["a"]).map { "/\($0)" }
    #expect(each.count == 9)
    for name in each + [".wav", ".json", ".pcap"] {
      #expect(try folder.read("a\(name)") == folder.read("b\(name)"), "\(name)")
    }
    #expect(try folder.read("a.pcap") != folder.read("c.pcap"))
  }

  @Test("runs of one seed with several channels write equal bytes", .shows("simulate: channels"))
  func sameBytesOfChannels() throws {
    let folder = try folder()
    let script = """
      {"schema": 1, "events": [{"time_s": 0, "name": "join", "user": 1}, {"time_s": 0, "name": "join", "user": 2},
        {"time_s": 0, "name": "join", "user": 1, "channel": "b"}, {"time_s": 0, "name": "join", "user": 3, "channel": "b"},
        {"time_s": 1, "name": "stopRelay"}, {"time_s": 1.5, "name": "startRelay"},
        {"time_s": 3, "name": "leave", "user": 1, "channel": "b"}]}
      """
    try folder.write("channels.json", Array(script.utf8))
    for (name, seed) in [("a", 7), ("b", 7), ("c", 8)] {
      let ending = try Tool.run(
        "simulate \(Self.users) --relay --loss 5% --jitter 10ms --delay 20ms --duration 5 --script channels.json "
          + "--seed \(seed) --each-out \(name) --mixed-out \(name).wav --report \(name).json --capture \(name).pcap",
        in: folder)
      #expect(ending.status == 0, "\(ending.errors)")
    }
    let each = try FileManager.default.contentsOfDirectory(atPath: folder["a"]).map { "/\($0)" }
    #expect(
      each.sorted() == [
        "/1.wav", "/1_from_2.wav", "/1_from_3_in_b.wav", "/2.wav", "/2_from_1.wav", "/3.wav", "/3_from_1_in_b.wav",
      ])
    for name in each + [".wav", ".json", ".pcap"] {
      #expect(try folder.read("a\(name)") == folder.read("b\(name)"), "\(name)")
    }
    #expect(try folder.read("a.pcap") != folder.read("c.pcap"))
  }

  @Test("runs of one seed with one-to-one calls write equal bytes", .shows("K3", "simulate: relay"))
  func sameBytesOfCalls() throws {
    let folder = try folder()
    let script = """
      {"schema": 1, "events": [{"time_s": 0, "name": "prepare", "user": 1}, {"time_s": 0, "name": "prepare", "user": 2},
        {"time_s": 1, "name": "call", "user": 1, "to": 2}, {"time_s": 1.5, "name": "accept", "user": 2},
        {"time_s": 3, "name": "hangup", "user": 2, "reason": "bye"}]}
      """
    try folder.write("calls.json", Array(script.utf8))
    for (name, seed) in [("a", 7), ("b", 7), ("c", 8)] {
      let ending = try Tool.run(
        "simulate \(Self.users) --relay --loss 5% --jitter 10ms --delay 20ms --duration 4 --script calls.json "
          + "--seed \(seed) --each-out \(name) --report \(name).json --capture \(name).pcap --json-lines", in: folder)
      #expect(ending.status == 0, "\(ending.errors)")
      let lines = String(decoding: ending.output, as: UTF8.self).split(separator: "\n")
      #expect(lines.contains { $0.contains(#""event":"callOutcome","user":2,"action":"hangup","error":0"#) })
      #expect(
        lines.contains {
          $0.contains(#""event":"onCallStateChanged","user":1,"state":1,"reason":10,"event_reason":"bye""#)
        })
      #expect(lines.contains { $0.contains(#""event":"onCallConnected","user":2,"room":"room-1-1","call_uid":1"#) })
      #expect(!lines.contains { $0.contains("timestamp") })
    }
    for name in ["/1_from_2_in_room-1-1.wav", "/2_from_1_in_room-1-1.wav", ".json", ".pcap"] {
      #expect(try folder.read("a\(name)") == folder.read("b\(name)"), "\(name)")
    }
    #expect(try folder.read("a.pcap") != folder.read("c.pcap"))
  }

  @Test("the report, the table and the events name the channels of a script", .shows("simulate: channels"))
  func channels() throws {
    let folder = try folder()
    let script = """
      {"schema": 1, "events": [{"time_s": 0, "name": "join", "user": 1}, {"time_s": 0, "name": "join", "user": 2},
        {"time_s": 0, "name": "join", "user": 1, "channel": "b"}, {"time_s": 0, "name": "join", "user": 3, "channel": "b"}]}
      """
    try folder.write("channels.json", Array(script.utf8))
    let ending = try Tool.run(
      "simulate \(Self.users) --relay --duration 2 --script channels.json --report r.json --plot p.svg", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let rows = String(decoding: ending.output, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(rows[0].last == "channel")
    #expect(
      rows.dropFirst().map { [$0[0], $0[1], $0.last!] } == [
        ["1", "2", "call"], ["1", "3", "b"], ["2", "1", "call"], ["3", "1", "b"],
      ])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(folder.read("r.json"))) as? [String: Any])
    let users = try #require(report["users"] as? [String: [String: Any]])
    func heard(_ part: Any?) -> [String] { ((part as? [String: Any])?["heard"] as? [String: Any])?.keys.sorted() ?? [] }
    func inB(_ user: String) -> [String] { heard((users[user]?["channels"] as? [String: Any])?["b"]) }
    #expect([heard(users["1"]), inB("1")] == [["2"], ["3"]])
    #expect([heard(users["2"]), inB("2")] == [["1"], []] && users["2"]?["channels"] == nil)
    #expect([heard(users["3"]), inB("3")] == [[], ["1"]])
    let events = try #require(report["events"] as? [[String: Any]])
    func channels(_ name: String, of user: Int) -> [String] {
      events.filter { $0["name"] as? String == name && $0["user"] as? Int == user }.map {
        $0["channel"] as? String ?? "call"
      }
    }
    for name in ["join", "didJoinChannel", "didJoinedOfUid", "remoteAudioStateChanged"] {
      #expect(Set(channels(name, of: 1)) == ["call", "b"], "\(name)")
      #expect(Set(channels(name, of: 2)) == ["call"], "\(name)")
      #expect(Set(channels(name, of: 3)) == ["b"], "\(name)")
    }
    let picture = String(decoding: try folder.read("p.svg"), as: UTF8.self)
    #expect(picture.contains("user 3 → user 1 in b") && picture.contains("join 3 in b"))
  }

  @Test("a capture holds the call's IPv4 datagrams, a STUN request first", .shows("simulate: relay"))
  func capture() throws {
    let folder = try folder()
    let ending = try Tool.run(
      "simulate \(Self.users) --relay --delay 20ms --duration 2 --report r.json --capture c.pcap", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let bytes = try folder.read("c.pcap")
    func little(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) } }
    func big(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
    #expect(little(0) == 0xA1B2_3C4D && little(20) == 228)
    var (offset, toRelay, last) = (24, 0, 0)
    while offset < bytes.count {
      let (time, count) = (little(offset) * 1_000_000_000 + little(offset + 4), little(offset + 8))
      #expect(time >= last)
      let ip = offset + 16
      // RFC 1071: the sum over a header with its checksum is all ones.
      var sum = stride(from: ip, to: ip + 20, by: 2).reduce(0) { $0 + big($1) }
      sum = sum & 0xFFFF + sum >> 16
      #expect(sum == 0xFFFF && bytes[ip] == 0x45 && bytes[ip + 9] == 17)
      #expect(big(ip + 2) == count && big(ip + 24) == count - 20)
      if last == 0 { #expect(Array(bytes[ip + 32..<ip + 36]) == [0x21, 0x12, 0xA4, 0x42]) }
      if big(ip + 22) == 7_000 { toRelay += 1 }
      last = time
      offset = ip + count
    }
    #expect(offset == bytes.count)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(folder.read("r.json"))) as? [String: Any])
    let taken = try #require((report["relay"] as? [String: Any])?["datagrams"] as? Int)
    // A few are under way at the end.
    #expect((0...12).contains(toRelay - taken), "\(toRelay), \(taken)")
  }

  @Test("a capture without a relay is refused")
  func refusal() throws {
    let folder = try folder()
    let ending = try Tool.call("simulate \(Self.users) --capture c.pcap", in: folder)
    #expect(ending.status == 64 && ending.errors.contains("add --relay"), "\(ending.errors)")
    #expect(!folder.has("c.pcap"))
  }
}
