import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("impair", .timeLimit(.minutes(10)))
struct ImpairTests {
  @Test("lost packets are requested at the next port and sent again", .shows("impair"))
  func reports() throws {
    let (port, proxyPort) = (try Ports.pair(), try Ports.pair())
    let folder = try Workspace()
    let tone = Signals.wave("s16", rate: 48_000, channels: 1, (0..<384_000).map { 0.3 * sin(Double($0) * 0.05) })
    try folder.write("in.wav", tone.file())
    let ending = try Tool.shell(
      """
      $A rtp receive --url rtp://127.0.0.1:\(port) -o out.wav --json --timeout 2 > heard.json 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      $A impair --listen 127.0.0.1:\(proxyPort) --to 127.0.0.1:\(port) --loss 5% --delay 20ms --seed 5 --json > impair.json 2> proxy.txt & P=$!
      until grep -q 'forwarding' proxy.txt; do kill -0 $P || break; read -rt 0.05 <> <(:) || true; done
      $A rtp send in.wav --url rtp://127.0.0.1:\(proxyPort) --fixed --json > sent.json
      wait $R; kill -INT $P; wait $P
      printf '{"sent": %s, "heard": %s, "impair": %s}' "$(cat sent.json)" "$(cat heard.json)" "$(cat impair.json)"
      """, in: folder)
    let json = try #require(ending.json, "\(ending.errors)\(ending.text)")
    let (sent, heard) = (
      try #require(json["sent"] as? [String: Any]), try #require(json["heard"] as? [String: Any])
    )
    let lost = try #require(heard["lost"] as? Int)
    #expect(lost >= 5 && (heard["requested"] as? Int ?? 0) >= lost / 3, "\(heard)")
    // On a busy machine answers come late, and are not requested at all while the round trip is long.
    #expect((sent["retransmitted"] as? Int ?? 0) >= lost / 3 && (heard["retransmitted"] as? Int ?? 0) >= 1, "\(heard)")
    // There and back: 20 ms each.
    #expect(try #require(sent["round_trip_ms"] as? Double) >= 39)
    let next = try #require((json["impair"] as? [String: Any])?["next_port"] as? [String: Any])
    let client = (next["clients"] as? [[String: Any]])?.first
    #expect(((client?["to_client"] as? [String: Int])?["delivered"] ?? 0) > 3)
  }

  @Test("a taken next port is refused, and --one-port does without it", .shows("impair"))
  func nextPort() throws {
    let (port, target) = (try Ports.pair(), try Ports.pair())
    let folder = try Workspace()
    let ending = try Tool.shell(
      """
      python3 - "$A" <<'PY'
      import json, signal, socket, subprocess, sys
      taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      taken.bind(("127.0.0.1", \(port + 1)))
      command = [sys.argv[1], "impair", "--listen", "127.0.0.1:\(port)", "--to", "127.0.0.1:\(target)"]
      refused = subprocess.run(command, capture_output=True, text=True, timeout=20)
      alone = subprocess.Popen(command + ["--one-port", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
      line = alone.stderr.readline()
      alone.send_signal(signal.SIGINT)
      report = json.loads(alone.communicate(timeout=20)[0])
      print(json.dumps({"status": refused.returncode, "sentence": refused.stderr, "line": line, "keys": sorted(report)}))
      PY
      """, in: folder)
    let json = try #require(ending.json, "\(ending.errors)")
    #expect(json["status"] as? Int == 69)
    #expect((json["sentence"] as? String)?.contains("the port for RTCP, cannot be used") == true, "\(json)")
    #expect((json["line"] as? String)?.contains("forwarding") == true, "\(json)")
    #expect((json["keys"] as? [String])?.contains("next_port") == false, "\(json)")
  }

  @Test("datagrams of a real program are forwarded or lost, and all are counted", .shows("impair"))
  func passing() throws {
    let folder = try Workspace()
    // The shell's own UDP; the listener says its port on stderr once it is there.
    let script = """
      python3 - "$A" <<'PY'
      import json, re, signal, socket, subprocess, sys
      target = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      target.bind(("127.0.0.1", 0))
      target.settimeout(0.5)
      proxy = subprocess.Popen(
          [sys.argv[1], "impair", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:%d" % target.getsockname()[1],
           "--loss", "25%", "--delay", "5ms", "--seed", "3", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
      port = int(re.search(r"127.0.0.1:(\\d+)", proxy.stderr.readline()).group(1))
      client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      got = 0
      for number in range(200):
          client.sendto(number.to_bytes(2, "big"), ("127.0.0.1", port))
      try:
          while True:
              target.recv(100)
              got += 1
      except TimeoutError:
          pass
      proxy.send_signal(signal.SIGINT)
      text = proxy.communicate()[0]
      print(json.dumps({"got": got, "report": json.loads(text), "status": proxy.returncode}))
      PY
      """
    let ending = try Tool.shell(script, in: folder)
    let json = try #require(ending.json, "\(ending.errors)")
    let report = json["report"] as? [String: Any]
    let client = (report?["clients"] as? [[String: Any]])?.first
    let counters = try #require(client?["to_target"] as? [String: Int])
    #expect(json["status"] as? Int == 130)
    #expect(report?["schema"] as? Int == 1 && report?["seed"] as? Int == 3)
    #expect(counters["sent"] == 200)
    #expect(counters["delivered"]! + counters["lost"]! + counters["under_way"]! == 200)
    #expect(counters["unsent"] == 0 && counters["unreachable"] == 0)
    #expect((report?["freed"] as? [String: Any])?["clients"] as? Int == 0 && report?["unserved"] as? Int == 0)
    #expect(counters["lost"]! > 20 && counters["lost"]! < 80)
    #expect(json["got"] as? Int == 200 - counters["lost"]!)
    let unnamed = try ReportFields.unnamed(in: try #require(report), "impair")
    #expect(unnamed.isEmpty, "Documentation/Reports.md does not name them")
  }

  @Test(
    "a wrong line of impair is one sentence and the right exit code", .shows("impair"),
    arguments: [
      ("", 64, "--listen HOST:PORT"), ("--listen 127.0.0.1:0", 64, "--to HOST:PORT"),
      ("--listen 127.0.0.1:26034 --to 127.0.0.1:26034", 64, "passed on to itself"),
      ("--listen 127.0.0.1:0 --to 127.0.0.1:0", 64, "names no port"),
      ("--listen here --to 127.0.0.1:9", 64, "not an address"),
      ("--listen 127.0.0.1:0 --to nobody.invalid:9", 69, "check its name"),
      ("--listen 192.0.2.1:5004 --to 127.0.0.1:9", 69, "not an address of this machine"),
      ("--listen 127.0.0.1:0 --to 127.0.0.1:9 --loss 101", 64, "from 0 to 100"),
    ])
  func refusals(arguments: String, status: Int, sentence: String) throws {
    let ending = try Tool.call("impair \(arguments)", in: try Workspace())
    #expect(ending.status == Int32(status) && ending.errors.contains(sentence), "\(ending.errors)")
  }
}
