import CommandTestSupport
import Engine
import Foundation
import OfflineProcessing
import TestSupport
import Testing

@testable import Commands
@testable import FileCommands

@Suite("process with other programs", .timeLimit(.minutes(10)))
struct ProgramTests {
  private static let voice = Signals.wave("s16", rate: 22_050, channels: 2, Signals.hard(rate: 22_050, channels: 2))

  private func folder() throws -> Workspace {
    let folder = try Workspace()
    try folder.write("in.wav", Self.voice.file())
    return folder
  }

  @Test("each speaker has its own reader with the speaker's uid")
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

  @Test(
    "a reader changes nothing, may end early and prints to stderr",
    .shows("process: programs", "streams"))
  func reader() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav -o - --observe record,mixed --observe-cmd 'head -c 7 > $AUDIOPIPE_POSITION; echo hello'",
      in: folder)
    #expect(ending.status == 0 && Wave(ending.output)?.data == Self.voice.data, "\(ending.errors)")
    #expect(ending.errors.components(separatedBy: "hello").count == 3)
    #expect(try folder.read("record") == Array(Self.voice.data.prefix(7)))
  }

  @Test("the listener's own voice can be observed at ear monitoring", .shows("F7"))
  func ears() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav --local in.wav --observe earMonitoring --observe-cmd 'cat > ear'", in: folder)
    #expect(try ending.status == 0 && folder.read("ear") == Self.voice.data, "\(ending.errors)")
  }

  @Test(
    "a failed reader is named, and the output is complete", .shows("process: programs"),
    arguments: [("exit 3", 74, "status 3"), ("true && nosuch", 69, "not found")])
  func failingReader(command: String, status: Int32, words: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav -o out.wav --report r.json --observe mixed --observe-cmd '\(command)'", in: folder)
    #expect(ending.status == status && ending.failures.count == 1 && ending.errors.contains(words), "\(ending.errors)")
    #expect(try #require(Wave(try folder.read("out.wav"))).data == Self.voice.data && folder.has("r.json"))
  }

  @Test(
    "A filter replaces the frames of its position", .shows("process: programs"),
    arguments: ["record", "beforeMixing", "playback", "mixed"])
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
    "a filter with a wrong or late answer ends the job with 65", .shows("process: programs"),
    arguments: [
      ("exec sleep 1000", "within 300 ms"), ("head -c 2000 | cat", "of a frame's"), ("exit 0", "of a frame's"),
      ("cat /dev/zero", "more bytes"), ("cat; echo more", "more bytes"), ("cat; exit 9", "status 9"),
    ])
  func failingFilter(command: String, words: String) throws {
    let folder = try folder()
    // Only a filter that never answers may meet the short limit: a busy machine needs longer than that for others.
    let limit = command.hasPrefix("exec sleep") ? " --program-timeout 0.3" : ""
    let ending = try Tool.shell(
      "$A process in.wav -o out.wav --observe mixed --filter-cmd '\(command)'\(limit)", in: folder)
    #expect(ending.status == 65 && ending.failures.count == 1 && ending.errors.contains(words), "\(ending.errors)")
    #expect(ending.errors.contains("'\(command)'"))
    #expect(!folder.has("out.wav") && !folder.has("out.wav.part"))
  }

  @Test("a stalled reader is named, and an interrupt ends the job", .shows("process: programs"))
  func stalledReader() throws {
    let folder = try folder()
    let run = try Tool.launch(
      ["process", "in.wav", "--observe", "mixed", "--observe-cmd", "exec sleep 1000", "--program-timeout", "0.3"],
      in: folder)
    let hasWarned = run.poll {
      ((try? String(contentsOfFile: run.errorPath, encoding: .utf8)) ?? "").contains("300 ms")
    }
    run.signal(SIGINT)
    let ending = try Tool.finish(run, in: folder)
    #expect(hasWarned && ending.status == 130, "\(ending.status) \(ending.errors)")
    let sentence =
      "in.wav: waits for the program 'exec sleep 1000' to read on or to end, for 300 ms by now; ^C ends the job"
    #expect(ending.warnings.count { $0.hasSuffix(sentence) } == 1, "\(ending.errors)")
  }

  @Test("a filter has 5 s for each frame, a reader 5 s before it is named")
  func usualLimit() throws {
    for option in ["--filter-cmd", "--observe-cmd"] {
      let words = "in.wav --observe mixed \(option) cat".split(separator: " ").map(String.init)
      let options = try ProcessOptions(parse(words, ProcessDeclaration.process))
      #expect(options.frameProgram?.answerLimitMilliseconds == 5_000)
    }
  }

  @Test("a filter that answers late is ended with all that it has started", .shows("process: programs"))
  func endedFilter() throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav --program-timeout 1 -o out.wav --observe mixed --filter-cmd 'exec 9> lock; flock 9; sleep 1000; true'; "
        // Held for as long as one of them lives.
        + "status=$?; flock -w 10 lock true || exit 1; exit $status", in: folder)
    #expect(ending.status == 65 && ending.errors.contains("within 1 s"), "\(ending.status) \(ending.errors)")
  }

  @Test(
    "a missing program is refused with 69 before the job begins", .shows("process: programs"),
    arguments: [
      ("--observe-cmd", "nosuch -x", "not found"), ("--filter-cmd", "exec no/such", "not found"),
      ("--observe-cmd", "./in.wav", "not an executable"), ("--filter-cmd", "$PWD", "not an executable"),
    ])
  func missing(option: String, command: String, words: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav --out-dir new --report r.json --observe mixed \(option) \"\(command)\"", in: folder)
    #expect(ending.status == 69 && ending.failures.count == 1, "\(ending.status) \(ending.errors)")
    #expect(ending.errors.contains(words) && !folder.has("new") && !folder.has("r.json"), "\(ending.errors)")
  }

  @Test(
    "shell keywords and builtins are accepted as programs",
    arguments: ["if true; then cat; fi", "cd .; cat", "X=1 cat", "[ 1 ] && exec cat", "'cat'", "exec cat"])
  func shellWords(command: String) throws {
    let folder = try folder()
    let ending = try Tool.shell("$A process in.wav --observe mixed --filter-cmd \"\(command)\"", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// What a report tells of the calls of a filter at PLAYBACK.
  private func calls(
    of filter: String, in folder: Workspace
  ) throws -> (overruns: Int, microseconds: [String: Double]) {
    let ending = try Tool.shell(
      "$A process in.wav --report r.json --overwrite --observe playback --filter-cmd '\(filter)'", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let cost = try #require(try folder.json("r.json")["cost"] as? [String: Any])
    let rows = try #require(cost["observers"] as? [[String: Any]])
    let row = try #require(rows.count == 1 ? rows.first : nil)
    #expect(row["position"] as? String == "playback")
    return (try #require(row["overruns"] as? Int), try #require(row["call_us"] as? [String: Double]))
  }

  @Test("a report counts the calls of a filter that took more than 10 ms", .shows("F17"))
  func overruns() throws {
    let folder = try folder()
    // A frame of 220 or 221 samples of two channels is answered 12 ms after it has come: each call takes too long.
    let slow = try calls(
      of: "perl -e \"binmode STDIN; binmode STDOUT; while (sysread(STDIN, \\$x, 4096)) "
        + "{ select(undef, undef, undef, 0.012); syswrite(STDOUT, \\$x) }\"", in: folder)
    #expect(slow.overruns >= Self.voice.frames / 221, "\(slow)")
    let median = try #require(slow.microseconds["p50"])
    #expect(median >= 10_000)
    // One that answers at once; a busy machine may hold it up, and its longest call then says so.
    let quick = try calls(of: "cat", in: folder)
    let longest = try #require(quick.microseconds["max"])
    #expect((quick.overruns > 0) == (longest > 10_000), "\(quick)")
  }
}
