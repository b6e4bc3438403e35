import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A relay with several apps as a process on loopback: other settings while it runs, and its metrics.
@Suite("relay as a service", .serialized, .timeLimit(.minutes(10)))
struct RelayServiceTests {
  /// Tones of the users; 5 and 7 are users of `demo`, 6 and 8 of `game`.
  private static let tones: [UInt32: Double] = [5: 400, 6: 500, 7: 620, 8: 760]

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for (name, letter) in [("demo", "d"), ("game", "g"), ("game-old", "o"), ("third", "t")] {
      try folder.write("\(name).secret", Array(String(repeating: letter, count: 40).utf8))
      chmod(folder["\(name).secret"], 0o600)
    }
    try folder.write("relay.json", Array(try RelayScript.exampleConfiguration().utf8))
    return folder
  }

  @Test("a relay for development serves app dev without a token, locally only")
  func development() throws {
    let folder = try Workspace()
    let ending = try Tool.shell(
      """
      $A relay --dev --listen 127.0.0.1:0 2> relay.txt & R=$!
      until grep -q 'for development' relay.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      $A join --url $(sed -n 's/.*listening at //p' relay.txt) --app-id dev --channel room --duration 0.2; STATUS=$?
      kill -INT $R; wait $R
      cat relay.txt >&2; exit $STATUS
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    for wrong in ["--app-id demo", "--config x", "--listen 0.0.0.0:0"] {
      #expect(try Tool.run("relay --dev \(wrong)", in: folder).status == 64, "\(wrong)")
    }
  }

  @Test(
    "a secret that others can read is a warning, and strict refuses it",
    arguments: [
      ("644", "", true), ("600", "", false), ("640", ", \"strict\": true", false), ("604", ", \"strict\": true", true),
    ])
  func exposedSecret(mode: String, setting: String, isExposed: Bool) throws {
    let folder = try folder()
    let ending = try RelayScript.runConfigured(
      "true",
      before: "chmod \(mode) game-old.secret; sed -i 's/\"schema\": 1/&\(setting)/' relay.json",
      in: folder)
    let log = ending.errors.split(separator: "\n").filter { $0.contains("game-old.secret") }
    #expect(log.count == (isExposed ? 1 : 0) && log.allSatisfy { $0.contains("(mode \(mode))") }, "\(ending.errors)")
    #expect(log.allSatisfy { $0.contains(setting.isEmpty ? "warning" : "error") }, "\(ending.errors)")
    #expect(ending.errors.contains("listening at") == (setting.isEmpty || !isExposed), "\(ending.errors)")
  }

  @Test(
    "users hear only their own app while the settings change", .shows("relay config", "relay metrics", "C16"))
  func reload() throws {
    let folder = try folder()
    for (uid, hertz) in Self.tones {
      let tone = Signals.sine(hertz, rate: 48_000, seconds: 4, amplitude: 0.3)
      try folder.write("tone\(uid).wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    }
    let ending = try RelayScript.runConfigured(
      """
      third() { $A join --url $URL --channel room --uid 9 --token-file t9 --duration 0.1 2>> third.txt; echo $? >> third; }
      for u in 5 6 7 8; do
        {
          if ((u % 2)); then token demo room $u; else token game room $u; fi
          $A join --url $URL --channel room --uid $u --token-file t$u --publish tone$u.wav --duration 3.2 \\
            --record-playback heard$u.wav 2> errors$u.txt
        } & P[$u]=$!
      done
      token third room 9; third
      sed 's|"apps": \\[|&{"id": "third", "secret_files": ["third.secret"]},|' relay.json > new.json
      cp new.json relay.json; kill -HUP $R; logged 'settings read again: 3 apps'
      third
      sed 's/"apps"/"app"/' new.json > relay.json; kill -HUP $R; logged 'the present settings stay'
      third
      get /metrics > metrics.txt
      for u in 5 6 7 8; do wait ${P[$u]} || exit 1; done
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(String(decoding: try folder.read("third"), as: UTF8.self) == "77\n0\n0\n")
    #expect(
      ending.failures.count == 1 && ending.errors.contains("has no key 'app'; did you mean 'apps'?"), "\(ending.errors)"
    )
    // One listener of each app: the levels of all would take another second.
    for uid: UInt32 in [5, 6] {
      for (other, hertz) in Self.tones where other != uid {
        let level = try RelayScript.amplitude(hertz, in: "heard\(uid).wav", of: folder)
        #expect(other % 2 == uid % 2 ? level > 0.2 : level < 0.01, "\(uid) hears \(other) at \(level)")
      }
    }
    let metrics = String(decoding: try folder.read("metrics.txt"), as: UTF8.self)
    #expect(metrics.contains("\naudiopipe_relay_sessions 4\n") && metrics.contains("\naudiopipe_relay_channels 2\n"))
  }

  @Test("datagrams that a long stall drops are counted and warned of")
  func drops() throws {
    let folder = try folder()
    let ending = try RelayScript.runConfigured(
      """
      flood() {
        kill -STOP $R
        python3 -c '
      import socket, sys
      end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      for number in range(int(sys.argv[2])): end.sendto(bytes(180), ("127.0.0.1", int(sys.argv[1])))' ${URL##*:} $1
        kill -CONT $R
      }
      dropped() { get /metrics | sed -n 's/^audiopipe_relay_dropped_datagrams_total //p'; }
      flood 2000; read -rt 1.3 <> <(:)
      echo $(dropped)
      flood 60000; logged 'datagrams that the relay came too late for'
      echo $(dropped)
      """, in: folder)
    let counts = ending.text.split(separator: "\n").compactMap { Int($0) }
    let isSmall = ending.errors.contains("KiB for datagrams that wait")
    #expect(counts.count == 2 && (counts[0] == 0 || isSmall) && counts[1] > 1_000, "\(ending.text)\(ending.errors)")
    #expect(!isSmall || ending.errors.contains("sysctl -w net.core.rmem_max=4194304"))
  }

  @Test("pages of other origins are refused if an app id is enough", .shows("relay config"))
  func origins() throws {
    let folder = try RelayScript.folder()
    func page(_ app: String, _ words: String = "") throws -> String {
      try Tool.shell(
        """
        : > second.txt
        $A relay --listen 127.0.0.1:0 --app-id demo \(app) \(words) 2> second.txt & R=$!
        until grep -q 'listening at' second.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
        exec 9<> /dev/tcp/127.0.0.1/$(sed -n 's/.*listening at .*://p' second.txt)
        printf '%s\\r\\n' 'GET / HTTP/1.1' 'Host: localhost' 'Origin: https://evil.example' 'Upgrade: websocket' \\
          'Connection: Upgrade' 'Sec-WebSocket-Version: 13' 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==' \\
          'Sec-WebSocket-Protocol: audiopipe.v1' '' >&9
        IFS= read -r LINE <&9; echo "$LINE"; kill -INT $R; wait $R
        """, in: folder
      ).text
    }
    let secret = "--app-secret-file secret.txt"
    #expect(try page("--allow-app-id-only").contains("403 Forbidden"))
    #expect(try page("--allow-app-id-only", "--allow-origin https://evil.example").contains("101"))
    #expect(try page("--allow-app-id-only", "--allow-origin '*'").contains("101"))
    #expect(try page(secret).contains("101"), "a page has no token")
  }

  @Test("a setting for a restart is named in a warning", .shows("relay config"))
  func restart() throws {
    let folder = try folder()
    let ending = try RelayScript.runConfigured(
      """
      sed -i 's|"listen": .*|"listen": ["127.0.0.1:7001"],|; s|"metrics": .*||' relay.json
      kill -HUP $R; logged 'settings read again: 2 apps'
      """, in: folder)
    #expect(ending.warnings.count == 2, "\(ending.errors)")
    #expect(ending.errors.contains("'listen' has changed") && ending.errors.contains("'metrics' has changed"))
  }

  @Test(
    "new certificates serve later connections, a faulty one changes nothing", .shows("relay config"),
    .enabled("needs openssl") { isInstalled("openssl") })
  func certificates() throws {
    let folder = try folder()
    let ending = try RelayScript.runConfigured(
      """
      subject() { openssl s_client -connect ${URL#wss://} < /dev/null 2> /dev/null | sed -n 's/^subject=CN *= *//p'; }
      subject
      certificate second; kill -HUP $R; logged 'settings read again'
      until [ "$(subject)" = second ]; do read -rt 0.05 <> <(:) || true; done
      echo nothing > chain.pem; kill -HUP $R; logged 'the present settings stay'
      subject
      """,
      before: """
        certificate() {
          openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out chain.pem -days 2 \
            -subj /CN=$1 2> /dev/null
        }
        certificate first
        sed -i 's|"schema": 1,|& "tls_cert": "chain.pem", "tls_key": "key.pem",|' relay.json
        """, in: folder)
    #expect(ending.status == 0 && ending.text == "first\nsecond\n", "\(ending.text) \(ending.errors)")
    #expect(ending.failures.count == 1 && ending.errors.contains("chain.pem"), "\(ending.errors)")
  }

  @Test("health is 200, and 503 during a drain", .shows("relay metrics"))
  func health() throws {
    let folder = try folder()
    let ending = try RelayScript.runConfigured(
      """
      token demo room 5
      get /healthz > serving.txt; get /bans > bans.txt
      $A join --url $URL --channel room --uid 5 --token-file t5 --duration 1.5 2> errors5.txt & P=$!
      until get /metrics | grep -q '^audiopipe_relay_sessions 1$'; do read -rt 0.05 <> <(:) || true; done
      kill -TERM $R; logged draining
      get /healthz > draining.txt; get /metrics > metrics.txt
      wait $P
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let sentence = "no new sessions; 1 session is told to move to wss://relay2.example:443, and has until 20"
    #expect(ending.errors.contains(sentence), "\(ending.errors)")
    func status(_ name: String) throws -> Substring {
      String(decoding: try folder.read(name), as: UTF8.self).prefix(12)
    }
    #expect(String(decoding: try folder.read("bans.txt"), as: UTF8.self).hasSuffix("{\"bans\":[]}\n"))
    #expect(try status("serving.txt") == "HTTP/1.1 200" && status("draining.txt") == "HTTP/1.1 503")
    #expect(String(decoding: try folder.read("metrics.txt"), as: UTF8.self).contains("\naudiopipe_relay_draining 1\n"))
  }

  /// The drop time of the file is 25 s; the user is gone for less than 10 s when it becomes 1 s.
  @Test("a shorter drop time of the file drops a user that is gone", .shows("relay config", "C7"))
  func dropTime() throws {
    let ending = try RelayScript.runConfigured(
      """
      token demo room 5
      $A join --url $URL --channel room --uid 5 --token-file t5 --duration 60 2> errors5.txt & P=$!
      count() { get /metrics | sed -n "s/^audiopipe_relay_$1 //p"; }
      until [[ $(count sessions) == 1 ]]; do read -rt 0.05 <> <(:) || true; done
      kill -KILL $P; wait $P
      read -rt 1.5 <> <(:) || true
      before="$(count sessions) $(count drops_total)"
      sed -i 's/"live": 25/"live": 1/' relay.json; kill -HUP $R; logged 'settings read again'
      for ((I = 0; I < 100 && $(count drops_total) == 0; I++)); do read -rt 0.05 <> <(:) || true; done
      [[ $before == '1 0' && "$(count sessions) $(count drops_total)" == '0 1' ]]
      """, in: try folder())
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test("SIGHUP does not end a relay without a file", .shows("relay config"))
  func hangUp() throws {
    let ending = try RelayScript.run(
      """
      kill -HUP $R
      until grep -q 'started without a file to read' relay.txt; do kill -0 $R || exit 1; read -rt 0.05 <> <(:) || true; done
      kill -0 $R
      """, in: RelayScript.folder())
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test("a lack of descriptors for connections is one warning", .shows("relay"))
  func descriptors() throws {
    let ending = try RelayScript.runConfigured(
      """
      ulimit -Sn 1024
      for i in $(seq 100); do exec {fd}<> /dev/tcp/127.0.0.1/${URL##*:}; done
      logged 'raise the limit'
      """, before: "ulimit -Sn 64", in: folder())
    #expect(ending.status == 0 && ending.warnings.count == 1, "\(ending.errors)")
  }

  @Test("a drain without another relay says until when sessions may stay", .shows("relay"))
  func drain() throws {
    let ending = try RelayScript.run("kill -TERM $R; wait $R", in: RelayScript.folder())
    #expect(ending.errors.contains("draining: no new sessions; 0 sessions have until 20"), "\(ending.errors)")
    #expect(!ending.errors.contains("told to move"), "\(ending.errors)")
  }

  @Test(
    "prometheus_client parses the metrics and finds every count", .shows("relay metrics"),
    .enabled("needs prometheus_client from PyPI, which .ci/python could not install") { Prometheus.python != nil })
  func metrics() throws {
    let folder = try folder()
    let ending = try RelayScript.runConfigured(
      """
      for i in 1 2 3; do printf 'not a packet' > /dev/udp/127.0.0.1/${URL##*:}; done
      until get /metrics | grep -q '^audiopipe_relay_datagrams_total 3$'; do read -rt 0.05 <> <(:) || true; done
      get /metrics > metrics.txt
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let samples = try Prometheus.samples(try folder.read("metrics.txt"), in: folder)
    for name in [
      "messages", "refusals", "disconnects", "datagrams", "unknown_datagrams", "received_bytes", "sent_bytes",
      "packets",
      "forwarded_packets", "retransmitted_packets", "unauthorized_packets", "other_ssrc_packets", "muted_packets",
      "malformed_packets", "refused_datagrams", "drops", "bans",
    ] {
      #expect(samples["audiopipe_relay_\(name)_total"] != nil, "\(name)")
    }
    for name in ["sessions", "channels", "transports", "connections", "draining"] {
      #expect(samples["audiopipe_relay_\(name)"] == 0, "\(name)")
    }
    #expect(samples["audiopipe_relay_join_seconds_bucket{le=\"0.005\"}"] == 0)
    #expect(samples["audiopipe_relay_join_seconds_count"] == 0)
    #expect(samples["audiopipe_relay_unknown_datagrams_total"] == 3)
    #expect(samples["audiopipe_relay_received_bytes_total"] == 36)
    #expect(samples.contains { $0.key.hasPrefix("audiopipe_relay_build_info{version=") && $0.value == 1 })
    #expect(samples["process_cpu_seconds_total", default: 0] > 0 && samples["process_open_fds", default: 0] > 5)
    #expect((1e6...1e9).contains(samples["process_resident_memory_bytes", default: 0]))
  }
}
