import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A relay as a process on loopback, and a load of several processes.
@Suite("load over several processes", .serialized, .timeLimit(.minutes(10)))
struct LoadProcessesTests {
  private static let load = "$A load --url $URL --app-id demo --app-secret-file secret.txt --ramp 100/s"
  /// Functions of bash: the processes that `$P` has started, and whether one still runs.
  private static let functions = """
    children() { grep -lE "^PPid:[[:space:]]+$P\\$" /proc/[0-9]*/status 2> /dev/null | sed 's|/proc/||; s|/status||'; }
    pause() { read -rt 0.05 <> <(:) || true; }
    runs() { grep -q . /proc/$1/cmdline 2> /dev/null; }
    counting() { until [ -s lines.txt ]; do kill -0 $P || break; pause; done; }

    """

  @Test(
    "a channel's packets pass between processes, and the sums close",
    .shows("load", "load: processes", "load: in step"), arguments: [2, 3])
  func sums(processes: Int) throws {
    let ending = try RelayScript.run(
      "\(Self.load) --publishers 3 --listeners 5 --duration 1s --processes \(processes) --in-step --json",
      in: RelayScript.folder())
    #expect(ending.status == 0, "\(ending.errors)")
    let json = try #require(ending.json)
    #expect(json["users"] as? [String: Int] == ["publishers": 3, "listeners": 5, "joined": 8, "failed": 0])
    #expect((json["load"] as? [String: Any])?["processes"] as? Int == processes)
    // 3 x 50 packets, give or take one of each publisher.
    let sent = try #require(json["sent"] as? Int)
    #expect((147...153).contains(sent))
    #expect(json["expected"] as? Int == sent * 5)
    #expect(json["received"] as? Int == sent * 5 && json["lost"] as? Int == 0, "\(json)")
  }

  @Test("a line each second has the packets of all processes", .shows("load: processes"))
  func lines() throws {
    // The publisher and the listener are in two processes.
    let ending = try RelayScript.run(
      "\(Self.load) --publishers 1 --listeners 1 --duration 2.2s --processes 2 --json-lines", in: RelayScript.folder())
    let objects = try ending.text.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(objects.count == 3 && objects.prefix(2).map { $0["time_s"] as? Int } == [1, 2], "\(ending.text)")
    #expect(objects.prefix(2).allSatisfy { $0["joined"] as? Int == 2 && $0["sent"] as? Int ?? 0 > 0 })
    #expect(objects.last?["schema"] as? Int == 1 && objects.last?["lost"] as? Int == 0, "\(ending.text)")
  }

  @Test("the relay's metrics give its processor time for each packet", .shows("load", "relay metrics"))
  func metrics() throws {
    let ending = try RelayScript.run(
      """
      until grep -q 'metrics at' relay.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      METRICS=$(sed -n 's/.*metrics at //p' relay.txt)
      \(Self.load) --publishers 2 --listeners 4 --duration 1s --processes 2 --relay-metrics $METRICS --json
      """, listen: "127.0.0.1:0 --metrics 127.0.0.1:0", in: RelayScript.folder())
    #expect(ending.status == 0, "\(ending.errors)")
    let relay = try #require(ending.json?["relay"] as? [String: Double])
    let received = try #require(ending.json?["received"] as? Double)
    // Packets around the counted second are the relay's, too.
    #expect(relay["sent_packets"]! > 0.5 * received && relay["us_per_packet"]! > 0, "\(relay)")
  }

  @Test("a process that dies is one sentence, and the others end", .shows("load: processes"))
  func death() throws {
    let ending = try RelayScript.run(
      """
      \(Self.functions)
      \(Self.load) --publishers 2 --listeners 2 --duration 60s --processes 3 --json-lines > lines.txt 2> errors.txt & P=$!
      counting
      CHILDREN=$(children); echo $CHILDREN | wc -w
      kill -9 ${CHILDREN%%[[:space:]]*}
      wait $P; echo $?
      for C in $CHILDREN; do while runs $C; do pause; done; done
      cat errors.txt >&2
      """, in: RelayScript.folder())
    #expect(ending.text == "3\n74\n", "\(ending.text)\(ending.errors)")
    #expect(ending.failures.count == 1 && ending.errors.contains("signal 9"), "\(ending.errors)")
  }

  @Test("no process outlives the one that has started it", .shows("load: processes"))
  func killed() throws {
    let ending = try RelayScript.run(
      """
      \(Self.functions)
      \(Self.load) --publishers 2 --listeners 2 --duration 60s --processes 2 --json-lines > lines.txt & P=$!
      counting
      CHILDREN=$(children); echo $CHILDREN | wc -w
      kill -9 $P; wait $P; echo $?
      for C in $CHILDREN; do while runs $C; do pause; done; done
      """, in: RelayScript.folder())
    #expect(ending.text == "2\n137\n", "\(ending.text)\(ending.errors)")
  }

  @Test("^C shows the sums so far, and ends all processes")
  func interrupted() throws {
    let ending = try RelayScript.run(
      """
      \(Self.functions)
      \(Self.load) --publishers 2 --listeners 2 --duration 60s --processes 2 --json-lines > lines.txt & P=$!
      counting
      CHILDREN=$(children)
      kill -INT $P; wait $P; echo $?
      for C in $CHILDREN; do while runs $C; do pause; done; done
      tail -1 lines.txt
      """, in: RelayScript.folder())
    #expect(ending.text.hasPrefix("130\n{\"schema\":1,"), "\(ending.text)\(ending.errors)")
    #expect(ending.text.contains("\"lost\":0,"), "\(ending.text)")
  }

  @Test("a refused token ends all processes with 77 and one sentence", .shows("load"))
  func refused() throws {
    let ending = try RelayScript.run(
      """
      sed 's/k/q/g' secret.txt > other.txt
      $A load --url $URL --app-id demo --app-secret-file other.txt --publishers 2 --listeners 20 --processes 2
      """, in: RelayScript.folder())
    #expect(ending.status == 77 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("(-110)"), "\(ending.errors)")
  }

  @Test("an unreachable relay ends all processes with 69")
  func unreachable() throws {
    let ending = try Tool.run(
      "load --url ws://127.0.0.1:9 --app-id demo --processes 2", in: RelayScript.folder())
    #expect(ending.status == 69 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("127.0.0.1:9"), "\(ending.errors)")
  }

  @Test(
    "wrong lines are one sentence", .shows("load"),
    arguments: [
      ("--url ws://127.0.0.1:9 --app-id demo --processes 0", 64, "--processes"),
      ("--url ws://127.0.0.1:9 --app-id demo --processes many", 64, "auto"),
      ("--url ws://127.0.0.1:9 --app-id demo --processes 12", 64, "11 users"),
      ("--url ws://127.0.0.1:9 --app-id demo --processes 2 --app-secret-file /dev/null", 64, "regular file"),
      ("--virtual --processes 2", 64, "--processes 2"), ("--virtual --processes auto", 64, "--processes auto"),
      ("--virtual --relay-metrics http://127.0.0.1:9/metrics", 64, "--relay-metrics"),
      ("--url ws://127.0.0.1:9 --app-id demo --relay-metrics https://127.0.0.1:9/metrics", 64, "https://"),
      ("--url ws://127.0.0.1:9 --app-id demo --relay-metrics metrics", 64, "http://HOST:PORT/PATH"),
      ("--url ws://127.0.0.1:9 --app-id demo --relay-pid 1 --relay-metrics http://127.0.0.1:9/", 64, "--relay-pid"),
      ("--url ws://127.0.0.1:9 --app-id demo --relay-metrics http://127.0.0.1:9/metrics", 69, "--relay-metrics"),
    ])
  func wrong(line: String, status: Int, words: String) throws {
    let ending = try Tool.call("load \(line)", in: RelayScript.folder())
    #expect(ending.status == Int32(status) && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
  }
}
