import BatchProcessing
import Platform
import TestSupport
import Testing

@Suite("BatchError", .timeLimit(.minutes(10)))
struct BatchErrorTests {
  @Test(
    "each kind has the exit status of sysexits", .shows("batch: programs"),
    arguments: [
      (.usage, 64), (.otherWork, 64), (.badData, 65), (.noInput, 66), (.unavailable, 69),
      (.cannotCreate, 73), (.exists, 73), (.busy, 73), (.inputOutput, 74), (.cancelled, 74),
    ] as [(BatchError.Kind, Int32)])
  func status(kind: BatchError.Kind, status: Int32) {
    let error: any Error = BatchError(kind, "list.txt: it cannot be read; check the name")
    #expect((error as? any ExitStatusError)?.exitStatus == status)
    #expect("\(error)" == "list.txt: it cannot be read; check the name")
  }

  @Test("a text that is not a shard is refused", .shows("batch: programs"), arguments: ["5/4", "0/4", "4", "a/b", ""])
  func noShard(text: String) {
    let refusal = failure { _ = try Shard(text) }
    #expect(refusal?.kind == .usage)
    #expect(refusal?.message.hasPrefix("'\(text)' is not a shard") == true)
  }

  @Test("the sentences for programs name no option of the command", .shows("batch: programs"))
  func sentences() throws {
    let folder = try BatchFolder()
    let rows = ["/tmp/a.wav", "../a.wav", "x/"].map { #"{"path": "a.wav", "output": "\#($0)"}"# + "\n" }
    let manifest = try Manifest(path: folder.write("m", rows.joined()))
    let names = try NameTemplate(NameTemplate.standard)
    let refusals =
      (0..<3).map { position in
        failure { _ = try names.name(of: manifest.row(position), in: manifest) }
      } + ["{stem", "{nme}"].map { text in failure { _ = try NameTemplate(text) } }
    for refusal in refusals { #expect(refusal?.message.contains("--") == false, "\(refusal?.message ?? "accepted")") }
  }
}
