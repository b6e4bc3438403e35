import CommandTestSupport
import Foundation
import NetworkIO
import Platform
import TestSupport
import Testing

/// What `rtp send` and `rtp receive` tell while they run, and of each other.
@Suite("rtp: reports", .timeLimit(.minutes(10)))
struct RTPReportTests {
  private func folder(seconds: Double) throws -> Workspace {
    let folder = try Workspace()
    let tone = Signals.sine(440, rate: 48_000, seconds: seconds, amplitude: 0.3)
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    for (name, value) in [("key.txt", UInt8(1)), ("answer.txt", 2)] {
      try folder.write(name, Array(Data(repeating: value, count: 28).base64EncodedString().utf8))
    }
    return folder
  }

  /// Runs a receiver, waits until it listens, then a sender; what both print lies in `received.txt` and `sent.txt`.
  private func exchange(_ receiver: String, _ sender: String, in folder: Workspace) throws -> Tool.Ending {
    try Tool.shell(
      """
      $A rtp receive \(receiver) > received.txt 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      $A rtp send in.wav \(sender) > sent.txt
      wait $R; STATUS=$?
      cat errors.txt >&2; exit $STATUS
      """, in: folder)
  }

  private func lines(_ name: String, in folder: Workspace) throws -> [[String: Any]] {
    try String(decoding: folder.read(name), as: UTF8.self).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
  }

  private func report(_ lines: [[String: Any]]) throws -> [String: Any] {
    let last = try #require(lines.last)
    #expect(last["event"] as? String == "finished")
    return try #require(last["report"] as? [String: Any])
  }

  @Test(
    "events, statistics and quality are lines during a stream, SRTP too",
    .shows("rtp: events"),
    arguments: ["rtp://127.0.0.1:PORT", "srtp://127.0.0.1:PORT --key-file key.txt --answer-key-file answer.txt"])
  func events(words: String) throws {
    let url = words.replacing("PORT", with: "\(try Ports.pair())")
    let folder = try folder(seconds: 4.5)
    let ending = try exchange(
      "--url \(url) -o out.wav --json-lines --stats --timeout 10", "--url \(url) --json-lines --stats", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let (received, sent) = (try lines("received.txt", in: folder), try lines("sent.txt", in: folder))
    let times = received.compactMap { $0["time_s"] as? Double }
    #expect(times.count == received.count && times == times.sorted())

    // Starting, decoding, and stopped because the sender has left.
    let states = received.filter { $0["event"] as? String == "remoteAudioStateChanged" }
    #expect(states.compactMap { $0["state"] as? Int } == [1, 2, 0] && states.last?["reason"] as? Int == 7)
    for name in ["reportRtcStats", "remoteAudioStats", "networkQuality"] {
      #expect(received.contains { $0["event"] as? String == name }, "\(name)")
    }
    for name in ["reportRtcStats", "localAudioStats", "networkQuality"] {
      #expect(sent.contains { $0["event"] as? String == name }, "\(name)")
    }
    // What only the other end can know has been told: the round trip to who receives, the loss to who sends.
    let heard = received.filter { $0["event"] as? String == "remoteAudioStats" }
    #expect(heard.last?["network_transport_delay_ms"] is Double)
    let quality = sent.last { $0["event"] as? String == "networkQuality" }
    #expect((1...6).contains(quality?["tx"] as? Int ?? 0) && quality?["rx"] as? Int == 0)

    let (atReceiver, atSender) = (try report(received), try report(sent))
    #expect(atReceiver["refused"] as? Int == 0 && atReceiver["foreign"] as? Int == 0)
    #expect(atSender["refused"] as? Int == 0 && atSender["reports"] as? Int ?? 0 >= 2)
    #expect(atSender["fraction_lost"] is Double && atSender["round_trip_ms"] is Double)
    #expect(atSender["packets"] as? Int == atReceiver["packets"] as? Int)

    for (lines, heading) in [(received, "rtp receive"), (sent, "rtp send")] {
      let unnamed = try ReportFields.unnamed(in: lines, heading, "Events")
      #expect(unnamed.isEmpty, "Documentation/Reports.md does not name them")
    }
  }

  @Test("events that cannot be written are 74, and the stream continues", .shows("rtp: events"))
  func fullDisk() throws {
    let folder = try folder(seconds: 1)
    let url = "rtp://127.0.0.1:\(try Ports.pair())"
    let ending = try Tool.shell(
      """
      $A rtp receive --url \(url) -o out.wav --json-lines --timeout 8 > /dev/full 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      $A rtp send in.wav --url \(url) --json-lines > /dev/full
      S=$?; wait $R; echo $S $?; cat errors.txt >&2
      """, in: folder)
    #expect(ending.text == "74 74\n" && ending.failures.count == 2, "\(ending.text)\(ending.errors)")
    #expect(ending.failures.allSatisfy { $0.contains("cannot write to stdout") }, "\(ending.errors)")
    #expect(try #require(Wave(try folder.read("out.wav"))).frames > 40_000)
  }

  @Test("reports under another key do not count, and the sender says so", .shows("rtp: events"))
  func otherAnswerKey() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 3)
    let url = "--url srtp://127.0.0.1:\(port) --key-file key.txt"
    let ending = try exchange("\(url) --answer-key-file answer.txt -o out.wav --timeout 10", url, in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let text = String(decoding: try folder.read("sent.txt"), as: UTF8.self)
    #expect(text.contains("reports came that the key does not open, so the loss is not known"), "\(text)")
  }

  @Test("a sender without reports says that the loss is not known", .shows("rtp: events"))
  func unanswered() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 0.3)
    // It listens, and never says a word.
    let listener = try UDPSocket(at: try SocketAddress("127.0.0.1:\(port)"))
    defer { withExtendedLifetime(listener) {} }
    let text = try Tool.run("rtp send in.wav --url rtp://127.0.0.1:\(port)", in: folder)
    #expect(text.status == 0 && text.text.contains("no report came, so the loss is not known"), "\(text.text)")
    let json = try Tool.run("rtp send in.wav --url rtp://127.0.0.1:\(port) --json", in: folder).json
    #expect(json?["reports"] as? Int == 0 && json?["fraction_lost"] == nil && json?["packets"] as? Int ?? 0 > 10)
  }

  @Test("the summary names the packets of a second sender at the port", .shows("rtp: other sources"))
  func secondSender() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 3)
    let ending = try Tool.shell(
      """
      $A rtp receive --url rtp://127.0.0.1:\(port) -o out.wav --timeout 2 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      $A rtp send in.wav --url rtp://127.0.0.1:\(port) -q > /dev/null 2>&1 & S=$!
      $A rtp send in.wav --url rtp://127.0.0.1:\(port) --payload-type 100 -q > /dev/null 2>&1
      wait $S; wait $R
      """, in: folder)
    #expect(ending.text.contains("packets of other sources or codecs left out: "), "\(ending.text)")
    #expect(ending.text.contains("of type 100") || ending.text.contains("of type 111"), "\(ending.text)")
  }

  @Test("a description offers NACK, reduced-size reports and the audio level", .shows("rtp: NACK in SDP"))
  func description() throws {
    let port = try Ports.pair()
    let folder = try folder(seconds: 0.3)
    let listener = try UDPSocket(at: try SocketAddress("127.0.0.1:\(port)"))
    defer { withExtendedLifetime(listener) {} }
    for (url, profile) in [
      ("rtp://127.0.0.1:\(port)", "RTP/AVPF"), ("srtp://127.0.0.1:\(port) --key-file key.txt", "RTP/SAVPF"),
    ] {
      let ending = try Tool.run("rtp send in.wav --url \(url) --sdp stream.sdp --overwrite", in: folder)
      let text = String(decoding: try folder.read("stream.sdp"), as: UTF8.self)
      #expect(ending.status == 0 && text.contains("m=audio \(port) \(profile) 111\r\n"), "\(text)")
      #expect(text.contains("a=rtcp-fb:111 nack\r\n") && text.contains("a=rtcp-rsize\r\n"))
      #expect(text.contains("a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level vad=on\r\n"))
    }
  }

  @Test(
    "a receiver requests lost packets if the description offers NACK",
    .shows("rtp: NACK in SDP"),
    arguments: [(false, ""), (true, ""), (true, "--no-nack")])
  func asksByDescription(supportsNack: Bool, option: String) throws {
    let (port, proxyPort) = (try Ports.pair(), try Ports.pair())
    let folder = try folder(seconds: 6)
    let text = """
      v=0
      o=- 0 0 IN IP4 127.0.0.1
      s=-
      c=IN IP4 127.0.0.1
      t=0 0
      m=audio \(port) RTP/AVP\(supportsNack ? "F" : "") 111
      a=rtpmap:111 opus/48000/2
      a=rtcp-mux
      \(supportsNack ? "a=rtcp-fb:111 nack\n" : "")
      """
    try folder.write("stream.sdp", Array(text.utf8))
    let ending = try Tool.shell(
      """
      $A impair --listen 127.0.0.1:\(proxyPort) --to 127.0.0.1:\(port) --loss 20% --one-way --seed 3 -q > /dev/null & I=$!
      $A rtp receive --sdp stream.sdp -o out.wav --json --timeout 8 \(option) > received.txt 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      $A rtp send in.wav --url rtp://127.0.0.1:\(proxyPort) --rtcp-mux --fixed --json > sent.txt
      wait $R; STATUS=$?; kill -INT $I; wait $I
      cat errors.txt >&2; cat received.txt; exit $STATUS
      """, in: folder)
    let json = try #require(ending.json, "\(ending.errors)")
    let asked = try #require(json["requested"] as? Int)
    let asks = supportsNack && option.isEmpty
    // On a busy machine most answers would come too late, and are not requested.
    #expect(asks == (asked > 0))
    #expect(asks == (json["retransmitted"] as? Int ?? 0 > 0))
  }

  @Test(
    "ffmpeg's encrypted stream is received, and ffmpeg opens ours", .shows("rtp"),
    .enabled(if: RTPTests.hasFFmpeg))
  func ffmpeg() throws {
    let (port, answerPort) = (try Ports.pair(), try Ports.pair())
    let folder = try folder(seconds: 8)
    try folder.write("long.txt", Array(Data(repeating: 3, count: 30).base64EncodedString().utf8))
    let suite = "AES_CM_128_HMAC_SHA1_80"
    let theirs = try Tool.shell(
      """
      ENCODE="ffmpeg -nostdin -loglevel error -re -i in.wav -t 2 -c:a libopus -f rtp -srtp_out_suite \(suite) -srtp_out_params $(cat long.txt)"
      timeout 0.5 $ENCODE -sdp_file stream.sdp srtp://127.0.0.1:\(port)
      $A rtp receive --sdp stream.sdp -o out.wav --json --timeout 8 > received.txt 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      $ENCODE srtp://127.0.0.1:\(port) >&2
      wait $R; STATUS=$?
      cat errors.txt >&2; cat received.txt; exit $STATUS
      """, in: folder)
    let json = try #require(theirs.json, "\(theirs.errors)")
    #expect(theirs.status == 0 && json["packets"] as? Int ?? 0 > 90 && json["refused"] as? Int == 0)

    let ours = try Tool.shell(
      """
      rm -f stream.sdp
      $A rtp send in.wav --url srtp://127.0.0.1:\(answerPort) --key-file long.txt --suite \(suite) --sdp stream.sdp > sent.txt & S=$!
      until [ -e stream.sdp ]; do kill -0 $S || break; read -rt 0.05 <> <(:) || true; done
      ffmpeg -nostdin -loglevel error -protocol_whitelist file,udp,rtp,srtp,crypto -i stream.sdp -t 1.2 -ac 1 -ar 48000 -y out.wav
      STATUS=$?; kill -INT $S; wait $S; exit $STATUS
      """, in: folder)
    #expect(ours.status == 0, "\(ours.errors)")
    let samples = try #require(Wave(try folder.read("out.wav"))).int16()
    // 440 Hz cross zero upwards 220 times in half a second.
    try #require(samples.count > 48_000)
    let middle = samples[24_000..<48_000]
    let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 220) <= 2)
  }

  /// What a receiver says when it was sent `packets`, one after the other, and nothing else.
  private func answer(to packets: [[UInt8]], port: Int, in folder: Workspace) throws -> Tool.Ending {
    for (index, packet) in packets.enumerated() { try folder.write("\(index).packet", packet) }
    return try Tool.shell(
      """
      $A rtp receive --url rtp://127.0.0.1:\(port) -o out.wav --timeout 1 --json > report.json 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      for I in {0..\(packets.count - 1)}; do cat $I.packet > /dev/udp/127.0.0.1/\(port); done
      wait $R; STATUS=$?
      cat errors.txt >&2; exit $STATUS
      """, in: folder)
  }

  private func packet(_ payloadType: UInt8, number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0x80, payloadType, 0, number, 0, 0, number, 0, 0, 0, 0, 9] + payload
  }

  @Test("packets of other codecs are named by payload type if no Opus comes")
  func otherCodecs() throws {
    let port = try Ports.pair()
    let folder = try Workspace()
    let packets = (1...3).map { packet(0, number: $0, [UInt8](repeating: 0xFF, count: 160)) }
    let ending = try answer(to: packets + [packet(8, number: 4, [0xD5])], port: port, in: folder)
    #expect(ending.status == 65 && ending.errors.contains("3 of type 0 (PCMU), 1 of type 8 (PCMA)"), "\(ending.errors)")
  }

  @Test("packets of more than 1500 bytes are counted and named if alone")
  func oversized() throws {
    let port = try Ports.pair()
    let folder = try Workspace()
    let packets = (1...3).map { packet(111, number: $0, [0x78] + [UInt8](repeating: 0, count: 1_600)) }
    let ending = try answer(to: packets, port: port, in: folder)
    #expect(ending.status == 65 && ending.errors.contains("3 packets were longer than 1500 bytes"), "\(ending.errors)")
    let report = try JSONSerialization.jsonObject(with: Data(folder.read("report.json"))) as? [String: Any]
    #expect(report?["oversized"] as? Int == 3 && report?["foreign"] as? Int == 0)
  }
}
