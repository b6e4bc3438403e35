import Foundation
import TestSupport
import Testing

/// A relay as a process, scripts beside it, and what its users have heard.
package enum RelayScript {
  /// Makes a folder with the relay's secret.
  package static func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("secret.txt", Array(String(repeating: "k", count: 40).utf8))
    return folder
  }

  /// Runs a relay with `listen`, and behind it the script, in which `$URL` is the relay and `token CHANNEL UID` makes a
  /// token.
  package static func run(_ script: String, listen: String = "127.0.0.1:0", in folder: Workspace) throws -> Tool.Ending
  {
    try Tool.shell(
      """
      $A relay --listen \(listen) --app-id demo --app-secret-file secret.txt --json > relay.json 2> relay.txt & R=$!
      until grep -q 'listening at' relay.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      URL=$(sed -n 's/.*listening at //p' relay.txt)
      token() { $A token create --app-id demo --app-secret-file secret.txt --channel "$1" --uid "$2" > "t$2"; }
      \(script)
      STATUS=$?
      kill -INT $R; wait $R
      cat relay.txt >&2; exit $STATUS
      """, in: folder)
  }

  /// Runs a relay with the configuration `relay.json`, and behind it the script, in which `$URL` is the relay,
  /// `get PATH` prints the answer of its metrics, and `token APP CHANNEL UID` makes a token.
  package static func runConfigured(
    _ script: String, before preparation: String = "", in folder: Workspace
  ) throws -> Tool.Ending {
    try Tool.shell(
      """
      \(preparation)
      $A relay --config relay.json > relay.out 2> relay.txt & R=$!
      logged() { until grep -q "$1" relay.txt; do kill -0 $R || return 1; read -rt 0.05 <> <(:) || true; done; }
      logged 'metrics at'
      URL=$(sed -n 's/.*listening at //p' relay.txt)
      METRICS=$(sed -n 's|.*metrics at http://127.0.0.1:||; s|/metrics$||p' relay.txt)
      token() { $A token create --app-id $1 --app-secret-file $1.secret --channel "$2" --uid "$3" > "t$3"; }
      get() {
        exec 9<> /dev/tcp/127.0.0.1/$METRICS
        printf 'GET %s HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' "$1" >&9; cat <&9; exec 9>&-
      }
      \(script)
      STATUS=$?
      kill -INT $R; wait $R
      cat relay.txt >&2; exit $STATUS
      """, in: folder)
  }

  /// The example of Documentation/Channels.md, with ports that the system chooses.
  package static func exampleConfiguration() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("Documentation/Channels.md"), encoding: .utf8)
    let block = try #require(page.components(separatedBy: "```json\n").dropFirst().first)
    return block.components(separatedBy: "```")[0]
      .replacingOccurrences(of: ":7000", with: ":0").replacingOccurrences(of: ":9090", with: ":0")
  }

  /// Level of a tone in the middle of a file, as an amplitude.
  package static func amplitude(_ hertz: Double, in name: String, of folder: Workspace) throws -> Double {
    let samples = try #require(Wave(try folder.read(name))).int16().map { Double($0) / 32_768 }
    guard samples.count > 144_000 else { return 0 }
    // By blocks, because a delay that is still being learnt moves the tone now and then.
    let levels = stride(from: 48_000, to: 144_000, by: 2_400).map { start in
      toneAmplitude(of: hertz, in: samples[start..<start + 2_400], sampleRate: 48_000)
    }
    return levels.sorted()[levels.count / 2]
  }
}
