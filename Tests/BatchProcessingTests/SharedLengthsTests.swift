import Glibc
import TestSupport
import Testing

@testable import BatchProcessing

@Suite("SharedLengths", .timeLimit(.minutes(10)))
struct SharedLengthsTests {
  @Test("the first worker's lengths are those of all", .shows("batch: lengths"))
  func first() throws {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write("m", "a.wav\nb.wav\n"))
    let shared = SharedLengths(folder: folder.path, manifest: manifest)
    #expect(shared.read() == nil)
    #expect(try shared.keep([1, 4_000_000_000]) == [1, 4_000_000_000])
    #expect(try shared.keep([2, 3]) == [1, 4_000_000_000])
    #expect(shared.read() == [1, 4_000_000_000])
    // A file of other rows is none.
    try folder.write("lengths-\(manifest.fingerprint.text)", "audiopipe lengths 1\nabc")
    #expect(shared.read() == nil)
  }
}
