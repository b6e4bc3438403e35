import AudioFiles
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioFileErrorTests {
  private static let expected: [(AudioFileError.Reason, AudioFileError.Category)] = [
    (.header(.noFormat), .badData), (.unknownFormat, .badData), (.codec("GSM"), .badData),
    (.format("4000 Hz"), .badData), (.decoder("lost sync"), .badData), (.pipeNeedsWAV, .badData),
    (.rawFormat, .usage), (.outputKind("xyz"), .usage), (.unsupported("no"), .usage),
    (.outputNeedsFile, .usage), (.tooLong(limit: 5), .usage),
    (.isDirectory(isOutput: false), .noInput), (.isDirectory(isOutput: true), .cannotCreate),
    (.open(ENOENT), .noInput), (.open(EACCES), .noInput), (.open(EMFILE), .inputOutput),
    (.open(EIO), .inputOutput),
    (.exists, .cannotCreate), (.unfinished("a.part"), .cannotCreate), (.inTheWay("a.part"), .cannotCreate),
    (.busy, .cannotCreate),
    (.create(EACCES), .cannotCreate),
    (.create(EROFS), .cannotCreate), (.create(ENOSPC), .inputOutput), (.read(EIO), .inputOutput),
    (.write(EIO), .inputOutput), (.write(ENOSPC), .inputOutput), (.write(EPIPE), .inputOutput),
    (.write(ECANCELED), .inputOutput),
  ]

  @Test("each reason has the exit code of sysexits.h that fits it")
  func categories() {
    for (reason, category) in Self.expected {
      #expect(AudioFileError(reason, path: "a").category == category)
    }
    #expect(
      [.usage, .badData, .noInput, .cannotCreate, .inputOutput].map(\AudioFileError.Category.rawValue) == [
        64, 65, 66, 73, 74,
      ])
  }

  @Test("each message is one line that begins with the path")
  func messages() {
    for (reason, _) in Self.expected {
      let text = AudioFileError(reason, path: "some/file").description
      #expect(text.hasPrefix("some/file: ") && !text.contains("\n") && !text.hasSuffix("."))
    }
    #expect(Set(Self.expected.map { AudioFileError($0.0, path: "a").description }).count > 20)
  }

  @Test("a write error's message reports the state and path of the output")
  func remains() {
    func text(_ remains: AudioFileError.Remains?) -> String {
      AudioFileError(.write(ENOSPC), path: "a", remains: remains).description
    }
    #expect(text(nil) == "a: the disk is full; free some space or choose another place")
    #expect(text(.valid(path: "a")).contains("full; what was written is valid; free"))
    #expect(text(.valid(path: "a.part")).contains("full; what was written is valid and stays as a.part; free"))
    #expect(text(.incomplete(path: "a.part")).contains("full; a.part stays, but is not whole; free"))
  }

  @Test("a full disk and a broken pipe are distinct from other failures")
  func kinds() {
    #expect(
      AudioFileError(.write(ENOSPC), path: "a").isDiskFull
        && AudioFileError(.write(EDQUOT), path: "a").isDiskFull)
    #expect(
      AudioFileError(.create(ENOSPC), path: "a").isDiskFull
        && !AudioFileError(.write(EIO), path: "a").isDiskFull)
    #expect(
      AudioFileError(.write(EPIPE), path: "a").isBrokenPipe
        && !AudioFileError(.read(EPIPE), path: "a").isBrokenPipe)
  }
}
