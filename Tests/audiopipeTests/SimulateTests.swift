import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("simulate", .timeLimit(.minutes(10)))
struct SimulateTests {
  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for (index, name) in ["alice.wav", "bob.wav", "carol.wav"].enumerated() {
      let tone = Signals.sine(Double(200 + 70 * index), rate: 48_000, seconds: 1, amplitude: 0.3)
      try folder.write(name, Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    }
    return folder
  }

  private let users = "--user 1=alice.wav --user 2=bob.wav --user 3=carol.wav"
  private let network = "--loss 10%:burst=2 --jitter 30ms --delay 50ms --reorder 2%:by=25ms --duplicate 1% --seed 3"

  private func object(_ value: Any?, _ key: String) -> [String: Any]? {
    (value as? [String: Any])?[key] as? [String: Any]
  }

  @Test("simulate writes each user's files and the mix of a silent listener", .shows("simulate"))
  func outputs() throws {
    let folder = try folder()
    let ending = try Tool.call(
      "simulate \(users) \(network) --each-out out --mixed-out mixed.wav --duration 2s", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder["out"]).sorted()
    let each = (1...3).flatMap { listener in
      ["\(listener).wav"] + (1...3).filter { $0 != listener }.map { "\(listener)_from_\($0).wav" }
    }
    #expect(names == each.sorted())
    for name in names.map({ "out/" + $0 }) + ["mixed.wav"] {
      let wave = try #require(Wave(try folder.read(name)))
      #expect(wave.int16().count == 96_000)
      #expect(wave.int16().contains { abs(Int($0)) > 3_000 })
    }
    // A line for each direction, and the heading.
    #expect(ending.text.split(separator: "\n").count == 1 + 9)
  }

  @Test("unwritable events exit with 74, and the files are complete", .shows("simulate"))
  func fullDisk() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A simulate \(users) --duration 1s --mixed-out mixed.wav --json-lines > /dev/full", in: folder)
    #expect(ending.status == 74 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("cannot write to stdout"), "\(ending.errors)")
    #expect(try #require(Wave(try folder.read("mixed.wav"))).frames == 48_000)
  }

  @Test(
    "the report has all keys, and equal arguments give equal bytes",
    .shows("simulate", "simulate report"))
  func report() throws {
    let folder = try folder()
    let line = "simulate \(users) \(network) --duration 2 --report"
    for name in ["a.json", "b.json"] { #expect(try Tool.call("\(line) \(name)", in: folder).status == 0) }
    let bytes = try folder.read("a.json")
    #expect(bytes == (try folder.read("b.json")))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(json["schema"] as? Int == 1 && json["seed"] as? Int == 3)
    for listener in 1...3 {
      let heard = try #require(object(object(json["users"], "\(listener)"), "heard"))
      #expect(heard.keys.sorted() == (1...3).filter { $0 != listener }.map(String.init))
      for case let user as [String: Any] in heard.values {
        for key in ["packets", "lost", "late", "fec", "concealed_ms", "stretched_ms", "frozen_ms", "mos"] {
          #expect(user[key] is Double, "\(key)")
        }
        for key in ["delay_ms", "buffer_ms"] {
          #expect(object(user, key)?["mean"] is Double && object(user, key)?["p95"] is Double)
        }
        #expect((user["seconds"] as? [Any])?.count == 2)
        let ledger = try #require(user["ledger"] as? [String: Int])
        let (gone, there) = (["out", "held", "dropped", "removed"], ["in", "inserted"])
        #expect(gone.reduce(0) { $0 + ledger[$1]! } == there.reduce(0) { $0 + ledger[$1]! })
      }
    }
    let other = try Tool.call(
      "simulate \(users) \(network) --seed 4 --duration 2 --json".replacing("--seed 3 ", with: ""), in: folder)
    #expect(other.json?["seed"] as? Int == 4)
    #expect(other.output != bytes)
  }

  @Test("answered requests add up, and reported loss is never negative", .shows("simulate: NACK"))
  func sums() throws {
    let folder = try folder()
    for (network, seed) in [
      ("--loss 15% --jitter 20ms --delay 25ms --duplicate 5% --reorder 5%:by=30ms", 3),
      ("--loss 10% --delay 20ms", 1), ("--duplicate 100%", 1),
      ("--loss 15% --jitter 10ms --delay 25ms --duplicate 100%", 2),
    ] {
      let ending = try Tool.call("simulate \(users) \(network) --seed \(seed) --duration 6 --json", in: folder)
      let all = try #require(ending.json?["users"] as? [String: [String: [String: [String: Any]]]])
      var answered = 0
      for heard in all.values.flatMap({ $0["heard"]!.values }) {
        let nack = try #require(heard["nack"] as? [String: Any])
        let seconds = try #require(heard["seconds"] as? [[String: Any]])
        func sum(_ key: String) -> Int { seconds.reduce(0) { $0 + ($1[key] as? Int ?? 0) } }
        let (all, late, inTime) = (nack["answered"] as? Int, nack["answered_late"] as? Int, nack["in_time"] as? Int)
        #expect(all == late! + inTime! && late! >= 0 && inTime == sum("retransmitted"), "\(nack), seed \(seed)")
        #expect(inTime == heard["retransmitted"] as? Int && heard["lost"] as? Int == sum("lost"))
        answered += all!
        let told = try #require(heard["reported"] as? [String: Any])
        // Requests are lost on the way as well, and what comes twice was asked for once.
        let (asked, heardOf) = (try #require(nack["requested"] as? Int), try #require(told["requested"] as? Int))
        #expect(heardOf <= asked && (told["retransmitted"] as? Int)! <= heardOf, "\(told), asked for \(asked)")
        let lost = try #require(told["lost"] as? Int)
        let onTheWay = try #require(heard["lost"] as? Int)
        #expect(network.contains("loss") ? lost >= 0 && lost <= onTheWay + 20 : lost == 0, "\(told), lost \(onTheWay)")
      }
      #expect(answered > 0 || !network.contains("loss"))
    }
  }

  @Test(
    "wrong arguments of simulate are one sentence and an exit code", .shows("simulate"),
    arguments: [
      ("", 64, "needs users"), ("--user 1=alice.wav", 64, "two users"), ("--user 1=nope.wav", 66, "nope.wav"),
      ("--user alice.wav --user 2=bob.wav", 64, "needs a number before the file"),
      ("--user 1=alice.wav --user 1=bob.wav", 64, "give each its own"),
      ("--user 0=alice.wav --user 1=bob.wav", 64, "1 or more"),
      ("--user 1=alice.wav --user 2=none.wav", 66, "none.wav: there is no such file"),
      ("--user 1=alice.wav --user 2=bob.wav --jitter 30ms --delay 10ms", 64, "before they are sent"),
      ("--user 1=alice.wav --user 2=bob.wav --jitter 0ms:gamma=5ms", 64, "a gamma jitter with mean 0 ms"),
      ("--user 1=alice.wav --user 2=bob.wav --loss 60%:burst=1", 64, "use burst=1.5"),
      ("--user 1=alice.wav --user 2=bob.wav --loss 110%", 64, "from 0 to 100"),
      ("--user 1=alice.wav --user 2=bob.wav --loss 10%:brust=2", 64, "did you mean 'burst'"),
      ("--user 1=alice.wav --user 2=bob.wav --delay-trace none.txt", 66, "none.txt"),
      ("--user 1=alice.wav --user 2=bob.wav --plot p.txt", 64, "let it end in .svg or .png"),
      ("--user 1=alice.wav --user 2=bob.wav --plot alice.wav.svg --report alice.wav.svg", 64, "alice.wav.svg"),
      ("--user 1=alice.wav --user 2=bob.wav --codec null --mixed-out m.wav", 64, "sends no sound"),
      ("--user 1=alice.wav --user 2=bob.wav --stats", 64, "give --report, --json or --json-lines as well"),
      ("--user 1=alice.wav --user 2=bob.wav --mixed-out alice.wav", 64, "would replace"),
      ("--user 1=alice.wav --user 2=bob.wav --mixed-out carol.wav", 73, "exists already"),
    ])
  func refusals(arguments: String, status: Int, sentence: String) throws {
    let folder = try folder()
    let ending = try Tool.call("simulate \(arguments)", in: folder)
    #expect(ending.status == Int32(status), "\(ending.errors)")
    #expect(ending.failures.count == 1 && ending.errors.contains(sentence), "\(ending.errors)")
  }

  @Test(
    "an unreadable input leaves no output folder", .shows("simulate"),
    arguments: [("--user 2=none.wav", 66), ("--user 2=bob.wav --script s.json", 65)])
  func noFolder(arguments: String, status: Int) throws {
    let folder = try folder()
    try write("{\"time_s\": 0.5, \"name\": \"mute\", \"user\": 9}", in: folder)
    let ending = try Tool.call("simulate --user 1=alice.wav \(arguments) --each-out out", in: folder)
    #expect(ending.status == Int32(status) && ending.failures.count == 1, "\(ending.errors)")
    #expect(!folder.has("out"))
  }

  @Test("each file at the size limit is reported, and the call continues", .shows("simulate"))
  func sizeLimit() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "ulimit -f 100; $A simulate --user 1=alice.wav --user 2=bob.wav --duration 3 --each-out out --json", in: folder)
    #expect(ending.status == 74)
    let names = ["1.wav", "1_from_2.wav", "2.wav", "2_from_1.wav"]
    #expect(ending.failures.count == names.count, "\(ending.errors)")
    let events = try #require(ending.json?["events"] as? [[String: Any]], "\(ending.errors)")
    let failed = events.filter { $0["name"] as? String == "recordingFailed" }.compactMap { $0["path"] as? String }
    #expect(failed.sorted() == names.map { "out/" + $0 })
    for name in names {
      let wave = try #require(Wave(try folder.read("out/" + name)))
      #expect((48_000...102_400).contains(wave.data.count), "\(name): \(wave.data.count)")
    }
    let heard = object(object(object(ending.json?["users"], "2"), "heard"), "1")
    #expect((heard?["seconds"] as? [Any])?.count == 3)
  }

  @Test("the table's losses are those of the report", .shows("simulate"))
  func losses() throws {
    let folder = try folder()
    let line = "simulate --user 1=alice.wav --user 2=bob.wav --loss 20% --delay 20ms --duration 4 --report r.json"
    let ending = try Tool.call(line, in: folder)
    let users = try folder.json("r.json")["users"]
    for row in ending.text.split(separator: "\n").dropFirst() {
      let cells = row.split(separator: " ")
      let heard = try #require(object(object(object(users, String(cells[0])), "heard"), String(cells[1])))
      let (sent, link) = (try #require(heard["sent"] as? Int), try #require(heard["link"] as? [String: Int]))
      #expect(heard["lost"] as? Int == link["lost"]! + link["dropped"]! && link["lost"]! > 0)
      for (cell, key) in [(3, "lost"), (4, "fec"), (5, "retransmitted")] {
        let part = try #require(heard[key] as? Int)
        #expect(
          abs((Double(cells[cell].dropLast()) ?? -1) - 100 * Double(part) / Double(sent)) <= 0.06, "\(key): \(row)")
      }
    }
  }

  @Test("a simulation with a stalled named pipe ends at the first ^C", .shows("simulate"), arguments: [0, 96_044])
  func pipe(byteCount: Int) throws {
    let folder = try folder()
    #expect(mkfifo(folder["f"], 0o600) == 0)
    // Open at both ends, so that it neither ends nor is waited for here.
    let descriptor = open(folder["f"], O_RDWR)
    defer { close(descriptor) }
    let tone = Signals.sine(200, rate: 48_000, seconds: 1, amplitude: 0.3)
    let bytes = Array(Signals.wave("s16", rate: 48_000, channels: 1, tone).file().prefix(byteCount))
    let run = try Tool.launch("simulate --user 1=f --user 2=bob.wav --duration 5 --json-lines", in: folder)
    Thread { _ = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress!, $0.count) } }.start()
    #expect(
      run.poll { byteCount > 0 ? run.output.contains("remoteAudioStateChanged") : run.handlesSignals })
    run.signal(SIGINT)
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == 130, "\(ending.errors)")
  }

  @Test("an invalid trace is quoted in a short line with escapes", .shows("simulate"))
  func bytesForTrace() throws {
    let folder = try Workspace()
    try folder.write(
      "trace.txt", [0x1B, 0x5B, 0x33, 0x31, 0x6D, 0x07, 0x00, 0x0D, 0x9B, 0xFF] + Array(repeating: 65, count: 5_000))
    let ending = try Tool.call("simulate --user 1=a.wav --user 2=b.wav --delay-trace trace.txt", in: folder)
    #expect(ending.status == 65 && ending.failures.count == 1 && ending.errors.count < 300)
    #expect(ending.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(ending.errors.contains("line 1 of the trace is '\\u{1B}[31m\\u{7}\\u{0}"), "\(ending.errors)")
  }

  @Test("a script and a trace may begin with a byte order mark", .shows("simulate: wrong scripts"))
  func byteOrderMark() throws {
    let folder = try folder()
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    try folder.write("trace.txt", mark + Array("20\nlost\n".utf8))
    try folder.write(
      "script.json",
      mark + Array("{\"schema\": 1, \"events\": [{\"time_s\": 1, \"name\": \"mute\", \"user\": 1}]}".utf8))
    let ending = try Tool.call(
      "simulate \(users) --delay-trace trace.txt --script script.json --duration 2 --json", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let names = (ending.json?["events"] as? [[String: Any]])?.compactMap { $0["name"] as? String } ?? []
    #expect(names.contains("mute"))
  }

  @Test("A trace of delays and losses is followed packet by packet")
  func trace() throws {
    let folder = try folder()
    try folder.write("trace.txt", Array("# ms\n20\nlost\n40.5\n20\n".utf8))
    let ending = try Tool.call(
      "simulate --user 1=alice.wav --user 2=bob.wav --codec null:frame=20 --delay-trace trace.txt --duration 8 --json",
      in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let heard = object(object(object(ending.json?["users"], "2"), "heard"), "1")
    #expect(heard?["sent"] as? Int == 400)
    #expect(object(heard, "link")?["lost"] as? Int == 100)
  }

  @Test("a picture is reproducible and replaced only with --overwrite", .shows("simulate: pictures"))
  func picture() throws {
    let folder = try folder()
    let line = "simulate \(users) \(network) --duration 3 --codec null --plot"
    for name in ["a.svg", "b.svg"] { #expect(try Tool.call("\(line) \(name)", in: folder).status == 0) }
    let bytes = try folder.read("a.svg")
    #expect(bytes == (try folder.read("b.svg")))
    let texts = try SVGElements(String(decoding: bytes, as: UTF8.self)).texts
    for listener in 1...3 {
      for user in 1...3 where user != listener { #expect(texts.contains("user \(user) → user \(listener)")) }
    }
    #expect(try Tool.call("\(line) a.svg", in: folder).status == 73)
  }

  private let events = """
    {"time_s": 1, "name": "join", "user": 3}, {"time_s": 0.5, "name": "mute", "user": 1, "listener": 2},
    {"time_s": 0.6, "name": "startMusic", "user": 2, "file": "carol.wav", "publish": false},
    {"time_s": 0.7, "name": "network", "from": 1, "to": 2, "loss_percent": 50},
    {"time_s": 0.8, "name": "stopEffect", "user": 2, "id": 4}
    """

  private func write(_ events: String, in folder: Workspace) throws {
    try folder.write("s.json", Array("{\"schema\": 1, \"events\": [\(events)]}".utf8))
  }

  @Test("a script's events are JSON lines and in the report", .shows("simulate: script"))
  func script() throws {
    let folder = try folder()
    try write(events, in: folder)
    let line =
      "simulate \(users) \(network) --codec opus:fec --script s.json --duration 2 --overwrite --each-out out --json-lines --report"
    let ending = try Tool.call("\(line) a.json", in: folder)
    #expect(ending.status == 0 && ending.warnings.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("event 4, stopEffect at 0.8 s: the pipeline has no effect 4"))
    #expect(try Tool.call("\(line) b.json", in: folder).output == ending.output)
    #expect(try folder.read("a.json") == (try folder.read("b.json")))
    let reported = try #require(try folder.json("a.json")["events"] as? [[String: Any]])
    let names = ["mute", "startMusic", "musicState", "network", "stopEffect", "join", "musicState", "musicFinished"]
    let streams = "remoteAudioStateChanged"
    #expect(reported.compactMap { $0["name"] as? String }.filter { $0 != streams } == names)
    // Each of the three hears two others begin.
    let starting = reported.filter { $0["name"] as? String == streams && $0["state"] as? Int == 1 }
    #expect(Set(starting.map { "\($0["user"]!) \($0["uid"]!)" }).count == 6)
    #expect(reported.compactMap { $0["index"] as? Int } == [1, 2, 3, 4, 0])
    var lines = try ending.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let last = lines.removeLast()
    #expect(last["event"] as? String == "finished" && last["report"] is [String: Any])
    for (line, event) in zip(lines, reported) {
      #expect(line["event"] as? String == event["name"] as? String)
      #expect(line["time_s"] as? Double == event["time_s"] as? Double)
    }
    #expect(lines.count == reported.count)
    for name in ["2_mixed.wav", "2_from_3.wav"] {
      #expect(try #require(Wave(try folder.read("out/\(name)"))).int16().count == 96_000, "\(name)")
    }
  }

  @Test("requested statistics are events every 2 s")
  func statistics() throws {
    let folder = try folder()
    let line = "simulate \(users) \(network) --codec null --duration 5 --json-lines"
    #expect(!(try Tool.call(line, in: folder).text.contains("Stats")))
    let ending = try Tool.call("\(line) --stats", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try Tool.call("\(line) --stats", in: folder).output == ending.output)
    let lines = try ending.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    func named(_ name: String) -> [[String: Any]] { lines.filter { $0["event"] as? String == name } }
    // Of three users, at 2 and 4 s, of the two others each.
    for (name, count) in [
      ("reportRtcStats", 6), ("localAudioStats", 6), ("remoteAudioStats", 12), ("networkQuality", 18),
    ] {
      #expect(named(name).count == count, "\(name)")
      #expect(named(name).allSatisfy { $0["time_s"] as? Double == 2 || $0["time_s"] as? Double == 4 })
    }
    #expect(named("reportRtcStats").allSatisfy { $0["users"] as? Int == 3 && $0["cost"] == nil })
    #expect(named("remoteAudioStats").allSatisfy { (100...450).contains($0["mos"] as? Int ?? 0) })
    #expect(named("networkQuality").filter { $0["uid"] as? Int == 0 }.allSatisfy { ($0["rx"] as? Int ?? 0) > 1 })
  }

  @Test(
    "a wrong script is one sentence with its file and event",
    .shows("simulate: wrong scripts"),
    arguments: [
      (
        "{\"time_s\": 1, \"name\": \"mut\", \"user\": 1}", 65,
        "s.json: event 0: 'mut' is not an action; did you mean 'mute'?"
      ),
      (
        "{\"time_s\": 1, \"name\": \"mute\", \"usr\": 1}", 65,
        "s.json: event 0: 'mute' has no key 'usr'; did you mean 'user'?"
      ),
      ("{\"time_s\": 9, \"name\": \"mute\", \"user\": 1}", 65, "s.json: event 0: 9 s is not within the call"),
      (
        "{\"time_s\": 1, \"name\": \"mute\", \"user\": 4}", 65,
        "s.json: event 0: 4 is not a user of the call; the users are 1, 2, 3"
      ),
      (
        "{\"time_s\": 1, \"name\": \"startMusic\", \"user\": 1, \"file\": \"no.wav\"}", 66,
        "event 0: no.wav: there is no such file"
      ),
      ("{\"time_s\": 1, \"name\": \"network\", \"delay_trace\": \"no.txt\"}", 66, "no.txt: the trace cannot be read"),
      ("]", 65, "s.json: this is not JSON"),
    ])
  func wrongScripts(events: String, status: Int, sentence: String) throws {
    let folder = try folder()
    try write(events, in: folder)
    let ending = try Tool.call("simulate \(users) --duration 2 --script s.json --mixed-out m.wav", in: folder)
    #expect(ending.status == Int32(status), "\(ending.errors)")
    #expect(ending.failures.count == 1 && ending.errors.contains(sentence), "\(ending.errors)")
    #expect(!folder.has("m.wav"))
    #expect(try Tool.call("simulate \(users) --script none.json", in: folder).status == 66)
  }
}
