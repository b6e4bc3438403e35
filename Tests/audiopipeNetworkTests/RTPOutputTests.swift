import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Received sound on stdout, in a file for each source, and in a program; ffmpeg is the other end.
@Suite("rtp: outputs", .serialized, .timeLimit(.minutes(10)))
struct RTPOutputTests {
  private static let seconds = 2.5

  /// A tone with overtones that rises, all below 3400 Hz: no two of its parts are alike.
  private static func sound(from low: Double, to high: Double) -> [Double] {
    var phase = 0.0
    return (0..<Int(seconds * 48_000)).map { index in
      phase += 2 * .pi * low * pow(high / low, Double(index) / (seconds * 48_000)) / 48_000
      return 0.15 * (sin(phase) + 0.6 * sin(2 * phase + 1) + 0.3 * sin(3 * phase + 2))
    }
  }

  private static let first = sound(from: 120, to: 700)
  private static let second = sound(from: 900, to: 200)

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for (name, sound) in [("first.wav", Self.first), ("second.wav", Self.second)] {
      try folder.write(name, Signals.wave("s16", rate: 48_000, channels: 1, sound).file())
    }
    return folder
  }

  /// Runs a receiver with the words `receiver`, waits until it listens, then runs the senders.
  private func exchange(_ receiver: String, _ senders: String, in folder: Workspace) throws -> Tool.Ending {
    try Tool.shell(
      """
      ($A rtp receive \(receiver)) 2> received.txt & R=$!
      until grep -q 'listening at' received.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
      \(senders)
      wait $R; STATUS=$?
      cat received.txt >&2; exit $STATUS
      """, in: folder)
  }

  private func send(_ name: String, port: Int, codec: String = "pcm_alaw -ar 8000 -payload_type 8") -> String {
    "ffmpeg -v error -re -i \(name) -acodec \(codec) -ac 1 -f rtp rtp://127.0.0.1:\(port) >/dev/null"
  }

  /// The samples of a file at 48 kHz, as sox reads it.
  private func samples(_ name: String, _ format: String = "", in folder: Workspace) throws -> [Double] {
    let ending = try Tool.shell("sox \(format) \(name) -t wav -e signed -b 16 -r 48000 full.wav", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    return try #require(Wave(try folder.read("full.wav"))).int16().map { Double($0) / 32_768 }
  }

  private func expect(_ sound: [Double], in heard: [Double]) {
    let likeness = Likeness(of: sound, in: heard)
    // A busy machine makes the buffer stretch some parts.
    #expect(likeness.share >= 0.7, "\(likeness.correlations)")
  }

  @Test(
    "received sound goes to a pipe as it comes, as a WAV or as samples", .shows("rtp: outputs"),
    arguments: [
      ("", "got.wav"), ("--raw s16 --rate 16000", "-t s16 -r 16000 -c 1"), ("--raw f32le", "-t f32 -r 48000 -c 1"),
    ])
  func pipe(options: String, format: String) throws {
    let port = try Ports.pair()
    let folder = try folder()
    let ending = try exchange(
      "--url rtp://127.0.0.1:\(port) -o - \(options) --payload-type 8 --timeout 1 | cat > got.wav",
      send("first.wav", port: port),
      in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errors.contains(" packets, 0 lost"), "\(ending.errors)")
    let heard = try samples("got.wav", options.isEmpty ? "--ignore-length" : format, in: folder)
    expect(Self.first, in: heard)
  }

  @Test("a reader of the pipe that leaves ends the reception quietly", .shows("rtp: outputs"))
  func readerLeaves() throws {
    let port = try Ports.pair()
    let folder = try folder()
    let ending = try exchange(
      "--url rtp://127.0.0.1:\(port) -o - --raw s16 --payload-type 8 --timeout 20 | head -c 9600 | wc -c",
      send("first.wav", port: port),
      in: folder)
    #expect(ending.status == 0 && ending.failures.isEmpty, "\(ending.errors)")
    #expect(ending.text.contains("9600"))
  }

  @Test("every source of a port gets its own file, beside the sound of all", .shows("rtp: outputs"))
  func each() throws {
    let port = try Ports.pair()
    let folder = try folder()
    let ending = try exchange(
      "--url rtp://127.0.0.1:\(port) --each-out calls -o all.wav --json --timeout 1",
      send("first.wav", port: port) + " & S=$!; read -rt 0.4 <> <(:); "
        + send("second.wav", port: port, codec: "libopus -ar 48000 -payload_type 111") + "; wait $S", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let sources = try #require(ending.json?["sources"] as? [[String: Any]])
    #expect(sources.count == 2 && Set(sources.compactMap { $0["ssrc"] as? Int }).count == 2)
    #expect(Set(sources.compactMap { $0["format"] as? String }) == ["PCMA/8000", "opus/48000/2"])
    #expect(sources.allSatisfy { $0["end"] != nil }, "\(sources)")
    let all = try samples("all.wav", in: folder)
    for source in sources {
      let heard = try samples(try #require(source["path"] as? String), in: folder)
      let isFirst = source["format"] as? String == "PCMA/8000"
      expect(isFirst ? Self.first : Self.second, in: heard)
      #expect(Likeness(of: isFirst ? Self.second : Self.first, in: heard).share < 0.2)
      // All files begin together; that of a source ends with its sound.
      #expect(heard.count <= all.count + 960, "\(heard.count) \(all.count)")
    }
    let again = try Tool.run("rtp receive --url rtp://127.0.0.1:\(port) --each-out calls", in: folder)
    #expect(again.status == 73 && again.errors.contains("of an earlier run is there already"), "\(again.errors)")
  }

  @Test("a program reads the frames of each source at the wanted rate", .shows("rtp: outputs"))
  func program() throws {
    let port = try Ports.pair()
    let folder = try folder()
    try folder.write(
      "save", Array("#!/bin/sh\nexec cat > user.$AUDIOPIPE_UID.$AUDIOPIPE_RATE.$AUDIOPIPE_CHANNELS.raw\n".utf8))
    let ending = try exchange(
      "--url rtp://127.0.0.1:\(port) --rate 16000 --payload-type 8 --timeout 1 --observe-cmd 'sh save'",
      send("first.wav", port: port),
      in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    expect(Self.first, in: try samples("user.1.16000.1.raw", "-t s16 -r 16000 -c 1", in: folder))
  }

  @Test(
    "outputs that cannot be are refused in one sentence",
    arguments: [
      ("", 64, "needs an output"), ("-o - --json", 64, "would both write to stdout"),
      ("-o x.wav --raw s16", 64, "--raw belongs to stdout"), ("-o - --raw s24", 64, "use one of s16, f32"),
      ("--observe-cmd cat --rate 11025", 64, "use --rate with one of"), ("-o x.flax", 64, "x.flax"),
      ("--observe playback -o x.wav", 64, "needs a program"), ("--observe-cmd ./nobody", 69, "nobody"),
    ])
  func refused(options: String, status: Int, words: String) throws {
    let port = try Ports.pair()
    let folder = try folder()
    let ending = try Tool.call("rtp receive --url rtp://127.0.0.1:\(port) \(options)", in: folder)
    #expect(ending.status == Int32(status) && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
  }
}
