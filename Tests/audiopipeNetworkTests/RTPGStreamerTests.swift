import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Sound to and from GStreamer, plain and encrypted, in real time.
@Suite(
  "rtp: GStreamer",
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gst-launch-1.0"), "GStreamer is not installed"),
  .timeLimit(.minutes(10)))
struct RTPGStreamerTests {
  private static let seconds = 3.0

  /// A tone with overtones that rises from 120 to 700 Hz: no two of its parts are alike.
  private static let sound: [Double] = {
    var phase = 0.0
    return (0..<Int(seconds * 48_000)).map { index in
      phase += 2 * .pi * 120 * pow(700.0 / 120, Double(index) / (seconds * 48_000)) / 48_000
      return 0.15 * (sin(phase) + 0.6 * sin(2 * phase + 1) + 0.3 * sin(3 * phase + 2))
    }
  }()

  private static let key = String(repeating: "0123456789ABCDEF", count: 4).prefix(60)

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, Self.sound).file())
    try folder.write("key.txt", Array(Self.key.utf8))
    return folder
  }

  private func url(_ port: Int, _ isEncrypted: Bool) -> String {
    isEncrypted
      ? "--url srtp://127.0.0.1:\(port) --key-file key.txt --suite AES_CM_128_HMAC_SHA1_80"
      : "--url rtp://127.0.0.1:\(port)"
  }

  private func expectSound(_ samples: [Int]) {
    let heard = samples.map { Double($0) / 32_768 }
    let likeness = Likeness(of: Self.sound, in: heard)
    #expect(likeness.share >= 0.95, "\(likeness.correlations)")
    // In step: a busy machine may have made it wait a little longer, but nothing was played twice or left out.
    #expect(abs(likeness.shifts.reduce(0, +)) < 0.05, "\(likeness.shifts)")
    // What it would say of another sound.
    #expect(Likeness(of: Self.sound.reversed(), in: heard).share < 0.2)
  }

  @Test("GStreamer's stream is heard as it was, plain and encrypted", .shows("rtp"), arguments: [false, true])
  func from(isEncrypted: Bool) throws {
    let port = try Ports.pair()
    let folder = try folder()
    let protect = "srtpenc key=\(Self.key) rtp-cipher=aes-128-icm rtp-auth=hmac-sha1-80 !"
    let ending = try Tool.shell(
      """
      $A rtp receive \(url(port, isEncrypted)) -o out.wav --json --timeout 5 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      timeout -s KILL 30 gst-launch-1.0 -q filesrc location=in.wav ! wavparse ! audioconvert ! audioresample ! opusenc bitrate=64000 \
        ! rtpopuspay pt=111 ! \(isEncrypted ? protect : "") udpsink host=127.0.0.1 port=\(port) >&2
      wait $R; STATUS=$?; cat errors.txt >&2; exit $STATUS
      """, in: folder)
    #expect(ending.status == 0 && ending.json?["lost"] as? Int == 0, "\(ending.errors)\(ending.text)")
    // Its first packet's timestamp has the samples ahead of the sound in it, its second one's no more.
    #expect(ending.json?["overlapping"] as? Int == 1 && ending.json?["malformed"] as? Int == 0, "\(ending.text)")
    #expect(!ending.errors.contains("warning"), "\(ending.errors)")
    expectSound(try #require(Wave(try folder.read("out.wav"))).int16())
  }

  @Test("GStreamer hears our stream as it was, plain and encrypted", .shows("rtp"), arguments: [false, true])
  func to(isEncrypted: Bool) throws {
    let port = try Ports.pair()
    let folder = try folder()
    // srtpdec wants to know the source and its key beforehand.
    let protection =
      "ssrc=(uint)2015,roc=(uint)0,srtp-key=(buffer)\(Self.key),srtp-cipher=(string)aes-128-icm,srtp-auth=(string)hmac-sha1-80,"
      + "srtcp-cipher=(string)aes-128-icm,srtcp-auth=(string)hmac-sha1-80"
    let caps =
      "application/x-\(isEncrypted ? "srtp" : "rtp"),media=audio,clock-rate=48000,encoding-name=OPUS,payload=111"
      + (isEncrypted ? ",\(protection)" : "")
    let ending = try Tool.shell(
      """
      timeout -s KILL 30 gst-launch-1.0 -q udpsrc address=127.0.0.1 port=\(port) caps="\(caps)" \(isEncrypted ? "! srtpdec " : "")! rtpjitterbuffer latency=100 \
        ! rtpopusdepay ! opusdec plc=true ! audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1 \
        ! filesink location=out.raw buffer-mode=unbuffered >&2 & G=$!
      until grep -q "$(printf ':%04X ' \(port))" /proc/net/udp; do kill -0 $G || break; read -rt 0.05 <> <(:) || true; done
      $A rtp send in.wav \(url(port, isEncrypted)) --ssrc 2015 --codec opus:bitrate=64000:frame=20 --fixed --json
      STATUS=$?
      # All of it, or as much as comes within 5 s.
      for ((I = 0; I < 100; I++)); do
        [ "$(stat -c %s out.raw)" -ge 288000 ] && break
        read -rt 0.05 <> <(:) || true
      done
      pkill -KILL -P $G; wait $G; exit $STATUS
      """, in: folder)
    #expect(ending.status == 0 && ending.json?["failures"] as? Int == 0, "\(ending.errors)\(ending.text)")
    let wave = Wave(format: "s16", rate: 48_000, channels: 1, data: try folder.read("out.raw"))
    expectSound(wave.int16())
  }
}
