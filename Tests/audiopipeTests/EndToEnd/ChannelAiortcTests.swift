import Foundation
import TestSupport
import Testing

/// aiortc, and the program that joins with it.
private enum AiortcUser {
  static let root = String(#filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 })

  /// Python that has aiortc, installed on the first call if need be; nil if it cannot be installed.
  static let python: String? = {
    guard let folder = try? Workspace(), let ending = try? Tool.shell("'\(root)/.ci/aiortc'", in: folder),
      ending.status == 0
    else { return nil }
    return ending.text.trimmingCharacters(in: .newlines)
  }()
}

/// aiortc, another program of WebRTC, in a channel with `audiopipe join`.
@Suite(
  "relay and aiortc", .serialized,
  .enabled("needs aiortc from PyPI, which .ci/aiortc could not install") { AiortcUser.python != nil },
  .timeLimit(.minutes(10)))
struct ChannelAiortcTests {
  /// Levels of two tones in the middle of a file, as amplitudes.
  private func amplitudes(_ tones: [Double], in name: String, of folder: Workspace) throws -> [Double] {
    let samples = try #require(Wave(try folder.read(name))).int16().map { Double($0) / 32_768 }
    guard samples.count > 144_000 else { return tones.map { _ in 0 } }
    return tones.map { hertz in
      let levels = stride(from: 48_000, to: 144_000, by: 2_400).map { start in
        var (sine, cosine) = (0.0, 0.0)
        for index in start..<start + 2_400 {
          let phase = 2 * Double.pi * hertz * Double(index) / 48_000
          sine += samples[index] * sin(phase)
          cosine += samples[index] * cos(phase)
        }
        return 2 * (sine * sine + cosine * cosine).squareRoot() / 2_400
      }
      return levels.sorted()[levels.count / 2]
    }
  }

  @Test("aiortc and join hear each other's tone, and not their own", .shows("relay command", "join"))
  func tones() throws {
    let folder = try Workspace()
    let tone = Signals.sine(620, rate: 48_000, seconds: 8, amplitude: 0.3)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    try folder.write("secret.txt", Array(String(repeating: "k", count: 40).utf8))
    let ending = try Tool.shell(
      """
      $A relay --listen 127.0.0.1:0 --app-id demo --app-secret-file secret.txt --json > relay.json 2> relay.txt & R=$!
      until grep -q 'listening at' relay.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      URL=$(sed -n 's/.*listening at //p' relay.txt)
      for u in 5 6; do $A token create --app-id demo --app-secret-file secret.txt --channel room --uid $u > t$u; done
      timeout 120 '\(AiortcUser.python!)' '\(AiortcUser.root)/Tests/Aiortc/channel' $URL room 6 t6 440 5 other.wav & P=$!
      $A join --url $URL --channel room --uid 5 --token-file t5 --publish tone.wav --duration 8 \\
        --record-playback own.wav --events - > events.txt
      STATUS=$?
      wait $P || STATUS=$?
      kill -INT $R; wait $R
      cat relay.txt >&2; exit $STATUS
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let own = try amplitudes([440, 620], in: "own.wav", of: folder)
    let other = try amplitudes([620, 440], in: "other.wav", of: folder)
    #expect(own[0] > 0.2 && own[1] < 0.01, "join hears \(own)")
    #expect(other[0] > 0.2 && other[1] < 0.01, "aiortc hears \(other)")
    let counters = try #require(try folder.json("relay.json")["counters"] as? [String: Int])
    #expect(counters["other_ssrc_packets"] == 0 && counters["bans"] == 0 && counters["malformed_packets"] == 0)
  }
}
