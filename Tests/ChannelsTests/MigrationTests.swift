import Foundation
import TestSupport
import Testing

/// The page of names of other SDKs: its names of this package are those of the sources.
@Suite(.timeLimit(.minutes(10))) struct MigrationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func page() throws -> String {
    try String(contentsOf: root.appendingPathComponent("Documentation/Migration.md"), encoding: .utf8)
  }

  /// Cells of the page's tables: names there, names here.
  private static func rows() throws -> [(there: String, here: String)] {
    try page().split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard cells.count >= 4, !cells[1].contains("---"), !cells[1].contains(" there ") else { return nil }
      return (cells[1], cells[2])
    }
  }

  /// Names within code spans of a cell: the words in front of an argument list or a dot are names of their own.
  private static func names(in cell: String) -> Set<String> {
    let spans = cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
    var names: Set<String> = []
    for span in spans.map({ String($0.element) }) {
      // Labels and arguments are not names of their own.
      let head = span.prefix { $0 != "(" && $0 != " " && $0 != "[" && $0 != ":" && $0 != "," && $0 != "{" && $0 != "=" }
      for part in head.split(separator: ".") where part.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
        names.insert(String(part))
      }
    }
    return names
  }

  @Test("each name of this package on the migration page is in the sources", .shows("D18"))
  func names() throws {
    var sources = ""
    let files = FileManager.default.enumerator(
      at: Self.root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "swift" { sources += try String(contentsOf: file, encoding: .utf8) }
    }
    let known = Set(sources.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    let rows = try Self.rows()
    #expect(rows.count > 200)
    var unknown: Set<String> = []
    for row in rows { unknown.formUnion(Self.names(in: row.here).subtracting(known)) }
    #expect(unknown.isEmpty, "\(unknown.sorted())")
  }

  @Test("each number of calls is on the migration page", .shows("D18"))
  func callNumbers() throws {
    let page = try Self.page()
    let folder = Self.root.appendingPathComponent("Sources/Calls/Codes")
    var (count, missing): (Int, Set<String>) = (0, [])
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count == 4, words[0] == "case", words[2] == "=" else { continue }
        count += 1
        if !page.contains("`\(words[1])` \(words[3])") { missing.insert("\(words[1]) \(words[3])") }
      }
    }
    #expect(count > 50)
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test(
    "each deprecated name of the delegate is on the migration page", .shows("D18"),
    arguments: [
      "firstLocalAudioFrame", "firstRemoteAudioFrameOfUid", "firstRemoteAudioFrameDecodedOfUid",
      "audioTransportStatsOfUid", "audioQualityOfUid", "didMicrophoneEnabled", "connectionDidInterrupted",
      "connectionDidBanned", "didProxyConnected", "didLocalPublishFallbackToAudioOnly",
      "didRemoteSubscribeFallbackToAudioOnly",
    ])
  func deprecated(name: String) throws {
    #expect(try Self.rows().contains { $0.there.contains(name) }, "\(name)")
  }
}
