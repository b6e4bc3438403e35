import TestSupport
import Testing

@testable import BatchProcessing

@Suite("Manifest", .timeLimit(.minutes(10)))
struct ManifestTests {
  private func rows(_ text: String, name: String = "list.txt") throws -> [ManifestRow] {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write(name, text))
    var rows: [ManifestRow] = []
    try manifest.forEach { position, row throws(BatchError) in
      rows.append(row)
      #expect(try manifest.row(position) == row)
    }
    #expect(rows.map(\.index) == Array(1...rows.count))
    return rows
  }

  @Test("a list has a path a line, with any line end and a mark before UTF-8", .shows("batch: manifest"))
  func list() throws {
    let rows = try rows("\u{FEFF}a/b.wav\r\n\n  \nc d.wav\n#e.wav")
    #expect(rows.map(\.path) == ["a/b.wav", "c d.wav", "#e.wav"])
  }

  @Test("lines of speech tool kits have their path, duration and offset", .shows("batch: manifest"))
  func toolKit() throws {
    let rows = try rows(
      #"{"audio_filepath": "x/\u00e4.wav", "duration": 3.25, "text": "so", "offset": 1e1}"# + "\n"
        + #"{"audio_filepath": "y.wav", "duration": null, "lang": ["de"]}"# + "\n", name: "train.json")
    #expect(rows.map(\.path) == ["x/ä.wav", "y.wav"])
    #expect(rows.map(\.duration) == [3.25, nil])
    #expect(rows.map(\.start) == [10, nil])
  }

  @Test("rows of JSON lines have an output and a gain", .shows("batch: manifest"))
  func ownKeys() throws {
    let rows = try rows(#"{"path":"a.wav","output":"b/c.flac","gain":-3,"start":0.5,"duration":2}"#)
    var expected = ManifestRow(index: 1, path: "a.wav")
    expected.output = "b/c.flac"
    (expected.gain, expected.start, expected.duration) = (-3, 0.5, 2)
    #expect(rows == [expected])
  }

  @Test("a table has quotes, empty cells and columns in any order", .shows("batch: manifest"))
  func table() throws {
    let rows = try rows("speaker,duration,path\nx,1.5,\"a,\"\"b\"\".wav\"\ny,,c.wav\n", name: "list.csv")
    #expect(rows.map(\.path) == ["a,\"b\".wav", "c.wav"])
    #expect(rows.map(\.duration) == [1.5, nil])
  }

  @Test(
    "a line that is not a row is named with its number", .shows("batch: bad lines"),
    arguments: [
      ("{\"path\":\"a.wav\"}\n\n{\"path\":\"b.wav\"", "line 3"), ("{\"path\":\"a.wav\"}\n{\"duration\":1}\n", "line 2"),
      ("{\"path\":\"a.wav\",\"duration\":-1}\n", "line 1"), ("{\"path\":\"a.wav\",\"gain\":\"loud\"}\n", "line 1"),
      ("{\"path\":\"a.wav\"}\nb.wav\n", "line 2"), ("{\"path\":\"a\\nb.wav\"}\n", "line 1"),
      ("path,duration\na.wav,1\nb.wav\n", "line 3"), ("path,duration\na.wav,nan\n", "line 2"),
      ("path,duration\n\"a.wav,1\n", "line 2"), ("path,path\na.wav,b.wav\n", "line 1"),
      ("{\"path\":\"a.wav\",\"audio_filepath\":\"b.wav\"}\n", "line 1"),
      ("{\"path\":\"a.wav\",\"start\":1,\"offset\":1}\n", "line 1"),
    ])
  func badLines(text: String, place: String) throws {
    let folder = try BatchFolder()
    let path = try folder.write("m", text)
    let failure = failure { _ = try Manifest(path: path) }
    #expect(failure?.kind == .badData)
    #expect(failure?.message.hasPrefix("\(path), \(place): ") == true, "\(failure?.message ?? "accepted")")
  }

  @Test("a manifest without rows, a folder and a missing file are refused")
  func noManifest() throws {
    let folder = try BatchFolder()
    let path = try folder.write("m", "\n \n")
    #expect(failure { _ = try Manifest(path: path) }?.kind == .badData)
    #expect(failure { _ = try Manifest(path: folder.path) }?.kind == .noInput)
    #expect(failure { _ = try Manifest(path: path + "x") }?.kind == .noInput)
  }

  @Test("relative paths begin at the manifest's folder")
  func folder() throws {
    let folder = try BatchFolder()
    let manifest = try Manifest(path: folder.write("m", "a.wav\n/b.wav\n"))
    #expect(manifest.path(of: ManifestRow(index: 1, path: "a.wav")) == folder.path + "/a.wav")
    #expect(manifest.path(of: ManifestRow(index: 1, path: "/b.wav")) == "/b.wav")
  }

  @Test("a line longer than a block is one row")
  func longLine() throws {
    let text = String(repeating: "x", count: 300_000)
    #expect(
      try rows("{\"text\":\"\(text)\",\"path\":\"a.wav\"}\nb.wav".replacing("\nb.wav", with: "")).map(\.path) == [
        "a.wav"
      ])
  }
}
