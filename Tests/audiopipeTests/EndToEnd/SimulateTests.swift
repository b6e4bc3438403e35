import Foundation
import Testing

@Suite("simulate")
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

  @Test("Every user's file of every other is written, what each hears mixed, and what a silent listener hears")
  func outputs() throws {
    let folder = try folder()
    let ending = try Tool.run(
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

  @Test("The report has every key by listener, user and second, and the same arguments give the same bytes")
  func report() throws {
    let folder = try folder()
    let line = "simulate \(users) \(network) --duration 2 --report"
    for name in ["a.json", "b.json"] { #expect(try Tool.run("\(line) \(name)", in: folder).status == 0) }
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
        #expect((user["seconds"] as? [Any])?.count == 3)
        let ledger = try #require(user["ledger"] as? [String: Int])
        let (gone, there) = (["out", "held", "dropped", "removed"], ["in", "inserted"])
        #expect(gone.reduce(0) { $0 + ledger[$1]! } == there.reduce(0) { $0 + ledger[$1]! })
      }
    }
    let other = try Tool.run(
      "simulate \(users) \(network) --seed 4 --duration 2 --json".replacing("--seed 3 ", with: ""), in: folder)
    #expect(other.json?["seed"] as? Int == 4)
    #expect(other.output != bytes)
  }

  @Test(
    "What cannot be simulated is one sentence and the right exit code",
    arguments: [
      ("", 64, "needs users"), ("--user 1=alice.wav", 64, "two users"),
      ("--user alice.wav --user 2=bob.wav", 64, "needs a number before the file"),
      ("--user 1=alice.wav --user 1=bob.wav", 64, "give each its own"),
      ("--user 0=alice.wav --user 1=bob.wav", 64, "1 or more"),
      ("--user 1=alice.wav --user 2=none.wav", 66, "none.wav: there is no such file"),
      ("--user 1=alice.wav --user 2=bob.wav --jitter 30ms --delay 10ms", 64, "before they are sent"),
      ("--user 1=alice.wav --user 2=bob.wav --loss 110%", 64, "from 0 to 100"),
      ("--user 1=alice.wav --user 2=bob.wav --loss 10%:brust=2", 64, "did you mean 'burst'"),
      ("--user 1=alice.wav --user 2=bob.wav --delay-trace none.txt", 66, "none.txt"),
      ("--user 1=alice.wav --user 2=bob.wav --codec null --mixed-out m.wav", 64, "sends no sound"),
      ("--user 1=alice.wav --user 2=bob.wav --mixed-out alice.wav", 64, "would replace"),
      ("--user 1=alice.wav --user 2=bob.wav --mixed-out carol.wav", 73, "exists already"),
    ])
  func refusals(arguments: String, status: Int, sentence: String) throws {
    let folder = try folder()
    let ending = try Tool.run("simulate \(arguments)", in: folder)
    #expect(ending.status == Int32(status), "\(ending.errors)")
    #expect(ending.failures.count == 1 && ending.errors.contains(sentence), "\(ending.errors)")
  }

  @Test("A trace of delays and losses is followed packet by packet")
  func trace() throws {
    let folder = try folder()
    try folder.write("trace.txt", Array("# ms\n20\nlost\n40.5\n20\n".utf8))
    let ending = try Tool.run(
      "simulate --user 1=alice.wav --user 2=bob.wav --codec null:frame=20 --delay-trace trace.txt --duration 8 --json",
      in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let heard = object(object(object(ending.json?["users"], "2"), "heard"), "1")
    #expect(heard?["sent"] as? Int == 400)
    #expect(object(heard, "link")?["lost"] as? Int == 100)
  }
}
