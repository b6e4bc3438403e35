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
    arguments: [("exit 3", "status 3"), ("nosuch", "not found")])
  func failingReader(command: String, words: String) throws {
    let folder = try folder()
    let ending = try Tool.shell(
      "$A process in.wav -o out.wav --report r.json --observe mixed --observe-cmd '\(command)'", in: folder)
    #expect(ending.status == 74 && ending.failures.count == 1 && ending.errors.contains(words), "\(ending.errors)")
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
}
