import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Calls between processes on loopback.
@Suite("call", .serialized, .timeLimit(.minutes(5)))
struct CallTests {
  private func folder() throws -> Workspace {
    let folder = try RelayScript.folder()
    for (name, tone, seconds) in [("talk", 400.0, 2.0), ("greeting", 1_000.0, 1.5)] {
      let samples = Signals.sine(tone, rate: 48_000, seconds: seconds, amplitude: 0.3)
      try folder.write("\(name).wav", Signals.wave("s16", rate: 48_000, channels: 1, samples).file())
    }
    return folder
  }

  /// Words of each script: `answer UID OPTION...` waits for a call beside it, `caller UID PEER OPTION...` calls.
  private static let words = """
    for u in 5 7 9; do token '*' $u; done
    soon() { until grep -q "$1" $2; do kill -0 $P 2> /dev/null || break; read -rt 0.05 <> <(:) || true; done; }
    answer() { U=$1; shift
      $A call --answer --url $URL --uid $U --token-file t$U --events - "$@" > events$U.txt 2> errors$U.txt & P=$!
      soon 'waits for a call' errors$U.txt; }
    caller() { U=$1; shift
      timeout 60 $A call --url $URL --uid $U --token-file t$U --events - "$@" > events$U.txt 2> errors$U.txt; }

    """

  /// Runs a script beside a relay.
  private func run(_ script: String, in folder: Workspace) throws -> Tool.Ending {
    try RelayScript.run(Self.words + script, in: folder)
  }

  /// States and their reasons in the events of a user, such as `2/33`.
  static func states(_ uid: Int, in folder: Workspace) throws -> [String] {
    try lines(uid, in: folder).compactMap { line in
      guard line["event"] as? String == "onCallStateChanged", let state = line["state"] as? Int,
        let reason = line["reason"] as? Int
      else { return nil }
      return "\(state)/\(reason)"
    }
  }

  private static func lines(_ uid: Int, in folder: Workspace) throws -> [[String: Any]] {
    try String(decoding: folder.read("events\(uid).txt"), as: UTF8.self).split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func tone(_ frequency: Double, in name: String, of folder: Workspace) throws -> Double {
    let samples = try #require(Wave(try folder.read(name))).int16().map { Double($0) / 32_768 }
    return toneAmplitude(of: frequency, in: samples[24_000..<48_000], sampleRate: 48_000)
  }

  @Test("caller and callee hear each other, and end with 0", .shows("call", "K3", "K9"))
  func whole() throws {
    let folder = try folder()
    let ending = try run(
      """
      answer 7 --publish greeting.wav --record-playback heard7.wav
      caller 5 7 --publish talk.wav --record-playback heard5.wav --text hello; STATUS=$?
      wait $P && (exit $STATUS)
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try Self.states(5, in: folder) == ["1/0", "2/31", "3/7", "4/13", "1/9", "0/0"])
    #expect(try Self.states(7, in: folder) == ["1/0", "2/33", "3/8", "4/13", "1/10", "0/0"])
    #expect(try tone(1_000, in: "heard5.wav", of: folder) > 0.2 && tone(400, in: "heard5.wav", of: folder) < 0.02)
    #expect(try tone(400, in: "heard7.wav", of: folder) > 0.2)
    let info = try #require(try Self.lines(7, in: folder).compactMap { $0["event_info"] as? [String: String] }.first)
    #expect(info["callExtension"] == "hello" && info["remoteUserId"] == "5", "\(info)")
    let summary = try #require(try Self.lines(5, in: folder).last)
    #expect(summary["connected"] as? Bool == true && summary["reason"] as? Int == 9, "\(summary)")
    #expect(try #require(summary["duration_ms"] as? Int) > 2_000)
  }

  @Test("a user that talks is busy for a third one", .shows("call", "K10"))
  func busy() throws {
    let folder = try folder()
    let ending = try run(
      """
      answer 7
      (caller 5 7 --duration 30) & C=$!
      soon 'onCallConnected' events7.txt
      caller 9 7; STATUS=$?
      kill -INT $P; wait $P $C; (exit $STATUS)
      """, in: folder)
    let errors = String(decoding: try folder.read("errors9.txt"), as: UTF8.self)
    #expect(ending.status == 69 && errors.contains("user 7 has another call"), "\(errors)")
    #expect(try Self.states(9, in: folder) == ["1/0", "2/31", "1/17", "0/0"])
    #expect(try Self.states(5, in: folder) == ["1/0", "2/31", "3/7", "4/13", "1/10", "0/0"])
  }

  @Test(
    "a call without an answer is 69 with its reason", .shows("call"),
    arguments: [
      ("caller 5 7", "user 7 is not online", "2/31 1/4"),
      ("answer 7 --answer-after 8; caller 5 7 --ring-time 1", "has not answered in time", "2/31 1/14"),
      (
        "answer 7; kill -STOP $P; caller 5 7 --ring-time 2", "in time",
        "2/31 1/14"
      ),
    ])
  func unanswered(script: String, words: String, states: String) throws {
    let folder = try folder()
    let ending = try run(
      "P=$$; \(script); STATUS=$?; if [ $P != $$ ]; then kill -CONT $P; kill -INT $P; wait $P; fi; (exit $STATUS)",
      in: folder)
    let errors = String(decoding: try folder.read("errors5.txt"), as: UTF8.self)
    #expect(ending.status == 69 && errors.contains(words), "\(errors)")
    #expect(try Self.states(5, in: folder).dropFirst().dropLast().joined(separator: " ") == states)
  }

  @Test("a callee waits for the next caller behind a call that is given up", .shows("call"))
  func cancelled() throws {
    let folder = try folder()
    let ending = try run(
      """
      answer 7 --answer-after 2
      $A call 7 --url $URL --uid 9 --token-file t9 2> errors9.txt & C=$!
      soon 'onCallStateChanged","state":2' events7.txt
      kill -INT $C; wait $C
      soon 'calls no longer' errors7.txt
      caller 5 7 --duration 0.5; STATUS=$?
      wait $P && (exit $STATUS)
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try Self.states(7, in: folder) == ["1/0", "2/33", "1/12", "2/33", "3/8", "4/13", "1/10", "0/0"])
  }

  @Test(
    "^C ends a callee in each of its states", .shows("call"),
    arguments: ["waits for a call", "user 5 calls", "connected"])
  func interrupted(words: String) throws {
    let folder = try folder()
    let ending = try run(
      """
      answer 7 --answer-after \(words == "user 5 calls" ? 9 : 0)
      (caller 5 7 --duration 20; echo $? > status) & C=$!
      soon '\(words)' errors7.txt
      kill -INT $P; wait $P; STATUS=$?
      kill -INT $C; wait $C; (exit $STATUS)
      """, in: folder)
    #expect(ending.status == 130, "\(ending.errors)")
    #expect(try Self.states(7, in: folder).last == "0/0")
  }

  @Test("two users that call each other talk", .shows("call", "K10"))
  func simultaneous() throws {
    let folder = try folder()
    let ending = try run(
      """
      P=$$
      (caller 5 7 --publish talk.wav; echo $? > status) & C=$!
      caller 7 5 --duration 10; STATUS=$?
      wait $C; [ $(cat status) = 0 ] && (exit $STATUS)
      """, in: folder)
    let errors = String(decoding: try folder.read("errors5.txt") + folder.read("errors7.txt"), as: UTF8.self)
    #expect(ending.status == 0, "\(errors)")
    for uid in [5, 7] { #expect(try Self.states(uid, in: folder).contains("4/13"), "\(errors)") }
  }

  @Test("a microphone is never open without an accept", .shows("call", "K8"))
  func microphone() throws {
    let folder = try folder()
    let ending = try run(
      """
      P=$$; for i in 1 2 3 4; do caller 5 999 --publish mic --capture-device virtual: ; cat events5.txt >> all.txt; done
      answer 7 --publish mic --capture-device virtual: ; kill -INT $P; wait $P; cat events7.txt >> all.txt
      answer 7 --publish mic --capture-device virtual: --record-mixed m.wav
      caller 5 7 --duration 1
      wait $P; cat events7.txt >> talk.txt
      """, in: folder)
    let all = String(decoding: try folder.read("all.txt"), as: UTF8.self)
    #expect(!all.contains("localAudioStateChanged\",\"state\":1"), "\(all)")
    // It opens once in a call, and stays closed behind it.
    let talk = String(decoding: try folder.read("talk.txt"), as: UTF8.self)
    #expect(talk.split(separator: "\n").count { $0.contains("localAudioStateChanged\",\"state\":1") } == 1, "\(talk)")
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test("texts of another user cannot command a terminal", .shows("call"))
  func escapes() throws {
    let folder = try folder()
    _ = try run(
      #"""
      answer 7
      caller 5 7 --duration 0.3 --text "$(printf 'a\033[31m\302\233b\342\200\256c')"
      wait $P
      """#, in: folder)
    let bytes = try folder.read("events7.txt") + folder.read("errors7.txt")
    #expect(!bytes.contains(0x1B) && !bytes.contains(0x9B) && !bytes.contains(0xE2))
    let info = try #require(try Self.lines(7, in: folder).compactMap { $0["event_info"] as? [String: String] }.first)
    #expect(info["callExtension"] == "a\u{1B}[31m\u{9B}b\u{202E}c")
  }

  @Test("a token for one room alone is 77", .shows("call"))
  func token() throws {
    let folder = try folder()
    let ending = try run("token room 5; caller 5 7", in: folder)
    #expect(ending.status == 77, "\(ending.errors)")
  }

  @Test(
    "a command line without a sense is 64", .shows("call"),
    arguments: [
      "call", "call 7 --answer", "call x", "call 0", "call 5 --uid 5", "call 7 --answer-after 1",
      "call --answer --room r", "call --answer --answer-after 15", "call 7 8",
    ])
  func usage(line: String) throws {
    let uid = line.contains("--uid") ? "" : " --uid 5"
    let ending = try Tool.call("\(line)\(uid) --url ws://127.0.0.1:9 --app-id demo", in: try folder())
    #expect(ending.status == 64 && ending.failures.count == 1, "\(ending.errors)")
  }

  /// The relay is killed and started again at the same port.
  private static let restarting = """
    relay() { $A relay --listen 127.0.0.1:PORT --app-id demo --app-secret-file secret.txt \\
      --drop-after-communication 3 2>> relay.txt & R=$!; }
    restart() { kill -9 $R; wait $R; relay; }
    token() { $A token create --app-id demo --app-secret-file secret.txt --channel "$1" --uid "$2" > "t$2"; }
    URL=ws://127.0.0.1:PORT
    P=$$; relay; soon 'listening at' relay.txt

    """

  private func runRestarting(_ script: String, in folder: Workspace) throws -> Tool.Ending {
    let port = try Ports.pair()
    let words = Self.words.split(separator: "\n", maxSplits: 1)
    return try Tool.shell(
      "\(words[1])\n\(Self.restarting)\n\(words[0])\n\(script)\nSTATUS=$?; kill -9 $R; wait $R; exit $STATUS"
        .replacing("PORT", with: "\(port)"), in: folder)
  }

  @Test("a call outlives a restart of the relay", .shows("K10"), arguments: ["2", "4"])
  func restart(state: String) throws {
    let folder = try folder()
    let ending = try runRestarting(
      """
      answer 7 --answer-after \(state == "2" ? 6 : 0)
      (caller 5 7 --duration 8 --publish talk.wav) & C=$!
      soon 'onCallStateChanged","state":\(state)' events7.txt
      restart
      wait $C; STATUS=$?; wait $P || STATUS=$?; (exit $STATUS)
      """, in: folder)
    let errors = String(decoding: try folder.read("errors5.txt"), as: UTF8.self)
    #expect(ending.status == 0, "\(errors)\n\(ending.errors)")
    #expect(try Self.states(5, in: folder) == ["1/0", "2/31", "3/7", "4/13", "1/9", "0/0"], "\(errors)")
    #expect(try Self.states(7, in: folder) == ["1/0", "2/33", "3/8", "4/13", "1/10", "0/0"])
  }

  @Test("a user that is killed ends the call at the other one", .shows("K6", "K10"))
  func killed() throws {
    let folder = try folder()
    let ending = try runRestarting(
      """
      answer 7
      (caller 5 7 --duration 60; echo $? > status) & C=$!
      soon 'onCallConnected' events5.txt
      kill -9 $P; wait $C; (exit $(cat status))
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try Self.states(5, in: folder) == ["1/0", "2/31", "3/7", "4/13", "1/10", "0/0"])
    let left = try Self.lines(5, in: folder).first { $0["number"] as? Int == 108 }
    #expect(left?["reason"] as? String == "1")
  }
}
