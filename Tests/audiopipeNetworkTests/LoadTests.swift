import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A relay as a process on loopback, and its load.
@Suite("load", .serialized, .timeLimit(.minutes(10)))
struct LoadTests {
  private static let load = "$A load --url $URL --app-id demo --app-secret-file secret.txt"

  @Test("the sums of a load close, and nothing is lost", .shows("load"))
  func sums() throws {
    let ending = try RelayScript.run(
      "\(Self.load) --publishers 3 --listeners 5 --ramp 100/s --duration 2s --relay-pid $R --json",
      in: RelayScript.folder())
    #expect(ending.status == 0, "\(ending.errors)")
    let json = try #require(ending.json)
    let users = try #require(json["users"] as? [String: Int])
    #expect(users == ["publishers": 3, "listeners": 5, "joined": 8, "failed": 0])
    let sent = try #require(json["sent"] as? Int)
    // 3 x 50 packets a second for 2 s, give or take one of each publisher.
    #expect((297...303).contains(sent))
    #expect(json["expected"] as? Int == sent * 5)
    #expect(json["received"] as? Int == sent * 5 && json["lost"] as? Int == 0)
    #expect(json["duplicated"] as? Int == 0 && json["rejoins"] as? Int == 0)
    let delay = try #require(json["delay_ms"] as? [String: Double])
    #expect(delay["p50"]! > 0 && delay["p50"]! <= delay["p99"]! && delay["p99"]! <= delay["max"]!)
    let relay = try #require(json["relay"] as? [String: Double])
    #expect(relay["cores"]! >= 0 && relay["cores"]! < 2)
  }

  @Test("an exceeded limit ends with 1 and a sentence behind the table", .shows("load"))
  func limit() throws {
    let ending = try RelayScript.run(
      "\(Self.load) --publishers 1 --listeners 1 --duration 0.5s --max-delay 0.0001", in: RelayScript.folder())
    #expect(ending.status == 1 && ending.errors.contains("--max-delay"), "\(ending.errors)")
    #expect(ending.text.contains("25 sent") || ending.text.contains("26 sent"), "\(ending.text)")
  }

  @Test("a limit of speakers is named behind the table", .shows("load", "speakers"), arguments: [false, true])
  func speakers(takesTurns: Bool) throws {
    let ending = try RelayScript.run(
      "\(Self.load) --publishers 3 --listeners 2 --duration 2s\(takesTurns ? " --speakers 1" : "")",
      listen: "127.0.0.1:0 --max-speakers 1", in: RelayScript.folder())
    #expect(ending.text.contains("limited number of speakers to 2 listeners") == !takesTurns, "\(ending.text)")
  }

  @Test("a line each second, and the result behind them")
  func lines() throws {
    let ending = try RelayScript.run(
      "\(Self.load) --publishers 1 --listeners 2 --duration 1.2s --json-lines", in: RelayScript.folder())
    let objects = try ending.text.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(objects.count == 2 && objects[0]["time_s"] as? Int == 1, "\(ending.text)\(ending.errors)")
    #expect(objects.last?["schema"] as? Int == 1)
  }

  @Test("^C shows the table so far, and ends with 130")
  func interrupted() throws {
    let ending = try RelayScript.run(
      """
      \(Self.load) --publishers 1 --listeners 1 --duration 60s --json-lines > lines.txt 2> errors.txt & P=$!
      until [ -s lines.txt ]; do kill -0 $P || break; read -rt 0.05 <> <(:) || true; done
      kill -INT $P; wait $P
      STATUS=$?; cat lines.txt; [ $STATUS = 130 ]
      """, in: RelayScript.folder())
    #expect(ending.status == 0 && ending.text.contains("\"schema\":1"), "\(ending.text)\(ending.errors)")
  }

  @Test("a refused token ends with 77 and the relay's sentence", .shows("load"))
  func refused() throws {
    let ending = try RelayScript.run(
      """
      sed 's/k/q/g' secret.txt > other.txt
      $A load --url $URL --app-id demo --app-secret-file other.txt --publishers 2 --listeners 200 --duration 1s
      """, in: RelayScript.folder())
    #expect(ending.status == 77 && ending.errors.contains("(-110)"), "\(ending.errors)")
  }

  @Test(
    "wrong lines are one sentence", .shows("load"),
    arguments: [
      ("--url ws://127.0.0.1:9 --app-id demo", 69, "127.0.0.1:9"),
      ("--app-id demo", 64, "--url"), ("--url ws://127.0.0.1:9", 64, "--app-id"),
      ("--url http://127.0.0.1:9 --app-id demo", 64, "ws://"),
      ("--url ws://127.0.0.1:9 --app-id demo --publishers 0 --listeners 0", 64, "--publishers"),
      ("--url ws://127.0.0.1:9 --app-id demo --ramp fast", 64, "--ramp"),
      ("--url ws://127.0.0.1:9 --app-id demo --relay-pid 2147483647", 64, "--relay-pid"),
      ("--url ws://127.0.0.1:9 --app-id demo --app-secret-file none", 66, "none"),
      ("--url ws://127.0.0.1:9 --app-id demo --json --json-lines", 64, "--json-lines"),
    ])
  func wrong(line: String, status: Int, words: String) throws {
    let ending = try Tool.call("load \(line)", in: RelayScript.folder())
    #expect(ending.status == Int32(status) && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
  }

  @Test("too few open files are one sentence with the number that is needed")
  func files() throws {
    let ending = try Tool.shell(
      "ulimit -n 100; $A load --url ws://127.0.0.1:9 --app-id demo --publishers 10 --listeners 100",
      in: RelayScript.folder())
    #expect(ending.status == 69 && ending.errors.contains("ulimit -n 284"), "\(ending.errors)")
  }

  @Test("a virtual load has its links' losses and repeats to the byte", .shows("load", "simulate: relay"))
  func virtual() throws {
    let folder = try RelayScript.folder()
    let line =
      "load --virtual --publishers 3 --listeners 5 --duration 20 --loss 2% --delay 30ms --jitter 10ms --seed 3 --json"
    let ending = try Tool.run(line, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let json = try #require(ending.json)
    #expect(json["sent"] as? Int == 3_000 && json["expected"] as? Int == 15_000)
    // 1 - 0.98 x 0.98 = 3.96 %; a path of 60 ms, and up to 20 ms of jitter.
    #expect((3.3...4.6).contains(try #require(json["lost_percent"] as? Double)), "\(json)")
    let delay = try #require(json["delay_ms"] as? [String: Double])
    #expect(try abs(#require(delay["p50"]) - 60) < 1 && (60...80.1).contains(#require(delay["max"])), "\(delay)")
    #expect(try Tool.run(line, in: folder).output == ending.output)
    #expect(try Tool.call("load --virtual --url ws://127.0.0.1:1", in: folder).status == 64)
    #expect(try Tool.call("load --publishers 3 --loss 2%", in: folder).status == 64)
  }
}
