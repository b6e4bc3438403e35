import Foundation
import Testing

@Suite("process with other programs")
struct ProgramTests {
  private static let voice = Signals.wave("s16", rate: 22_050, channels: 2, Signals.hard(rate: 22_050, channels: 2))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    return folder
  }

  @Test("Each speaker has a reader of its own, which knows whom it hears")
  func environment() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav --user in.wav --observe record,playback --observe-cmd "
        + "'echo $AUDIOPIPE_POSITION $AUDIOPIPE_UID $AUDIOPIPE_RATE $AUDIOPIPE_CHANNELS $(wc -c)' | sort", in: folder)
    let size = Self.voice.data.count
    #expect(
      ending.text == "playback 0 22050 2 \(size)\nrecord 1 22050 2 \(size)\nrecord 2 22050 2 \(size)\n",
      "\(ending.errors)")
  }

  @Test("A reader changes nothing, may stop early, and keeps its words out of a result on stdout")
  func reader() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav -o - --observe record,mixed --observe-cmd 'head -c 7 > $AUDIOPIPE_POSITION; echo hello'",
      in: folder)
    #expect(ending.status == 0 && Wave(ending.output)?.data == Self.voice.data, "\(ending.errors)")
    #expect(ending.errors.components(separatedBy: "hello").count == 3)
    #expect(try folder.read("record") == Array(Self.voice.data.prefix(7)))
  }

  @Test("The listener's own voice can be observed at its ears")
  func ears() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav --local in.wav --observe earMonitoring --observe-cmd 'cat > ear'", in: folder)
    #expect(try ending.status == 0 && folder.read("ear") == Self.voice.data, "\(ending.errors)")
  }

  @Test(
    "A reader that fails is named, and the output is whole",
    arguments: [("exit 3", 74, "status 3"), ("true && nosuch", 69, "not found")])
  func failingReader(command: String, status: Int32, words: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav -o out.wav --report r.json --observe mixed --observe-cmd '\(command)'", in: folder)
    #expect(ending.status == status && ending.failures.count == 1 && ending.errors.contains(words), "\(ending.errors)")
    #expect(try #require(Wave(try folder.read("out.wav"))).data == Self.voice.data && folder.has("r.json"))
  }

  @Test("A filter replaces the frames of its position", arguments: ["record", "beforeMixing", "playback", "mixed"])
  func filter(position: String) throws {
    let folder = try folder()
    // Every byte is answered as it comes; a sample becomes its complement.
    let ending = try Tool.shell(
      "$A process in.wav -o same.wav --observe \(position) --filter-cmd cat && "
        + "$A process in.wav -o out.wav --observe \(position) --filter-cmd "
        + "'perl -e \"binmode STDIN; binmode STDOUT; while (sysread(STDIN, \\$x, 4)) { syswrite(STDOUT, ~\\$x) }\"'",
      in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try #require(Wave(try folder.read("same.wav"))).data == Self.voice.data)
    #expect(try #require(Wave(try folder.read("out.wav"))).data == Self.voice.data.map { ~$0 })
  }

  @Test(
    "A filter that does not answer as it should ends the job with 65, and no output",
    arguments: [
      ("exec sleep 1000", "within 5 s"), ("head -c 2000 | cat", "of a frame's"), ("exit 0", "of a frame's"),
      ("cat /dev/zero", "more bytes"), ("cat; echo more", "more bytes"), ("cat; exit 9", "status 9"),
    ])
  func failingFilter(command: String, words: String) throws {
    let folder = try folder()
    let ending = try Tool.shell("$A process in.wav -o out.wav --observe mixed --filter-cmd '\(command)'", in: folder)
    #expect(ending.status == 65 && ending.failures.count == 1 && ending.errors.contains(words), "\(ending.errors)")
    #expect(ending.errors.contains("'\(command)'"))
    #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
  }

  @Test("A reader that neither reads nor ends is named after 5 s, and an interrupt ends the job")
  func stalledReader() throws {
    let folder = try folder()
    let run = try Tool.launch(
      ["process", "in.wav", "--observe", "mixed", "--observe-cmd", "exec sleep 1000"], in: folder)
    let hasWarned = run.poll { ((try? String(contentsOfFile: run.errorPath, encoding: .utf8)) ?? "").contains("5 s") }
    run.signal(SIGINT)
    let ending = try Tool.finish(run, in: folder)
    #expect(hasWarned && ending.status == 130, "\(ending.status) \(ending.errors)")
    let sentence =
      "in.wav: waits for the program 'exec sleep 1000' to read on or to end, for 5 s by now; ^C ends the job"
    #expect(ending.warnings.count { $0.hasSuffix(sentence) } == 1, "\(ending.errors)")
  }

  @Test("A filter that does not answer in time is ended with all that it has started")
  func endedFilter() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav -o out.wav --observe mixed --filter-cmd 'exec 9> lock; flock 9; sleep 1000; true'; "
        // Held for as long as one of them lives.
        + "status=$?; flock -w 10 lock true || exit 1; exit $status", in: folder)
    #expect(ending.status == 65 && ending.errors.contains("within 5 s"), "\(ending.status) \(ending.errors)")
  }

  @Test(
    "A program that is not there ends the job before it begins, with 69",
    arguments: [
      ("--observe-cmd", "nosuch -x", "not found"), ("--filter-cmd", "exec no/such", "not found"),
      ("--observe-cmd", "./in.wav", "no executable"), ("--filter-cmd", "$PWD", "no executable"),
    ])
  func missing(option: String, command: String, words: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav --out-dir new --report r.json --observe mixed \(option) \"\(command)\"", in: folder)
    #expect(ending.status == 69 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains(words) && !folder.has("new") && !folder.has("r.json"), "\(ending.errors)")
  }

  @Test(
    "What a shell knows without a file is no program that is not there",
    arguments: ["if true; then cat; fi", "cd .; cat", "X=1 cat", "[ 1 ] && exec cat", "'cat'", "exec cat"])
  func shellWords(command: String) throws {
    let folder = try folder()
    let ending = try Tool.shell("$A process in.wav --observe mixed --filter-cmd \"\(command)\"", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test("A filter that takes longer than a tick is named in the report, with how often it did")
  func overruns() throws {
    let folder = try folder()
    // A frame of 220 or 221 samples of two channels is answered 12 ms after it has come.
    let ending = try Tool.shell(
      "$A process in.wav --report r.json --observe playback --filter-cmd "
        + "'perl -e \"binmode STDIN; binmode STDOUT; while (sysread(STDIN, \\$x, 4096)) "
        + "{ select(undef, undef, undef, 0.012); syswrite(STDOUT, \\$x) }\"'", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let cost = try #require(try folder.json("r.json")["cost"] as? [String: Any])
    let rows = try #require(cost["observers"] as? [[String: Any]])
    let row = try #require(rows.count == 1 ? rows.first : nil)
    let overruns = try #require(row["overruns"] as? Int)
    #expect(row["position"] as? String == "playback" && overruns >= Self.voice.frames / 221, "\(row)")
    let duration = try #require((row["call_us"] as? [String: Double])?["p50"])
    #expect(duration >= 10_000)
    // One that answers at once has a row as well, and none to tell of.
    #expect(
      try Tool.run("process in.wav --report q.json --observe playback --filter-cmd cat", in: folder).status == 0)
    let quick = try #require(try folder.json("q.json")["cost"] as? [String: Any])
    let other = try #require((quick["observers"] as? [[String: Any]])?.first?["overruns"] as? Int)
    #expect(other < overruns / 2)
  }
}
