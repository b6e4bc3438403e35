import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("process when it is stopped", .timeLimit(.minutes(10)))
struct InterruptionTests {
  private static let voice = Signals.wave(
    "s16", rate: 8_000, channels: 1, Signals.sine(440, rate: 8_000, seconds: 20, amplitude: 0.5))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    return folder
  }

  /// Seconds of audio that a run has said it has done.
  private func doneSeconds(_ run: Tool.Run) -> Double {
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: true)
    for line in lines.reversed() {
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { continue }
      if let seconds = object["done_s"] as? Double { return seconds }
    }
    return 0
  }

  @Test("a killed run leaves a valid file that lacks at most a second", .shows(".part"))
  func killed() throws {
    var random = SeededGenerator(seed: 2)
    // Far longer than it takes on a busy machine until the last run is looked at.
    var voice = Self.voice
    voice.data = Array(repeatElement(voice.data, count: 60).joined())
    let folder = try Workspace()
    try folder.write("in.wav", voice.file())
    for round in 0..<(LongRun.isWanted ? 20 : 1) {
      let runs = try (0..<25).map { index in
        (
          name: "\(round)-\(index).wav", until: Double.random(in: 0.05...2, using: &random),
          run: try Tool.launch(
            "process in.wav -o \(round)-\(index).wav --realtime --json-lines", in: folder)
        )
      }
      for (name, until, run) in runs.sorted(by: { $0.until < $1.until }) {
        #expect(run.poll { doneSeconds(run) >= until })
        run.signal(SIGKILL)
        let done = doneSeconds(run)
        run.process.waitForEnd()
        #expect(!folder.has(name))
        let written = try #require(Wave(try folder.read(name + ".part")), "\(name) after \(until) s")
        #expect(voice.data.starts(with: written.data))
        #expect(Double(written.frames) / 8_000 >= done - 1, "\(name): \(written.frames) after \(done) s")
      }
    }
  }

  @Test(
    "^C, SIGTERM and a closed terminal finish the files", .shows("^C"),
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func signal(number: Int32, status: Int32) throws {
    let folder = try folder()
    let run = try Tool.launch("process in.wav -o out.wav --report r.json --realtime --json-lines", in: folder)
    #expect(run.poll { doneSeconds(run) > 0.3 })
    run.signal(number)
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == status && ending.failures.isEmpty, "\(ending.errors)")
    let written = try #require(Wave(try folder.read("out.wav")))
    #expect(written.frames >= 8_000 / 5 && written.frames < Self.voice.frames)
    #expect(Self.voice.data.starts(with: written.data) && !folder.has("out.wav.part"))
    let report = try folder.json("r.json")
    for name in ["input", "output"] {
      #expect((report[name] as? [String: Any])?["frames"] as? Int == written.frames, "\(name)")
    }
    try expectClosed(try #require(report["ledger"] as? [String: Any]))
  }

  @Test("an old file stays on ^C, and the sound so far lies beside it", .shows("^C"))
  func replacement() throws {
    let folder = try folder()
    let old = Array("the old file".utf8)
    try Data(old).write(to: URL(fileURLWithPath: folder["out.wav"]))
    let run = try Tool.launch("process in.wav -o out.wav --overwrite --realtime --json-lines", in: folder)
    #expect(run.poll { doneSeconds(run) > 0.3 })
    run.signal(SIGINT)
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == 130 && ending.failures.isEmpty, "\(ending.errors)")
    #expect(ending.errors.contains("stopped before its end; out.wav stays as it was, and "), "\(ending.errors)")
    #expect(ending.errors.contains("out.wav.part is whole up to there"))
    #expect(Array(try Data(contentsOf: URL(fileURLWithPath: folder["out.wav"]))) == old)
    let written = try #require(Wave(try folder.read("out.wav.part")))
    #expect(written.frames >= 8_000 / 5 && Self.voice.data.starts(with: written.data))
  }

  /// The account of a way, or of a stretch that changes no rate.
  private func expectClosed(_ account: [String: Any]) throws {
    func count(_ name: String) throws -> Int { try #require(account[name] as? Int) }
    let given = try count("in") + count("inserted")
    let found = try count("out") + count("held") + count("dropped") + count("removed")
    #expect(given == found, "\(account)")
  }

  @Test("A pipe that gives nothing is left on ^C", arguments: [0, 44, 4_044, 4_102])
  func stalled(byteCount: Int) throws {
    let folder = try folder()
    let pipe = Pipe()
    let run = try Tool.launch("process - -o out.wav --report r.json --json-lines -v", in: folder, input: pipe)
    try pipe.fileHandleForWriting.write(contentsOf: Self.voice.file().prefix(byteCount))
    // With a header it says that it has begun; without one nothing tells that it waits but its signals' handler.
    #expect(
      run.poll {
        byteCount > 0 ? run.output.contains("started") : run.handlesSignals
      })
    run.signal(SIGINT)
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == 130, "\(ending.errors)")
    #expect(folder.has("out.wav") == (byteCount > 0))
    if byteCount > 0 {
      let edges = try #require(try folder.json("r.json")["edges"] as? [[String: Any]])
      #expect(edges.first?["in"] as? Int == (byteCount - 44) / 2)
      for edge in edges { try expectClosed(edge) }
    }
    try pipe.fileHandleForWriting.close()
  }

  @Test("a stalled program does not delay ^C for long")
  func slowProgram() throws {
    let folder = try folder()
    let words = ["process", "in.wav", "-o", "out.wav", "--observe", "mixed", "--observe-cmd"]
    let run = try Tool.launch(words + ["touch here; exec sleep 1000"], in: folder)
    #expect(run.poll { folder.has("here") })
    run.signal(SIGINT)
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == 130 && ending.failures.isEmpty, "\(ending.errors)")
    #expect(Wave(try folder.read("out.wav")) != nil)
  }

  @Test("the second ^C ends the job and its programs at once", .shows("^C"))
  func secondSignal() throws {
    let folder = try folder()
    let words = ["process", "in.wav", "-o", "out.wav", "--observe", "mixed", "--observe-cmd"]
    let run = try Tool.launch(words + ["exec 9> lock; flock 9; touch here; sleep 1000; true"], in: folder)
    #expect(run.poll { folder.has("here") })
    // Two that come at once are one.
    #expect(
      run.poll {
        run.signal(SIGINT)
        return !run.process.isRunning
      })
    #expect(try Tool.finish(run, in: folder).status == 130)
    // Held for as long as one of them lives.
    let lock = try Tool.shell("flock -w 10 lock true", in: folder)
    #expect(lock.status == 0)
  }
}
