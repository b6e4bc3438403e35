import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A relay and its users as processes on loopback, each with a tone of its own.
@Suite("relay and join", .serialized, .timeLimit(.minutes(10)))
struct ChannelTests {
  private static let tones: [UInt32: Double] = [5: 400, 6: 500, 7: 620]

  private func folder() throws -> Workspace {
    let folder = try RelayScript.folder()
    for (uid, hertz) in Self.tones {
      let tone = Signals.sine(hertz, rate: 48_000, seconds: 5, amplitude: 0.3)
      try folder.write("tone\(uid).wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    }
    return folder
  }

  @Test(
    "three users hear exactly the two others, each apart too", .shows("relay command", "join", "join events, token"),
    arguments: ["127.0.0.1:0", "[::1]:0"])
  func three(listen: String) throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      """
      for u in 5 6 7; do
        token room $u
        $A join --url $URL --channel room --uid $u --token-file t$u --publish tone$u.wav --duration 5 \\
          --record-playback heard$u.wav --each-out each$u --events - > events$u.txt 2> errors$u.txt & P[$u]=$!
      done
      for u in 5 6 7; do wait ${P[$u]} || exit 1; done
      """, listen: listen, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    for (uid, own) in Self.tones {
      #expect(try RelayScript.amplitude(own, in: "heard\(uid).wav", of: folder) < 0.01, "\(uid)")
      for (other, hertz) in Self.tones where other != uid {
        #expect(try RelayScript.amplitude(hertz, in: "heard\(uid).wav", of: folder) > 0.2, "\(uid) hears \(other)")
        #expect(
          try RelayScript.amplitude(hertz, in: "each\(uid)/user.\(other).wav", of: folder) > 0.2,
          "\(uid) apart \(other)")
        let third = Self.tones.first { $0.key != uid && $0.key != other }!.value
        #expect(try RelayScript.amplitude(third, in: "each\(uid)/user.\(other).wav", of: folder) < 0.01)
      }
      let events = String(decoding: try folder.read("events\(uid).txt"), as: UTF8.self).split(separator: "\n")
      #expect(events.last?.contains(#""event":"summary""#) == true, "\(events)")
      for name in ["didJoinChannel", "didJoinedOfUid", "firstLocalAudioFramePublished", "didLeaveChannel"] {
        #expect(events.contains { $0.contains("\"event\":\"\(name)\"") }, "\(name) in \(events)")
      }
    }
    let counters = try #require(try folder.json("relay.json")["counters"] as? [String: Int])
    #expect(counters["packets"]! > 500 && counters["forwarded"]! >= counters["packets"]!)
    #expect(counters["refused_datagrams"] == 0 && counters["other_ssrc_packets"] == 0 && counters["bans"] == 0)
  }

  @Test("users of a killed and restarted relay come back with their uids", .shows("C9", "relay command"))
  func restart() throws {
    let port = try Ports.pair()
    let folder = try folder()
    let ending = try Tool.shell(
      """
      relay() { $A relay --listen 127.0.0.1:\(port) --app-id demo --app-secret-file secret.txt 2>> relay.txt & R=$!; }
      relay
      until grep -q 'listening at' relay.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      for u in 5 6; do
        $A token create --app-id demo --app-secret-file secret.txt --channel room --uid $u > t$u
        $A join --url ws://127.0.0.1:\(port) --channel room --uid $u --token-file t$u --publish tone$u.wav --duration 6 \
          --events - > events$u.txt & P[$u]=$!
      done
      for u in 5 6; do until grep -q '"state":2' events$u.txt; do read -rt 0.05 <> <(:) || true; done; done
      until grep -q 'remoteAudioStateChanged' events5.txt events6.txt; do read -rt 0.05 <> <(:) || true; done
      kill -9 $R; wait $R
      relay
      wait ${P[5]}; A5=$?; wait ${P[6]}; A6=$?
      kill -INT $R; wait $R
      exit $((A5 + A6))
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    for uid in [5, 6] {
      let events = String(decoding: try folder.read("events\(uid).txt"), as: UTF8.self).split(separator: "\n")
      #expect(events.contains { $0.contains("didRejoinChannel") && $0.contains("\"uid\":\(uid)") }, "\(events)")
      // At the end the other leaves (0); nobody is dropped (1).
      #expect(!events.contains { $0.contains("didOfflineOfUid") && $0.contains("\"reason\":1") }, "\(events)")
      // Half a second of 6 may be missing around the restart, or more on a busy machine.
      let summary = try #require(events.last.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) })
      let heard = (summary as? [String: Any])?["heard"] as? [String: [String: Any]]
      #expect(try #require(heard?["\(11 - uid)"]?["frames"] as? Int) > 250, "\(events)")
    }
  }

  @Test("another channel hears nothing", .shows("C16", "join"))
  func apart() throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      """
      token room 5; token hall 6
      $A join --url $URL --channel room --uid 5 --token-file t5 --publish tone5.wav --duration 2 > /dev/null & P=$!
      $A join --url $URL --channel hall --uid 6 --token-file t6 --duration 2 --json
      wait $P
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect((ending.json?["heard"] as? [String: Any])?.isEmpty == true, "\(ending.text)")
  }

  @Test(
    "a token that is refused ends with 77 and the relay's sentence", .shows("join"),
    arguments: [
      ("token hall 5", "-110"), ("token room 6; mv t6 t5", "-110"),
      ("sed -i 's/k/q/g' secret.txt; token room 5", "-110"),
    ])
  func refused(making: String, code: String) throws {
    let folder = try folder()
    let ending = try RelayScript.run(
      "\(making); $A join --url $URL --channel room --uid 5 --token-file t5 --duration 1", in: folder)
    #expect(ending.status == 77 && ending.errors.contains("(\(code))"), "\(ending.errors)")
  }

  @Test(
    "wrong lines are one sentence",
    arguments: [
      ("relay --app-id demo --app-secret-file secret.txt", 64, "--listen"),
      ("relay --listen 0.0.0.0:0 --app-id demo --app-secret-file secret.txt", 64, "TLS"),
      ("relay --listen 127.0.0.1:0 --app-id demo", 64, "--app-secret-file"),
      ("relay --listen 127.0.0.1:0 --app-secret-file secret.txt", 64, "--app-id"),
      ("relay --listen 127.0.0.1:0 --app-id demo --app-secret-file none", 66, "none"),
      ("relay --listen 127.0.0.1:0 --app-id demo --app-secret-file secret.txt --tls-cert a", 64, "--tls-key"),
      ("relay --listen 192.0.2.1:7 --allow-plain --app-id demo --app-secret-file secret.txt", 69, "192.0.2.1"),
      ("join --channel room --app-id demo", 64, "--url"),
      ("join --url ws://127.0.0.1:9 --app-id demo", 64, "--channel"),
      ("join --url ws://127.0.0.1:9 --channel room", 64, "--token-file"),
      ("join --url http://127.0.0.1:9 --channel room --app-id demo", 64, "ws://"),
      ("join --url ws://127.0.0.1:9 --channel room --app-id demo --publish no.wav", 66, "no.wav"),
      ("join --url ws://127.0.0.1:9 --channel room --app-id demo --role audience --publish tone5.wav", 64, "--role"),
    ])
  func wrong(line: String, status: Int, words: String) throws {
    let folder = try folder()
    let ending = try Tool.call(line, in: folder)
    #expect(ending.status == Int32(status) && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
  }
}
