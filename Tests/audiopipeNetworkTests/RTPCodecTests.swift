import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// G.711 and L16 to and from ffmpeg and GStreamer, in real time. The tools are the oracles of formats and payloads.
@Suite("rtp: codecs", .serialized, .timeLimit(.minutes(10)))
struct RTPCodecTests {
  private static let seconds = 2.5
  private static let hasGStreamer = FileManager.default.isExecutableFile(atPath: "/usr/bin/gst-launch-1.0")

  /// A tone with overtones that rises from 120 to 700 Hz, all below 3400 Hz: no two of its parts are alike.
  private static let sound: [Double] = {
    var phase = 0.0
    return (0..<Int(seconds * 48_000)).map { index in
      phase += 2 * .pi * 120 * pow(700.0 / 120, Double(index) / (seconds * 48_000)) / 48_000
      return 0.15 * (sin(phase) + 0.6 * sin(2 * phase + 1) + 0.3 * sin(3 * phase + 2))
    }
  }()

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, Self.sound).file())
    try folder.write(
      "short.wav", Signals.wave("s16", rate: 48_000, channels: 1, Array(Self.sound[..<4_800])).file())
    return folder
  }

  /// Compares what was heard with the sound.
  ///
  /// - Parameters:
  ///   - samples: what was heard.
  ///   - exact: least share of the parts whose correlation is above 0.99. A buffer may stretch the others, as at the
  ///     beginning of a stream or while the machine is busy.
  private func expectSound(_ samples: [Int], exact: Double = 0.8) {
    let heard = samples.map { Double($0) / 32_768 }
    let likeness = Likeness(of: Self.sound, in: heard)
    #expect(likeness.share >= min(0.9, exact + 0.3), "\(likeness.correlations)")
    let correlations = Self.correlations(heard)
    #expect(Double(correlations.count { $0 > 0.99 }) >= exact * Double(correlations.count), "\(correlations)")
    #expect(Likeness(of: Self.sound.reversed(), in: heard).share < 0.2)
  }

  /// The correlation of each tenth of a second at the best lag near that of the part before, to a sample of 48 kHz.
  private static func correlations(_ heard: [Double]) -> [Double] {
    let part = 4_800
    var lag: Int?
    return stride(from: 0, to: sound.count - part, by: part).map { start in
      let coarse = lag.map { $0 - 960...$0 + 960 } ?? 0...100_000
      let near = best(
        start..<start + part, in: heard, at: stride(from: coarse.lowerBound, through: coarse.upperBound, by: 6), step: 6
      )
      let found = best(
        start..<start + part, in: heard, at: stride(from: near.lag - 6, through: near.lag + 6, by: 1), step: 1)
      lag = found.lag
      return found.correlation
    }
  }

  private static func best(
    _ part: Range<Int>, in heard: [Double], at lags: StrideThrough<Int>, step: Int
  ) -> (lag: Int, correlation: Double) {
    var best = (lag: 0, correlation: -1.0)
    sound.withUnsafeBufferPointer { sound in
      heard.withUnsafeBufferPointer { heard in
        for lag in lags where part.lowerBound + lag >= 0 && part.upperBound + lag <= heard.count {
          var (product, own, other) = (0.0, 1e-9, 1e-9)
          var index = part.lowerBound
          while index < part.upperBound {
            let (a, b) = (sound[index], heard[index + lag])
            product += a * b
            own += a * a
            other += b * b
            index += step
          }
          let correlation = product / (own * other).squareRoot()
          if correlation > best.correlation { best = (lag, correlation) }
        }
      }
    }
    return best
  }

  /// Receives while `sending` runs, and compares the sound.
  private func receive(_ options: String, port: Int, exact: Double = 0.8, while sending: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      """
      $A rtp receive --url rtp://127.0.0.1:\(port) \(options) -o out.wav --json --timeout 2 2> errors.txt & R=$!
      until grep -q 'listening at' errors.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      timeout -s KILL 30 \(sending) >&2
      wait $R; STATUS=$?; cat errors.txt >&2; exit $STATUS
      """, in: folder)
    #expect(ending.status == 0 && ending.json?["lost"] as? Int == 0, "\(ending.errors)\(ending.text)")
    #expect(ending.json?["malformed"] as? Int == 0 && ending.json?["overlapping"] as? Int == 0, "\(ending.text)")
    #expect(!ending.errors.contains("warning"), "\(ending.errors)")
    expectSound(try #require(Wave(try folder.read("out.wav"))).int16(), exact: exact)
  }

  @Test(
    "a stream of ffmpeg's is heard as it was", .shows("rtp: codecs"),
    .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"),
    arguments: [
      ("pcm_mulaw", 8_000, 172, "--payload-type 0"), ("pcm_alaw", 8_000, 172, "--codec pcma"),
      ("pcm_s16be", 44_100, 894, "--payload-type 11"), ("pcm_s16be", 16_000, 652, "--codec l16:rate=16000"),
      // 128 and 182 ms a packet: its own default, and what an Ethernet frame takes.
      ("pcm_mulaw", 8_000, 1_036, "--payload-type 0"), ("pcm_alaw", 8_000, 1_468, "--codec pcma"),
    ])
  func fromFFmpeg(codec: String, rate: Int, packet: Int, options: String) throws {
    let port = try Ports.pair()
    let frame = packet > 1_000 ? packet - 12 : rate / 100
    try receive(
      options, port: port,
      // Filters that send a packet's sound at a time: ffmpeg would send 40 ms at once.
      while: "ffmpeg -nostdin -v error -i in.wav -af aresample=\(rate),asetnsamples=n=\(frame),arealtime "
        + "-ac 1 -acodec \(codec) -f rtp 'rtp://127.0.0.1:\(port)?pkt_size=\(packet)'")
  }

  @Test(
    "a stream of GStreamer's is heard as it was", .shows("rtp: codecs"),
    .enabled(if: hasGStreamer, "GStreamer is not installed"),
    arguments: [
      ("audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay max-ptime=20000000", "--codec pcmu"),
      ("audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay max-ptime=20000000", "--payload-type 8"),
      (
        "audio/x-raw,format=S16BE,rate=44100,channels=2 ! rtpL16pay pt=96 max-ptime=7500000",
        "--codec l16:rate=44100:channels=2"
      ),
    ])
  func fromGStreamer(payloader: String, options: String) throws {
    let port = try Ports.pair()
    try receive(
      // GStreamer's clock and the buffer's stretching leave fewer parts exact on a busy machine.
      options, port: port, exact: 0.5,
      while:
        "gst-launch-1.0 -q filesrc location=in.wav blocksize=960 ! wavparse ! audioconvert ! audioresample ! \(payloader) "
        + "! udpsink host=127.0.0.1 port=\(port)")
  }

  @Test(
    "ffmpeg hears a stream by its description", .shows("rtp: codecs"),
    .enabled(if: isInstalled("ffmpeg"), "ffmpeg is not installed"),
    arguments: ["pcmu", "pcma", "l16:rate=44100", "l16:rate=16000:frame=20"])
  func toFFmpeg(codec: String) throws {
    let port = try Ports.pair()
    let folder = try folder()
    // The first run only writes the description.
    let ending = try Tool.shell(
      """
      $A rtp send short.wav --url rtp://127.0.0.1:\(port) --codec \(codec) --sdp x.sdp > first.txt 2>&1 || true
      timeout -s KILL 30 ffmpeg -nostdin -v error -y -protocol_whitelist file,udp,rtp -i x.sdp -ar 48000 -ac 1 -f s16le \
        -flush_packets 1 out.raw >&2 & G=$!
      until grep -q "$(printf ':%04X ' \(port))" /proc/net/udp; do kill -0 $G || break; read -rt 0.05 <> <(:) || true; done
      $A rtp send in.wav --url rtp://127.0.0.1:\(port) --codec \(codec) --json
      STATUS=$?
      for ((I = 0; I < 60; I++)); do
        [ "$(stat -c %s out.raw 2> /dev/null || echo 0)" -ge 238000 ] && break
        read -rt 0.05 <> <(:) || true
      done
      pkill -INT -P $G; wait $G; exit $STATUS
      """, in: folder)
    #expect(ending.status == 0 && ending.json?["failures"] as? Int == 0, "\(ending.errors)\(ending.text)")
    let wave = Wave(format: "s16", rate: 48_000, channels: 1, data: try folder.read("out.raw"))
    expectSound(wave.int16())
  }

  @Test(
    "GStreamer hears a stream", .shows("rtp: codecs"), .enabled(if: hasGStreamer, "GStreamer is not installed"),
    arguments: [
      ("pcmu", "PCMU,clock-rate=8000,payload=0", "rtppcmudepay ! mulawdec"),
      ("l16:rate=24000", "L16,clock-rate=24000,channels=1,payload=111", "rtpL16depay"),
    ])
  func toGStreamer(codec: String, caps: String, depayloader: String) throws {
    let port = try Ports.pair()
    let folder = try folder()
    let ending = try Tool.shell(
      """
      timeout -s KILL 30 gst-launch-1.0 -q udpsrc address=127.0.0.1 port=\(port) \
        caps="application/x-rtp,media=audio,encoding-name=\(caps)" ! rtpjitterbuffer latency=100 ! \(depayloader) \
        ! audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1 \
        ! filesink location=out.raw buffer-mode=unbuffered >&2 & G=$!
      until grep -q "$(printf ':%04X ' \(port))" /proc/net/udp; do kill -0 $G || break; read -rt 0.05 <> <(:) || true; done
      $A rtp send in.wav --url rtp://127.0.0.1:\(port) --codec \(codec) --json
      STATUS=$?
      for ((I = 0; I < 60; I++)); do
        [ "$(stat -c %s out.raw)" -ge 238000 ] && break
        read -rt 0.05 <> <(:) || true
      done
      pkill -KILL -P $G; wait $G; exit $STATUS
      """, in: folder)
    #expect(ending.status == 0 && ending.json?["failures"] as? Int == 0, "\(ending.errors)\(ending.text)")
    let wave = Wave(format: "s16", rate: 48_000, channels: 1, data: try folder.read("out.raw"))
    expectSound(wave.int16())
  }

  @Test(
    "a codec that contradicts itself or its payload type is refused", .shows("rtp: codecs"),
    arguments: [
      ("receive -o x.wav --codec pcma --payload-type 0", "PCMU/8000"),
      ("receive -o x.wav --payload-type 9", "--payload-type 9"),
      ("receive -o x.wav --codec pcmu:rate=8000", "'rate'"),
      ("send in.wav --codec pcmu:bitrate=64000", "'bitrate'"),
      ("send in.wav --codec l16:rate=48000 --payload-type 10", "L16/44100/2"),
      ("send in.wav --codec pcmu --fixed", "--fixed"),
    ])
  func refused(words: String, part: String) throws {
    let port = try Ports.pair()
    let ending = try Tool.shell("$A rtp \(words) --url rtp://127.0.0.1:\(port)", in: try folder())
    #expect(ending.status == 64 && ending.errors.contains(part), "\(ending.status) \(ending.errors)")
  }
}
