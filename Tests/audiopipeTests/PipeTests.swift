import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// FIONREAD of asm-generic/ioctls.h, which Glibc's module leaves out.
private let bytesToRead: UInt = 0x541B

@Suite("process through pipes", .timeLimit(.minutes(10)))
struct PipeTests {
  private static let voice = Signals.wave(
    "s16", rate: 48_000, channels: 2, Signals.sine(440, rate: 48_000, seconds: 20, amplitude: 0.5))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    return folder
  }

  @Test(
    "A named pipe is read once, as a file is",
    arguments: [
      "$A process <(cat in.wav) -o out.wav", "cat in.wav | $A process /dev/stdin -o out.wav",
      "mkfifo f; cat in.wav > f & $A process f -o out.wav --report r.json",
      // Whoever wrote has gone before anybody reads.
      "(head -c 40044 in.wav; exec >&-; touch gone) | (until [ -e gone ]; do :; done; $A process /dev/stdin -o out.wav)",
    ])
  func named(script: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(script, in: folder)
    #expect(ending.status == 0 && ending.failures.isEmpty, "\(ending.errors)")
    let written = try #require(Wave(try folder.read("out.wav")))
    #expect(written.data == (script.contains("40044") ? Array(Self.voice.data.prefix(40_000)) : Self.voice.data))
  }

  @Test("an effect through a pipe gives the same output as its file", .shows("process: music and effects"))
  func effects() throws {
    let folder = try folder()
    // Longer than what is set aside for a pipe at first, so that more is taken on the way.
    let effect = Signals.wave(
      "s16", rate: 8_000, channels: 2, Signals.sine(300, rate: 8_000, seconds: 25, amplitude: 0.25))
    try folder.write("e.wav", effect.file())
    for keys in ["at=0.5", "at=0.5:pitch=1.5:gain=50", "loop=2"] {
      let files = try Tool.run("process in.wav -o file.wav --overwrite --effect 7=e.wav:\(keys)", in: folder)
      let pipe = try Tool.shell(
        "rm -f f; mkfifo f; cat e.wav > f & $A process in.wav -o pipe.wav --overwrite --effect 7=f:\(keys)", in: folder)
      #expect(files.status == 0 && pipe.status == 0, "\(files.errors)\(pipe.errors)")
      let (one, other) = (try folder.read("file.wav"), try folder.read("pipe.wav"))
      #expect(one == other && one.count > 44_000, "\(keys)")
    }
  }

  @Test("repeated music from a pipe is refused with the reason")
  func repeatedMusic() throws {
    let ending = try Tool.shell(
      "cat in.wav | $A process in.wav -o out.wav --mix /dev/stdin:cycle=2", in: try folder())
    #expect(ending.status == 65 && ending.errors.contains("a pipe, which is read once"), "\(ending.errors)")
  }

  private static let signals = [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]

  @Test("a job with an unconnected named pipe ends at the first signal", .shows("^C"), arguments: signals)
  func lonely(number: Int32, status: Int32) throws {
    let folder = try folder()
    #expect(mkfifo(folder["f"], 0o600) == 0)
    for line in ["process f -o out.wav", "process f -o out.wav -q", "process in.wav -o f --format wav"] {
      let run = try Tool.launch(line, in: folder)
      // A pipe that nobody reads is not open while a reader is waited for.
      #expect(run.poll { line.hasPrefix("process f") ? run.hasOpen(folder["f"]) : run.handlesSignals })
      run.signal(number)
      let ending = try Tool.finish(run, in: folder)
      #expect(ending.status == status && !ending.errors.contains("Interrupted"), "\(ending.status) \(ending.errors)")
      // Before the job has begun there is nothing to give up.
      #expect(ending.failures.allSatisfy { $0.contains("given up") }, "\(ending.errors)")
      #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
    }
  }

  @Test(
    "a stalled reader of the sound is abandoned after the first signal", .shows("^C"), arguments: signals)
  func stalled(number: Int32, status: Int32) throws {
    let folder = try folder()
    let pipe = Pipe()
    let run = try Tool.launch(["process", "in.wav", "-o", "-"], in: folder, output: pipe.fileHandleForWriting)
    let waiting = { () -> Int32 in
      var count: Int32 = 0
      return ioctl(pipe.fileHandleForReading.fileDescriptor, bytesToRead, &count) == 0 ? count : 0
    }
    // A pipe holds 16 pages; one of them has the header alone.
    #expect(run.poll { waiting() >= 60_000 })
    run.signal(number)
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == status && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains("nobody read on"), "\(ending.errors)")
  }

  @Test(
    "every command with a closed stdout ends quietly", .shows("closed pipe"),
    arguments: [
      "graph in.wav", "graph in.wav --format dot", "doctor", "doctor --json", "completion bash",
      "analyze in.wav --volume",
      "analyze in.wav --loudness --json", "process in.wav --json", "process in.wav --dry-run", "process --help",
      "simulate --user 1=in.wav --user 2=in.wav --duration 0.1 --json",
      "impair --listen 127.0.0.1:0 --to 127.0.0.1:9 --duration 0.1 --json",
    ])
  func closed(line: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "perl -e 'pipe(R, W); close R; open(STDOUT, q(>&W)); exec @ARGV' $A \(line)", in: folder)
    #expect(
      ending.status == 0 && ending.failures.isEmpty && ending.warnings.isEmpty, "\(ending.status) \(ending.errors)")
  }

  @Test("a header without samples puts nothing on stdout")
  func headerAlone() throws {
    let folder = try folder()
    for ending in ["> out", "| cat > out; exit ${PIPESTATUS[1]}"] {
      let run = try Tool.shell("head -c 44 in.wav | $A process - -o - \(ending)", in: folder)
      #expect(run.status == 65 && run.failures.count == 1 && folder.size("out") == 0, "\(run.status) \(run.errors)")
    }
    // No sound that was promised is a stream of nothing.
    let empty = try Tool.shell("$A process - --raw s16:8000:1 -o - < /dev/null", in: folder)
    #expect(empty.status == 0 && Wave(empty.output)?.data.isEmpty == true, "\(empty.errors)")
  }
}
