import Foundation
import TestSupport
import Testing

@Suite("impair", .timeLimit(.minutes(10)))
struct ImpairTests {
  @Test("Datagrams of a real program pass through, some are lost, and the end says how many", .shows("impair"))
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
    "What cannot be is one sentence and the right exit code", .shows("impair"),
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
