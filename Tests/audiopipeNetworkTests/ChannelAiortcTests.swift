import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// aiortc, and the program that joins with it.
private enum AiortcUser {
  static let root = String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })

  /// Python that has aiortc, installed on the first call if need be; nil if it cannot be installed.
  static let python: String? = {
    guard let folder = try? Workspace(), let ending = try? Tool.shell("'\(root)/.ci/python' aiortc", in: folder),
      ending.status == 0
    else { return nil }
    return ending.text.trimmingCharacters(in: .newlines)
  }()
}

/// aiortc, another program of WebRTC, in a channel with `audiopipe join`.
@Suite(
  "relay and aiortc", .serialized,
  .enabled("needs aiortc from PyPI, which .ci/python could not install") { AiortcUser.python != nil },
  .timeLimit(.minutes(10)))
struct ChannelAiortcTests {
  @Test("aiortc and join hear each other's tone, and not their own", .shows("relay command", "join"))
  func tones() throws {
    let folder = try RelayScript.folder()
    let tone = Signals.sine(620, rate: 48_000, seconds: 8, amplitude: 0.3)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    let ending = try RelayScript.run(
      """
      for u in 5 6; do token room $u; done
      timeout 120 '\(AiortcUser.python!)' '\(AiortcUser.root)/Tests/Aiortc/channel' $URL room 6 t6 440 5 balanced other.wav & P=$!
      $A join --url $URL --channel room --uid 5 --token-file t5 --publish tone.wav --duration 8 \\
        --record-playback own.wav --events - > events.txt
      STATUS=$?
      wait $P || STATUS=$?
      (exit $STATUS)
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let own = try [440, 620].map { try RelayScript.amplitude($0, in: "own.wav", of: folder) }
    let other = try [620, 440].map { try RelayScript.amplitude($0, in: "other.wav", of: folder) }
    #expect(own[0] > 0.2 && own[1] < 0.01, "join hears \(own)")
    #expect(other[0] > 0.2 && other[1] < 0.01, "aiortc hears \(other)")
    let counters = try #require(try folder.json("relay.json")["counters"] as? [String: Int])
    #expect(counters["other_ssrc_packets"] == 0 && counters["bans"] == 0 && counters["malformed_packets"] == 0)
  }

  @Test("aiortc with two sections hears two users apart", .shows("relay command"))
  func sections() throws {
    let folder = try RelayScript.folder()
    for (name, hertz) in [("five.wav", 620.0), ("seven.wav", 900)] {
      let tone = Signals.sine(hertz, rate: 48_000, seconds: 8, amplitude: 0.3)
      try folder.write(name, Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    }
    let ending = try RelayScript.run(
      """
      for u in 5 6 7; do token room $u; done
      for u in 5:five 7:seven; do
        $A join --url $URL --channel room --uid ${u%:*} --token-file t${u%:*} --publish ${u#*:}.wav --duration 8 > $u.txt &
      done
      timeout 120 '\(AiortcUser.python!)' '\(AiortcUser.root)/Tests/Aiortc/channel' $URL room 6 t6 440 4 max-compat \\
        one.wav two.wav
      STATUS=$?; wait %2 %3
      (exit $STATUS)
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    // Which user has which section depends on who publishes first.
    let heard = try ["one.wav", "two.wav"].map { name in
      try [620, 900, 440].map { try RelayScript.amplitude($0, in: name, of: folder) }
    }
    let sorted = heard.sorted { $0[0] > $1[0] }
    #expect(sorted[0][0] > 0.2 && sorted[0][1] < 0.01 && sorted[0][2] < 0.01, "\(heard)")
    #expect(sorted[1][1] > 0.2 && sorted[1][0] < 0.01 && sorted[1][2] < 0.01, "\(heard)")
  }
}
