import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Each test has ports of its own, and the cases of one follow each other.
@Suite("rtp", .timeLimit(.minutes(10)))
struct RTPTests {
  /// 2 s of a tone that another decoder can be asked about.
  private func folder() throws -> Workspace {
    let folder = try Workspace()
    let tone = Signals.sine(440, rate: 48_000, seconds: 2, amplitude: 0.3)
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    return folder
  }

  /// Runs a receiver, waits until it listens, and then a sender.
  private func exchange(_ receiver: String, _ sender: String, in folder: Workspace) throws -> Tool.Ending {
    let script = """
      $A rtp receive \(receiver) --json > received.json 2> received.txt & R=$!
      until grep -q 'listening at' received.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      \(sender) >&2
      wait $R; STATUS=$?
      cat received.txt >&2; cat received.json; exit $STATUS
      """
    return try Tool.shell(script, in: folder)
  }

  /// The level of the tone among all else, as a share of the power: that of half of the blocks of 50 ms at least.
  ///
  /// By blocks, because a network delay that is still being learnt moves the tone now and then.
  private func purity(_ wave: Wave) -> Double {
    let samples = wave.int16().map(Double.init)
    guard samples.count > 48_000 else { return 0 }
    let blocks = stride(from: 12_000, to: 48_000, by: 2_400).map { start in
      var (sine, cosine, power) = (0.0, 0.0, 0.0)
      for index in start..<(start + 2_400) {
        let phase = 2 * Double.pi * 440 * Double(index) / 48_000
        sine += samples[index] * sin(phase)
        cosine += samples[index] * cos(phase)
        power += samples[index] * samples[index]
      }
      return power == 0 ? 0 : 2 * (sine * sine + cosine * cosine) / 2_400 / power
    }
    return blocks.sorted()[blocks.count / 2]
  }

  /// The file has the length of the tone, and of the pauses that a busy machine made in it, which were concealed.
  private func expectLength(_ ending: Tool.Ending, in folder: Workspace) throws {
    let count = Wave(try folder.read("out.wav"))?.int16().count ?? 0
    let concealed = try #require(ending.json?["concealed_ms"] as? Double)
    #expect(abs(Double(count) / 48 - 2_000) <= 100 + 2 * concealed, "\(count) samples, \(concealed) ms concealed")
  }

  private func expectTone(_ ending: Tool.Ending, in folder: Workspace) throws {
    #expect(ending.status == 0, "\(ending.errors)")
    let json = try #require(ending.json, "\(ending.text)")
    #expect(json["packets"] as? Int ?? 0 > 90)
    #expect(json["lost"] as? Int == 0)
    let wave = try #require(Wave(try folder.read("out.wav")))
    #expect(purity(wave) > 0.98)
  }

  @Test(
    "a stream is sent and received, plain and with each suite of SRTP", .shows("rtp"), .serialized,
    arguments: ["", "AEAD_AES_128_GCM", "AEAD_AES_256_GCM", "AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"])
  func both(suite: String) throws {
    let port = try Ports.pair()
    let folder = try folder()
    let size = ["AEAD_AES_128_GCM": 28, "AEAD_AES_256_GCM": 44][suite] ?? (suite.isEmpty ? 0 : 30)
    try folder.write(
      "key.txt", Array(Data((0..<size).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }).base64EncodedString().utf8))
    let stream =
      suite.isEmpty
      ? "--url rtp://127.0.0.1:\(port)" : "--url srtp://127.0.0.1:\(port) --key-file key.txt --suite \(suite)"
    let ending = try exchange("\(stream) -o out.wav --timeout 10", "$A rtp send in.wav \(stream)", in: folder)
    try expectTone(ending, in: folder)
    // It does not wait for the timeout: the sender said goodbye. The file ends where the stream did.
    try expectLength(ending, in: folder)
  }

  @Test(
    "the last 3 ms of a file arrive", .shows("rtp"), .serialized, arguments: ["pcmu", "pcma", "opus"], [24_000, 24_477])
  func lastSamples(codec: String, count: Int) throws {
    let port = try Ports.pair()
    let folder = try Workspace()
    let tone = Signals.sine(1_000, rate: 48_000, seconds: 1, amplitude: 0.5)
    let burst = (0..<count).map { $0 < count - 144 ? 0 : tone[$0] }
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, burst).file())
    let stream = "--url rtp://127.0.0.1:\(port) --codec \(codec)"
    let ending = try exchange("\(stream) -o out.wav --timeout 10", "$A rtp send in.wav \(stream)", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let received = try #require(Wave(try folder.read("out.wav"))).int16().map { Double($0) / 32_768 }
    let power = received.map { $0 * $0 }.reduce(0, +) * 48_000 / Double(Wave(try folder.read("out.wav"))!.rate)
    // Three periods of a sine of 0.5, which Opus does not keep whole.
    #expect(power > 0.6 * 144 * 0.125, "\(power)")
  }

  @Test(
    "sound from a pipe is sent as it comes, a WAV or raw samples", .shows("rtp"), .serialized,
    arguments: [false, true])
  func fromPipe(isRaw: Bool) throws {
    let port = try Ports.pair()
    let folder = try folder()
    let url = "--url rtp://127.0.0.1:\(port)"
    let sending =
      isRaw
      ? "tail -c +45 in.wav | $A rtp send - --raw s16:48000:1 \(url)" : "cat in.wav | $A rtp send - \(url)"
    let ending = try exchange("\(url) -o out.wav --timeout 10", sending, in: folder)
    try expectTone(ending, in: folder)
    try expectLength(ending, in: folder)
    let stray = try Tool.run("rtp receive \(url) -o other.wav --raw s16:48000:1", in: folder)
    #expect(stray.status == 64 && stray.errors.contains("--raw"), "\(stray.errors)")
  }

  @Test("a key from stdin is read once and goes into the description too", .shows("secrets"))
  func keyFromStandardInput() throws {
    let port = try Ports.pair()
    let folder = try folder()
    let key = Data((0..<28).map { UInt8(truncatingIfNeeded: $0 * 5 + 3) }).base64EncodedString()
    try folder.write("key.txt", Array(key.utf8))
    let url = "--url srtp://127.0.0.1:\(port)"
    let ending = try exchange(
      "\(url) --key-file key.txt -o out.wav --timeout 10",
      "$A rtp send in.wav \(url) --key-file - --sdp sent.sdp <key.txt", in: folder)
    try expectTone(ending, in: folder)
    #expect(String(decoding: try folder.read("sent.sdp"), as: UTF8.self).contains("inline:\(key)"))
    let both = try Tool.run("rtp send in.wav \(url) --key-file - --answer-key-file -", in: folder)
    #expect(both.status == 64 && both.errors.contains("the sound or one key"), "\(both.errors)")
  }

  @Test("a file without a BYE ends with the stream, not at the timeout", .shows("mute and goodbye"))
  func killed() throws {
    let port = try Ports.pair()
    let folder = try folder()
    let ending = try exchange(
      "--url rtp://127.0.0.1:\(port) -o out.wav --timeout 8",
      "{ $A rtp send in.wav --url rtp://127.0.0.1:\(port) -q & S=$!; read -rt 1 <> <(:) || true; kill -9 $S; wait $S || true; }",
      in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let count = Wave(try folder.read("out.wav"))?.int16().count ?? 0
    // What was sent in a second, and no more than the codec's fading sound behind it.
    #expect(count > 24_000 && count < 48_000 * 2, "\(count)")
  }

  @Test("a description names the audio level, and the receiver reads it by that", .shows("audio level"))
  func level() throws {
    let port = try Ports.pair()
    let folder = try folder()
    try folder.write(
      "stream.sdp",
      Array(
        """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=-
        c=IN IP4 127.0.0.1
        t=0 0
        m=audio \(port) RTP/AVP 111
        a=rtpmap:111 opus/48000/2
        a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level vad=off

        """.utf8))
    let ending = try exchange(
      "--sdp stream.sdp -o out.wav --timeout 10",
      // Interrupted within the tone: the last packet of a whole file states the silence behind it.
      "timeout --signal=INT 1.5 $A rtp send in.wav --url rtp://127.0.0.1:\(port) --sdp sent.sdp",
      in: folder)
    let json = try #require(ending.json, "\(ending.text)\(ending.errors)")
    // A sine of amplitude 0.3 has -13.5 dB by its RMS.
    let level = try #require(json["level_dbov"] as? Int)
    #expect(abs(level + 13) <= 2)
    let unnamed = try ReportFields.unnamed(in: json, "rtp receive")
    #expect(unnamed.isEmpty, "Documentation/Reports.md does not name them")
    let text = String(decoding: try folder.read("sent.sdp"), as: UTF8.self)
    #expect(text.contains("a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level vad=on"))
  }

  @Test("ffmpeg's stream is received by its own description", .shows("rtp"), .enabled(if: RTPTests.hasFFmpeg))
  func fromFFmpeg() throws {
    let port = try Ports.pair()
    let folder = try folder()
    let encode = "ffmpeg -nostdin -loglevel error -re -i in.wav -c:a libopus -b:a 32k -f rtp"
    // ffmpeg writes the description when it begins: once for itself, then for the one that is received.
    let ending = try exchange(
      "--sdp stream.sdp -o out.wav --timeout 10",
      "\(encode) rtp://127.0.0.1:\(port)",
      in: folder.with(
        "stream.sdp",
        """
        v=0
        o=- 0 0 IN IP4 127.0.0.1
        s=No Name
        c=IN IP4 127.0.0.1
        t=0 0
        a=tool:libavformat 59.27.100
        m=audio \(port) RTP/AVP 97
        b=AS:32
        a=rtpmap:97 opus/48000/2

        """))
    try expectTone(ending, in: folder)
  }

  @Test("ffmpeg opens our stream by the description and decodes it", .shows("rtp"), .enabled(if: RTPTests.hasFFmpeg))
  func toFFmpeg() throws {
    let port = try Ports.pair()
    let folder = try folder()
    let tone = Signals.sine(440, rate: 48_000, seconds: 8, amplitude: 0.3)
    try folder.write("long.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    let ending = try Tool.shell(
      """
      $A rtp send long.wav --url rtp://127.0.0.1:\(port) --sdp stream.sdp -q >/dev/null & S=$!
      until [ -e stream.sdp ]; do kill -0 $S || break; read -rt 0.05 <> <(:) || true; done
      ffmpeg -nostdin -loglevel error -protocol_whitelist file,udp,rtp -i stream.sdp -t 1.2 -ac 1 -ar 48000 -y out.wav
      STATUS=$?; kill -INT $S; wait $S; exit $STATUS
      """, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(purity(try #require(Wave(try folder.read("out.wav")))) > 0.98)
  }

  @Test(
    "reports go to the next port, or to the same one with --rtcp-mux", .shows("rtp"),
    arguments: [false, true])
  func reportPort(usesRTCPMux: Bool) throws {
    let script = """
      python3 - "$A" \(usesRTCPMux ? "--rtcp-mux" : "") <<'PY'
      import json, re, socket, subprocess, sys
      def listen(port):
          end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
          end.bind(("127.0.0.1", port))
          end.setblocking(False)
          return end
      while True:
          first = listen(0)
          try:
              port = first.getsockname()[1]
              second = listen(port + 1)
              break
          except (OSError, OverflowError):
              pass
      subprocess.run(
          [sys.argv[1], "rtp", "send", "in.wav", "--url", "rtp://127.0.0.1:%d" % port, "--sdp", "s.sdp", "--codec",
           "opus:frame=20", "--fixed", *sys.argv[2:]], check=True, stdout=subprocess.DEVNULL)
      counts = []
      for end in (first, second):
          kinds = {"rtp": 0, "rtcp": 0}
          try:
              while True:
                  kinds["rtcp" if 192 <= end.recv(2048)[1] < 224 else "rtp"] += 1
          except BlockingIOError:
              pass
          counts.append(kinds)
      receiver = subprocess.Popen(
          [sys.argv[1], "rtp", "receive", "--url", "rtp://127.0.0.1:0", "-o", "out.wav", "--timeout", "1", *sys.argv[2:]],
          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
      port = int(re.search("listening at 127.0.0.1:([0-9]+)", receiver.stderr.readline()).group(1))
      try:
          listen(port + 1)
          taken = False
      except OSError:
          taken = True
      receiver.communicate()
      print(json.dumps({"first": counts[0], "second": counts[1], "taken": taken, "sdp": open("s.sdp").read()}))
      PY
      """
    let ending = try Tool.shell(script, in: try folder())
    let json = try #require(ending.json, "\(ending.errors)")
    let (first, second) = (json["first"] as? [String: Int], json["second"] as? [String: Int])
    #expect((first?["rtp"] ?? 0) >= 100 && second?["rtp"] == 0)
    #expect((first?["rtcp"] == 0) != usesRTCPMux && (second?["rtcp"] == 0) == usesRTCPMux)
    #expect(json["taken"] as? Bool == !usesRTCPMux)
    #expect((json["sdp"] as? String)?.contains("a=rtcp-mux") == usesRTCPMux)
  }

  @Test("packets of another payload type are 65, with the option to check")
  func otherPayloadType() throws {
    let port = try Ports.pair()
    let ending = try exchange(
      "--url rtp://127.0.0.1:\(port) --payload-type 100 -o out.wav --timeout 6",
      "$A rtp send in.wav --url rtp://127.0.0.1:\(port)", in: try folder())
    #expect(ending.status == 65)
    #expect(ending.errors.contains("check --payload-type"), "\(ending.errors)")
  }

  @Test(
    "a receiver of SRTP without a key suggests one and ends with 65", .shows("rtp"),
    .serialized,
    arguments: [true, false])
  func encryptedNoise(isEncrypted: Bool) throws {
    let port = try Ports.pair()
    let folder = try folder()
    try folder.write("key.txt", Array(Data(repeating: 1, count: 28).base64EncodedString().utf8))
    let url = isEncrypted ? "srtp://127.0.0.1:\(port) --key-file key.txt" : "rtp://127.0.0.1:\(port)"
    let ending = try exchange(
      "--url rtp://127.0.0.1:\(port) -o out.wav --timeout 6",
      "$A rtp send in.wav --url \(url) --codec opus:frame=20 --fixed",
      in: folder)
    #expect(ending.errors.contains("if it is SRTP, give") == isEncrypted, "\(ending.errors)")
    #expect(ending.status == (isEncrypted ? 65 : 0))
  }

  @Test("a wrong key is 69, with the options to check", .shows("rtp"))
  func wrongKey() throws {
    let port = try Ports.pair()
    let folder = try folder()
    for (name, value) in [("a.txt", UInt8(1)), ("b.txt", 2)] {
      try folder.write(name, Array(Data(repeating: value, count: 28).base64EncodedString().utf8))
    }
    let ending = try exchange(
      "--url srtp://127.0.0.1:\(port) --key-file a.txt -o out.wav --timeout 6",
      "$A rtp send in.wav --url srtp://127.0.0.1:\(port) --key-file b.txt", in: folder)
    #expect(ending.status == 69)
    #expect(ending.errors.contains("check --key-file and --suite"), "\(ending.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder["out.wav"]))
  }

  @Test(
    "a wrong line of rtp is one sentence and the right exit code", .shows("rtp: destinations"),
    arguments: [
      ("rtp sned in.wav --url rtp://127.0.0.1:9", 64, "did you mean 'send'"),
      ("rtp send in.wav --url rtp://:5004 --sdp s.sdp", 64, "names no host"),
      ("rtp send in.wav --url rtp://0.0.0.0:5004", 64, "names no host"),
      ("rtp send in.wav --url rtp://127.0.0.1:0", 64, "names no port"),
      ("rtp send in.wav --url rtp://255.255.255.255:5004", 69, "cannot be sent to"),
      ("rtp send --url rtp://127.0.0.1:9", 64, "needs the file"), ("rtp send in.wav", 64, "--url"),
      ("rtp send in.wav --url http://127.0.0.1:9", 64, "rtp://HOST:PORT"),
      ("rtp send in.wav --url srtp://127.0.0.1:9", 64, "--key-file"),
      ("rtp send in.wav --url srtp://127.0.0.1:9 --key-file none.txt", 66, "none.txt"),
      ("rtp send in.wav --url srtp://127.0.0.1:9 --key-file in.wav", 65, "in.wav"),
      ("rtp send none.wav --url rtp://127.0.0.1:9", 66, "none.wav"),
      ("rtp receive --url rtp://127.0.0.1:PORT", 64, "needs an output"),
      ("rtp receive --url rtp://127.0.0.1:PORT -o in.wav", 73, "exists"),
      ("rtp receive --url rtp://127.0.0.1:PORT -o out.wav --timeout 0.2", 69, "no packet came"),
      ("rtp receive --sdp in.wav -o out.wav", 65, "in.wav"),
      ("rtp send in.wav --url rtp://127.0.0.1:9 --sdp in.wav --overwrite", 64, "would replace"),
      ("rtp send in.wav --url srtp://127.0.0.1:9 --key-file key.txt --sdp key.txt --overwrite", 64, "would replace"),
      ("rtp receive --url srtp://127.0.0.1:9 --key-file key.wav -o key.wav --overwrite", 64, "would replace"),
      ("rtp receive --url srtp://127.0.0.1:9 --key-file key.txt --sdp in.sdp -o out.wav", 64, "contradict"),
      ("rtp send in.wav --url rtp://127.0.0.1:9 --timeout 1", 64, "belongs to 'rtp receive'"),
      ("rtp send in.wav --url rtp://127.0.0.1:9 --payload-type 64", 64, "96 to 127"),
      ("rtp send in.wav --url rtp://127.0.0.1:9 --payload-type 5", 64, "payload-type"),
      ("rtp receive --url rtp://127.0.0.1:PORT -o out.wav --payload-type 95", 64, "96 to 127"),
      ("rtp receive --url rtp://127.0.0.1:PORT -o out.wav --ssrc 5", 64, "belongs to 'rtp send'"),
      ("rtp receive --url rtp://127.0.0.1:PORT -o out.xyz", 64, "out.xyz"),
    ])
  func refusals(arguments: String, status: Int, sentence: String) throws {
    let ending = try Tool.run(arguments.replacing("PORT", with: "\(try Ports.pair())"), in: try folder())
    #expect(ending.status == Int32(status) && ending.errors.contains(sentence), "\(ending.errors)")
    #expect(ending.failures.count == 1)
  }

  static let hasFFmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
}

extension Workspace {
  /// The folder with one more file.
  fileprivate func with(_ name: String, _ text: String) throws -> Workspace {
    try write(name, Array(text.utf8))
    return self
  }
}
