import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Users of a channel with simulated devices, in real time.
@Suite("join with devices", .serialized, .timeLimit(.minutes(10)))
struct JoinDeviceTests {
  @Test("a microphone is heard by a recording user and at a loudspeaker", .shows("join with devices", "D4", "D8"))
  func microphone() throws {
    let folder = try RelayScript.folder()
    let ending = try RelayScript.run(
      """
      for u in 5 6 7; do token room $u; done
      J="$A join --url $URL --channel room --duration 5"
      $J --uid 5 --token-file t5 --publish mic --capture-device virtual:tone=1000 --events - > events.txt & P[5]=$!
      $J --uid 6 --token-file t6 --record-playback recorded.wav > /dev/null & P[6]=$!
      $J --uid 7 --token-file t7 --play --playout-device file:played.wav > /dev/null & P[7]=$!
      for u in 5 6 7; do wait ${P[$u]} || exit 1; done
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    for name in ["recorded.wav", "played.wav"] {
      let amplitude = try RelayScript.amplitude(1_000, in: name, of: folder)
      #expect(abs(amplitude - 0.5) < 0.05, "\(name): \(amplitude)")
    }
    let events = String(decoding: try folder.read("events.txt"), as: UTF8.self).split(separator: "\n")
    for state in [1, 2] {
      #expect(
        events.contains { $0.contains(#""event":"localAudioStateChanged","state":\#(state),"error":0"#) }, "\(events)")
    }
    #expect(events.last?.contains(#""event":"summary""#) == true, "\(events)")
  }

  @Test("a user with microphone and loudspeaker leaves with 0", .shows("join with devices"))
  func both() throws {
    let ending = try RelayScript.run(
      """
      token room 5
      $A join --url $URL --channel room --uid 5 --token-file t5 --publish mic --capture-device null --play \\
        --playout-device null --duration 1 --json
      """, in: try RelayScript.folder())
    #expect(ending.status == 0 && ending.json?["state"] as? Int == 3, "\(ending.errors)")
  }

  @Test(
    "a device that cannot be opened ends with 69 before the join", .shows("join with devices"),
    arguments: [
      "--publish mic --capture-device no-such-mic", "--play --playout-device no-such-speaker",
      "--publish mic --capture-device null --play --playout-device no-such-speaker",
    ])
  func unknown(options: String) throws {
    let folder = try RelayScript.folder()
    let ending = try RelayScript.run(
      "token room 5; $A join --url $URL --channel room --uid 5 --token-file t5 \(options) --duration 1", in: folder)
    #expect(ending.status == 69 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.failures.first?.contains(try #require(options.split(separator: " ").last)) == true)
    #expect((try folder.json("relay.json")["counters"] as? [String: Int])?["messages"] == 0)
  }

  @Test(
    "devices that contradict other options are refused in one sentence", .shows("join with devices"),
    arguments: [
      ("--capture-device null", 64, "--publish mic"), ("--publish tone.wav --capture-device null", 64, "--publish mic"),
      ("--playout-device null", 64, "--play"), ("--publish mic --capture-device virtual:pmm=2", 64, "pmm"),
      ("--publish mic --role audience", 64, "--role"), ("--publish mic --capture-device file:", 64, "file:PATH"),
      ("--publish mic --capture-device file:none.wav", 66, "none.wav"),
      ("--play --playout-device file:tone.wav", 73, "tone.wav"),
      ("--play --playout-device file:x.wav --record-playback x.wav", 64, "--playout-device"),
      ("--publish mic --capture-device file:tone.wav --record-mixed tone.wav --overwrite", 64, "--capture-device"),
    ])
  func refused(options: String, status: Int, words: String) throws {
    let folder = try RelayScript.folder()
    let tone = Signals.sine(400, rate: 48_000, seconds: 1, amplitude: 0.3)
    try folder.write("tone.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    let ending = try Tool.call("join --url ws://127.0.0.1:9 --app-id demo --channel room \(options)", in: folder)
    #expect(ending.status == Int32(status) && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains(words) && !folder.has("x.wav"), "\(ending.errors)")
  }
}
