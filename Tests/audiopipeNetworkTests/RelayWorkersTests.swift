import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A relay with several workers, as a process on loopback.
@Suite("relay --workers", .serialized, .timeLimit(.minutes(10)))
struct RelayWorkersTests {
  @Test("channels are shared between the workers, and no packet is lost", .shows("relay: workers"))
  func shares() throws {
    let folder = try RelayScript.folder()
    try folder.write("demo.secret", folder.read("secret.txt"))
    let configuration = """
      {"schema": 1, "listen": ["127.0.0.1:0"], "metrics": "127.0.0.1:0", "workers": 3,
       "apps": [{"id": "demo", "secret_files": ["demo.secret"]}]}
      """
    try folder.write("relay.json", Array(configuration.utf8))
    let ending = try RelayScript.runConfigured(
      """
      for channel in a b c d e f; do
        $A load --url $URL --app-id demo --app-secret-file demo.secret --channel $channel --publishers 1 --listeners 3 \\
          --duration 3s --ramp 100/s --json > $channel.json 2> $channel.txt & J="$J $!"
      done
      # Channels and users that come and go do not disturb the others.
      for turn in 1 2 3; do
        for channel in a b c d e f; do
          $A load --url $URL --app-id demo --app-secret-file demo.secret --channel other-$channel --publishers 0 --listeners 4 \
            --duration 0.2s --ramp 100/s > /dev/null 2>&1 || echo "users of turn $turn did not join" >&2
        done
      done
      wait $J
      # The counts are at most 100 ms old.
      for _ in 1 2 3 4; do read -rt 0.05 <> <(:) || true; done
      get /metrics
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    for channel in ["a", "b", "c", "d", "e", "f"] {
      let load = try #require(
        JSONSerialization.jsonObject(with: Data(folder.read("\(channel).json"))) as? [String: Any])
      #expect(load["lost"] as? Int == 0 && (load["received"] as? Int ?? 0) >= 141, "\(load)")
    }
    func value(_ name: String) -> Double? {
      ending.text.split(separator: "\n").first { $0.hasPrefix("audiopipe_relay_\(name) ") }
        .flatMap { Double($0.split(separator: " ")[1]) }
    }
    let shares = (0..<3).compactMap { value("worker_forwarded_packets_total{worker=\"\($0)\"}") }
    #expect(shares.count == 3 && shares.allSatisfy { $0 >= 141 }, "\(shares)")
    #expect(value("forwarded_packets_total") == shares.reduce(0, +))
    #expect(value("forwarding_seconds_count") == shares.reduce(0, +))
    #expect(ending.errors.contains("the 3 workers at 127.0.0.1:"), "\(ending.errors)")
  }

  @Test("ports of workers beyond the last one are refused with 64", .shows("relay: workers"))
  func ports() throws {
    let ending = try Tool.run(
      "relay --listen 127.0.0.1:65535 --workers 2 --app-id a --allow-app-id-only", in: RelayScript.folder())
    #expect(ending.status == 64)
    #expect(ending.errors.contains("127.0.0.1:65535 leaves no ports for 2 workers"), "\(ending.errors)")
  }

  @Test("a count of workers that is none is refused with 64", .shows("relay: workers"), arguments: ["0", "65", "two"])
  func count(text: String) throws {
    let ending = try Tool.run(
      "relay --listen 127.0.0.1:0 --workers \(text) --app-id a --allow-app-id-only", in: RelayScript.folder())
    #expect(ending.status == 64)
    #expect(
      ending.errors.contains("--workers \(text): it must be a whole number from 1 to 64, or auto"), "\(ending.errors)")
  }

  @Test(
    "a faulty count in the configuration is refused with 78", .shows("relay: workers"), arguments: ["0", "\"all\""])
  func configured(text: String) throws {
    let folder = try RelayScript.folder()
    let configuration = """
      {"schema": 1, "listen": ["127.0.0.1:0"], "workers": \(text), "apps": [{"id": "a", "allow_app_id_only": true}]}
      """
    try folder.write("relay.json", Array(configuration.utf8))
    let ending = try Tool.run("relay --config relay.json", in: folder)
    #expect(ending.status == 78)
    #expect(
      ending.errors.contains("relay.json: workers must be a whole number from 1 to 64"), "\(ending.errors)")
  }
}
